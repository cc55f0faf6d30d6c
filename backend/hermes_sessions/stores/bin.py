"""The bin: what was deleted, kept outside the Hermes home until it is restored or its time is over.

A SQLite file of our own in the user's state directory. Rows are written here, and committed, before they leave the
store; an entry whose deletion did not happen is harmless, since restoring skips ids that are taken.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.store_values import BinEntry
from hermes_sessions.stores.bin_file import is_there, make_file
from hermes_sessions.stores.bin_overdue import remove_overdue
from hermes_sessions.stores.clock import DAY, earliest, latest
from hermes_sessions.stores.database import Connection, begin_immediate, commit, opened, sqlite_database
from hermes_sessions.stores.store_rows import Link

PATIENCE = 1.0
"""Seconds to wait for the bin where the store's write lock is held meanwhile: the agent waits for that one."""

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS entry (
        bin_id TEXT PRIMARY KEY, store TEXT NOT NULL, profile TEXT NOT NULL, title TEXT, session_ids TEXT NOT NULL,
        message_count INTEGER NOT NULL, size_bytes INTEGER NOT NULL, deleted_at REAL NOT NULL
    );
    CREATE TABLE IF NOT EXISTS stored_row (
        bin_id TEXT NOT NULL REFERENCES entry(bin_id) ON DELETE CASCADE, number INTEGER NOT NULL,
        table_name TEXT NOT NULL, cells TEXT NOT NULL, PRIMARY KEY (bin_id, table_name, number)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS link (
        bin_id TEXT NOT NULL REFERENCES entry(bin_id) ON DELETE CASCADE, child_id TEXT NOT NULL,
        parent_id TEXT NOT NULL, PRIMARY KEY (bin_id, child_id)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS deleted_id (
        store TEXT NOT NULL, session_id TEXT NOT NULL, deleted_at REAL NOT NULL, PRIMARY KEY (store, session_id)
    ) WITHOUT ROWID
    """
"""Run as one: the store's write lock is held meanwhile, and each statement is a way to another thread and back."""

_kept_open: ContextVar[Mapping[Path, Connection | None]] = ContextVar("_kept_open", default=MappingProxyType({}))
"""What this task reads bins through, by their paths."""


class FileBin:
    """The bin of one store, in a file that those of other stores share: see `Bin`."""

    is_in_store = False

    def __init__(self, path: Path, store: Path, profile: str, days: int, limit: float) -> None:
        self._path = path
        self._store = str(store.absolute())
        self._profile = profile
        self.days = days
        self._limit = limit

    @property
    def folder(self) -> Path:
        """Where what we keep of stores lies, outside of them."""
        return self._path.parent

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[Connection]:
        make_file(self._path)
        async with opened(sqlite_database(self._path, "rwc", size=1, limit=self._limit)) as connection:
            await begin_immediate(connection, PATIENCE)
            await connection.execute(_SCHEMA)
            yield connection
            await commit(connection)

    async def until_free(self) -> None:
        """Also removes what is overdue, while nobody waits for the store."""
        if is_there(self._path):
            async with opened(sqlite_database(self._path, "rwc", size=1, limit=self._limit)) as connection:
                await begin_immediate(connection)
                await connection.execute(_SCHEMA)
                await commit(connection)
                await remove_overdue(connection, self.days)

    @asynccontextmanager
    async def kept_open(self) -> AsyncIterator[None]:
        async with self._reading() as connection:
            if connection is not None:
                await connection.execute("BEGIN")  # one moment of it: another server may remove entries meanwhile
            token = _kept_open.set({**_kept_open.get(), self._path: connection})
            try:
                yield
            finally:
                _kept_open.reset(token)

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[Connection | None]:
        """None where nothing was ever put into the bin."""
        if self._path in _kept_open.get():
            yield _kept_open.get()[self._path]
            return
        if not is_there(self._path):
            yield None
            return
        async with opened(sqlite_database(self._path, "ro", size=1, limit=self._limit)) as connection:
            has_schema = await connection.fetch_one("SELECT 1 FROM sqlite_master WHERE name = 'deleted_id'")
            yield connection if has_schema is not None else None

    def _oldest(self) -> float:
        return earliest() - self.days * DAY

    @asynccontextmanager
    async def new_entry(
        self, title: str | None, session_ids: Sequence[str], size_bytes: int
    ) -> AsyncIterator[NewFileEntry]:
        """An entry that is there once the block has ended without an error."""
        async with self._writing() as connection:
            entry = NewFileEntry(connection, secrets.token_urlsafe(12))
            await connection.execute(
                "INSERT INTO entry VALUES (:id, :store, :profile, :title, :ids, 0, :size, :now)",
                {
                    "id": entry.bin_id,
                    "store": self._store,
                    "profile": self._profile,
                    "title": title,
                    "ids": json.dumps(list(session_ids)),
                    "size": size_bytes,
                    "now": latest(),
                },
            )
            yield entry
            await connection.execute(
                """
                UPDATE entry SET message_count = (
                    SELECT count(*) FROM stored_row
                    WHERE stored_row.bin_id = entry.bin_id AND stored_row.table_name = 'messages'
                ) WHERE bin_id = :id
                """,
                {"id": entry.bin_id},
            )
            await self._remember(connection, session_ids)

    async def remember_deleted(self, session_ids: Iterable[str]) -> None:
        """From now on these ids answer `alreadyAbsent`."""
        async with self._writing() as connection:
            await self._remember(connection, session_ids)

    async def _remember(self, connection: Connection, session_ids: Iterable[str]) -> None:
        await connection.execute(
            "INSERT OR REPLACE INTO deleted_id SELECT :store, value, :now FROM json_each(:ids)",
            {"store": self._store, "now": latest(), "ids": json.dumps(list(session_ids))},
        )

    @asynccontextmanager
    async def deleting(self, bin_id: str | None, session_ids: Sequence[str]) -> AsyncIterator[None]:
        """The store deletes in the block. Where it fails, nothing is gone and the entry must not say so."""
        # Remembered first: should it end in the middle, a living id is still found before a remembered one. An entry
        # has done so, in the transaction that wrote it: another one would hold the store's write lock twice as long.
        if bin_id is None:
            await self.remember_deleted(session_ids)
        try:
            yield
        except HermesSessionsError:
            with contextlib.suppress(HermesSessionsError):  # an entry of what is there is not listed
                await self.forget(bin_id, session_ids)
            raise

    async def was_deleted(self, session_id: str) -> bool:
        async with self._reading() as connection:
            if connection is None:
                return False
            found = await connection.fetch_one(
                "SELECT 1 FROM deleted_id WHERE store = :store AND session_id = :id",
                {"store": self._store, "id": session_id},
            )
            return found is not None

    async def deleted_among(self, session_ids: Sequence[str]) -> set[str]:
        """Those that were deleted here before."""
        async with self._reading() as connection:
            if connection is None or not session_ids:
                return set()
            rows = await connection.fetch_all(
                "SELECT session_id FROM deleted_id"
                " WHERE store = :store AND session_id IN (SELECT value FROM json_each(:ids))",
                {"store": self._store, "ids": json.dumps(list(session_ids))},
            )
        return {row["session_id"] for row in rows}

    async def holds(self, session_id: str) -> bool:
        """Whether it can still be restored."""
        async with self._reading() as connection:
            if connection is None:
                return False
            found = await connection.fetch_one(
                "SELECT 1 FROM entry WHERE store = :store AND deleted_at >= :oldest"
                " AND EXISTS (SELECT 1 FROM json_each(entry.session_ids) AS ids WHERE ids.value = :id) LIMIT 1",
                {"store": self._store, "oldest": self._oldest(), "id": session_id},
            )
            return found is not None

    async def entries(self, limit: int, bin_id: str | None = None) -> list[BinEntry]:
        """Newest first, without those whose time is over."""
        async with self._reading() as connection:
            if connection is None:
                return []
            rows = await connection.fetch_all(
                "SELECT * FROM entry WHERE store = :store AND (:id IS NULL OR bin_id = :id) AND deleted_at >= :oldest"
                " ORDER BY deleted_at DESC, bin_id LIMIT :limit",
                {"store": self._store, "id": bin_id, "limit": limit, "oldest": self._oldest()},
            )
        return [self._entry(row) for row in rows]

    async def count_messages(self, bin_id: str, session_ids: Sequence[str]) -> int:
        """How many messages of an entry belong to these sessions."""
        async with self._reading() as connection:
            if connection is None:
                return 0
            return int(
                await connection.fetch_val(
                    """
                    SELECT count(*) FROM stored_row
                    WHERE bin_id = :id AND table_name = 'messages'
                      AND json_extract(cells, '$.session_id') IN (SELECT value FROM json_each(:ids))
                    """,
                    {"id": bin_id, "ids": json.dumps(list(session_ids))},
                )
            )

    def _entry(self, row: Any) -> BinEntry:
        return BinEntry(
            bin_id=row["bin_id"],
            profile=row["profile"],
            title=row["title"],
            session_ids=json.loads(row["session_ids"]),
            message_count=row["message_count"],
            size_bytes=row["size_bytes"],
            deleted_at=row["deleted_at"],
            expires_at=row["deleted_at"] + self.days * DAY,
        )

    async def sizes(self, bin_id: str, table: str) -> list[tuple[int, int]]:
        """(number, bytes) of the rows of one table of an entry."""
        async with self._reading() as connection:
            if connection is None:
                return []
            rows = await connection.fetch_all(
                "SELECT number, octet_length(cells) AS size FROM stored_row"
                " WHERE bin_id = :id AND table_name = :table ORDER BY number",
                {"id": bin_id, "table": table},
            )
        return [(row["number"], row["size"]) for row in rows]

    async def rows(self, bin_id: str, table: str, numbers: Sequence[int]) -> list[str]:
        """Cells of the rows with these numbers."""
        async with self._reading() as connection:
            if connection is None:
                return []
            rows = await connection.fetch_all(
                "SELECT cells FROM stored_row WHERE bin_id = :id AND table_name = :table"
                " AND number IN (SELECT value FROM json_each(:numbers)) ORDER BY number",
                {"id": bin_id, "table": table, "numbers": json.dumps(list(numbers))},
            )
        return [row["cells"] for row in rows]

    async def links(self, bin_id: str) -> list[Link]:
        async with self._reading() as connection:
            if connection is None:
                return []
            rows = await connection.fetch_all(
                "SELECT child_id, parent_id FROM link WHERE bin_id = :id ORDER BY child_id", {"id": bin_id}
            )
        return [Link(row["child_id"], row["parent_id"]) for row in rows]

    async def forget(self, bin_id: str | None, restored_ids: Sequence[str]) -> None:
        """The entry is gone, and the restored ids are no longer known as deleted."""
        async with self._writing() as connection:
            await connection.execute("DELETE FROM entry WHERE bin_id = :id", {"id": bin_id})
            await connection.execute(
                "DELETE FROM deleted_id WHERE store = :store AND session_id IN (SELECT value FROM json_each(:ids))",
                {"store": self._store, "ids": json.dumps(list(restored_ids))},
            )


class NewFileEntry:
    """An entry being filled."""

    def __init__(self, connection: Connection, bin_id: str) -> None:
        self.bin_id = bin_id
        self._connection = connection
        self._number = 0

    async def add_rows(self, table: str, cells: Sequence[str]) -> None:
        """Rows in one statement: a statement each would hold the store's write lock much longer."""
        rows = [[self._number + at, each] for at, each in enumerate(cells, start=1)]
        self._number += len(rows)
        await self._connection.execute(
            """
            INSERT INTO stored_row
            SELECT :id, json_extract(value, '$[0]'), :table, json_extract(value, '$[1]') FROM json_each(:rows)
            """,
            {"id": self.bin_id, "table": table, "rows": json.dumps(rows, ensure_ascii=False)},
        )

    async def add_links(self, links: Sequence[Link]) -> None:
        await self._connection.execute(
            """
            INSERT INTO link
            SELECT :id, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:links)
            """,
            {"id": self.bin_id, "links": json.dumps([[link.child_id, link.parent_id] for link in links])},
        )
