"""A second writer beside a server that serves a store in PostgreSQL, with the words of StoreBuilder.

A statement is run on a copy in SQLite that is made anew for it, and what it changed there is written to PostgreSQL, row
by row, as a program would that knows nothing of ours.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from hermes_sessions.model.export.rows import Table
from hermes_sessions.stores.cells import InexactText
from hermes_sessions.stores.database import Connection, postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.cells import OTHERS, STRUCTURED, all_cells, to_columns, whole_row
from hermes_sessions.stores.postgres.exact import PLACES
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.migrating import migrate
from tests.builders import StoreBuilder

KEYS = {
    Table.SESSIONS: ("id",),
    Table.MESSAGES: ("id",),
    Table.USAGE: ("session_id", "model", "billing_provider", "billing_base_url", "billing_mode", "task"),
}
Key = tuple[Any, ...]
Rows = dict[Key, dict[str, Any]]
Dump = Mapping[Table, Rows]

T = TypeVar("T")


def rows_of(store: StoreBuilder) -> Dump:
    """Every cell as SQLite holds it, by key, in the order of rowids."""
    return {table: _rows(store, table) for table in Table}


def _rows(store: StoreBuilder, table: Table) -> Rows:
    names = sorted(store.columns(table.value))
    cells = ", ".join(f"typeof({n}), CASE typeof({n}) WHEN 'text' THEN CAST({n} AS BLOB) ELSE {n} END" for n in names)
    found: Rows = {}
    for row in store.sql(f"SELECT {cells} FROM {table.value} ORDER BY rowid") if names else ():
        kept = {name: _cell(*row[2 * at : 2 * at + 2]) for at, name in enumerate(names)}
        found[tuple(kept[name] for name in KEYS[table])] = kept
    return found


def _cell(kind: str, value: Any) -> Any:
    if kind != "text":
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return InexactText(value)


async def fill(address: Address, store: StoreBuilder) -> None:
    """Tables for the profile, with what the store holds."""
    database = postgres_database(address, size=1, limit=60)
    async with database:
        await migrate(database, address)
        async with database.connection() as connection:
            for table, rows in rows_of(store).items():
                await insert_rows(connection, address.schema, table.value, rows.values())


class PostgresBuilder(StoreBuilder):
    """`path` is where the copy goes."""

    def __init__(self, address: Address, path: Path) -> None:
        self._known: Dump = {}
        self._is_following = False
        super().__init__(path)
        self._tables = _Tables(address)
        self._is_following = True

    def close(self) -> None:
        super().close()
        self._tables.close()

    def sql(self, statement: str, bindings: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        if not self._is_following:
            return super().sql(statement, bindings)
        self._is_following = False
        try:
            if not self._connection.in_transaction:
                self._pull()
            rows = super().sql(statement, bindings)
            if not self._connection.in_transaction:
                self._push()
            return rows
        finally:
            self._is_following = True

    def _pull(self) -> None:
        for table, rows in self._tables.changed().items():
            self.sql(f"DELETE FROM {table.value}")
            columns = self.columns(table.value)
            for row in rows:
                known = {name: cell for name, cell in row.items() if name in columns}
                places = ("CAST(? AS TEXT)" if isinstance(cell, InexactText) else "?" for cell in known.values())
                self.sql(
                    f"INSERT INTO {table.value} ({', '.join(known)}) VALUES ({', '.join(places)})",
                    [bytes(cell) if isinstance(cell, InexactText) else cell for cell in known.values()],
                )
        self._known = rows_of(self)

    def _push(self) -> None:
        before, self._known = self._known, rows_of(self)
        if before != self._known:
            self._tables.write(before, self._known)


class _Tables:
    """The tables of a store, through one connection that lives in a thread of its own."""

    def __init__(self, address: Address) -> None:
        self._schema = address.schema
        self._database = postgres_database(address, size=1, limit=60)
        self._revision = -1
        self._runner = asyncio.Runner()
        self._thread = ThreadPoolExecutor(1)
        self._run(self._database.connect)

    def close(self) -> None:
        self._run(self._database.disconnect)
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def _run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return self._thread.submit(lambda: self._runner.run(work())).result()

    def changed(self) -> dict[Table, list[dict[str, Any]]]:
        """All rows where anybody has changed one since they were read or written here, else nothing."""
        return self._run(self._changed)

    async def _changed(self) -> dict[Table, list[dict[str, Any]]]:
        async with self._database.connection() as connection:
            if not await self._has_moved(connection):
                return {}
            return {
                table: [
                    all_cells(table.value, row)
                    for row in await connection.fetch_all(
                        f"SELECT {whole_row(table.value)} FROM {self._place(table)} ORDER BY {PLACES[table][1]}"
                    )
                ]
                for table in Table
            }

    async def _has_moved(self, connection: Connection) -> bool:
        known, self._revision = self._revision, await connection.fetch_val(f"SELECT revision FROM {self._schema}.store")
        return known != self._revision

    def write(self, before: Dump, after: Dump) -> None:
        self._run(lambda: self._written(before, after))

    async def _written(self, before: Dump, after: Dump) -> None:
        async with self._database.connection() as connection, connection.raw_connection.transaction():
            for table in Table:
                for key, row in before[table].items():
                    if key not in after[table]:
                        await self._one(connection, f"DELETE FROM {self._place(table)}", {}, table, key)
                    elif row != after[table][key]:
                        values = {STRUCTURED: False} if table is Table.MESSAGES else {}
                        values |= {OTHERS: None, **to_columns(table.value, after[table][key])}
                        sets = ", ".join(f"{name} = :{name}" for name in values)
                        await self._one(connection, f"UPDATE {self._place(table)} SET {sets}", values, table, key)
                fresh = [row for key, row in after[table].items() if key not in before[table]]
                await insert_rows(connection, self._schema, table.value, fresh)
            await self._has_moved(connection)

    def _place(self, table: Table) -> str:
        return f"{self._schema}.{table.value}"

    @staticmethod
    async def _one(connection: Connection, sql: str, values: dict[str, Any], table: Table, key: Key) -> None:
        named = {f"key_{name}": cell for name, cell in zip(KEYS[table], key, strict=True)}
        chosen = " AND ".join(f"{name} = :key_{name}" for name in KEYS[table])
        await connection.execute(f"{sql} WHERE {chosen}", values | named)


def aside(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The answer of a coroutine, also where another one is running in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()
