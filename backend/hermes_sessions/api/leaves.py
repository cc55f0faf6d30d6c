"""Which values of a scalar go into the answer as they are. What is not known to, is coerced by its type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from types import NoneType
from typing import Any

from hermes_sessions.model.values import MAX_SAFE_INTEGER

_MAX_INT = 2**31 - 1
_MIN_INT = -(2**31)


Check = Callable[[Sequence[Any]], bool]


def _number(least: float, most: float) -> Callable[[list[Any]], bool]:
    return lambda numbers: not numbers or (least <= min(numbers) and max(numbers) <= most)


# The class of the values, and whether all values that are not null are within bounds.
_FINISHED: dict[str, tuple[type, Callable[[list[Any]], bool] | None]] = {
    "String": (str, None),
    "ID": (str, None),
    "Boolean": (bool, None),
    "Int": (int, _number(_MIN_INT, _MAX_INT)),
    "Float": (float, lambda numbers: all(map(isfinite, numbers))),
    "BigInt": (int, _number(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)),
}


def check_of(scalar: str, *, nullable: bool) -> Check:
    """Tells whether coercion would return each of some values as it is, and no null stands where none may."""
    if scalar == "JSON":
        return (lambda _: True) if nullable else (lambda values: None not in values)
    if scalar not in _FINISHED:
        return lambda _: False
    kind, within = _FINISHED[scalar]
    allowed = {kind, NoneType} if nullable else {kind}

    def check(values: Sequence[Any]) -> bool:
        kinds = set(map(type, values))
        if not kinds <= allowed:
            return False
        return within is None or within(
            [each for each in values if each is not None] if NoneType in kinds else list(values)
        )

    return check
