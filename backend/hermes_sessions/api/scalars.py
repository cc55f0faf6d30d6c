"""The scalars of the schema."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any, NewType

import strawberry
from strawberry.types.scalar import ScalarDefinition

from hermes_sessions.model.values import LATEST_MOMENT, MAX_SAFE_INTEGER, rfc3339

Moment = NewType("Moment", float)
"""Seconds since 1970 in UTC; `DateTime` in the schema."""
BigInt = NewType("BigInt", int)
Json = NewType("Json", object)


def moment(seconds: float | None) -> Moment | None:
    return None if seconds is None else Moment(seconds)


def big_int(number: int) -> BigInt:
    """Sums may pass the largest exact JSON number; they then read as that number."""
    return BigInt(min(number, MAX_SAFE_INTEGER))


def _parse_moment(value: Any) -> Moment:
    if not isinstance(value, str):
        raise ValueError("A DateTime is text in RFC 3339, as 2026-03-01T12:00:00Z.")
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("A DateTime is text in RFC 3339, as 2026-03-01T12:00:00Z.") from None
    if parsed.tzinfo is None:
        raise ValueError("A DateTime needs its offset from UTC: end it with Z or +01:00.")
    return Moment(min(parsed.timestamp(), LATEST_MOMENT))


def _whole(value: Any) -> BigInt:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value != int(value):
        raise ValueError("A BigInt is a whole number.")
    if abs(value) > MAX_SAFE_INTEGER:
        raise ValueError("A BigInt is at most 2^53 - 1.")
    return BigInt(int(value))


SCALARS: dict[object, ScalarDefinition] = {
    Moment: strawberry.scalar(
        name="DateTime",
        description="A moment: RFC 3339, UTC, six decimals. Null where the stored value is no plausible moment.",
        serialize=rfc3339,
        parse_value=_parse_moment,
    ),
    BigInt: strawberry.scalar(
        name="BigInt",
        description="A whole number up to 2^53 - 1, as a JSON number.",
        serialize=_whole,
        parse_value=_whole,
    ),
    Json: strawberry.scalar(
        name="JSON",
        description="Stored JSON, as it is.",
        serialize=lambda value: value,
        parse_value=lambda value: value,
    ),
}
