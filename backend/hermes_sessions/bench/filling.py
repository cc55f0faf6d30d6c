"""A store in PostgreSQL with the rows of a home's default profile, for measuring the same on both engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hermes_sessions.model.export.rows import Table, pages_of
from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.cells import decoded_cells
from hermes_sessions.stores.database import Connection, postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.migrating import STEP_SECONDS, migrate
from hermes_sessions.stores.sqlite.store import SqliteStore

SESSIONS_AT_ONCE = 50

Counts = dict[str, int]
"""Messages by id of the session."""


async def fill_copy(home: Path, url: str) -> bool:
    """Fills a schema that is empty or not there yet, and tells whether it has; a copy that was made before stays as it
    is. Raises RuntimeError, and changes nothing, where the schema has other rows."""
    address = Address.of("default", url)
    source = _source(home)
    await source.open()
    database = postgres_database(address, size=1, limit=STEP_SECONDS)
    try:
        wanted = {id: session.activity.rows for id, session in (await source.forest()).sessions.items()}
        async with database:
            await migrate(database, address)
            async with database.connection() as connection:
                found = await _counts(connection, address.schema)
                if found and found != wanted:
                    raise RuntimeError(
                        "The schema has rows of another store. Name an empty one: postgresql://...?schema="
                    )
                if not found:
                    await _fill(source, connection, address.schema, list(wanted))
        return not found
    finally:
        await source.close()


def _source(home: Path) -> SqliteStore:
    """Only read, so nothing comes into its bin."""
    path = home / "state.db"
    bin = FileBin(home / "bin.db", path, "default", 0, STEP_SECONDS)
    return SqliteStore("default", path, bin, read_only=True, limit=STEP_SECONDS)


async def _counts(connection: Connection, schema: str) -> Counts:
    rows = await connection.fetch_all(f"SELECT id, row_count FROM {schema}.sessions")
    return {row["id"]: row["row_count"] for row in rows}


async def _fill(source: SqliteStore, connection: Connection, schema: str, ids: Sequence[str]) -> None:
    """All or nothing for so many sessions; then what a server does by itself within minutes."""
    for some in _parts(ids):
        async with connection.raw_connection.transaction():
            for table in Table:
                async for rows in pages_of(source.exact_rows, table, some):
                    await insert_rows(connection, schema, table.value, [decoded_cells(row) for row in rows])
    for table in Table:
        await connection.execute(f"VACUUM ANALYZE {schema}.{table.value}")


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[at : at + SESSIONS_AT_ONCE] for at in range(0, len(ids), SESSIONS_AT_ONCE))
