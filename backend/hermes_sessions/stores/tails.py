"""The end of a conversation, read by a few narrow statements: its segments and the messages after a given one."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import chain_from
from hermes_sessions.model.session import NO_ACTIVITY, Activity
from hermes_sessions.model.values import EARLIEST_MOMENT, LATEST_MOMENT, text
from hermes_sessions.store_values import Tail
from hermes_sessions.stores.columns import Columns, read_columns
from hermes_sessions.stores.contents import messages_by_id
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.narrow import sessions_sql
from hermes_sessions.stores.rows import session_from_row

NEAR = 2000
"""Up to so many rows behind, the newest rows of all sessions are looked through; beyond, those of the segments."""


async def read_tail(
    connection: Connection, store: str, start: str, after: int, tip: str | None, limit: int
) -> Tail | None:
    """Inside one read transaction: segments and messages are of the same moment.

    SQLite has one writer at a time and ids of messages only grow, so what is committed after this moment has greater
    ids than everything that is seen now: a place in the stream is an id.
    """
    columns = await read_columns(connection)
    segments = await _segments(connection, columns, start)
    if not segments:
        return None
    newest = await connection.fetch_val("SELECT coalesce(max(messages.id), 0) FROM messages")
    ids: list[int] = []
    if limit and newest > after:
        ids = await _ids_after(connection, columns, segments, after, limit, is_near=newest - after <= NEAR)
    messages = await messages_by_id(connection, columns, ids) if ids else {}
    skipped = tip is not None and await _has_skipped(connection, segments, tip, after)
    return Tail(store, segments, [messages[number] for number in ids], newest, skipped)


async def _segments(connection: Connection, columns: Columns, start: str) -> list[str]:
    """The chain of chosen continuations, from the rows that can have a say in it alone.

    These are the start and all children of compressed sessions below it; which of them is chosen, the model decides.
    """
    rows = await connection.fetch_all(
        f"""
        WITH RECURSIVE below(id) AS (
            SELECT :start
            UNION
            SELECT child.id FROM below
            JOIN sessions AS parent ON parent.id = below.id AND parent.end_reason = 'compression'
            JOIN sessions AS child ON child.parent_session_id = parent.id
        )
        {sessions_sql(columns)} WHERE sessions.id IN (SELECT below.id FROM below)
        """,
        {"start": start},
    )
    newest = await _newest(connection, [row["id"] for row in rows]) if len(rows) > 1 else {}
    sessions = [session_from_row(row._mapping, newest.get(text(row["id"]) or "", NO_ACTIVITY)) for row in rows]
    forest = Forest(sessions)
    first = forest.get(start)
    return [segment.id for segment in chain_from(forest, first)] if first is not None else []


async def _newest(connection: Connection, session_ids: Sequence[str]) -> dict[str, Activity]:
    """The newest plausible moment of each session: all of a session's activity that the choice depends on."""
    rows = await connection.fetch_all(
        """
        SELECT ids.value AS session_id, (
            SELECT max(messages.timestamp) FROM messages
            WHERE messages.session_id = ids.value AND messages.timestamp BETWEEN :earliest AND :latest
        ) AS newest
        FROM json_each(:ids) AS ids
        """,
        {"ids": json.dumps(list(session_ids)), "earliest": EARLIEST_MOMENT, "latest": LATEST_MOMENT},
    )
    return {row["session_id"]: Activity(newest=row["newest"]) for row in rows}


async def _ids_after(
    connection: Connection, columns: Columns, segments: Sequence[str], after: int, limit: int, *, is_near: bool
) -> list[int]:
    rows = await connection.fetch_all(
        f"{_NEAR if is_near else _FAR} WHERE {_told(columns)} LIMIT :limit",
        {"segments": json.dumps(list(segments)), "after": after, "limit": limit},
    )
    return [row["id"] for row in rows]


# Ids in ascending order, found in the one or the other index; a plus keeps SQLite from using that of the column.
# The join reads them one by one, so that what is told is looked at for no more rows than are wanted.
_NEAR, _FAR = (
    f"""
    WITH later(id) AS MATERIALIZED (
        SELECT messages.id FROM messages
        WHERE {session} IN (SELECT value FROM json_each(:segments)) AND {number} > :after
        ORDER BY {number}
    )
    SELECT messages.id AS id FROM later CROSS JOIN messages ON messages.id = later.id
    """
    for session, number in (("+messages.session_id", "messages.id"), ("messages.session_id", "+messages.id"))
)


def _told(columns: Columns) -> str:
    """Rewound rows are not told, nor copies of a row that a compaction set aside: that row was told already."""
    if not columns.has("messages", "active"):
        return "1"
    if not columns.has("messages", "compacted"):
        return "coalesce(messages.active, 1) <> 0"
    return """
        (coalesce(messages.active, 1) <> 0 OR coalesce(messages.compacted, 0) <> 0)
        AND NOT EXISTS (
            SELECT 1 FROM messages AS twin
            WHERE twin.session_id = messages.session_id AND twin.timestamp = messages.timestamp
              AND twin.id < messages.id AND twin.active = 0 AND coalesce(twin.compacted, 0) <> 0
              AND twin.role = messages.role AND twin.tool_call_id IS messages.tool_call_id
              AND twin.tool_calls IS messages.tool_calls AND twin.content IS messages.content
        )
    """


async def _has_skipped(connection: Connection, segments: Sequence[str], tip: str, after: int) -> bool:
    """Whether another continuation was chosen than the one that was followed, or one with messages from before."""
    if tip not in segments:
        return True
    added = segments[segments.index(tip) + 1 :]
    if not added:
        return False
    found = await connection.fetch_val(
        "SELECT 1 FROM messages WHERE messages.session_id IN (SELECT value FROM json_each(:added))"
        " AND +messages.id <= :after LIMIT 1",
        {"added": json.dumps(list(added)), "after": after},
    )
    return found is not None
