"""The facts of `model/health/facts.py` in SQL: all of it reads, and what takes long stops at a deadline."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.health.facts import Lock, LockKind, Part, Place, RowFacts, StoreHealth
from hermes_sessions.model.values import Warnings, moment, text
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.sqlite.worker import sqlite_version, sqlite_warnings, statement_timeout

MOST_IDS = 20
MOST_LOCKS = 100

_LOCK_TABLES = (
    (LockKind.COMPRESSION, "compression_locks", "session_id"),
    (LockKind.TURN, "session_turn_leases", "conversation_id"),
)


@asynccontextmanager
async def snapshot(connection: Connection) -> AsyncIterator[None]:
    """What is read in the block belongs to one moment. The connection is rolled back when it is given back."""
    await connection.execute("BEGIN")
    yield
    await connection.execute("COMMIT")


async def store_health(connection: Connection, columns: Columns, place: Place, *, is_still: bool) -> StoreHealth:
    """A still connection takes no locks and so cannot tell the journal mode."""
    version = None
    if columns.has("schema_version", "version"):
        version = await connection.fetch_val("SELECT max(schema_version.version) FROM schema_version")
    return StoreHealth(
        schema_version=version if isinstance(version, int) else None,
        missing_columns=columns.missing(),
        unknown_columns=columns.unknown(),
        place=place,
        page_bytes=await connection.fetch_val("PRAGMA page_size"),
        page_count=await connection.fetch_val("PRAGMA page_count"),
        free_pages=await connection.fetch_val("PRAGMA freelist_count"),
        journal_mode=None if is_still else await connection.fetch_val("PRAGMA journal_mode"),
        library=sqlite_version(),
        library_warnings=sqlite_warnings(),
        locks=[lock for table in _LOCK_TABLES for lock in await _locks(connection, columns, *table)],
    )


async def _locks(connection: Connection, columns: Columns, kind: LockKind, table: str, subject: str) -> list[Lock]:
    if not {subject, "holder", "expires_at"} <= columns.of(table):
        return []
    rows = await connection.fetch_all(
        f"""
        SELECT {table}.{subject} AS subject, {table}.holder AS holder, {table}.expires_at AS expires_at
        FROM {table} ORDER BY {table}.expires_at DESC LIMIT :limit
        """,
        {"limit": MOST_LOCKS},
    )
    return [
        Lock(
            kind,
            text(row["subject"]) or "",
            text(row["holder"]) or "",
            moment(row["expires_at"], "expires_at", Warnings()),
        )
        for row in rows
    ]


async def row_facts(connection: Connection, columns: Columns) -> RowFacts:
    """Rows are counted in the smallest index of each table, and orphans by session, not by message."""
    async with snapshot(connection):
        sessions = await connection.fetch_val("SELECT count(*) FROM sessions")
        messages = await connection.fetch_val("SELECT count(*) FROM messages")
        orphans = await _orphans(connection, "messages")
        usage, orphan_usage = 0, []
        if columns.has("session_model_usage", "session_id"):
            usage = await connection.fetch_val("SELECT count(*) FROM session_model_usage")
            orphan_usage = await _orphans(connection, "session_model_usage")
    lost = sorted({text(row["session_id"]) or "" for row in [*orphans, *orphan_usage]})
    return RowFacts(
        sessions=sessions,
        messages=messages,
        usage=usage,
        orphan_messages=sum(row["row_count"] for row in orphans),
        orphan_usage=sum(row["row_count"] for row in orphan_usage),
        orphan_session_ids=lost[:MOST_IDS],
    )


async def _orphans(connection: Connection, table: str) -> list[Any]:
    return await connection.fetch_all(
        f"""
        SELECT {table}.session_id AS session_id, count(*) AS row_count
        FROM {table} GROUP BY {table}.session_id
        HAVING NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = {table}.session_id)
        """
    )


async def parts(connection: Connection, limit: float) -> list[Part]:
    """Every table and index, largest first, those last that could not be measured within `limit` seconds.

    Measuring reads each page of the store once. The tables of messages are the largest and come last, so that what
    is left unmeasured is as little as possible in number.
    """
    rows = await connection.fetch_all(
        """
        SELECT entries.name AS name, entries.type AS type FROM sqlite_master AS entries
        WHERE entries.rootpage > 0 ORDER BY entries.tbl_name LIKE 'messages%', entries.type, entries.name
        """
    )
    give_up = time.monotonic() + limit
    found = [
        Part(row["name"], row["type"] == "index", await _size(connection, row["name"], give_up - time.monotonic()))
        for row in rows
    ]
    return sorted(found, key=lambda part: (part.size_bytes is None, -(part.size_bytes or 0), part.name))


async def _size(connection: Connection, name: str, seconds: float) -> int | None:
    if seconds <= 0:
        return None
    token = statement_timeout.set(seconds)
    try:
        size = await connection.fetch_val(
            "SELECT sum(dbstat.pgsize) FROM dbstat WHERE dbstat.name = :name", {"name": name}
        )
    except HermesSessionsError as error:
        if error.code is not ErrorCode.TIMEOUT:
            raise
        return None
    finally:
        statement_timeout.reset(token)
    return int(size)
