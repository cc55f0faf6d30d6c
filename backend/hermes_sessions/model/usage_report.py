"""Tokens and money of many sessions, added up by day, month, profile, model, source, workspace and task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import Enum
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from hermes_sessions.errors import bad_input
from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import Cost, CostStatus, ModelUsage, Usage


class UsageDimension(Enum):
    """What a report can be grouped by."""

    DAY = "DAY"
    MONTH = "MONTH"
    PROFILE = "PROFILE"
    MODEL = "MODEL"
    SOURCE = "SOURCE"
    WORKSPACE = "WORKSPACE"
    TASK = "TASK"


class Booking(Enum):
    """How sure it is that a part was spent on the day that it is booked to."""

    SPENT = "SPENT"
    LAST_SEEN = "LAST_SEEN"
    START = "START"
    UNDATED = "UNDATED"


@dataclass(frozen=True, slots=True)
class Part:
    """What one model and task used in one session. `is_rest` is what no usage row tells apart."""

    profile: str
    session: Session
    model: str | None
    task: str | None
    usage: Usage
    cost: Cost
    first_seen: float | None = None
    last_seen: float | None = None
    is_rest: bool = False

    @property
    def at(self) -> float | None:
        """The moment that it is booked to, in seconds since 1970."""
        return self.last_seen if self.last_seen is not None else self.session.started_at


@dataclass(frozen=True)
class ReportRow:
    """One group. `sessions` and `messages` count each session once; `booked` counts parts."""

    sessions: int
    messages: int
    usage: Usage
    cost: Cost
    booked: Mapping[Booking, int]
    values: Mapping[UsageDimension, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Period:
    """From a moment (inclusive) to another (exclusive), in seconds since 1970; None is no bound."""

    start: float | None = None
    end: float | None = None

    def holds(self, at: float | None) -> bool:
        """What has no moment lies in no bounded period."""
        if at is None:
            return self.start is None and self.end is None
        return (self.start is None or at >= self.start) and (self.end is None or at < self.end)


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones())


def time_zone(name: str) -> tzinfo:
    """Raises BAD_USER_INPUT for what is no IANA time zone."""
    if name == "UTC":  # also where the machine has no time zones
        return UTC
    if name not in _zone_names():
        raise bad_input("`timeZone` is no IANA time zone that this server knows: write it as Europe/Berlin or UTC.")
    return ZoneInfo(name)


# Parts


def parts_of_session(profile: str, session: Session, rows: Sequence[ModelUsage]) -> list[Part]:
    """The session's own totals as far as its usage rows tell them apart, then its auxiliary calls.

    A row takes at most what is left of the totals, so that the parts always add up to the session.
    """
    parts: list[Part] = []
    usage, cost = session.own_usage, session.own_cost
    for row in rows:
        if row.task is None:
            told, paid = _each(min, row.usage, usage), _told_cost(row.cost, cost)
            usage, cost = _each(int.__sub__, usage, told), _less(cost, paid)
            parts.append(Part(profile, session, row.model, None, told, paid, row.first_seen, row.last_seen))
    if not parts or any(counts_of(usage)) or any(_amounts(cost)):
        parts.append(Part(profile, session, session.model, None, usage, cost, is_rest=True))
    auxiliary = [
        Part(profile, session, row.model, row.task, row.usage, row.cost, row.first_seen, row.last_seen)
        for row in rows
        if row.task is not None
    ]
    return parts + auxiliary


_UNTOLD = Cost()
"""Of a part whose cost is known only together with others: it adds nothing."""


def counts_of(usage: Usage) -> tuple[int, ...]:
    return (
        usage.input_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.output_tokens,
        usage.reasoning_tokens,
        usage.api_calls,
    )


def _each(combine: Callable[[int, int], int], one: Usage, other: Usage) -> Usage:
    return Usage(*map(combine, counts_of(one), counts_of(other)))


def _amounts(cost: Cost) -> tuple[float, ...]:
    return (cost.usd or 0.0, cost.actual_usd or 0.0, cost.estimated_usd or 0.0)


def _told_cost(row: Cost, left: Cost) -> Cost:
    """What a row tells of its session's cost. Figures of another status are no part of that cost."""
    if left.status not in (CostStatus.ACTUAL, CostStatus.ESTIMATED):
        return left
    if row.status is CostStatus.INCLUDED:
        return row
    if row.status is not left.status:
        return _UNTOLD
    return replace(
        left,
        usd=_least(row.usd, left.usd),
        actual_usd=_least(row.actual_usd, left.actual_usd),
        estimated_usd=_least(row.estimated_usd, left.estimated_usd),
    )


def _less(cost: Cost, told: Cost) -> Cost:
    return replace(
        cost,
        usd=_difference(cost.usd, told.usd),
        actual_usd=_difference(cost.actual_usd, told.actual_usd),
        estimated_usd=_difference(cost.estimated_usd, told.estimated_usd),
    )


def _least(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else min(one, other)


def _difference(amount: float | None, told: float | None) -> float | None:
    # To a billionth of a dollar, as sums are: dust of floating point is no rest.
    return None if amount is None else round(amount - (told or 0.0), 9)


# Groups


def value_of(dimension: UsageDimension, part: Part, zone: tzinfo) -> str | None:
    match dimension:
        case UsageDimension.DAY:
            return _day(part.at, zone)
        case UsageDimension.MONTH:
            day = _day(part.at, zone)
            return day[:7] if day is not None else None
        case UsageDimension.PROFILE:
            return part.profile
        case UsageDimension.MODEL:
            return part.model
        case UsageDimension.SOURCE:
            return part.session.source
        case UsageDimension.WORKSPACE:
            return part.session.workspace
        case UsageDimension.TASK:
            return part.task


def _day(at: float | None, zone: tzinfo) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, zone).date().isoformat()


def booking_of(part: Part, zone: tzinfo) -> Booking:
    if part.last_seen is None:
        return Booking.START if part.session.started_at is not None else Booking.UNDATED
    is_one_day = _day(part.first_seen, zone) == _day(part.last_seen, zone)
    return Booking.SPENT if is_one_day else Booking.LAST_SEEN


def has_unknown_cost(parts: Sequence[Part]) -> bool:
    """Whether the cost of a session's parts is not known, or known only together with a rest that is none of them."""
    is_untold = has_rest = False
    for part in parts:
        if part.cost.unknown_sessions:
            return True
        is_untold = is_untold or part.cost == _UNTOLD
        has_rest = has_rest or (part.is_rest and any(_amounts(part.cost)))
    return is_untold and not has_rest
