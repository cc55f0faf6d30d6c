"""The narrow columns of all sessions of a store, in memory, and kept true.

Every question asks for the revision of the store, and whoever finds it moved reads the rows that a later change has
touched: revisions come in the order of commits, so none is missed, and a write that was acknowledged anywhere is seen.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import orjson

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.values import Warnings, stored_json
from hermes_sessions.stores.database import Connection, LiveDatabase, Values
from hermes_sessions.stores.narrow import NARROW_COLUMNS
from hermes_sessions.stores.postgres.cells import OTHERS, from_columns
from hermes_sessions.stores.postgres.transactions import snapshot
from hermes_sessions.stores.rows import activity_from_row, auxiliary_from_rows, session_from_row, with_auxiliary
from hermes_sessions.stores.seen import AUXILIARY_COLUMNS

ROWS_AT_ONCE = 2000
GREATEST_ID = "\U0010ffff"
"""Behind every id, by the order of bytes that ids have."""
MARKERS = ("branched_from", "delegate_from", "reset_from")
_ACTIVITY = ("row_count", "live", "compacted", "newest", "last_id", "live_ids")
_COLUMNS = ", ".join((*NARROW_COLUMNS, "model_config", OTHERS, "revision", *_ACTIVITY))


@dataclass(frozen=True)
class Picture:
    """One consistent reading of a store: which one it is, after which change, and its sessions. The reading began at
    the moment `read_at` of the monotonic clock."""

    store: str = ""
    revision: int = -1
    forest: Forest = field(default_factory=Forest)
    read_at: float = float("-inf")

    @property
    def version(self) -> tuple[str, int]:
        return (self.store, self.revision)


class Catalogue:
    """The latest picture of one store."""

    def __init__(self, database: LiveDatabase, schema: str) -> None:
        self._database = database
        self._schema = schema
        self._picture = Picture()
        self._marks: WeakKeyDictionary[Forest, tuple[str, int]] = WeakKeyDictionary()
        self._reading: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
            self._reading = None

    async def picture(self) -> Picture:
        """Not older than the question."""
        asked_at = time.monotonic()
        async with self._database.connection() as connection:
            version = await version_of(connection, self._schema)
        # One that was read meanwhile is later. One from before the question, with a greater revision, is of a server
        # that is gone, whose last changes the one in its place never got.
        while self._picture.version != version and self._picture.read_at < asked_at:
            await asyncio.shield(self._begin())
        return self._picture

    async def picture_on(self, connection: Connection) -> Picture:
        """As a transaction sees it that has taken the next revision and changed nothing yet. It is not kept: the
        transaction may be taken back."""
        picture = self._picture
        if await version_of(connection, self._schema) == (picture.store, picture.revision + 1):
            return picture
        return await _picture_after(connection, self._schema, picture)

    def mark(self, forest: Forest) -> str | None:
        """Of a picture that was given out: the store and its revision."""
        version = self._marks.get(forest)
        return f"{version[0]}:{version[1]}" if version is not None else None

    def _begin(self) -> asyncio.Task[None]:
        """The reading that runs, else a new one. It belongs to no question: none that is cancelled breaks it off."""
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._run(), context=contextvars.Context())
            self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it
        return self._reading

    async def _run(self) -> None:
        try:
            async with snapshot(self._database) as connection:
                self._picture = await _picture_after(connection, self._schema, self._picture)
                self._marks[self._picture.forest] = self._picture.version
        finally:
            self._reading = None


async def version_of(connection: Connection, schema: str) -> tuple[str, int]:
    row = await connection.fetch_one(f"SELECT id, revision FROM {schema}.store")
    if row is None:
        raise HermesSessionsError(ErrorCode.UNSUPPORTED_STORE, "The store has lost its revision. Restore it.")
    return (str(row["id"]), row["revision"])


async def _picture_after(connection: Connection, schema: str, before: Picture) -> Picture:
    read_at = time.monotonic()
    store, revision = await version_of(connection, schema)
    if store != before.store or revision < before.revision:
        before = Picture(store)
    changed = await _changed(connection, schema, before.revision)
    rows = await connection.fetch_all(
        f"SELECT session_id FROM {schema}.gone WHERE revision > :revision", {"revision": before.revision}
    )
    gone = ({row["session_id"] for row in rows} & before.forest.sessions.keys()) - changed.keys()
    forest = await asyncio.to_thread(before.forest.after, list(changed.values()), gone)
    return Picture(store, revision, forest, read_at)


async def _changed(connection: Connection, schema: str, revision: int) -> dict[str, Session]:
    """The sessions that a change after this one has touched, some at a time: a store that is read from nothing has
    many."""
    sessions: dict[str, Session] = {}
    last: tuple[int, str] = (revision, GREATEST_ID)
    while True:
        rows = await connection.fetch_all(
            f"""
            SELECT {_COLUMNS} FROM {schema}.sessions WHERE (revision, id) > (:revision, :id)
            ORDER BY revision, id LIMIT {ROWS_AT_ONCE}
            """,
            {"revision": last[0], "id": last[1]},
        )
        found = await asyncio.to_thread(_sessions, rows)
        auxiliary = await _auxiliary_rows(connection, schema, list(found)) if found else ()
        for session_id, booked in auxiliary_from_rows(map(from_columns, auxiliary)).items():
            found[session_id] = with_auxiliary(found[session_id], booked)
        sessions |= found
        if len(rows) < ROWS_AT_ONCE:
            return sessions
        last = (rows[-1]["revision"], rows[-1]["id"])


async def sessions_where(connection: Connection, schema: str, condition: str, values: Values) -> list[Session]:
    """The sessions that meet an SQL condition, without their auxiliary calls: for who cannot wait for a picture."""
    rows = await connection.fetch_all(f"SELECT {_COLUMNS} FROM {schema}.sessions WHERE {condition}", values)
    return list(_sessions(rows).values())


async def _auxiliary_rows(connection: Connection, schema: str, session_ids: Sequence[str]) -> list[Any]:
    return await connection.fetch_all(
        f"""
        SELECT {", ".join(AUXILIARY_COLUMNS)}, {OTHERS} FROM {schema}.session_model_usage
        WHERE task <> '' AND session_id = ANY(CAST(:ids AS text[])) ORDER BY number
        """,
        {"ids": list(session_ids)},
    )


def _sessions(rows: Sequence[Mapping[str, Any]]) -> dict[str, Session]:
    return {row["id"]: _session(from_columns(row)) for row in rows}


def _session(row: dict[str, Any]) -> Session:
    warnings = Warnings()
    config = stored_json(row["model_config"], "model_config", warnings)
    markers = config if isinstance(config, dict) else {}
    row |= {name: _scalar(markers.get(f"_{name}")) for name in MARKERS}
    return session_from_row(row | {"broken_config": bool(warnings.freeze())}, activity_from_row(row))


def _scalar(value: Any) -> Any:
    """A marker is an id; what is none reads as it does where SQLite takes it out of the JSON."""
    if isinstance(value, dict | list):
        return orjson.dumps(value).decode()
    return int(value) if isinstance(value, bool) else value
