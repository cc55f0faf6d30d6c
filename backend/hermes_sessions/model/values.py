"""Tolerant coercion of stored cells: what cannot be believed becomes None and a warning, never an exception."""

from __future__ import annotations

import json
import math
import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson

EARLIEST_MOMENT = 946_684_800.0  # 2000-01-01: the agent did not exist; earlier means a broken clock or a default
LATEST_MOMENT = 4_102_444_800.0  # 2100-01-01: later means milliseconds or garbage
MAX_SAFE_INTEGER = 2**53 - 1  # the largest whole number that every JSON reader keeps exact

MAX_JSON_DEPTH = 100  # writers of JSON have a limit, too; nobody reads deeper

KEPT_MOMENTS = 4_000  # of those that were written lately: lists show the same moments again and again

_EPOCH = datetime(1970, 1, 1)


class Warnings:
    """Collects, in words, what could not be read as stored."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        self._words: list[str] = []

    def add(self, words: str) -> None:
        self._words.append(words)

    def freeze(self) -> tuple[str, ...]:
        return tuple(self._words)


class _Unheard(Warnings):
    """For values that are read without asking what is wrong with them."""

    __slots__ = ()

    def add(self, words: str) -> None:
        pass


UNHEARD = _Unheard()


def text(value: Any) -> str | None:
    """Stored text as it is; numbers as their digits; bytes decoded with replacement. NUL never passes."""
    if value is None:
        return None
    if type(value) is str:
        return value if "\x00" not in value else value.replace("\x00", "\ufffd")
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").replace("\x00", "\ufffd")
    return str(value)


def label(value: Any) -> str | None:
    """Like `text`, with empty and blank text read as absent."""
    if value is None:
        return None
    words = text(value)
    return words if words and not words.isspace() else None


def whole(value: Any, column: str, warnings: Warnings) -> int | None:
    """A count: a whole number from 0 to 2^53 - 1."""
    if value is None:
        return None
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is int and 0 <= value <= MAX_SAFE_INTEGER:
        return value
    warnings.add(f"{column}: {_shown(value)} is no count from 0 to 2^53 - 1")
    return None


def money(value: Any, column: str, warnings: Warnings) -> float | None:
    """An amount in US dollars: a finite number, not negative."""
    if value is None:
        return None
    if isinstance(value, int | float) and math.isfinite(value) and 0 <= value < 1e12:
        return float(value)
    warnings.add(f"{column}: {_shown(value)} is no amount in dollars")
    return None


def moment(value: Any, column: str, warnings: Warnings) -> float | None:
    """A moment in seconds since 1970, between the years 2000 and 2100."""
    if value is None:
        return None
    if isinstance(value, (float, int)) and EARLIEST_MOMENT <= value < LATEST_MOMENT:
        return float(value)
    warnings.add(f"{column}: {_shown(value)} is no plausible moment in seconds since 1970")
    return None


def flag(value: Any) -> bool:
    """A stored truth value; anything but a number other than 0 is false."""
    return isinstance(value, int | float) and value != 0


def stored_json(value: Any, column: str, warnings: Warnings) -> Any:
    """The value of a JSON column, or None and a warning where it does not parse."""
    if value is None or value in ("", b""):
        return None
    try:
        return parsed_json(value if isinstance(value, str | bytes) else str(value))
    except (ValueError, RecursionError):
        warnings.add(f"{column}: the stored text is not JSON")
        return None


def parsed_json(stored: str | bytes) -> Any:
    """The JSON value of a text as `safe_json` has it. Raises ValueError or RecursionError where it has none.

    orjson is several times as fast as Python's parser. It refuses what `safe_json` would have to mend, but for what is
    looked for here; what it refuses, Python's parser reads or refuses.
    """
    if isinstance(stored, str) and _needs_no_mending(stored):
        try:
            return orjson.loads(stored)
        except orjson.JSONDecodeError:
            pass
    return safe_json(json.loads(stored))


def _needs_no_mending(stored: str) -> bool:
    is_flat = stored.count("[") + stored.count("{") < MAX_JSON_DEPTH
    return is_flat and "\\u0000" not in stored and _LONG_NUMBER.search(stored) is None


_LONG_NUMBER = re.compile("[0-9]{19}")  # perhaps beyond 64 bits


def safe_json(value: Any, depth: int = 0) -> Any:
    """A JSON value that every reader accepts.

    Python's parser lets through what others refuse: NaN, infinities, whole numbers beyond 64 bits and halves of
    surrogate pairs. They become text; NUL becomes a replacement character, and what is nested too deep its own text.
    """
    if isinstance(value, str):
        return _encodable(value)
    if isinstance(value, dict | list) and depth >= MAX_JSON_DEPTH:
        return _encodable(json.dumps(value))
    if isinstance(value, list):
        return [safe_json(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_encodable(key): safe_json(item, depth + 1) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return str(value)
    return value


def _encodable(words: str) -> str:
    if not words.isascii():
        words = words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return words.replace("\x00", "\ufffd") if "\x00" in words else words


@lru_cache(KEPT_MOMENTS)
def rfc3339(seconds: float) -> str:
    """RFC 3339 in UTC with six decimals, exact to the microsecond that the float holds."""
    when = _EPOCH + timedelta(microseconds=round(seconds * 1e6))
    return f"{when.isoformat(timespec='microseconds')}Z"


def _shown(value: Any) -> str:
    words = repr(text(value) if isinstance(value, bytes) else value)
    return words if len(words) <= 40 else words[:37] + "..."
