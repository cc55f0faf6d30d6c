"""A store in PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.store_values import Engine
from hermes_sessions.stores.changing import Changing
from hermes_sessions.stores.database import BUSY_SECONDS
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.bin import PostgresBin
from hermes_sessions.stores.postgres.health import PostgresHealth
from hermes_sessions.stores.postgres.reading import CONNECTIONS
from hermes_sessions.stores.postgres.rows import PostgresRows
from hermes_sessions.stores.postgres.transactions import write_transaction
from hermes_sessions.stores.shaping import Shaping
from hermes_sessions.stores.store_rows import Bin, StoreRows


class PostgresStore(PostgresHealth, Changing, Shaping):
    """The whole Protocol; this part gives changes their transactions. A change waits `lock_limit` seconds for another
    one; `days` is how long the bin keeps."""

    engine = Engine.POSTGRES

    def __init__(
        self,
        profile: str,
        address: Address,
        *,
        read_only: bool,
        limit: float,
        days: int,
        lock_limit: float = BUSY_SECONDS,
        connections: int = CONNECTIONS,
    ) -> None:
        super().__init__(profile, address, limit=limit, read_only=read_only, connections=connections)
        self._lock_limit = lock_limit
        self._tables = PostgresBin(self._database.connection, self._schema, profile, days)
        self._bin: Bin = self._tables

    @asynccontextmanager
    async def _looking(self) -> AsyncIterator[tuple[StoreRows, Forest]]:
        forest = await self.forest()
        async with self._reading_rows() as rows:
            yield rows, forest

    @asynccontextmanager
    async def _reading_rows(self) -> AsyncIterator[StoreRows]:
        async with self._database.connection() as connection:
            yield PostgresRows(connection, self._schema, self._tables.on(connection))

    @asynccontextmanager
    async def _changing(self, *, foreign_keys: bool = True) -> AsyncIterator[tuple[StoreRows, Forest]]:
        """There are no foreign keys: a link may lead nowhere, as in Hermes' own stores."""
        self._refuse_read_only()
        await self._catalogue.picture()  # most of a reading happens before the lock is taken
        async with write_transaction(self._database, self._schema, self._lock_limit) as connection:
            picture = await self._catalogue.picture_on(connection)
            yield PostgresRows(connection, self._schema, self._tables.on(connection)), picture.forest

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[StoreRows]:
        self._refuse_read_only()
        async with write_transaction(self._database, self._schema, self._lock_limit) as connection:
            yield PostgresRows(connection, self._schema, self._tables.on(connection))

    async def _make_store(self) -> None:
        """Tables are made by `hermes-sessions migrate`."""

    def _refuse_read_only(self) -> None:
        if self._read_only:
            raise HermesSessionsError(ErrorCode.READ_ONLY, "This server only reads. Start it without --read-only.")
