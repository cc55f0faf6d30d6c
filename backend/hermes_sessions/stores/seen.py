"""What has changed in a store since it was last read, found by SQLite itself.

Each connection that reads pictures remembers in temporary tables, in memory, what it has read. Comparing the store
with them takes one scan of the narrow columns and one of an index, in C and without Python's lock; only rows that
differ become Python objects, in the connection's own thread (`at_once.py`). So a commit costs what it changed, and
requests go on being answered meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import count
from typing import Any

from hermes_sessions.model.session import NO_ACTIVITY, Activity, Session
from hermes_sessions.model.values import EARLIEST_MOMENT, LATEST_MOMENT, text
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.narrow import NARROW_COLUMNS, sessions_sql
from hermes_sessions.stores.rows import TOKEN_COLUMNS, activity_from_row, session_from_row

ROWS_AT_ONCE = 2000
AUXILIARY_COLUMNS = ("session_id", *TOKEN_COLUMNS, "estimated_cost_usd", "actual_cost_usd", "cost_status")
_CELLS = (*NARROW_COLUMNS, "model_config")
_COUNTS = ("row_count", "live", "compacted", "newest", "last_id", "live_ids")

PREPARE = "PRAGMA temp_store = MEMORY;" + "".join(
    f"""
    CREATE TEMP TABLE {name}_sessions (row INTEGER PRIMARY KEY, {", ".join(_CELLS)});
    CREATE TEMP TABLE {name}_messages (session_id PRIMARY KEY, {", ".join(_COUNTS)}) WITHOUT ROWID;
    """
    for name in ("seen", "fresh")
)

_NO_MESSAGES = "NOT EXISTS (SELECT 1 FROM messages WHERE messages.session_id = seen_messages.session_id)"


@dataclass(frozen=True)
class Differences:
    """What is new or not as it was: sessions by id, without auxiliary calls, and what messages say by session id; and
    the ids of those that are gone. `count` is the number of all rows of sessions."""

    sessions: Mapping[str, Session]
    gone_sessions: Set[str]
    activity: Mapping[str, Activity]
    gone_activity: Set[str]
    count: int


async def differences(
    connection: Connection, columns: Columns, known: Callable[[str], Activity], *, from_nothing: bool
) -> Differences:
    """Inside a read transaction: what differs from what this connection has seen, which is seen from now on. `known`
    gives what messages said about a session before."""
    moments = {"earliest": EARLIEST_MOMENT, "latest": LATEST_MOMENT}
    await connection.execute(_look_sql(columns, from_nothing), moments)
    found = "seen" if from_nothing else "fresh"
    activity: dict[str, Activity] = {}
    sessions: dict[str, Session] = {}

    def take_messages(rows: Sequence[Any]) -> None:
        activity.update({text(row["session_id"]) or "": activity_from_row(row) for row in rows})

    def take_sessions(rows: Sequence[Any]) -> None:
        for row in rows:
            id = text(row["id"]) or ""
            said = activity.get(id) or (NO_ACTIVITY if id in silent else known(id))
            sessions[id] = session_from_row(row._mapping, said)

    await in_parts(connection, f"SELECT * FROM {found}_messages", take_messages)
    silent = _ids(await connection.fetch_all(f"SELECT session_id AS id FROM seen_messages WHERE {_NO_MESSAGES}"))
    await in_parts(connection, sessions_sql(columns, f"{found}_sessions"), take_sessions)
    # A row that comes after the last one has gone gets its number.
    gone = _ids(
        await connection.fetch_all(
            "SELECT seen.id AS id FROM seen_sessions AS seen LEFT JOIN sessions ON sessions.rowid = seen.row"
            " WHERE sessions.id COLLATE BINARY IS NOT seen.id"
        )
    )
    number = await connection.fetch_val("SELECT count(*) FROM sessions")
    if not from_nothing:
        await connection.execute(_remember_sql(forget=bool(gone or silent)))
    return Differences(sessions, gone - sessions.keys(), activity, silent - activity.keys(), number)


async def in_parts(connection: Connection, sql: str, take: Callable[[Sequence[Any]], None]) -> None:
    """Hands over the rows of a statement some at a time: a store that is read from nothing has many, which need not all
    be there at once."""
    for offset in count(0, ROWS_AT_ONCE):
        part = {"limit": ROWS_AT_ONCE, "offset": offset}
        rows = await connection.fetch_all(f"{sql} LIMIT :limit OFFSET :offset", part)
        take(rows)
        if len(rows) < ROWS_AT_ONCE:
            return


def _ids(rows: Sequence[Any]) -> set[str]:
    return {text(row["id"]) or "" for row in rows}


def _look_sql(columns: Columns, from_nothing: bool) -> str:
    # The file is opened read-only. What is written are temporary tables.
    steps = ["PRAGMA query_only = OFF"]
    if from_nothing:  # all is new: seen at once, and so held in memory once
        steps += ["DELETE FROM seen_sessions", f"INSERT INTO seen_sessions {all_sessions_sql(columns)}"]
        steps += ["DELETE FROM seen_messages", f"INSERT INTO seen_messages {all_messages_sql(columns)}"]
    else:
        steps += [fresh_sessions_sql(columns), fresh_messages_sql(columns)]
    return ";".join(steps)


def _remember_sql(*, forget: bool) -> str:
    steps = []
    if forget:
        steps = [
            "DELETE FROM seen_sessions WHERE row NOT IN (SELECT rowid FROM sessions)",
            f"DELETE FROM seen_messages WHERE {_NO_MESSAGES}",
        ]
    for table in ("sessions", "messages"):
        steps += [
            f"INSERT OR REPLACE INTO seen_{table} SELECT * FROM fresh_{table}",
            f"DELETE FROM fresh_{table}",
        ]
    return ";".join(steps)


async def auxiliary_rows(connection: Connection, columns: Columns) -> list[tuple[Any, ...]]:
    """Usage of auxiliary calls, as `AUXILIARY_COLUMNS`."""
    if not columns.has("session_model_usage", "task"):
        return []
    rows = await connection.fetch_all(
        f"SELECT {columns.select('session_model_usage', AUXILIARY_COLUMNS)} FROM session_model_usage"
        " WHERE session_model_usage.task <> ''"
    )
    return [tuple(row) for row in rows]


def all_sessions_sql(columns: Columns) -> str:
    return f"SELECT sessions.rowid AS row, {columns.select('sessions', _CELLS)} FROM sessions"


def fresh_sessions_sql(columns: Columns) -> str:
    # Compared as stored: a column of Hermes may have a collation that takes two titles for the same.
    differs = " OR ".join(
        f"sessions.{name} COLLATE BINARY IS NOT seen.{name}" for name in _CELLS if columns.has("sessions", name)
    )
    return f"""
        INSERT INTO fresh_sessions {all_sessions_sql(columns)}
        LEFT JOIN seen_sessions AS seen ON seen.row = sessions.rowid WHERE seen.row IS NULL OR {differs}
    """


def all_messages_sql(columns: Columns) -> str:
    """Counts and the newest moment of each session, from an index alone but for those that have inactive rows."""
    live = "messages.active IS NULL OR messages.active <> 0" if columns.has("messages", "active") else "1"
    compacted = "0"
    if columns.has("messages", "active") and columns.has("messages", "compacted"):
        compacted = f"""CASE WHEN sum({live}) < count(*) THEN (
            SELECT count(*) FROM messages AS inactive
            WHERE inactive.session_id = messages.session_id AND inactive.active = 0 AND inactive.compacted <> 0
        ) ELSE 0 END"""
    return f"""
        SELECT messages.session_id AS session_id, count(*) AS row_count, sum({live}) AS live,
            {compacted} AS compacted,
            max(CASE WHEN messages.timestamp BETWEEN :earliest AND :latest THEN messages.timestamp END) AS newest,
            max(messages.id) AS last_id, total(CASE WHEN {live} THEN messages.id END) AS live_ids
        FROM messages WHERE messages.session_id IS NOT NULL GROUP BY messages.session_id
    """


def fresh_messages_sql(columns: Columns) -> str:
    differs = " OR ".join(f"now.{name} IS NOT seen.{name}" for name in _COUNTS)
    return f"""
        INSERT INTO fresh_messages SELECT now.* FROM ({all_messages_sql(columns)}) AS now
        LEFT JOIN seen_messages AS seen ON seen.session_id = now.session_id
        WHERE seen.session_id IS NULL OR {differs}
    """
