"""Sums of a usage report that follow the store: what a session adds to them can be taken away again.

A part of a report is a number in every respect: tokens, calls and sessions by nature, ways of booking and statuses of
costs by counting them, dollars as multiples of the least amount that a float can hold. So sums are exact, in any order,
and after a change only the conversations that changed are taken out as they were and put in as they are now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from operator import add, sub

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.filters import FilterContext, ListFilter, Test, archived_test, audience_test, named_tests
from hermes_sessions.model.lineage import Change, Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import Cost, CostStatus, Usage, UsageTable, joint_status, shown_sum
from hermes_sessions.model.usage_report import (
    Booking,
    Part,
    Period,
    ReportRow,
    UsageDimension,
    booking_of,
    counts_of,
    has_unknown_cost,
    parts_of_session,
    value_of,
)

Key = tuple[str | None, ...]
Tally = list[int]
"""One group: sessions, messages, sessions of unknown cost, six counts of usage, parts by booking, parts of known cost
by status, and of each amount how many parts know it and their sum."""

Combine = Callable[[int, int], int]

_BOOKINGS, _STATUSES = tuple(Booking), tuple(CostStatus)
_SMALLEST = 1074  # every float is a multiple of 2 to the power of -1074
_NOTHING: Tally = [0] * (3 + 6 + len(_BOOKINGS) + len(_STATUSES) + 6)


@dataclass(frozen=True)
class UsageQuestion:
    """What a report asks of one store."""

    profile: str
    by: tuple[UsageDimension, ...]
    zone: tzinfo
    period: Period
    filter: ListFilter


@dataclass(frozen=True, eq=False)
class UsageSums:
    """The groups of one store by their values in the order of the question, and all of it as one. `table` has the
    usage rows that they were made from."""

    table: UsageTable
    groups: dict[Key, Tally]
    total: Tally


def sum_up(forest: Forest, table: UsageTable, question: UsageQuestion, context: FilterContext) -> UsageSums:
    """Of all sessions whose conversation passes."""
    booking = _Booking(question, context, {}, _NOTHING)
    booking.book(forest.conversations.values(), table, add)
    return UsageSums(table, booking.groups, booking.total)


def renew_sums(
    before: UsageSums,
    change: Change,
    forest: Forest,
    table: UsageTable,
    question: UsageQuestion,
    context: FilterContext,
) -> UsageSums:
    """The sums after a change of the forest, and of usage rows. It asks for a filter whose conditions depend on
    conversations alone."""
    retold = {forest.head_id(each) for each in table.differing(before.table) if each in forest.sessions}
    then = {head: forest.conversation(head) for head in retold} | dict(change.conversations)
    now = [forest.conversation(head) for head in then]
    booking = _Booking(question, context, dict(before.groups), before.total)
    booking.book([each for each in then.values() if each is not None], before.table, sub)
    booking.book([each for each in now if each is not None], table, add)
    groups = {key: tally for key, tally in booking.groups.items() if tally[0]}
    return UsageSums(table, groups, booking.total)


def report_of(stores: Sequence[UsageSums], by: Sequence[UsageDimension]) -> tuple[list[ReportRow], ReportRow]:
    """One row for each combination of values, sorted by them in the order of `by`, None last; and the total."""
    groups: dict[Key, Tally] = {}
    total = _NOTHING
    for sums in stores:
        total = _combined(add, total, sums.total)
        for key, tally in sums.groups.items():
            groups[key] = _combined(add, groups[key], tally) if key in groups else tally
    ordered = sorted(groups, key=lambda key: [(value is None, value or "") for value in key])
    return [_row(groups[key], dict(zip(by, key, strict=True))) for key in ordered], _row(total, {})


class _Booking:
    """Sums on their way from one state to the next."""

    def __init__(self, question: UsageQuestion, context: FilterContext, groups: dict[Key, Tally], total: Tally) -> None:
        filter = question.filter
        given = (archived_test(filter), audience_test(filter, context), *named_tests(filter, context).values())
        self._tests: list[Test] = [test for test in given if test is not None]
        self._question = question
        self.groups = groups
        self.total = total

    def book(self, conversations: Iterable[Conversation], table: UsageTable, combine: Combine) -> None:
        for conversation in conversations:
            if all(test(conversation) for test in self._tests):
                for session in conversation.members:
                    self._book_session(session, self._parts(session, table), combine)

    def _parts(self, session: Session, table: UsageTable) -> dict[Key, list[Part]]:
        """The session's parts that lie in the period, by the values of their group."""
        question = self._question
        groups: dict[Key, list[Part]] = {}
        for part in parts_of_session(question.profile, session, table.get(session.id, ())):
            if question.period.holds(part.at):
                key = tuple([value_of(dimension, part, question.zone) for dimension in question.by])
                groups.setdefault(key, []).append(part)
        return groups

    def _book_session(self, session: Session, parts: dict[Key, list[Part]], combine: Combine) -> None:
        tally: Tally | None = None
        for key, own in parts.items():
            tally = _tally(session, own, self._question.zone)
            self.groups[key] = _combined(combine, self.groups.get(key, _NOTHING), tally)
        if len(parts) > 1:
            every = [part for own in parts.values() for part in own]
            tally = _tally(session, every, self._question.zone)
        if tally is not None:
            self.total = _combined(combine, self.total, tally)


def _tally(session: Session, parts: Sequence[Part], zone: tzinfo) -> Tally:
    """Of parts of one session that stand in one group."""
    bookings = [booking_of(part, zone) for part in parts]
    known = [part.cost for part in parts if part.cost.usd is not None]
    statuses = [cost.status for cost in known]
    return [
        1,
        session.message_count,
        int(has_unknown_cost(parts)),
        *map(sum, zip(*(counts_of(part.usage) for part in parts), strict=True)),
        *map(bookings.count, _BOOKINGS),
        *map(statuses.count, _STATUSES),
        *_told([cost.usd for cost in known]),
        *_told([cost.actual_usd for cost in known]),
        *_told([cost.estimated_usd for cost in known]),
    ]


def _told(amounts: Sequence[float | None]) -> tuple[int, int]:
    """How many amounts there are, and their sum."""
    present = [_exact(amount) for amount in amounts if amount is not None]
    return (len(present), sum(present))


def _exact(amount: float) -> int:
    numerator, denominator = amount.as_integer_ratio()
    return numerator << (_SMALLEST + 1 - denominator.bit_length())


def _combined(combine: Combine, one: Tally, other: Tally) -> Tally:
    return list(map(combine, one, other))


def _row(tally: Tally, values: dict[UsageDimension, str | None]) -> ReportRow:
    following = iter(tally)
    sessions, messages, unknown = _next(following, 3)
    usage = Usage(*_next(following, 6))
    booked = Counter(dict(zip(_BOOKINGS, _next(following, len(_BOOKINGS)), strict=True)))
    statuses = zip(_STATUSES, _next(following, len(_STATUSES)), strict=True)
    usd, actual, estimated = (_shown(*_next(following, 2)) for _ in range(3))
    status = joint_status({status for status, count in statuses if count})
    return ReportRow(sessions, messages, usage, Cost(usd, actual, estimated, status, unknown), +booked, values)


def _next(following: Iterator[int], count: int) -> list[int]:
    return [next(following) for _ in range(count)]


def _shown(count: int, exact: int) -> float | None:
    return shown_sum(exact / (1 << _SMALLEST)) if count else None
