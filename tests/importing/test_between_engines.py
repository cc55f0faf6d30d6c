"""What `hermes-sessions copy` does between the engines: rows that went to PostgreSQL and back are what they were."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_sessions.copying import StoreSessions
from hermes_sessions.model.export.rows import Row, Table
from hermes_sessions.store import Store
from hermes_sessions.store_values import Imported, ImportOrder
from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import migrate
from tests.builders import StoreBuilder
from tests.importing.test_random_stores import cells_of, insert, random_sessions, write
from tests.postgres.conftest import new_database
from tests.postgres.operations import difference
from tests.postgres.server import PostgresServer, running_server
from tests.postgres.twins import all_rows, postgres_store
from tests.stores.opened import opened

FLAGS = st.tuples(st.integers(0, 1), st.integers(0, 1))


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with running_server() as running:
        yield running


async def empty(url: str) -> Address:
    address = Address.of("default", url)
    async with postgres_database(address, size=1, limit=60) as database:
        await migrate(database, address)
    return address


async def copied(source: Store, target: Store) -> Imported:
    """As the command does it, for every session."""
    forest = await source.forest()
    sessions = await StoreSessions.of(source, forest, sorted(forest.sessions))
    return await target.import_sessions(ImportOrder(sessions, refresh=True))


async def rows_by_table(store: Store) -> dict[Table, list[Row]]:
    """Cells that are there, of rows in the order of their sessions."""
    return {
        table: [
            {name: cell for name, cell in row.items() if cell is not None}
            for row in sorted(await all_rows(store, table), key=lambda row: row.get("session_id") or row["id"])
        ]
        for table in Table
    }


def go_on(store: StoreBuilder, number: int, row: dict[str, Any], flags: tuple[int, int]) -> None:
    """One session gets a message more, and those that it has other flags."""
    store.sql("UPDATE messages SET active = ?, compacted = ? WHERE session_id = ?", [*flags, f"s{number}"])
    insert(store, "messages", row | {"session_id": f"s{number}"})
    store.sql("UPDATE sessions SET message_count = 77, end_reason = 'went on' WHERE id = ?", [f"s{number}"])


async def round_trip(
    folder: Path, address: Address, sessions: list[dict[str, Any]], row: dict[str, Any], flags: tuple[int, int]
) -> None:
    first, last = folder / "a" / "state.db", folder / "b" / "state.db"
    last.parent.mkdir()
    with StoreBuilder(first) as builder:
        write(builder, sessions)
        async with (
            opened(first, read_only=True) as source,
            postgres_store(address) as between,
            opened(last) as target,
        ):
            for _ in range(2):
                for one, other in ((source, between), (between, target)):
                    done = await copied(one, other)
                    assert ([each for each in done.skipped if each.fails], done.cut_links, done.failure) == (
                        [],
                        [],
                        None,
                    )
                    assert done.warnings == []
                expected = await rows_by_table(source)
                assert difference(expected, await rows_by_table(between)) is None
                assert difference(expected, await rows_by_table(target)) is None
                go_on(builder, len(sessions) - 1, row, flags)


def test_any_store_comes_back_from_postgres_as_it_was(postgres: PostgresServer) -> None:
    schemas = (f"case_{number}" for number in count())

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(random_sessions(), cells_of("messages"), FLAGS)
    def run(sessions: list[dict[str, Any]], row: dict[str, Any], flags: tuple[int, int]) -> None:
        async def check(folder: Path) -> None:
            await round_trip(folder, await empty(f"{url}?schema={next(schemas)}"), sessions, row, flags)

        with TemporaryDirectory() as folder:
            runner.run(check(Path(folder)))

    with asyncio.Runner() as runner:
        url = runner.run(new_database(postgres))
        run()
