"""The narrow columns of all sessions of a store, in memory, and kept true.

Rows of `sessions` are wide and kinds depend on siblings and on the newest messages, so no list could be answered
from SQL in a few milliseconds. Instead the store is read once, and again when `PRAGMA data_version` of a connection
that stays open says that somebody has committed. A reload takes unchanged rows from the one before.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Activity, Session
from hermes_sessions.model.values import EARLIEST_MOMENT, LATEST_MOMENT, text
from hermes_sessions.store_values import Freshness
from hermes_sessions.stores.columns import Columns, read_columns
from hermes_sessions.stores.database import Connection, LiveDatabase
from hermes_sessions.stores.rows import (
    TOKEN_COLUMNS,
    Auxiliary,
    activity_from_row,
    auxiliary_from_rows,
    session_from_row,
)

MAX_AGE_SECONDS = 1.0
"""A change by another program is seen at the latest after this time and one reload."""
QUICK_SECONDS = 0.05
"""A reading that takes no longer is worth waiting for even where a picture is wanted promptly."""

NARROW_COLUMNS = (
    "id",
    "source",
    "parent_session_id",
    "session_key",
    "title",
    "model",
    "user_id",
    "cwd",
    "git_branch",
    "git_repo_root",
    "started_at",
    "ended_at",
    "end_reason",
    "last_activity_at",
    "archived",
    "message_count",
    "tool_call_count",
    *TOKEN_COLUMNS,
    "estimated_cost_usd",
    "actual_cost_usd",
    "cost_status",
)
_MARKERS = ("branched_from", "delegate_from", "reset_from")
_VALID = "json_valid(sessions.model_config)"

Version = tuple[int, int]
_NamedRow = dict[str, Any]


@dataclass(frozen=True)
class Picture:
    """One consistent reading of a store. `version` is the connection's generation and its data_version."""

    version: Version
    columns: Columns
    forest: Forest
    rows: Mapping[str, tuple[tuple[Any, ...], Activity | None, Auxiliary | None]]
    read_at: float
    seconds: float


class Catalogue:
    """The latest picture of one store, read again when the store has changed.

    While a reload is cheap next to the time since the last one, every question sees the newest commit. When commits
    come faster than that, the picture may be up to `MAX_AGE_SECONDS` old; `forget` makes the next question wait for
    a new one, so that a caller always sees its own writes.
    """

    def __init__(self, database: LiveDatabase) -> None:
        self._database = database
        self._picture: Picture | None = None
        self._lock = asyncio.Lock()
        self._forgotten = 0
        self._seen = 0  # how often it had been forgotten when the reading of the picture began

    def forget(self) -> None:
        self._forgotten += 1

    async def picture(self, freshness: Freshness = Freshness.USUAL) -> Picture:
        present = self._picture
        if present is not None and freshness is Freshness.PROMPT:
            if present.seconds > QUICK_SECONDS:
                return present
            freshness = Freshness.NOW
        return (await self.look(freshness))[0]

    async def look(self, freshness: Freshness = Freshness.USUAL) -> tuple[Picture, Version]:
        """A picture, and the version of the store at a moment of this question: the picture may be of an older one."""
        version = await self._version()
        if self._picture is None or self._must_reload(self._picture, version, freshness):
            async with self._lock:
                version = await self._version()
                if self._picture is None or self._must_reload(self._picture, version, freshness):
                    forgotten = self._forgotten
                    self._picture = await self._read(self._picture)
                    self._seen = forgotten
                    version = self._picture.version
        return self._picture, version

    def _must_reload(self, picture: Picture, version: Version, freshness: Freshness) -> bool:
        if version == picture.version:
            return False
        if version[0] != picture.version[0]:  # through another connection, and so perhaps of another file
            return True
        if freshness is Freshness.NOW:
            return True
        age = time.monotonic() - picture.read_at
        return self._seen < self._forgotten or age >= min(MAX_AGE_SECONDS, 4 * picture.seconds)

    async def _version(self) -> Version:
        async with self._database.connection() as connection:
            worker = connection.raw_connection
            data_version = worker.data_version()
            if data_version is None:
                data_version = await connection.fetch_val("PRAGMA data_version")
            return (worker.generation, data_version)

    async def _read(self, before: Picture | None) -> Picture:
        started = time.monotonic()
        async with self._database.connection() as connection:
            await connection.execute("BEGIN")
            # The first read fixes the snapshot of the transaction; data_version then belongs to that snapshot.
            columns = await read_columns(connection)
            version = (connection.raw_connection.generation, await connection.fetch_val("PRAGMA data_version"))
            rows = await connection.fetch_all(sessions_sql(columns))
            activity = await _read_activity(connection, columns)
            auxiliary = await _read_auxiliary(connection, columns)
            await connection.execute("COMMIT")
        return await asyncio.to_thread(_picture, before, version, columns, rows, activity, auxiliary, started)


