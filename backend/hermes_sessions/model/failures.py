"""Whether the result of a tool says that it failed: the one rule for filters, outlines and single messages."""

from __future__ import annotations

import json
from typing import Any

import orjson

READ_CHARACTERS = 65_536
"""So much of a result is looked at; JSON that is longer is judged as text."""

_TRACEBACK = "Traceback (most recent call last)"


def says_failure(plain: str) -> bool:
    """From the plain text of a tool's result.

    A JSON object fails by a filled `error`, by `success` or `ok` being false, or by an exit code other than 0. Any
    other JSON does not. Text fails by beginning with "error", in any case, or by holding a Python traceback.
    """
    head = plain[:READ_CHARACTERS].lstrip()
    looks_bad = head[:5].lower() == "error" or _TRACEBACK in head
    if head[:1] != "{" and not looks_bad:  # other JSON, or text: what it begins with has been looked at
        return False
    try:
        value = _parsed(head)
    except (ValueError, RecursionError):
        return looks_bad
    return isinstance(value, dict) and _is_failure(value)


def _is_failure(value: dict[str, Any]) -> bool:
    code = value.get("exit_code", value.get("returncode", 0))
    return bool(value.get("error")) or value.get("success", value.get("ok", True)) is False or code not in (0, None)


def _parsed(text: str) -> Any:
    """Thousands of results are judged for one outline, so the fast parser goes first. Python's takes more: NaN, halves
    of surrogate pairs."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)
