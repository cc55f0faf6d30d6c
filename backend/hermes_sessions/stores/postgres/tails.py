"""The end of a conversation, read by a few narrow statements: its segments and the messages after a given one."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import chain_from
from hermes_sessions.model.session import Session
from hermes_sessions.store_values import Tail
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.catalogue import sessions_where, version_of
from hermes_sessions.stores.postgres.contents import messages_by_id
from hermes_sessions.stores.postgres.lines import same_message_sql


async def read_tail(
    connection: Connection, schema: str, start: str, after: int, tip: str | None, limit: int
) -> Tail | None:
    """Inside a transaction that sees one moment.

    A change takes its ids only once the one before it has committed, so what comes after this moment has greater ids
    than everything that is seen now: a place in the stream is an id.
    """
    store, _ = await version_of(connection, schema)
    segments = await _segments(connection, schema, start)
    if not segments:
        return None
    ids = [segment.id for segment in segments]
    newest = await connection.fetch_val(f"SELECT coalesce(max(id), 0) FROM {schema}.messages")
    numbers: list[int] = []
    if limit and newest > after:
        numbers = await _ids_after(connection, schema, segments, after, limit)
    messages = await messages_by_id(connection, schema, numbers) if numbers else {}
    skipped = tip is not None and await _has_skipped(connection, schema, ids, tip, after)
    return Tail(store, ids, [messages[number] for number in numbers], newest, skipped)


async def _segments(connection: Connection, schema: str, start: str) -> list[Session]:
    """The chain of chosen continuations, from the rows that can have a say in it alone.

    These are the start and all children of compressed sessions below it; which of them is chosen, the model decides.
    """
    sessions = await sessions_where(
        connection,
        schema,
        f"""
        id IN (
            WITH RECURSIVE below(id) AS (
                SELECT CAST(:start AS text) COLLATE "C"
                UNION
                SELECT child.id FROM below
                JOIN {schema}.sessions AS parent ON parent.id = below.id AND parent.end_reason = 'compression'
                JOIN {schema}.sessions AS child ON child.parent_session_id = parent.id
            )
            SELECT below.id FROM below
        )
        """,
        {"start": start},
    )
    forest = Forest(sessions)
    first = forest.get(start)
    return chain_from(forest, first) if first is not None else []


async def _ids_after(
    connection: Connection, schema: str, segments: Sequence[Session], after: int, limit: int
) -> list[int]:
    """In ascending order. Each segment is read by its key, so that what is told is looked at for no more of its rows
    than are wanted, however many messages others have written since."""
    # Of a message that was carried along, the one that a compaction set aside was told already.
    has_copies = any(segment.activity.compacted for segment in segments)
    rows = await connection.fetch_all(
        f"""
        SELECT later.id AS id
        FROM unnest(CAST(:segments AS text[])) AS segments (id) CROSS JOIN LATERAL (
            SELECT messages.id AS id FROM {schema}.messages
            WHERE messages.session_id = segments.id AND messages.id > :after
              AND (coalesce(messages.active, 1) <> 0 OR coalesce(messages.compacted, 0) <> 0)
              {"AND " + _not_told_sql(schema) if has_copies else ""}
            ORDER BY messages.id LIMIT :limit
        ) AS later
        ORDER BY later.id LIMIT :limit
        """,
        {"segments": [segment.id for segment in segments], "after": after, "limit": limit},
    )
    return [row["id"] for row in rows]


def _not_told_sql(schema: str) -> str:
    return f"""
        NOT EXISTS (
            SELECT 1 FROM {schema}.messages AS twin
            WHERE twin.session_id = messages.session_id AND twin.timestamp = messages.timestamp
              AND twin.id < messages.id AND twin.active = 0 AND coalesce(twin.compacted, 0) <> 0
              AND {same_message_sql("twin")}
        )
    """


async def _has_skipped(connection: Connection, schema: str, segments: Sequence[str], tip: str, after: int) -> bool:
    """Whether another continuation was chosen than the one that was followed, or one with messages from before."""
    if tip not in segments:
        return True
    added = segments[segments.index(tip) + 1 :]
    if not added:
        return False
    found = await connection.fetch_val(
        f"""
        SELECT EXISTS (
            SELECT 1 FROM {schema}.messages WHERE session_id = ANY(CAST(:added AS text[])) AND id <= :after
        )
        """,
        {"added": list(added), "after": after},
    )
    return bool(found)
