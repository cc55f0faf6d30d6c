"""Messages of a store: their order, their rows, their contents, and which result answers which call."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hermes_sessions.model.content import (
    STRUCTURED_PREFIX,
    cut_to_bytes,
    decode_content,
    last_bytes,
    opening_text,
    plain_text,
    without_broken_start,
)
from hermes_sessions.model.failures import says_failure
from hermes_sessions.model.message import SHOWN_STATES, Message, MessageState, parse_tool_calls, preview_of
from hermes_sessions.model.values import Warnings, text
from hermes_sessions.store_values import Line, MessageQuery
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.rows import message_from_row

MAX_CONTENT_BYTES = 262_144
"""Longer contents come cut in a page."""
MAX_STRUCTURED_BYTES = 4_000_000
"""Structured contents cannot be cut and still be read: up to this they come whole."""
PREVIEW_BYTES = 16_384
PREVIEW_ROWS = (8, 64, -1)
"""How many of a session's first rows are looked at, one after the other; -1 is all."""
PREVIEW_BATCH = 500
OPENING_CHARACTERS = 300
TOOL_WINDOW = 400
"""A result is looked for among this many messages after its call."""

_STRUCTURED_HEAD = "x'006A736F6E3A'"
MESSAGE_COLUMNS = (
    "id",
    "session_id",
    "role",
    "tool_call_id",
    "tool_calls",
    "tool_name",
    "timestamp",
    "token_count",
    "finish_reason",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "active",
    "compacted",
    "platform_message_id",
    "observed",
    "effect_disposition",
    "_compressed_summary",
    "display_kind",
)


async def transcript_lines(
    connection: Connection, columns: Columns, session_ids: Sequence[str], query: MessageQuery
) -> list[Line]:
    """One statement: live messages from an index, and the inactive ones that are wanted."""
    rows = await connection.fetch_all(*lines_sql(columns, session_ids, query))
    lines = [Line(row["segment"], row["id"], MessageState(row["state"])) for row in rows]
    return sorted(lines, key=lambda line: (line.segment, line.id))


def lines_sql(columns: Columns, session_ids: Sequence[str], query: MessageQuery) -> tuple[str, dict[str, Any]]:
    """A statement that gives (segment, id, state) of the lines in any order, and its values."""
    states = query.states if query.states is not None else SHOWN_STATES
    conditions, values = _conditions(columns, query)
    has_states = columns.has("messages", "active")
    compacted = "coalesce(messages.compacted, 0) <> 0" if columns.has("messages", "compacted") else "0"
    parts: list[str] = []
    if MessageState.LIVE in states:
        parts.append(_lines("LIVE", ["coalesce(messages.active, 1) <> 0"] if has_states else [], conditions))
    if MessageState.COMPACTED in states and has_states:
        parts.append(_lines("COMPACTED", ["messages.active = 0", compacted, _NO_TWIN], conditions))
    if MessageState.REWOUND in states and has_states:
        parts.append(_lines("REWOUND", ["messages.active = 0", f"NOT ({compacted})"], conditions))
    values["segments"] = json.dumps(list(session_ids))
    return " UNION ALL ".join(parts or [_lines("LIVE", ["0"], conditions)]), values


def _lines(state: str, own: list[str], conditions: list[str]) -> str:
    return f"""
        SELECT segments.key AS segment, messages.id AS id, '{state}' AS state
        FROM json_each(:segments) AS segments JOIN messages ON messages.session_id = segments.value
        WHERE {" AND ".join([*own, *conditions]) or "1"}
    """


# A compacted message that was carried along stands once: its live copy, else its newest compacted one, represents it.
_NO_TWIN = """
    NOT EXISTS (
        SELECT 1 FROM messages AS twin
        WHERE twin.session_id = messages.session_id AND twin.timestamp = messages.timestamp AND twin.id <> messages.id
          AND (coalesce(twin.active, 1) <> 0 OR (coalesce(twin.compacted, 0) <> 0 AND twin.id > messages.id))
          AND twin.role = messages.role AND twin.tool_call_id IS messages.tool_call_id
          AND twin.tool_calls IS messages.tool_calls AND twin.content IS messages.content
    )
"""


def is_shown(columns: Columns) -> str:
    """SQL condition for messages that were not taken back, a compacted one and its copies once."""
    if not columns.has("messages", "active"):
        return "1"
    live = "coalesce(messages.active, 1) <> 0"
    if not columns.has("messages", "compacted"):
        return live
    return f"({live} OR (coalesce(messages.compacted, 0) <> 0 AND {_NO_TWIN}))"


def _conditions(columns: Columns, query: MessageQuery) -> tuple[list[str], dict[str, Any]]:
    conditions: list[str] = []
    values: dict[str, Any] = {}
    if query.roles is not None:
        conditions.append("messages.role IN (SELECT value FROM json_each(:roles))")
        values["roles"] = json.dumps(sorted(query.roles))
    if query.tools is not None:
        conditions.append(_USES_TOOL)
        values["tools"] = json.dumps(sorted(query.tools))
    if query.text is not None:
        conditions.append(holds_text_sql(":text"))
        values["text"] = query.text.casefold()
    if query.errors_only:
        conditions.append(HAS_FAILED)
    return conditions, values


