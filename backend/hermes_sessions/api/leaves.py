"""Which values of a scalar go into the answer as they are. What is not known to, is coerced by its type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from types import NoneType
from typing import Any

from hermes_sessions.model.values import MAX_SAFE_INTEGER

_MAX_INT = 2**31 - 1
_MIN_INT = -(2**31)


def _all(kind: type) -> Callable[[Sequence[Any]], bool]:
    return lambda values: set(map(type, values)) <= {kind, NoneType}


def _whole(least: int, most: int) -> Callable[[Sequence[Any]], bool]:
    def check(values: Sequence[Any]) -> bool:
        if not set(map(type, values)) <= {int, NoneType}:
            return False
        numbers = [value for value in values if value is not None]
        return not numbers or (least <= min(numbers) and max(numbers) <= most)

    return check


def _finite(values: Sequence[Any]) -> bool:
    return _all(float)(values) and all(isfinite(value) for value in values if value is not None)


_CHECKS: dict[str, Callable[[Sequence[Any]], bool]] = {
    "String": _all(str),
    "ID": _all(str),
    "Boolean": _all(bool),
    "Int": _whole(_MIN_INT, _MAX_INT),
    "Float": _finite,
    "BigInt": _whole(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER),
    "JSON": lambda _: True,
}


def is_finished(scalar: str, values: Sequence[Any]) -> bool:
    """Whether coercion would return each of the values, or None, as it is."""
    check = _CHECKS.get(scalar)
    return check is not None and check(values)
