"""What a usage report must be, told group by group from the sessions and their usage rows, and random usage rows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import Cost, CostStatus, ModelUsage, Usage, cost_of
from hermes_sessions.model.usage_report import Booking, ReportRow, UsageDimension
from tests.model.builders import T

HOUR = 3600.0


def row(
    model: str = "opus",
    usage: Usage | None = None,
    cost: Cost | None = None,
    *,
    task: str | None = None,
    first: float | None = None,
    last: float | None = None,
) -> ModelUsage:
    return ModelUsage(model, None, task, usage or Usage(), cost or Cost(unknown_sessions=1), first, last)


@dataclass(frozen=True)
class Fact:
    """A part as the reference sees it; money in thousandths of a dollar, None where it tells nothing."""

    session: Session
    values: dict[UsageDimension, str | None]
    at: float | None
    booking: Booking
    counts: tuple[int, ...]
    usd: int | None
    is_unknown: bool = False
    is_untold: bool = False
    is_rest: bool = False


def counts(usage: Usage) -> tuple[int, ...]:
    return tuple(getattr(usage, name) for name in Usage.__dataclass_fields__)


def thousandths(usd: float | None) -> int:
    return round((usd or 0) * 1000)


def taken(claims: list[int], whole: int) -> list[int]:
    """What each claim gets of the whole when they are served in order, and what is left over."""
    ends = [min(whole, sum(claims[: number + 1])) for number in range(len(claims))]
    return [end - begin for begin, end in zip([0, *ends], [*ends, whole], strict=True)]


def local_day(moment: float | None, zone: str) -> str | None:
    if moment is None:
        return None
    return datetime.fromtimestamp(moment, UTC).astimezone(ZoneInfo(zone)).date().isoformat()


def fact(own: Session, seen: ModelUsage | None, zone: str, **told: Any) -> Fact:
    last = seen.last_seen if seen else None
    moment = own.started_at if last is None else last
    day = local_day(moment, zone)
    if last is not None:
        same = seen is not None and local_day(seen.first_seen, zone) == day
        booking = Booking.SPENT if same else Booking.LAST_SEEN
    else:
        booking = Booking.UNDATED if moment is None else Booking.START
    values = {
        UsageDimension.DAY: day,
        UsageDimension.MONTH: day and day[:7],
        UsageDimension.PROFILE: "default",
        UsageDimension.MODEL: seen.model if seen else own.model,
        UsageDimension.SOURCE: own.source,
        UsageDimension.WORKSPACE: own.git_repo_root or own.cwd,
        UsageDimension.TASK: seen.task if seen else None,
    }
    return Fact(own, values, moment, booking, **told)


def facts(own: Session, rows: Sequence[ModelUsage], zone: str) -> list[Fact]:
    """`own` is the session without auxiliary calls."""
    main = [each for each in rows if each.task is None]
    whole = counts(own.usage)
    columns = [taken([counts(each.usage)[at] for each in main], whole[at]) for at in range(len(whole))]
    is_known = own.cost.status in (CostStatus.ACTUAL, CostStatus.ESTIMATED)
    fits = [each.cost.status is own.cost.status for each in main]
    claims = [thousandths(each.cost.usd) if fit else 0 for each, fit in zip(main, fits, strict=True)]
    estimates = [thousandths(each.cost.estimated_usd) if fit else 0 for each, fit in zip(main, fits, strict=True)]
    money = taken(claims, thousandths(own.cost.usd))
    estimated_rest = taken(estimates, thousandths(own.cost.estimated_usd))[-1]
    is_unknown = own.cost.status is CostStatus.UNKNOWN
    found: list[Fact] = []
    for number, each in enumerate([*main, None]):
        used = tuple(column[number] for column in columns)
        is_rest = each is None
        if is_rest and main and not any(used) and not (is_known and (money[-1] or estimated_rest)):
            continue
        is_included = own.cost.status is CostStatus.INCLUDED or (
            each is not None and each.cost.status is CostStatus.INCLUDED
        )
        is_untold = is_known and not is_rest and not fits[number] and not is_included
        usd = None if is_unknown or is_untold else money[number] if is_known else 0
        has_rest = is_rest and is_known and bool(money[-1] or estimated_rest)
        found.append(
            fact(own, each, zone, counts=used, usd=usd, is_unknown=is_unknown, is_untold=is_untold, is_rest=has_rest)
        )
    for each in rows:
        if each.task is not None:
            unknown = each.cost.status is CostStatus.UNKNOWN
            usd = None if unknown else thousandths(each.cost.usd)
            found.append(fact(own, each, zone, counts=counts(each.usage), usd=usd, is_unknown=unknown))
    return found


def expected(group: Sequence[Fact]) -> dict[str, Any]:
    known = [each.usd for each in group if each.usd is not None]
    sessions = {each.session.id: each.session for each in group}
    unknown = 0
    for name in sessions:
        own = [each for each in group if each.session.id == name]
        unknown += any(each.is_unknown for each in own) or (
            any(each.is_untold for each in own) and not any(each.is_rest for each in own)
        )
    return {
        "sessions": len(sessions),
        "messages": sum(each.activity.live + each.activity.compacted for each in sessions.values()),
        "counts": tuple(sum(each.counts[at] for each in group) for at in range(6)),
        "usd": sum(known) if known else None,
        "unknown": unknown,
        "booked": {kind: number for kind in Booking if (number := sum(each.booking is kind for each in group))},
    }


def found_in(row: ReportRow) -> dict[str, Any]:
    return {
        "sessions": row.sessions,
        "messages": row.messages,
        "counts": counts(row.usage),
        "usd": None if row.cost.usd is None else thousandths(row.cost.usd),
        "unknown": row.cost.unknown_sessions,
        "booked": dict(row.booked),
    }


def random_rows(own: Session, chance: random.Random) -> list[ModelUsage]:
    """Rows that explain the session exactly, in part, or claim more than it used."""
    rows = []
    for _ in range(chance.choice([0, 0, 1, 2, 3])):
        cost = cost_of(
            chance.choice([None, None, 0.05, own.cost.actual_usd]),
            chance.choice([None, 0.1, own.cost.estimated_usd]),
            chance.choice([None, None, None, "included", "unknown"]),
        )
        used = Usage(*(chance.choice([0, 1, count, count // 2]) for count in counts(own.usage)))
        last = chance.choice([None, T + chance.randrange(0, 72) * HOUR])
        first = chance.choice([None, last, last and last - chance.choice([1, 5, 30]) * HOUR])
        task = chance.choice([None, None, "compression", "vision"])
        rows.append(row(chance.choice(["opus", "haiku"]), used, cost, task=task, first=first, last=last))
    return rows
