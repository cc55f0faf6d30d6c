"""The order of a transcript: which messages it shows, as ids and states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.model.lines import Lines, lines_of
from hermes_sessions.model.message import SHOWN_STATES, MessageState
from hermes_sessions.model.tool_calls import parse_tool_calls
from hermes_sessions.model.values import Warnings
from hermes_sessions.store_values import MessageQuery
from hermes_sessions.stores.contents import MAX_CONTENT_BYTES, MAX_STRUCTURED_BYTES
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.functions import holds_text, is_failure
from hermes_sessions.stores.postgres.cells import OTHERS, STRUCTURED, from_columns
from hermes_sessions.stores.postgres.contents import beginning, cut_sql, size_of

READ_AT_ONCE = 500
_LIVE = "coalesce(messages.active, 1) <> 0"
_STATES = {
    MessageState.LIVE: _LIVE,
    MessageState.COMPACTED: "messages.active = 0 AND coalesce(messages.compacted, 0) <> 0 AND {no_twin}",
    MessageState.REWOUND: "messages.active = 0 AND coalesce(messages.compacted, 0) = 0",
}


async def transcript_lines(
    connection: Connection, schema: str, session_ids: Sequence[str], query: MessageQuery
) -> Lines:
    """One statement for the ids; what no index knows of the messages is read and judged here."""
    states = query.states if query.states is not None else SHOWN_STATES
    roles = "AND messages.role = ANY(CAST(:roles AS text[]))" if query.roles is not None else ""
    parts = [
        f"""
        SELECT segments.at AS segment, '{state.value}' AS state, array_agg(messages.id) AS ids
        FROM unnest(CAST(:segments AS text[])) WITH ORDINALITY AS segments (id, at)
        JOIN {schema}.messages ON messages.session_id = segments.id
        WHERE {condition.format(no_twin=no_twin_sql(schema))} {roles} GROUP BY segments.at
        """
        for state, condition in _STATES.items()
        if state in states
    ]
    if not parts:
        return lines_of(len(session_ids), ())
    values: dict[str, Any] = {"segments": list(session_ids)}
    if query.roles is not None:
        values["roles"] = sorted(role for role in query.roles if "\x00" not in role)  # which no text here holds
    rows = await connection.fetch_all(" UNION ALL ".join(parts), values)
    found = [(row["segment"] - 1, MessageState(row["state"]), row["ids"]) for row in rows]
    if query.text is not None or query.tools is not None or query.errors_only:
        wanted = await _passing(connection, schema, [id for _, _, ids in found for id in ids], query)
        found = [(segment, state, [id for id in ids if id in wanted]) for segment, state, ids in found]
    return lines_of(len(session_ids), found)


def no_twin_sql(schema: str) -> str:
    """A compacted message that was carried along stands once: its live copy, else its newest compacted one."""
    return f"""
        NOT EXISTS (
            SELECT 1 FROM {schema}.messages AS twin
            WHERE twin.session_id = messages.session_id AND twin.timestamp = messages.timestamp
              AND twin.id <> messages.id
              AND (coalesce(twin.active, 1) <> 0 OR (coalesce(twin.compacted, 0) <> 0 AND twin.id > messages.id))
              AND {same_message_sql("twin")}
        )
    """


def same_message_sql(other: str) -> str:
    names = ("tool_call_id", "tool_calls", "content", STRUCTURED, OTHERS)
    return f"{other}.role = messages.role AND " + " AND ".join(
        f"{other}.{name} IS NOT DISTINCT FROM messages.{name}" for name in names
    )


async def _passing(connection: Connection, schema: str, ids: Sequence[int], query: MessageQuery) -> set[int]:
    """Those of the messages that meet the conditions on what they hold."""
    content = "content" if query.text is not None else cut_sql(MAX_CONTENT_BYTES, MAX_STRUCTURED_BYTES)
    passing: set[int] = set()
    for start in range(0, len(ids), READ_AT_ONCE):
        rows = await connection.fetch_all(
            f"""
            SELECT id, role, tool_name, tool_calls, {content} AS content, {STRUCTURED}, {OTHERS}
            FROM {schema}.messages WHERE id = ANY(CAST(:ids AS bigint[]))
            """,
            {"ids": list(ids[start : start + READ_AT_ONCE])},
        )
        passing.update(row["id"] for row in map(from_columns, rows) if _passes(row, query))
    return passing


def _passes(row: Mapping[str, Any], query: MessageQuery) -> bool:
    if query.text is not None and not holds_text(row["content"], row["tool_calls"], query.text.casefold()):
        return False
    if query.tools is not None and query.tools.isdisjoint(_tools(row)):
        return False
    return not query.errors_only or has_failed(row)


def has_failed(row: Mapping[str, Any]) -> bool:
    """It judges what a page reads of a content, so that both always agree."""
    if row["role"] != "tool":
        return False
    content = row["content"]
    is_long = isinstance(content, str | bytes) and size_of(content) > MAX_CONTENT_BYTES
    return is_failure(beginning(content, MAX_CONTENT_BYTES) if is_long and _is_plain(content) else content)


def _is_plain(content: Any) -> bool:
    return not (isinstance(content, str) and content.startswith(STRUCTURED_PREFIX))


def _tools(row: Mapping[str, Any]) -> Iterable[Any]:
    yield row["tool_name"]
    yield from (call.name for call in parse_tool_calls(row["tool_calls"], Warnings()))