def holds_text_sql(needle: str) -> str:
    """SQL condition: the message holds this text, which is case folded."""
    return f"holds_text({_bytes('content')}, {_bytes('tool_calls')}, {needle})"


def _bytes(column: str) -> str:
    """A cell as the argument of a function of ours: as text, one that is not UTF-8 would fail the statement."""
    return f"CAST(messages.{column} AS BLOB)"


def _cut(cut: str, whole: str) -> str:
    """Content, or its first bytes where it is longer; structured content whole up to its own limit."""
    return f"""
        CASE WHEN octet_length(messages.content) <= {cut} OR typeof(messages.content) <> 'text' THEN messages.content
             WHEN octet_length(messages.content) <= {whole} AND content_head(messages.id, 6) = {_STRUCTURED_HEAD}
             THEN messages.content
             ELSE content_head(messages.id, {cut}) END
    """


HAS_FAILED = f"""
    (messages.role = 'tool' AND is_failure(CAST({_cut(str(MAX_CONTENT_BYTES), str(MAX_STRUCTURED_BYTES))} AS BLOB)))
"""
"""SQL condition. It judges what a page reads of a content, so that both always agree."""

_USES_TOOL = """
    (messages.tool_name IN (SELECT value FROM json_each(:tools)) OR EXISTS (
        SELECT 1 FROM json_each(CASE WHEN json_valid(messages.tool_calls) THEN messages.tool_calls END) AS calls
        WHERE CASE WHEN calls.type = 'object' THEN json_extract(calls.value, '$.function.name') END
              IN (SELECT value FROM json_each(:tools))
    ))
"""


