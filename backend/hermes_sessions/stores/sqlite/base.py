"""What every question and every change of a live SQLite store starts from: its connections and its picture."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.resolving import not_found
from hermes_sessions.store_values import Engine, Freshness, StoreState, StoreStatus
from hermes_sessions.stores import seen, usage_rows
from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.catalogue import Catalogue, Picture
from hermes_sessions.stores.columns import Columns, read_columns
from hermes_sessions.stores.create import publish_store
from hermes_sessions.stores.database import (
    BUSY_SECONDS,
    Connection,
    LiveDatabase,
    sqlite_database,
    write_transaction,
)
from hermes_sessions.stores.functions import FUNCTIONS
from hermes_sessions.stores.own_changes import OwnChanges
from hermes_sessions.stores.search import indexes as search_indexes
from hermes_sessions.stores.search.reading import holds_words
from hermes_sessions.stores.sqlite.handle import Mode
from hermes_sessions.stores.sqlite.precedence import Precedence
from hermes_sessions.stores.sqlite.rows import SqliteRows
from hermes_sessions.stores.status import look_at, room_for_store
from hermes_sessions.stores.store_rows import Bin, StoreRows

READERS = 3
CONNECTIONS = READERS + 3
"""That a store holds: of readers, the two of its catalogue, and the one that follows usage rows."""
CODE_OF = {
    StoreStatus.READ_ONLY: ErrorCode.READ_ONLY,
    StoreStatus.UNREACHABLE: ErrorCode.STORE_UNREACHABLE,
    StoreStatus.UNSUPPORTED: ErrorCode.UNSUPPORTED_STORE,
    StoreStatus.EMPTY: ErrorCode.NOT_FOUND,
}


class SqliteBase:
    """Reads through a few long-lived read-only connections; opens a writer for the time of one change. A statement may
    take `limit` seconds, and a change waits `lock_limit` seconds for the write lock."""

    engine = Engine.SQLITE

    def __init__(
        self,
        profile: str,
        path: Path,
        bin: FileBin,
        *,
        read_only: bool,
        limit: float,
        lock_limit: float = BUSY_SECONDS,
        mode: Mode = "ro",
    ) -> None:
        self.profile = profile
        self._path = path
        self._bin: Bin = bin
        self._file_bin = bin
        self._read_only = read_only
        self._limit = limit
        self._lock_limit = lock_limit
        self._mode: Mode = mode
        self._precedence = Precedence(path)
        self._readers: LiveDatabase = sqlite_database(
            path,
            mode,
            size=READERS,
            limit=limit,
            functions={**FUNCTIONS, "holds_words": holds_words},
            prepare=search_indexes.PREPARE,
            precedence=self._precedence,
        )
        self._watcher: LiveDatabase = sqlite_database(path, mode, size=1, limit=limit)
        self._picturer: LiveDatabase = sqlite_database(path, mode, size=1, limit=max(limit, 60.0), prepare=seen.PREPARE)
        self._usager: LiveDatabase = sqlite_database(path, mode, size=1, limit=limit, prepare=usage_rows.PREPARE)
        self._catalogue = Catalogue(self._watcher, self._picturer, OwnChanges(bin.folder, path))

    async def open(self) -> None:
        await self._readers.connect()
        await self._watcher.connect()
        await self._picturer.connect()
        await self._usager.connect()

    async def close(self) -> None:
        await self._catalogue.close()
        await self._usager.disconnect()
        await self._picturer.disconnect()
        await self._watcher.disconnect()
        await self._readers.disconnect()

    def _look(self) -> StoreState:
        return look_at(self._path, read_only=self._read_only, makes_sidecars=self._mode != "still")

    async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
        picture = await self._picture(freshness)
        return picture.forest if picture is not None else Forest(())

    async def _picture(self, freshness: Freshness = Freshness.USUAL) -> Picture | None:
        """None for a store that does not exist yet. Raises what stands in the way of reading one that does."""
        return await self._catalogue.picture(freshness) if self._exists() else None

    def _exists(self) -> bool:
        """Raises what stands in the way of reading a store that does."""
        # Whether it could be written to takes ten times as long to say, and nobody asks here.
        state = look_at(self._path, read_only=True, makes_sidecars=self._mode != "still")
        if state.status is not StoreStatus.EMPTY and not state.is_readable:
            raise HermesSessionsError(CODE_OF[state.status], state.reason or "The store cannot be read.")
        return state.status is not StoreStatus.EMPTY

    @asynccontextmanager
    async def _looking(self) -> AsyncIterator[tuple[StoreRows, Forest]]:
        picture = await self._picture()
        if picture is None:
            raise not_found()
        async with self._readers.connection() as connection:
            yield SqliteRows(connection, picture.columns, self._file_bin), picture.forest

    @asynccontextmanager
    async def _reading_rows(self) -> AsyncIterator[StoreRows]:
        async with self._readers.connection() as connection:
            yield SqliteRows(connection, await read_columns(connection), self._file_bin)

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[tuple[Connection, Columns]]:
        """For rows that are named: of the picture only the columns matter, and those of the latest one do. Whoever
        knows names has just looked whether somebody has committed, which for a page is a good part of the time."""
        picture = self._catalogue.latest or await self._picture()
        if picture is None:
            raise not_found()
        async with self._readers.connection() as connection:
            yield connection, picture.columns

    @asynccontextmanager
    async def _changing(self, *, foreign_keys: bool = True) -> AsyncIterator[tuple[StoreRows, Forest]]:
        state = look_at(self._path, read_only=self._read_only)
        if state.status is not StoreStatus.READY:
            raise HermesSessionsError(CODE_OF[state.status], state.reason or "The store cannot be changed.")
        # Most of a reload happens before the lock is taken.
        await self._catalogue.picture()
        async with self._transaction(foreign_keys=foreign_keys) as connection:
            self._catalogue.forget()
            picture = await self._catalogue.picture()
            yield SqliteRows(connection, picture.columns, self._file_bin), picture.forest

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[StoreRows]:
        await self._make_store()
        state = look_at(self._path, read_only=self._read_only)
        if self._read_only or state.status is not StoreStatus.READY:
            code = ErrorCode.READ_ONLY if self._read_only else CODE_OF[state.status]
            raise HermesSessionsError(code, state.reason or "The store cannot be changed.")
        async with self._transaction(foreign_keys=False) as connection:
            yield SqliteRows(connection, await read_columns(connection), self._file_bin)

    @asynccontextmanager
    async def _transaction(self, *, foreign_keys: bool) -> AsyncIterator[Connection]:
        """In turn with the other changes of this process, and before its readers. After it every picture is old."""
        try:
            async with AsyncExitStack() as until_committed:
                patience = await until_committed.enter_async_context(self._precedence.turn(self._lock_limit))
                async with write_transaction(
                    self._path, self._limit, foreign_keys=foreign_keys, patience=patience
                ) as connection:
                    until_committed.enter_context(self._precedence.ahead())
                    yield connection
        finally:
            self._catalogue.forget()

    async def _make_store(self) -> None:
        """Not where another program is just making it."""
        state = look_at(self._path, read_only=self._read_only)
        if state.status is not StoreStatus.EMPTY or state.size_bytes is not None:
            return
        room = room_for_store(self._path.parent, read_only=self._read_only)
        if room.status is not StoreStatus.READY:
            raise HermesSessionsError(CODE_OF[room.status], room.reason or "No store can be made here.")
        await asyncio.to_thread(publish_store, self._path)
