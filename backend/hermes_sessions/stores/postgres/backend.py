"""A backend for `databases` on asyncpg: connections are made when they are needed, every statement has a deadline, and
errors are in our words.

The one that comes with `databases` connects at once, so that a server could not start while its database is down, and
compiles each statement with SQLAlchemy, which takes longer than PostgreSQL needs to answer it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, cast

import asyncpg
from databases import DatabaseURL
from databases.interfaces import ConnectionBackend, DatabaseBackend, Record, TransactionBackend
from sqlalchemy.sql import ClauseElement

from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.connecting import Servers, WatchedConnection
from hermes_sessions.stores.postgres.errors import DRIVER_ERRORS, SERVER_MAY_BE_ANOTHER, translate
from hermes_sessions.stores.statements import TextConnection, plain_statement

CONNECT_SECONDS = 5.0
RELEASE_SECONDS = 2.0
CLOSE_SECONDS = 5.0
IDLE_SECONDS = 300.0
KEPT_STATEMENTS = 100

statement_timeout: ContextVar[float | None] = ContextVar("statement_timeout", default=None)
"""Seconds that a statement of this task may run; None means the backend's limit."""

_NAME = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")  # what SQLAlchemy takes for one


class PostgresBackend(DatabaseBackend):
    """A pool of at most `size` connections. A statement may take `limit` seconds."""

    def __init__(self, url: DatabaseURL, *, address: Address, size: int, limit: float) -> None:
        self.limit = limit
        self._address = address
        self._size = size
        self._pool: Any = None

    async def connect(self) -> None:
        with translating(self.limit):
            self._pool = await asyncpg.create_pool(
                connect=Servers(self._address, CONNECT_SECONDS).connect,
                connection_class=WatchedConnection,
                min_size=0,
                max_size=self._size,
                command_timeout=self.limit,  # of what has none of its own, as BEGIN and COMMIT
                max_inactive_connection_lifetime=IDLE_SECONDS,
                statement_cache_size=KEPT_STATEMENTS if self._address.caches_statements else 0,
                server_settings={"application_name": "hermes-sessions"},
                init=_prepare,
            )

    async def disconnect(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            with suppress(TimeoutError):  # what is open then is cut
                async with asyncio.timeout(CLOSE_SECONDS):
                    await pool.close()

    def connection(self) -> ConnectionBackend:
        return PostgresConnection(self)

    async def lend(self) -> asyncpg.Connection:
        with translating(self.limit, ValueError):  # a URL that cannot be used
            try:
                return await self._pool.acquire()
            except TimeoutError as error:  # of connecting, not of a statement
                raise ConnectionError from error
            except asyncpg.UndefinedObjectError as error:  # a parameter that is neither the driver's nor the server's
                raise ValueError from error

    async def take_back(self, connection: asyncpg.Connection) -> None:
        """An open transaction is rolled back. A connection that broke, or that cannot be brought in order soon, is not
        used again, which is no error: what was asked has its answer or its own error already."""
        try:
            await self._pool.release(connection, timeout=RELEASE_SECONDS)
        except DRIVER_ERRORS:
            await self.distrust()

    async def distrust(self) -> None:
        """Every connection is made anew before it is used again: the others lead where the one that failed led."""
        await self._pool.expire_connections()


class PostgresConnection(TextConnection):
    """What `databases` calls for one task between acquire and release."""

    def __init__(self, backend: PostgresBackend) -> None:
        self._backend = backend
        self._connection: asyncpg.Connection | None = None

    async def acquire(self) -> None:
        self._connection = await self._backend.lend()

    async def release(self) -> None:
        connection, self._connection = self.raw_connection, None
        await self._backend.take_back(connection)

    @property
    def raw_connection(self) -> asyncpg.Connection:
        if self._connection is None:
            raise RuntimeError("The connection is used outside `async with database.connection()`.")
        return self._connection

    async def fetch_all(self, query: ClauseElement) -> list[Record]:
        sql, values = _positional(query)
        limit = statement_timeout.get() or self._backend.limit
        with translating(limit):
            try:
                return cast("list[Record]", await self.raw_connection.fetch(sql, *values, timeout=limit))
            except SERVER_MAY_BE_ANOTHER:
                await self._backend.distrust()
                raise

    def transaction(self) -> TransactionBackend:
        raise NotImplementedError("Use `raw_connection.transaction()`: it survives that its task is cancelled.")


async def _prepare(connection: asyncpg.Connection) -> None:
    """The driver knows no binary form of a tsvector, and copies rows in no other."""
    await connection.set_type_codec("tsvector", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary")


@contextmanager
def translating(limit: float, *further: type[Exception]) -> Iterator[None]:
    """Turns errors of the driver into ours, and further ones that can come of this use of it."""
    try:
        yield
    except (*DRIVER_ERRORS, *further) as error:
        raise translate(error, limit) from error


def _positional(query: ClauseElement) -> tuple[str, list[Any]]:
    """SQL with $1, $2 ... in place of names, and the values in that order."""
    sql, values = plain_statement(query)
    numbered, names = _numbered(sql)
    return numbered, [values[name] for name in names]


@lru_cache(maxsize=500)
def _numbered(sql: str) -> tuple[str, tuple[str, ...]]:
    places: dict[str, int] = {}

    def place(match: re.Match[str]) -> str:
        return f"${places.setdefault(match[1], len(places) + 1)}"

    return _NAME.sub(place, sql), tuple(places)
