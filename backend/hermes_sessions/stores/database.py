"""Databases of `databases`, opened the way that live stores need it, and the one way to write."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from databases import Database

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.sqlite.handle import Mode
from hermes_sessions.stores.sqlite.precedence import Precedence

BUSY_SECONDS = 5.0
"""That are waited for a lock where nobody says otherwise."""

Values = dict[str, Any]
Functions = Mapping[str, Callable[..., Any]]


class Connection(Protocol):
    """What the queries of `stores` need of a connection of `databases`."""

    async def fetch_all(self, query: str, values: Values | None = None) -> list[Any]: ...
    async def fetch_one(self, query: str, values: Values | None = None) -> Any: ...
    async def fetch_val(self, query: str, values: Values | None = None) -> Any: ...
    async def execute(self, query: str, values: Values | None = None) -> Any: ...
    @property
    def raw_connection(self) -> Any: ...


class LiveDatabase(Database):
    """`databases.Database` with backends of our own, chosen by the URL's scheme."""

    SUPPORTED_BACKENDS = {  # noqa: RUF012 - the hook of `databases` is this plain class attribute
        **Database.SUPPORTED_BACKENDS,
        "sqlite+live": "hermes_sessions.stores.sqlite.live:LiveSqliteBackend",
        "postgresql+live": "hermes_sessions.stores.postgres.backend:PostgresBackend",
    }


def sqlite_database(
    path: Path,
    mode: Mode,
    *,
    size: int,
    limit: float,
    functions: Functions | None = None,
    prepare: str = "",
    precedence: Precedence | None = None,
) -> LiveDatabase:
    """A database on one SQLite file. The path is no part of the URL: it may hold any character.

    `prepare` is run when a connection opens, and may make temporary tables, which later statements may not. Who asks
    for a connection stands back for what has `precedence`.
    """
    return LiveDatabase(
        "sqlite+live://",
        path=path,
        mode=mode,
        size=size,
        limit=limit,
        functions=dict(functions or {}),
        prepare=prepare,
        precedence=precedence,
    )


def postgres_database(address: Address, *, size: int, limit: float) -> LiveDatabase:
    """A database on a server. The address is no part of the URL: it may hold a password."""
    return LiveDatabase("postgresql+live://", address=address, size=size, limit=limit)


@asynccontextmanager
async def opened(database: LiveDatabase) -> AsyncIterator[Connection]:
    """A connection of a database that is opened for this block alone. It is closed also when the task is cancelled,
    again and again: a writer that stayed open could be the last of our connections to close."""
    await database.connect()
    try:
        async with database.connection() as connection:
            yield connection
    finally:
        await database.disconnect()


@asynccontextmanager
async def write_transaction(
    path: Path, limit: float, *, foreign_keys: bool = True, patience: float | None = None
) -> AsyncIterator[Connection]:
    """One immediate transaction on a live store. Raises STORE_BUSY when another program holds the write lock for more
    than `patience` seconds, by default five."""
    async with opened(sqlite_database(path, "rw", size=1, limit=limit)) as writer:
        await begin_immediate(writer, patience, foreign_keys=foreign_keys)
        yield writer
        await commit(writer)


async def begin_immediate(writer: Connection, seconds: float | None = None, *, foreign_keys: bool = True) -> None:
    """Waits for the write lock. Raises STORE_BUSY after so many seconds, by default five."""
    # As one, since between two statements the connection may be opened anew, when its file was replaced.
    begin = "BEGIN IMMEDIATE" if foreign_keys else "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE"
    give_up = time.monotonic() + (BUSY_SECONDS if seconds is None else seconds)
    while True:
        try:
            await writer.execute(begin)
        except HermesSessionsError as error:
            if error.code is not ErrorCode.STORE_BUSY or time.monotonic() > give_up:
                raise
            await asyncio.sleep(random.uniform(0.02, 0.1))
        else:
            return


async def commit(writer: Connection) -> None:
    with committing():
        await writer.execute("COMMIT")
        if writer.raw_connection.is_lost():
            raise HermesSessionsError(ErrorCode.STORE_UNREACHABLE, "The store was replaced by another file.")


@contextmanager
def committing() -> Iterator[None]:
    """An I/O error while committing says nothing about whether the change was kept."""
    try:
        yield
    except HermesSessionsError as error:
        if error.code in (ErrorCode.STORE_UNREACHABLE, ErrorCode.TIMEOUT):
            raise HermesSessionsError(
                error.code,
                "The store failed while the change was being written, so it is not known whether it was kept. "
                "Read the session again before you repeat it.",
            ) from error
        raise
