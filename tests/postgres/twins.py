"""A store of SQLite and its twin in PostgreSQL, with the same rows under the same numbers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from hermes_sessions.model.export.rows import Row, Table, pages_of
from hermes_sessions.store import Store
from hermes_sessions.stores.cells import decoded_cells
from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.migrating import migrate
from hermes_sessions.stores.postgres.reading import PostgresReading
from hermes_sessions.stores.postgres.store import PostgresStore
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.stores.opened import opened


@asynccontextmanager
async def twins(path: Path, url: str) -> AsyncIterator[tuple[SqliteStore, PostgresReading]]:
    address = Address.of("default", url)
    async with opened(path) as original:
        await fill_from(original, address)
        twin = PostgresReading("default", address, limit=5.0)
        await twin.open()
        try:
            yield original, twin
        finally:
            await twin.close()


@asynccontextmanager
async def postgres_store(address: Address) -> AsyncIterator[PostgresStore]:
    store = PostgresStore("default", address, read_only=False, limit=30.0, days=30)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def both(path: Path, address: Address) -> AsyncIterator[tuple[SqliteStore, PostgresStore]]:
    async with opened(path, limit=30.0) as one, postgres_store(address) as other:
        yield one, other


async def fill_from(original: Store, address: Address) -> None:
    database = postgres_database(address, size=1, limit=60)
    async with database:
        await migrate(database, address)
        async with database.connection() as connection:
            for table in Table:
                rows = [decoded_cells(row) for row in await all_rows(original, table)]
                await insert_rows(connection, address.schema, table.value, rows)


async def all_rows(store: Store | PostgresReading, table: Table) -> Sequence[Row]:
    ids = sorted((await store.forest()).sessions)
    return [row async for rows in pages_of(store.exact_rows, table, ids) for row in rows]
