"""Sums of a usage report that follow the store: what a session adds to them can be taken away again.

A part of a report is a number in every respect: tokens, calls and sessions by nature, ways of booking and statuses of
costs by counting them, dollars as multiples of the least amount that a float can hold. So sums are exact, in any order,
and after a change only the conversations that changed are taken out as they were and put in as they are now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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

_USAGE, _BOOKED = 3, 9  # where in a tally each of them begins
_STATUSES = _BOOKED + len(Booking)
_AMOUNTS = _STATUSES + len(CostStatus)
_NOTHING: Tally = [0] * (_AMOUNTS + 6)
_ONE_BOOKED = {each: tuple(int(each is other) for other in Booking) for each in Booking}
_ONE_KNOWN = {each: tuple(int(each is other is not CostStatus.UNKNOWN) for other in CostStatus) for each in CostStatus}
_DIGITS = 1074  # that a float may have behind the point, written in twos
_DOLLAR = 1 << _DIGITS


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


def joined(stores: Sequence[UsageSums]) -> tuple[dict[Key, Tally], Tally]:
    """The groups of all stores, sorted by their values, None last; and the total."""
    groups: dict[Key, Tally] = {}
    total = _NOTHING
    for sums in stores:
        total = _combined(add, total, sums.total)
        for key, tally in sums.groups.items():
            groups[key] = _combined(add, groups[key], tally) if key in groups else tally
    ordered = sorted(groups, key=lambda key: [(value is None, value or "") for value in key])
    return {key: groups[key] for key in ordered}, total


def row_of(tally: Tally, values: dict[UsageDimension, str | None]) -> ReportRow:
    """What a group says, and which it is."""
    sessions, messages, unknown = tally[:_USAGE]
    status = joint_status(
        {status for status, count in zip(CostStatus, tally[_STATUSES:_AMOUNTS], strict=True) if count}
    )
    known = tally[_AMOUNTS:]
    usd, actual, estimated = (_shown(*known[at : at + 2]) for at in (0, 2, 4))
    return ReportRow(
        sessions=sessions,
        messages=messages,
        usage=Usage(*tally[_USAGE:_BOOKED]),
        cost=Cost(usd, actual, estimated, status, unknown),
        booked={booking: count for booking, count in zip(Booking, tally[_BOOKED:_STATUSES], strict=True) if count},
        values=values,
    )


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
    used, *others = [_used(part, zone) for part in parts]
    for other in others:
        used = _combined(add, used, other)
    return [1, session.message_count, int(has_unknown_cost(parts)), *used]


def _used(part: Part, zone: tzinfo) -> Tally:
    """What a part adds to a group whatever else its session has there."""
    cost = part.cost
    return [
        *counts_of(part.usage),
        *_ONE_BOOKED[booking_of(part, zone)],
        *_ONE_KNOWN[cost.status],
        *_told(cost.usd),
        *_told(cost.actual_usd),
        *_told(cost.estimated_usd),
    ]


def _told(amount: float | None) -> tuple[int, int]:
    return (1, _exact(amount)) if amount is not None else (0, 0)


def _exact(amount: float) -> int:
    numerator, denominator = amount.as_integer_ratio()
    return numerator << (_DIGITS + 1 - denominator.bit_length())


def _combined(combine: Combine, one: Tally, other: Tally) -> Tally:
    return list(map(combine, one, other))


def _shown(count: int, exact: int) -> float | None:
    return shown_sum(exact / _DOLLAR) if count else None
