"""Rows of a file as rows of a store: our own format cell by cell, and the one that Hermes itself writes.

Both raise ValueError with what is wrong with which column.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from typing import Any

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.model.export.rows import Row

COMPUTED = frozenset({"last_active", "preview"})
"""What Hermes adds to the columns of a session when it exports."""

_NEEDED = {"session": ("source", "started_at"), "message": ("role", "timestamp"), "usage": ("model",)}


def exact_row(raw: Any, kind: str) -> Row:
    """A row of `hermes-sessions/1`: every cell is checked and stays as it is."""
    row = _needed(_object(raw, kind), kind)
    for name, cell in row.items():
        _check(name, cell)
    return row


def hermes_row(raw: Any, kind: str) -> Row:
    """A row of an export by Hermes, whose cells may hold JSON: they become the text that Hermes stores."""
    row = {name: _as_stored(name, value) for name, value in _object(raw, kind).items() if name not in COMPUTED}
    return exact_row(row, kind)


def _object(raw: Any, kind: str) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise ValueError(f"A {kind} must be an object with its columns.")
    return raw


def _needed(row: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    for name in _NEEDED[kind]:
        if row.get(name) is None:
            raise ValueError(f"The {kind} has no {name!r}.")
    return row


def _as_stored(name: str, value: Any) -> Any:
    """Lists and objects as text. Contents have a mark before it; no tool calls at all are none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else {"real": str(value)}
    if name == "content" and isinstance(value, list | dict):
        return STRUCTURED_PREFIX + json.dumps(value)
    if isinstance(value, list | dict):
        return json.dumps(value) if value else None
    return value


def _check(name: str, cell: Any) -> None:
    if cell is None or (isinstance(cell, float) and math.isfinite(cell)):
        return
    if isinstance(cell, int) and not isinstance(cell, bool):
        if not -(2**63) <= cell < 2**63:
            raise ValueError(f"{name!r} is a whole number beyond 64 bits.")
    elif isinstance(cell, str):
        try:
            cell.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name!r} holds half of a surrogate pair, which no text can hold.") from None
    elif not _is_encoded(cell):
        raise ValueError(
            f"{name!r} must be a text, a number, null, or an object with one of the keys text, blob and real."
        )


def _is_encoded(cell: Any) -> bool:
    """Whether it is one of the objects of `model/export/rows.py`."""
    if not isinstance(cell, dict) or len(cell) != 1:
        return False
    [(kind, value)] = cell.items()
    if kind == "real":
        return value in ("inf", "-inf")
    try:
        base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        return False
    return kind in ("text", "blob")
