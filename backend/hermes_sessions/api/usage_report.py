"""Usage and cost of many sessions, grouped."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import is_

import strawberry

from hermes_sessions.api.context import Context, StoreView
from hermes_sessions.api.conversation import ProfileFailure
from hermes_sessions.api.scalars import BigInt, big_int
from hermes_sessions.api.usage import Cost, Usage, cost_of, usage_of
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model import usage_report as model
from hermes_sessions.model import usage_sums as sums
from hermes_sessions.model.filters import ListFilter
from hermes_sessions.model.lineage import Change
from hermes_sessions.model.usage import UsageTable
from hermes_sessions.model.usage_report import Booking, Period, ReportRow, UsageDimension
from hermes_sessions.model.usage_sums import UsageSums


@strawberry.type(
    description="How the days were found. Counts of parts: what one model and task used in one session is one part."
)
class UsageBooking:
    spent: int = strawberry.field(
        description="First and last used on the same day of the time zone: booked to the day on which it was spent."
    )
    last_seen: int = strawberry.field(description="Spent over several days: booked to the last of them.")
    start: int = strawberry.field(description="The store does not tell when: booked to the day the session started.")
    undated: int = strawberry.field(description="No moment at all: day and month are null. In no bounded period.")


@strawberry.type(
    description="One combination of values. A value is null where the report is not grouped by it, or the store has "
    "none."
)
class UsageRow:
    day: str | None = strawberry.field(description="YYYY-MM-DD in the report's time zone; `bookedBy` says how sure.")
    month: str | None = strawberry.field(description="YYYY-MM in the report's time zone.")
    profile: str | None = strawberry.field(description="The name of the profile whose store holds the sessions.")
    model: str | None = strawberry.field(
        description="As usage was recorded; what was recorded for no model counts for the session's own."
    )
    source: str | None = strawberry.field(description="Of the session itself, as `Session.source`.")
    workspace: str | None = strawberry.field(description="Of the session itself, as `Session.workspace`.")
    task: str | None = strawberry.field(description="The auxiliary task; null for the agent's own calls.")
    sessions: int = strawberry.field(
        description="Sessions that have a part in this row, each once. One that has parts in several rows counts in "
        "each, so the rows may add up to more than the total."
    )
    messages: BigInt = strawberry.field(
        description="All live and compacted messages of those sessions, whenever they were written."
    )
    usage: Usage = strawberry.field(description="Tokens and calls; rows add up to the total.")
    cost: Cost = strawberry.field(
        description="US dollars; known amounts of the rows add up to the total's. `unknownSessions` counts each "
        "session once, also one whose cost is known only together with what stands in another row."
    )
    booked_by: UsageBooking = strawberry.field(description="How the days of this row's parts were found.")


@strawberry.type(description="Usage by the dimensions that were asked for.")
class UsageReport:
    rows: list[UsageRow] = strawberry.field(
        description="Sorted by their values in the order of `by`, null last. Empty where no session counts."
    )
    total: UsageRow = strawberry.field(description="Everything in the period, with each session counted once.")
    time_zone: str = strawberry.field(description="The IANA time zone of days and months.")
    booked_by: UsageBooking = strawberry.field(description="How the days of all parts were found.")
    failures: list[ProfileFailure] = strawberry.field(
        description="A profile that failed is listed here and missing from all numbers."
    )


Read = tuple[StoreView, UsageTable]


@dataclass(frozen=True)
class UsageQuestion:
    """What is asked of each store."""

    by: tuple[UsageDimension, ...]
    time_zone: str
    period: Period
    filter: ListFilter

    def of(self, profile: str) -> sums.UsageQuestion:
        zone = model.time_zone(self.time_zone)
        return sums.UsageQuestion(profile, tuple(dict.fromkeys(self.by)), zone, self.period, self.filter)


async def usage_report(context: Context, profiles: Sequence[str] | None, question: UsageQuestion) -> UsageReport:
    model.time_zone(question.time_zone)
    views, failed = await context.views(profiles)
    read: list[Read] = []
    for view in views:
        try:
            read.append((view, await view.store.all_usage()))
        except HermesSessionsError as error:
            if profiles is None:
                raise
            failed.append((view.profile, error))
    report = await _report(read, question)
    return UsageReport(
        rows=[row for _, row in report.rows.values()],
        total=report.total,
        time_zone=question.time_zone,
        booked_by=report.total.booked_by,
        failures=[ProfileFailure(profile=name, code=error.code, message=error.message) for name, error in failed],
    )


@dataclass(frozen=True)
class _Rows:
    """What was finished of some sums: rows with the tallies that they say, and the total."""

    found: Sequence[UsageSums]
    rows: Mapping[sums.Key, tuple[sums.Tally, UsageRow]]
    total: UsageRow


async def _report(read: Sequence[Read], question: UsageQuestion) -> _Rows:
    """Of the rows that were answered before, those whose sums are another are made again."""
    found = [await _sums(view, table, question.of(view.profile)) for view, table in read]
    if not found:
        return _finished(found, question, {})
    forest, key = read[0][0].forest, ("usage rows", question, *(view.profile for view, _ in read))
    before: _Rows | None = forest.derived(key, lambda before, _: before)
    if before is not None and all(map(is_, before.found, found)):
        return before
    rows = _finished(found, question, before.rows if before is not None else {})
    forest.keep(key, rows, is_renewable=True)
    return rows


def _finished(
    found: Sequence[UsageSums],
    question: UsageQuestion,
    before: Mapping[sums.Key, tuple[sums.Tally, UsageRow]],
) -> _Rows:
    by = question.of("").by
    groups, total = sums.joined(found)
    rows: dict[sums.Key, tuple[sums.Tally, UsageRow]] = {}
    for key, tally in groups.items():
        known = before.get(key)
        if known is None or known[0] != tally:
            known = (tally, _row(sums.row_of(tally, dict(zip(by, key, strict=True)))))
        rows[key] = known
    return _Rows(found, rows, _row(sums.row_of(total, {})))


async def _sums(view: StoreView, table: UsageTable, question: sums.UsageQuestion) -> UsageSums:
    """Kept with the picture, and renewed when it or the table has changed, unless they depend on the time of day or
    on messages. From nothing they are worth a thread: other requests go on meanwhile."""
    forest, filter = view.forest, question.filter
    context = await view.filter_context(filter)

    def make() -> UsageSums:
        return sums.sum_up(forest, table, question, context)

    def renew(before: UsageSums, change: Change) -> UsageSums:
        return sums.renew_sums(before, change, forest, table, question, context)

    if filter.live is not None:
        return await asyncio.to_thread(make)
    key, is_renewable = ("usage", question), filter.text is None
    found = forest.derived(key, renew if is_renewable else None)
    if found is not None and found.table is table:
        return found
    found = renew(found, Change({}, {})) if found is not None and is_renewable else await asyncio.to_thread(make)
    forest.keep(key, found, is_renewable=is_renewable)
    return found


def _row(row: ReportRow) -> UsageRow:
    return UsageRow(
        day=row.values.get(UsageDimension.DAY),
        month=row.values.get(UsageDimension.MONTH),
        profile=row.values.get(UsageDimension.PROFILE),
        model=row.values.get(UsageDimension.MODEL),
        source=row.values.get(UsageDimension.SOURCE),
        workspace=row.values.get(UsageDimension.WORKSPACE),
        task=row.values.get(UsageDimension.TASK),
        sessions=row.sessions,
        messages=big_int(row.messages),
        usage=usage_of(row.usage),
        cost=cost_of(row.cost),
        booked_by=_booking(row),
    )


def _booking(row: ReportRow) -> UsageBooking:
    return UsageBooking(
        spent=row.booked.get(Booking.SPENT, 0),
        last_seen=row.booked.get(Booking.LAST_SEEN, 0),
        start=row.booked.get(Booking.START, 0),
        undated=row.booked.get(Booking.UNDATED, 0),
    )
