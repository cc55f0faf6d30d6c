"""What a live SQLite store tells those who wait for changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from hermes_sessions.errors import BROKEN, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.store_values import Pulse, StoreStatus, Tail
from hermes_sessions.stores.database import Connection, opened, sqlite_database
from hermes_sessions.stores.sqlite.at_once import at_once
from hermes_sessions.stores.sqlite.base import SqliteBase
from hermes_sessions.stores.status import look_at
from hermes_sessions.stores.tails import read_tail

_Beat = tuple[str | None, int, int]
_NO_STORE: _Beat = (None, 0, 0)
_UNREADABLE: _Beat = (None, -1, 0)


class SqliteWatching(SqliteBase):
    """SQLite tells nobody of a commit, so a connection is asked for its data_version again and again: 4 µs each."""

    async def watch(self, interval: float) -> AsyncGenerator[Pulse, None]:
        # data_version only compares within one connection, and the others may be busy for longer than a pulse.
        async with opened(sqlite_database(self._path, "ro", size=1, limit=self._limit)) as connection:
            last: _Beat | None = None
            while True:
                beat = await self._beat(connection)
                if beat is not None and beat != last:
                    last = beat
                    yield Pulse(beat[0])
                await asyncio.sleep(interval)

    async def _beat(self, connection: Connection) -> _Beat | None:
        """Something that differs after each commit; None where the store cannot be asked just now."""
        state = look_at(self._path, read_only=True)
        if state.status is StoreStatus.EMPTY:
            return _NO_STORE
        if not state.is_readable:
            return _UNREADABLE
        try:
            version = await connection.fetch_val("PRAGMA data_version")
        except HermesSessionsError as error:
            return _UNREADABLE if error.code in BROKEN else None
        return (_name(connection), connection.raw_connection.generation, version)

    def mark(self, forest: Forest) -> str | None:
        """A data_version means something to one connection alone."""
        return None

    async def changes_since(self, mark: str, forest: Forest) -> None:
        return None

    async def tail(self, start: str, *, after: int, tip: str | None, limit: int) -> Tail | None:
        while look_at(self._path, read_only=True).status is not StoreStatus.EMPTY:
            async with self._readers.connection() as connection:
                found, is_of_one_file = await at_once(connection, lambda asked: _tail(asked, start, after, tip, limit))
            if is_of_one_file:
                return found
        return None


async def _tail(
    connection: Connection, start: str, after: int, tip: str | None, limit: int
) -> tuple[Tail | None, bool]:
    """And whether the file is still the one that it was read from."""
    await connection.execute("BEGIN")
    generation = connection.raw_connection.generation
    tail = await read_tail(connection, _name(connection), start, after, tip, limit)
    await connection.execute("COMMIT")
    await connection.execute("PRAGMA data_version")  # reopens where the file was replaced meanwhile
    return tail, connection.raw_connection.generation == generation


def _name(connection: Connection) -> str:
    """The file's identity as text: the same after a restart, another one for a file that took its place."""
    device, inode = connection.raw_connection.file or (0, 0)
    return f"{device:x}-{inode:x}"