def _picture(
    before: Picture | None,
    version: Version,
    columns: Columns,
    rows: list[Any],
    activity: dict[str, Activity],
    auxiliary: dict[str, Auxiliary],
    started: float,
) -> Picture:
    known = before.rows if before is not None and before.columns == columns else {}
    kept: dict[str, tuple[tuple[Any, ...], Activity | None, Auxiliary | None]] = {}
    sessions: list[Session] = []
    for row in rows:
        session_id = text(row[0]) or ""
        evidence = (tuple(row), activity.get(session_id), auxiliary.get(session_id))
        same = before is not None and known.get(session_id) == evidence
        session = before.forest.get(session_id) if before is not None and same else None
        sessions.append(session or session_from_row(row._mapping, evidence[1], evidence[2]))
        kept[session_id] = evidence
    # A commit that changed no session, as that of an agent's heartbeat, costs nothing of what was derived.
    is_same = before is not None and kept == before.rows
    forest = before.forest if before is not None and is_same else Forest(sessions)
    now = time.monotonic()
    return Picture(version, columns, forest, kept, read_at=now, seconds=now - started)


def sessions_sql(columns: Columns) -> str:
    markers = ", ".join(
        f"CASE WHEN {_VALID} THEN json_extract(sessions.model_config, '$._{name}') END AS {name}" for name in _MARKERS
    )
    broken = f"sessions.model_config <> '' AND NOT {_VALID}"
    if not columns.has("sessions", "model_config"):
        markers = ", ".join(f"NULL AS {name}" for name in _MARKERS)
        broken = "0"
    return f"SELECT {columns.select('sessions', NARROW_COLUMNS)}, {markers}, {broken} AS broken_config FROM sessions"


async def _read_activity(connection: Connection, columns: Columns) -> dict[str, Activity]:
    """Counts and the newest moment by session, from an index alone; then the compacted ones among the inactive."""
    live = "messages.active IS NULL OR messages.active <> 0" if columns.has("messages", "active") else "1"
    counts = await connection.fetch_all(
        f"""
        SELECT messages.session_id AS session_id, count(*) AS row_count, sum({live}) AS live,
               max(CASE WHEN messages.timestamp BETWEEN :earliest AND :latest THEN messages.timestamp END) AS newest,
               max(messages.id) AS last_id, total(CASE WHEN {live} THEN messages.id END) AS live_ids
        FROM messages GROUP BY messages.session_id
        """,
        {"earliest": EARLIEST_MOMENT, "latest": LATEST_MOMENT},
    )
    inactive = [row["session_id"] for row in counts if row["live"] < row["row_count"]]
    compacted: dict[str, int] = {}
    if inactive and columns.has("messages", "compacted"):
        rows = await connection.fetch_all(
            """
            SELECT messages.session_id AS session_id, count(*) AS compacted
            FROM json_each(:ids) AS ids JOIN messages ON messages.session_id = ids.value
            WHERE messages.active = 0 AND messages.compacted <> 0
            GROUP BY messages.session_id
            """,
            {"ids": json.dumps(inactive)},
        )
        compacted = {row["session_id"]: row["compacted"] for row in rows}
    return {
        text(row["session_id"]) or "": activity_from_row(row, compacted.get(row["session_id"], 0)) for row in counts
    }


async def _read_auxiliary(connection: Connection, columns: Columns) -> dict[str, Auxiliary]:
    if not columns.has("session_model_usage", "task"):
        return {}
    wanted = ("session_id", *TOKEN_COLUMNS, "estimated_cost_usd", "actual_cost_usd", "cost_status")
    rows = await connection.fetch_all(
        f"SELECT {columns.select('session_model_usage', wanted)} FROM session_model_usage"
        " WHERE session_model_usage.task <> ''"
    )
    return auxiliary_from_rows(rows)
