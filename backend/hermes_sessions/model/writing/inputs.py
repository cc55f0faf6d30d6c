"""What callers send to be stored: checked, and refused with the place in the input and what would do."""

from __future__ import annotations

import json
import math
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.values import EARLIEST_MOMENT, MAX_SAFE_INTEGER, rfc3339

MAX_LABEL = 200
MAX_DOLLARS = 1e12


def refusal(field: str, message: str, code: ErrorCode = ErrorCode.BAD_USER_INPUT) -> HermesSessionsError:
    """An error about one place of the input: `field` is its path, as `messages.3.role`."""
    return HermesSessionsError(code, message, {"field": field})


def stored_text(value: str | None, field: str) -> str | None:
    """Text of any length. Raises BAD_USER_INPUT for what SQLite or the agent would cut or refuse."""
    if value is not None and (reason := _unstorable(value)) is not None:
        raise refusal(field, f"`{field}` holds {reason}. Leave it out.")
    return value


def stored_label(value: str | None, field: str, limit: int = MAX_LABEL) -> str | None:
    """One printable line without white space around it; blank is None. Raises BAD_USER_INPUT."""
    words = (value or "").strip()
    if not words:
        return None
    if not words.isprintable():
        raise refusal(field, f"`{field}` holds characters that cannot be printed. Leave them out.")
    if len(words) > limit:
        raise refusal(field, f"`{field}` has {len(words)} characters; at most {limit} are allowed. Shorten it.")
    return words


def json_text(value: Any, field: str) -> str:
    """A JSON value as Hermes writes it, in ASCII. Raises BAD_USER_INPUT for text that cannot be stored."""
    try:
        _refuse_unstorable(value, field)
        return json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        raise refusal(field, f"`{field}` is nested too deep, or holds a number that is not finite.") from None


def count(value: int | None, field: str) -> int | None:
    """A whole number from 0 on. Raises BAD_USER_INPUT."""
    if value is not None and not 0 <= value <= MAX_SAFE_INTEGER:
        raise refusal(field, f"`{field}` is {value}; it must be from 0 to 2^53 - 1.")
    return value


def dollars(value: float | None, field: str) -> float | None:
    """A finite amount from 0 on. Raises BAD_USER_INPUT."""
    if value is not None and not (math.isfinite(value) and 0 <= value < MAX_DOLLARS):
        raise refusal(field, f"`{field}` is {value}; it must be a finite amount in US dollars from 0 on.")
    return value


def plausible_moment(value: float | None, field: str) -> float | None:
    """Seconds since 1970. Raises BAD_USER_INPUT for what would read as no plausible moment."""
    if value is not None and value < EARLIEST_MOMENT:
        raise refusal(field, f"`{field}` is before {rfc3339(EARLIEST_MOMENT)}, which no session can be.")
    return value


def _unstorable(words: str) -> str | None:
    if "\x00" in words:
        return "a NUL character, at which SQLite ends a text"
    try:
        words.encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair, which cannot be stored"
    return None


def _refuse_unstorable(value: Any, field: str) -> None:
    if isinstance(value, str):
        stored_text(value, field)
    elif isinstance(value, dict):
        for key, item in value.items():
            stored_text(key, field)
            _refuse_unstorable(item, field)
    elif isinstance(value, list):
        for item in value:
            _refuse_unstorable(item, field)
