"""What the outline of a transcript is made of, read by one statement that brings no content along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from hermes_sessions.model.message import MessageState, is_summary
from hermes_sessions.model.outline import Point
from hermes_sessions.model.search.fields import INDEXED_FIELDS, SearchField
from hermes_sessions.model.values import EARLIEST_MOMENT, LATEST_MOMENT, label, text
from hermes_sessions.store_values import Find, MessageQuery
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.lines import HAS_FAILED, cell_sql, holds_text_sql, lines_sql
from hermes_sessions.stores.search.reading import REASONING

OPENING_BYTES = 16_384
"""So much of a content is read for the beginning of its text."""
SUMMARY_BYTES = 2_000
"""Within so much of it a summary begins: all white space before it, and the frame of structured content."""

_HEAD = f"""
    CASE WHEN typeof(messages.content) IN ('text', 'blob') AND octet_length(messages.content) > {OPENING_BYTES}
         THEN content_head(messages.id, {OPENING_BYTES}) ELSE CAST(messages.content AS BLOB) END
"""
# Of what no user said only the beginning of a summary is of interest: most of it need not reach Python.
_BEGINS_SUMMARY = f"instr(substr({_HEAD}, 1, {SUMMARY_BYTES}), CAST('[CONTEXT' AS BLOB))"
_OPENING = f"""
    CASE WHEN messages.role = 'user' OR (messages.role <> 'tool' AND {_BEGINS_SUMMARY}) THEN opening({_HEAD}) END
"""
_MOMENT = "CASE WHEN messages.timestamp BETWEEN :earliest AND :latest THEN messages.timestamp END"
_MOMENTS = f"json_group_object(messages.id, {_MOMENT})"
_NARROW = ("role", "_compressed_summary", "display_kind", "tool_name", "tool_call_id")
_STATES = {state.value: state for state in MessageState}


async def outline_points(
    connection: Connection, columns: Columns, session_ids: Sequence[str], query: MessageQuery, find: Find | None
) -> list[Point]:
    """In the order of the transcript. In contents and tool calls a message is a hit where `MessageQuery.text` would
    find it.

    Of most messages nothing but the moment is of interest, and a row for each would cost more than reading it: those
    come as one JSON object for each segment and state, {id: moment}.
    """
    lines, values = lines_sql(columns, session_ids, query, _MOMENTS)
    values |= {"earliest": EARLIEST_MOMENT, "latest": LATEST_MOMENT}
    if find is not None:
        values["find"] = find.text.casefold()
    hit = f"({_hit_sql(columns, find.fields)})" if find is not None else "0"
    summary = "messages._compressed_summary <> 0" if columns.has("messages", "_compressed_summary") else "0"
    rows = await connection.fetch_all(
        f"""
        WITH lines AS MATERIALIZED ({lines})
        SELECT segment, state, ids AS moments, NULL AS id, {", ".join(f"NULL AS {name}" for name in _NARROW)},
               NULL AS timestamp, NULL AS opening, NULL AS failed, NULL AS hit
        FROM lines
        UNION ALL
        SELECT lines.segment, lines.state, NULL, messages.id, {columns.select("messages", _NARROW)},
               {_MOMENT}, {_OPENING}, {HAS_FAILED}, {hit}
        FROM lines CROSS JOIN json_each(lines.ids) AS line
        CROSS JOIN messages ON messages.id = CAST(line.key AS INTEGER)
        WHERE messages.role = 'user' OR {summary} OR {HAS_FAILED}
              OR (messages.role <> 'tool' AND {_BEGINS_SUMMARY}) OR {hit}
        """,
        values,
    )
    remarkable = {row["id"]: point_of(row) for row in rows if row["moments"] is None}
    return sorted(
        remarkable.get(id) or Point(row["segment"], id, _STATES[row["state"]], timestamp)
        for row in rows
        if row["moments"] is not None
        for id, timestamp in _read(row["moments"])
    )


def _read(moments: str) -> Iterator[tuple[int, float | None]]:
    return ((int(id), timestamp) for id, timestamp in orjson.loads(moments).items())


def _hit_sql(columns: Columns, fields: frozenset[SearchField]) -> str:
    """SQL condition: the message holds `:find` in one of these fields."""
    conditions: list[str] = []
    if fields & INDEXED_FIELDS:
        content = "1" if fields >= INDEXED_FIELDS else f"(messages.role = 'tool') = {SearchField.TOOL in fields}"
        conditions.append(holds_text_sql(":find", content=content, calls=str(SearchField.TOOL in fields)))
    if SearchField.REASONING in fields:
        cells = [cell_sql(name) if columns.has("messages", name) else "NULL" for name in REASONING]
        conditions.append(f"holds_reasoning({', '.join(cells)}, :find)")
    return " OR ".join(conditions)


def point_of(row: Any) -> Point:
    """Of a row as the statement above gives it."""
    segment, state, _, id, role, marked, display_kind, tool_name, tool_call_id, timestamp, opening, failed, hit = row
    is_user = role == "user"
    stands_for_others = (opening is not None or marked is not None) and is_summary(marked, role, opening or "")
    return Point(
        segment,
        id,
        _STATES[state],
        timestamp,
        opening or None,
        label(tool_name) if failed else None,
        label(tool_call_id) if failed else None,
        stands_for_others,
        is_user and not stands_for_others and not _is_hidden(display_kind),
        failed == 1,
        hit == 1,
    )


def _is_hidden(display_kind: Any) -> bool:
    return display_kind is not None and (text(display_kind) or "")[:6].lower() == "hidden"
