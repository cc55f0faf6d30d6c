"""The order of a transcript: which messages it shows, as ids and states from an index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import orjson

from hermes_sessions.model.lines import Lines, lines_of
from hermes_sessions.model.message import SHOWN_STATES, MessageState
from hermes_sessions.store_values import MessageQuery
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.contents import MAX_CONTENT_BYTES, MAX_STRUCTURED_BYTES, cut_sql
from hermes_sessions.stores.database import Connection


async def transcript_lines(
    connection: Connection, columns: Columns, session_ids: Sequence[str], query: MessageQuery
) -> Lines:
    """One statement: live messages from an index, and the inactive ones that are wanted."""
    rows = await connection.fetch_all(*lines_sql(columns, session_ids, query))
    found = ((segment, MessageState(state), orjson.loads(ids)) for segment, state, ids in rows)
    return lines_of(len(session_ids), found)


IDS = "json_group_array(messages.id)"


def lines_sql(
    columns: Columns, session_ids: Sequence[str], query: MessageQuery, ids: str = IDS
) -> tuple[str, dict[str, Any]]:
    """A statement that gives a row for each segment and state, and its values.

    The ids of a row come as one JSON text: a Python value for each row of a long transcript would cost most of a page.
    `ids` is the aggregate that makes it.
    """
    states = query.states if query.states is not None else SHOWN_STATES
    conditions, values = _conditions(columns, query)
    has_states = columns.has("messages", "active")
    compacted = "coalesce(messages.compacted, 0) <> 0" if columns.has("messages", "compacted") else "0"
    parts: list[str] = []
    if MessageState.LIVE in states:
        parts.append(_lines(ids, "LIVE", ["coalesce(messages.active, 1) <> 0"] if has_states else [], conditions))
    if MessageState.COMPACTED in states and has_states:
        parts.append(_lines(ids, "COMPACTED", ["messages.active = 0", compacted, _NO_TWIN], conditions))
    if MessageState.REWOUND in states and has_states:
        parts.append(_lines(ids, "REWOUND", ["messages.active = 0", f"NOT ({compacted})"], conditions))
    values["segments"] = json.dumps(list(session_ids))
    return " UNION ALL ".join(parts or [_lines(ids, "LIVE", ["0"], conditions)]), values


def _lines(ids: str, state: str, own: list[str], conditions: list[str]) -> str:
    return f"""
        SELECT segments.key AS segment, '{state}' AS state, (
            SELECT {ids} FROM messages
            WHERE {" AND ".join(["messages.session_id = segments.value", *own, *conditions])}
        ) AS ids
        FROM json_each(:segments) AS segments
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


def holds_text_sql(needle: str, *, content: str = "1", calls: str = "1") -> str:
    """SQL condition: the message holds this text, which is case folded. `content` and `calls` are conditions for
    looking into either."""
    cells = [f"iif({content}, {cell_sql('content')}, NULL)", f"iif({calls}, {cell_sql('tool_calls')}, NULL)"]
    return f"holds_text({', '.join(cells)}, {needle})"


def cell_sql(column: str) -> str:
    """A cell as the argument of a function of ours: as text, one that is not UTF-8 would fail the statement."""
    return f"CAST(messages.{column} AS BLOB)"


HAS_FAILED = f"""
    (messages.role = 'tool' AND is_failure(CAST({cut_sql(str(MAX_CONTENT_BYTES), str(MAX_STRUCTURED_BYTES))} AS BLOB)))
"""
"""SQL condition. It judges what a page reads of a content, so that both always agree."""

_USES_TOOL = """
    (messages.tool_name IN (SELECT value FROM json_each(:tools)) OR EXISTS (
        SELECT 1 FROM json_each(CASE WHEN json_valid(messages.tool_calls) THEN messages.tool_calls END) AS calls
        WHERE CASE WHEN calls.type = 'object' THEN json_extract(calls.value, '$.function.name') END
              IN (SELECT value FROM json_each(:tools))
    ))
"""
