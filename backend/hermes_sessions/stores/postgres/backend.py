"""A backend for `databases` on asyncpg: connections are made when they are needed, every statement has a deadline, and
errors are in our words.

The one that comes with `databases` connects at once, so that a server could not start while its database is down, and
compiles each statement with SQLAlchemy, which takes longer than PostgreSQL needs to answer it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, cast

import asyncpg
from databases import DatabaseURL
from databases.interfaces import ConnectionBackend, DatabaseBackend, Record, TransactionBackend
from sqlalchemy.sql import ClauseElement

from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.errors import DRIVER_ERRORS, translate
from hermes_sessions.stores.statements import plain_statement

CONNECT_SECONDS = 5.0
IDLE_SECONDS = 300.0
KEPT_STATEMENTS = 100
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
                self._address.dsn,
                min_size=0,
                max_size=self._size,
                timeout=CONNECT_SECONDS,
                max_inactive_connection_lifetime=IDLE_SECONDS,
                statement_cache_size=KEPT_STATEMENTS if self._address.caches_statements else 0,
                server_settings={"application_name": "hermes-sessions"},
            )

    async def disconnect(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    def connection(self) -> ConnectionBackend:
        return PostgresConnection(self)

    async def lend(self) -> asyncpg.Connection:
        with translating(self.limit, ValueError):  # a URL that cannot be used
            try:
                return await self._pool.acquire()
            except TimeoutError as error:  # of connecting, not of a statement
                raise ConnectionError from error

    async def take_back(self, connection: asyncpg.Connection) -> None:
        """An open transaction is rolled back. A connection that broke is not used again."""
        with translating(self.limit):
            await self._pool.release(connection)


class PostgresConnection(ConnectionBackend):
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
        with translating(self._backend.limit):
            return cast("list[Record]", await self.raw_connection.fetch(sql, *values, timeout=self._backend.limit))

    async def fetch_one(self, query: ClauseElement) -> Record | None:
        rows = await self.fetch_all(query)
        return rows[0] if rows else None

    async def fetch_val(self, query: ClauseElement, column: Any = 0) -> Any:
        row = await self.fetch_one(query)
        return None if row is None else row[column]

    async def execute(self, query: ClauseElement) -> None:
        """Runs the statement. For counts and new ids use RETURNING and fetch_all."""
        await self.fetch_all(query)

    async def execute_many(self, queries: Sequence[ClauseElement]) -> None:
        for query in queries:
            await self.fetch_all(query)

    def transaction(self) -> TransactionBackend:
        raise NotImplementedError("Use `raw_connection.transaction()`: it survives that its task is cancelled.")


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