async def messages_by_id(connection: Connection, columns: Columns, ids: Sequence[int]) -> dict[int, Message]:
    rows = await connection.fetch_all(
        f"""
        SELECT {columns.select("messages", MESSAGE_COLUMNS)},
               octet_length(messages.content) AS stored_bytes, {_cut(":cut", ":whole")} AS content
        FROM messages WHERE messages.id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": json.dumps(list(ids)), "cut": MAX_CONTENT_BYTES, "whole": MAX_STRUCTURED_BYTES},
    )
    return {row["id"]: message_from_row(_with_content_as_text(row._mapping)) for row in rows}


def _with_content_as_text(row: dict[str, Any]) -> dict[str, Any]:
    content = row["content"]
    whole = isinstance(content, str) and content.startswith(STRUCTURED_PREFIX)
    row["is_cut"] = not whole and (row.get("stored_bytes") or 0) > MAX_CONTENT_BYTES
    if isinstance(content, bytes):
        row["content"] = _beginning(content)
    return row


def _beginning(raw: bytes) -> str:
    """The text of a beginning: a character that is cut at its end is dropped, what is no UTF-8 is replaced."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(raw)


async def whole_content(connection: Connection, message_id: int, max_bytes: int) -> str | None:
    """Plain text of one message, cut after `max_bytes`."""
    stored = await connection.fetch_val(
        f"SELECT {_cut(':cut', '2147483647')} AS content FROM messages WHERE messages.id = :id",
        {"id": message_id, "cut": max_bytes},
    )
    if stored is None:
        return None
    content = _beginning(stored) if isinstance(stored, bytes) else str(stored)
    if content.startswith(STRUCTURED_PREFIX):
        content = plain_text(decode_content(content, Warnings()))
    return cut_to_bytes(text(content) or "", max_bytes)[0]


async def content_tails(connection: Connection, wanted: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The last bytes of each content, without the part of a character that they may begin with."""
    rows = await connection.fetch_all(
        """
        SELECT wanted.key AS place, content_tail(messages.id, json_extract(wanted.value, '$[1]')) AS tail
        FROM json_each(:wanted) AS wanted JOIN messages ON messages.id = json_extract(wanted.value, '$[0]')
        WHERE typeof(messages.content) IN ('text', 'blob')
        """,
        {"wanted": json.dumps(list(wanted))},
    )
    # What is no UTF-8, and NUL, is replaced by more bytes than it had.
    tails = {wanted[row["place"]]: text(without_broken_start(row["tail"])) or "" for row in rows}
    return {(id, limit): last_bytes(tail, limit) for (id, limit), tail in tails.items()}


async def previews(connection: Connection, columns: Columns, session_ids: Sequence[str]) -> dict[str, str | None]:
    """The preview of each session. Most have it among their first rows; only the others are looked at further."""
    found: dict[str, str] = {}
    for rows in PREVIEW_ROWS:
        missing = [session_id for session_id in session_ids if session_id not in found]
        for at in range(0, len(missing), PREVIEW_BATCH):
            found |= await _previews(connection, columns, missing[at : at + PREVIEW_BATCH], rows)
    return {session_id: found.get(session_id) for session_id in session_ids}


async def _previews(connection: Connection, columns: Columns, session_ids: Sequence[str], rows: int) -> dict[str, str]:
    conditions = ["messages.role = 'user'"]
    if columns.has("messages", "active"):
        conditions.append("coalesce(messages.active, 1) <> 0")
    if columns.has("messages", "_compressed_summary"):
        conditions.append("coalesce(messages._compressed_summary, 0) = 0")
    if columns.has("messages", "display_kind"):
        conditions.append("coalesce(messages.display_kind, '') NOT LIKE 'hidden%'")
    answer = await connection.fetch_all(
        f"""
        SELECT messages.session_id AS session_id, messages.id AS id, {_cut(":cut", ":whole")} AS content
        FROM json_each(:ids) AS wanted JOIN messages ON messages.id IN (
            SELECT early.id FROM messages AS early WHERE early.session_id = wanted.value ORDER BY early.id LIMIT :rows
        )
        WHERE {" AND ".join(conditions)}
        ORDER BY messages.id
        """,
        {"ids": json.dumps(list(session_ids)), "rows": rows, "cut": PREVIEW_BYTES, "whole": MAX_STRUCTURED_BYTES},
    )
    contents: dict[str, list[str]] = {}
    for row in map(_with_content_as_text, (row._mapping for row in answer)):
        if row["content"] is not None:
            contents.setdefault(row["session_id"], []).append(str(row["content"]))
    previews = {session_id: preview_of(own) for session_id, own in contents.items()}
    return {session_id: preview for session_id, preview in previews.items() if preview is not None}


async def tool_results(
    connection: Connection, calls: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], dict[str, int]]:
    """Answers after each message with calls, nearest first where an id was used again."""
    rows = await connection.fetch_all(
        """
        SELECT calls.key AS call, messages.tool_call_id AS call_id, messages.id AS id
        FROM json_each(:calls) AS calls JOIN messages ON messages.id IN (
            SELECT later.id FROM messages AS later
            WHERE later.session_id = json_extract(calls.value, '$[0]') AND later.id > json_extract(calls.value, '$[1]')
            ORDER BY later.id LIMIT :window
        )
        WHERE messages.role = 'tool' AND messages.tool_call_id IS NOT NULL
        ORDER BY messages.id DESC
        """,
        {"calls": json.dumps(list(calls)), "window": TOOL_WINDOW},
    )
    answers: dict[tuple[str, int], dict[str, int]] = {call: {} for call in calls}
    for row in rows:
        answers[calls[row["call"]]][text(row["call_id"]) or ""] = row["id"]
    return answers


async def tool_names(
    connection: Connection, results: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], dict[str, str]]:
    """Names of the tools called before each result, by the id of the call."""
    rows = await connection.fetch_all(
        """
        SELECT results.key AS result, messages.tool_calls AS tool_calls
        FROM json_each(:results) AS results JOIN messages ON messages.id IN (
            SELECT earlier.id FROM messages AS earlier
            WHERE earlier.session_id = json_extract(results.value, '$[0]')
              AND earlier.id < json_extract(results.value, '$[1]')
            ORDER BY earlier.id DESC LIMIT :window
        )
        WHERE messages.role = 'assistant' AND messages.tool_calls IS NOT NULL
        ORDER BY messages.id
        """,
        {"results": json.dumps(list(results)), "window": TOOL_WINDOW},
    )
    names: dict[tuple[str, int], dict[str, str]] = {result: {} for result in results}
    for row in rows:
        names[results[row["result"]]].update(_called(row["tool_calls"]))
    return names


def _called(stored: Any) -> Mapping[str, str]:
    calls = parse_tool_calls(stored, Warnings())
    return {call.id: call.name for call in calls if call.id and call.name}


# SQL functions for conditions that SQLite cannot express: its own stop at the NUL of structured content.


def holds_text(content: Any, tool_calls: Any, needle: str) -> bool:
    """SQL function: whether the literal text stands in the plain text or, as JSON spells it, in the tool calls."""
    plain = plain_text(decode_content(_text_of(content), Warnings()))
    return needle in plain.casefold() or needle in _unescaped(tool_calls).casefold()


def _text_of(cell: Any) -> str | None:
    """Like `text`, with the NUL that marks structured content left in place."""
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else text(cell)


def _unescaped(stored: Any) -> str:
    """Tool calls with JSON's escapes taken out, so that non-ASCII text is found as typed."""
    raw = text(stored) or ""
    if "\\" not in raw:
        return raw
    try:
        return json.dumps(json.loads(raw), ensure_ascii=False).replace("\\\\", "\\").replace('\\"', '"')
    except (ValueError, RecursionError):
        return raw


def is_failure(content: Any) -> bool:
    """SQL function: whether the content of a tool's result says that it failed."""
    stored = _text_of(content) or ""
    if stored.startswith(STRUCTURED_PREFIX):
        stored = plain_text(decode_content(stored, Warnings()))
    return says_failure(text(stored) or "")


def opening(content: Any) -> str:
    """SQL function: the beginning of the plain text of a content, of which the end may be missing."""
    return opening_text(_text_of(content) or "", OPENING_CHARACTERS)


FUNCTIONS: dict[str, Callable[..., Any]] = {"holds_text": holds_text, "is_failure": is_failure, "opening": opening}
