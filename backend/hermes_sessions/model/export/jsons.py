"""The two formats for programs: ours without any loss, and the one that Hermes itself reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.model.export.outline import Entry, Outline
from hermes_sessions.model.export.rows import PARENT_LINK, Row, stored_text
from hermes_sessions.model.message import MessageState, message_state

FORMAT_NAME = "hermes-sessions/1"
_JSON_COLUMNS = frozenset({"reasoning_details", "codex_reasoning_items", "codex_message_items"})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _opened(value: dict[str, Any], last: str) -> str:
    """An object without its end, so that the list `last` can follow piece by piece."""
    return f"{_json(value)[:-1]}{', ' if value else ''}{_json(last)}: ["


class JsonWriter:
    """`{"format", "profile", "sessions": [{...columns, "usage": [...], "messages": [...]}]}`, cells as in rows.py.

    Ids of messages are those of the store. A session whose parent link dangles has `"parent_link": "missing"`: in
    another store a link to nowhere would look like one to a session that was left behind. One in a circle of links has
    `"parent_link": "circle"`. `"left_out"` stands in the end where sessions could not be read.
    """

    def __init__(self) -> None:
        self._is_first_session = True
        self._is_first_message = True

    def start(self, outline: Outline) -> str:
        return _opened({"format": FORMAT_NAME, "profile": outline.profile}, "sessions")

    def start_session(self, entry: Entry, row: Row, usage: Sequence[Row]) -> str:
        separator = "\n" if self._is_first_session else ",\n"
        self._is_first_session, self._is_first_message = False, True
        odd = {PARENT_LINK: entry.parent_link.value} if entry.parent_link is not None else {}
        return separator + _opened({**row, **odd, "usage": list(usage)}, "messages")

    def message(self, row: Row) -> str:
        separator = "\n" if self._is_first_message else ",\n"
        self._is_first_message = False
        return separator + _json(row)

    def end_session(self) -> str:
        return "]}"

    def end(self, left_out: Sequence[str]) -> str:
        told = f', "left_out": {_json(list(left_out))}' if left_out else ""
        return f"\n]{told}}}\n"


class JsonLinesWriter:
    """One session a line, as `hermes sessions export` writes it: what the agent still sees, contents decoded."""

    def __init__(self) -> None:
        self._is_first_message = True

    def start(self, outline: Outline) -> str:
        return ""

    def start_session(self, entry: Entry, row: Row, usage: Sequence[Row]) -> str:
        self._is_first_message = True
        return _opened(hermes_session(row), "messages")

    def message(self, row: Row) -> str:
        if message_state(stored_text(row.get("active")), stored_text(row.get("compacted"))) is not MessageState.LIVE:
            return ""
        separator = "" if self._is_first_message else ", "
        self._is_first_message = False
        return separator + _json(hermes_message(row))

    def end_session(self) -> str:
        return "]}\n"

    def end(self, left_out: Sequence[str]) -> str:
        return ""


def hermes_session(row: Row) -> dict[str, Any]:
    """Columns of a session; a `model_config` that is no JSON object is left out: Hermes would refuse the whole file."""
    values = {name: stored_text(cell) for name, cell in row.items()}
    if not isinstance(_parsed(values.get("model_config")), dict):
        values["model_config"] = None
    return values


def hermes_message(row: Row) -> dict[str, Any]:
    values = {name: stored_text(cell) for name, cell in row.items()}
    values["role"] = str(values.get("role") or "unknown")
    values["content"] = _content(values.get("content"))
    if values.get("tool_calls"):
        values["tool_calls"] = _parsed(values["tool_calls"]) or []
    if not isinstance(values.get("token_count"), int | float):
        values["token_count"] = None
    for name in _JSON_COLUMNS & values.keys():
        values[name] = _parsed(values[name]) if values[name] else values[name]
    return values


def _content(stored: Any) -> Any:
    if not (isinstance(stored, str) and stored.startswith(STRUCTURED_PREFIX)):
        return stored
    decoded = _parsed(stored[len(STRUCTURED_PREFIX) :])
    return stored if decoded is None else decoded


def _parsed(stored: Any) -> Any:
    """The JSON of a text; None where it does not parse, or holds what JSON has no word for."""
    try:
        value = json.loads(stored, parse_constant=_refused) if isinstance(stored, str) else None
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return None
    return value


def _refused(constant: str) -> None:
    raise ValueError(constant)
