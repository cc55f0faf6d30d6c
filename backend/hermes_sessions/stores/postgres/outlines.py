"""What the outline of a transcript is made of, with as little of the contents as can tell it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.model.failures import READ_CHARACTERS
from hermes_sessions.model.lines import Line
from hermes_sessions.model.outline import Point
from hermes_sessions.model.search.fields import INDEXED_FIELDS, SearchField
from hermes_sessions.model.values import EARLIEST_MOMENT, LATEST_MOMENT
from hermes_sessions.store_values import Find, MessageQuery
from hermes_sessions.stores.contents import MAX_STRUCTURED_BYTES
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.functions import holds_reasoning, holds_text, opening
from hermes_sessions.stores.outlines import OPENING_BYTES, SUMMARY_BYTES, point_of
from hermes_sessions.stores.postgres.cells import OTHERS, STRUCTURED, from_columns
from hermes_sessions.stores.postgres.contents import cut_sql
from hermes_sessions.stores.postgres.lines import READ_AT_ONCE, has_failed, transcript_lines
from hermes_sessions.stores.search.reading import REASONING

_NARROW = ("id", "role", "_compressed_summary", "display_kind", "tool_name", "tool_call_id", "timestamp")
# At least what is judged here. A character has a byte or more; failures are judged by characters.
_HEAD = f"left(content, CASE WHEN {STRUCTURED} THEN {OPENING_BYTES} ELSE {SUMMARY_BYTES} END)"
_RESULT = cut_sql(READ_CHARACTERS, MAX_STRUCTURED_BYTES)
_READ = f"CASE WHEN role = 'tool' THEN {_RESULT} ELSE {_HEAD} END"
# Every result that has failed, and few others but those that are JSON objects: what is judged is `says_failure`'s.
_MAY_HAVE_FAILED = f"""
    {STRUCTURED} OR left(content, 20) ~ '^[^!-~]*([{{eE]|$)'
    OR strpos(left(content, {READ_CHARACTERS}), 'Traceback (most recent call last)') > 0
"""
# Cells that a later version's columns have left there tell nothing.
_JUDGED = ("role", "content", "_compressed_summary", "timestamp", "tool_calls", *REASONING)
_IS_REMARKABLE = f"""
    role = 'user' OR _compressed_summary <> 0 OR {OTHERS} ~ '"({"|".join(_JUDGED)})": '
    OR CASE WHEN role = 'tool' THEN {_MAY_HAVE_FAILED} ELSE strpos({_HEAD}, '[CONTEXT') > 0 END
"""


async def outline_points(
    connection: Connection, schema: str, session_ids: Sequence[str], query: MessageQuery, find: Find | None
) -> list[Point]:
    """Inside a transaction that sees one moment: in the order of the transcript. In contents and tool calls a message
    is a hit where `MessageQuery.text` would find it.

    Of most messages nothing but the moment is of interest; those come as two arrays for all of them.
    """
    lines = await transcript_lines(connection, schema, session_ids, query)
    moments = await _moments(connection, schema, session_ids)
    sql = _remarkable_sql(schema, find)
    points: list[Point] = []
    for start in range(0, len(lines), READ_AT_ONCE):
        part = lines[start : start + READ_AT_ONCE]
        rows = await connection.fetch_all(sql, {"ids": [line.id for line in part]})
        points += await asyncio.to_thread(_points, part, rows, moments, find)
    return points


async def _moments(connection: Connection, schema: str, session_ids: Sequence[str]) -> dict[int, float]:
    row = await connection.fetch_one(
        f"""
        SELECT array_agg(id) AS ids, array_agg(timestamp) AS moments FROM {schema}.messages
        WHERE session_id = ANY(CAST(:sessions AS text[])) AND timestamp BETWEEN {EARLIEST_MOMENT} AND {LATEST_MOMENT}
        """,
        {"sessions": list(session_ids)},
    )
    return dict(zip(row["ids"] or (), row["moments"] or (), strict=True))


def _remarkable_sql(schema: str, find: Find | None) -> str:
    fields = find.fields if find is not None else frozenset()
    looked_into = _looked_into_sql(fields)
    content, wanted = _READ, _IS_REMARKABLE
    calls, reasoning = "NULL", [f"NULL AS {name}" for name in REASONING]
    if looked_into is not None:
        content, wanted = f"CASE WHEN {looked_into} THEN content ELSE {_READ} END", f"{wanted} OR {looked_into}"
    if SearchField.TOOL in fields:
        calls, wanted = "tool_calls", f"{wanted} OR tool_calls IS NOT NULL"
    if SearchField.REASONING in fields:
        reasoning = list(REASONING)
        wanted += f" OR num_nonnulls({', '.join(REASONING)}) > 0"
    return f"""
        SELECT {", ".join(_NARROW)}, {content} AS content, {calls} AS tool_calls, {", ".join(reasoning)},
               {STRUCTURED}, {OTHERS}
        FROM {schema}.messages WHERE id = ANY(CAST(:ids AS bigint[])) AND ({wanted})
    """


def _looked_into_sql(fields: frozenset[SearchField]) -> str | None:
    """SQL condition for messages whose whole content is looked through."""
    if fields >= INDEXED_FIELDS:
        return "true"
    if not fields & INDEXED_FIELDS:
        return None
    return f"(role IS NOT DISTINCT FROM 'tool') = {SearchField.TOOL in fields}"


def _points(
    lines: Sequence[Line], rows: Sequence[Mapping[str, Any]], moments: Mapping[int, float], find: Find | None
) -> list[Point]:
    remarkable = {row["id"]: row for row in map(from_columns, rows)}
    return [
        _point(line, remarkable[line.id], find)
        if line.id in remarkable
        else Point(line.segment, line.id, line.state, moments.get(line.id))
        for line in lines
    ]


def _point(line: Line, row: Mapping[str, Any], find: Find | None) -> Point:
    role, head = row["role"], _head(row["content"])
    is_opening_read = role == "user" or (role != "tool" and b"[CONTEXT" in head[:SUMMARY_BYTES])
    return point_of(
        (
            *(line.segment, line.state.value, None, line.id, role),
            *(row[name] for name in ("_compressed_summary", "display_kind", "tool_name", "tool_call_id")),
            _moment(row["timestamp"]),
            opening(head) if is_opening_read else None,
            has_failed(row),
            find is not None and _is_hit(row, find),
        )
    )


def _head(content: Any) -> bytes:
    """The first bytes of a cell, as SQLite casts it."""
    if content is None:
        return b""
    raw = content if isinstance(content, bytes) else str(content)[:OPENING_BYTES].encode()
    return raw[:OPENING_BYTES]


def _moment(cell: Any) -> float | None:
    is_plausible = isinstance(cell, int | float) and EARLIEST_MOMENT <= cell <= LATEST_MOMENT
    return float(cell) if is_plausible else None


def _is_hit(row: Mapping[str, Any], find: Find) -> bool:
    """Whether the message holds the text in one of the fields."""
    needle, fields = find.text.casefold(), find.fields
    if fields & INDEXED_FIELDS:
        is_looked_into = fields >= INDEXED_FIELDS or (row["role"] == "tool") == (SearchField.TOOL in fields)
        calls = row["tool_calls"] if SearchField.TOOL in fields else None
        if holds_text(row["content"] if is_looked_into else None, calls, needle):
            return True
    return SearchField.REASONING in fields and _thinks(row, needle)


def _thinks(row: Mapping[str, Any], needle: str) -> bool:
    return holds_reasoning(row["reasoning"], row["reasoning_content"], row["reasoning_details"], needle)
