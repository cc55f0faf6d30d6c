"""Markers of lineage in the settings of a session, written into their JSON as SQLite's json_set does it."""

from __future__ import annotations

import json
import re
from typing import Any

from hermes_sessions.stores.cells import InexactText

_GAP = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\n\r]+', re.DOTALL)


def marked(stored: Any, marker: str, parent_id: str) -> str | InexactText | None:
    """The settings with the marker. All else stays to the byte, but for white space. None where they are no JSON."""
    written = stored.decode("utf-8", "surrogateescape") if isinstance(stored, InexactText) else stored
    written = written or "{}"
    if not isinstance(written, str):
        return None
    try:
        config = json.loads(written, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not isinstance(config, dict) or not config:
        text = _json({marker: parent_id})
    elif marker in config:
        text = _json(config | {marker: parent_id})
    else:
        text = _GAP.sub(r"\1", written)[:-1] + "," + _json({marker: parent_id})[1:]
    return _cell(text)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cell(text: str) -> str | InexactText:
    raw = text.encode("utf-8", "surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return InexactText(raw)
