"""A store names its own columns and full-text tables: what a name holds is never run as SQL, on no file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hermes_sessions.errors import HermesSessionsError
from tests.api.serving import Server, serving
from tests.builders import StoreBuilder, home_with, store_path
from tests.doctor.looking import doctor
from tests.faults.changes import CHANGES, prepared, ready_for_changes
from tests.faults.served import done, read
from tests.stores.opened import connected

HEALTH = """{ profile { health { searchIndexes { items { name state } } unknownColumns findings { code }
    rowCounts { sessions } sizes { items { name } } } } }"""


def attacks(victim: Path) -> list[str]:
    """Names that end the name and go on, whatever they stand in."""
    run = f"ATTACH '{victim}' AS v; DELETE FROM v.secrets; DELETE FROM secrets; --"
    return [
        f'x" LIMIT 0; {run}',
        f'x"), 0) AS size FROM sessions LIMIT 0; {run}',
        f'x") AS "y" FROM sessions LIMIT 0; {run}',
        f'x") VALUES (1); {run}',
        f'x" = 1; {run}',
        f"x' LIMIT 0; {run}",
        'a "quoted" :ids column',
    ]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim.db"
    with closing(sqlite3.connect(path)) as other:
        other.executescript("CREATE TABLE secrets (word); INSERT INTO secrets VALUES ('kept')")
    return path


@pytest.fixture
def server(tmp_path: Path, victim: Path) -> Iterator[Server]:
    def fill(store: StoreBuilder) -> None:
        ready_for_changes(store)
        store.sql("CREATE TABLE secrets (word)")
        store.sql("INSERT INTO secrets VALUES ('kept')")
        for name in attacks(victim):
            for table in ("sessions", "messages", "session_model_usage"):
                store.sql(f"ALTER TABLE {table} ADD COLUMN {quoted(name)} TEXT")
                store.sql(f"UPDATE {table} SET {quoted(name)} = 'a cell'")
            index = quoted(f"messages_fts{name}")
            store.sql(f"CREATE VIRTUAL TABLE {index} USING fts5(content)")
            spelled = name.replace("*/", "")
            store.sql(
                f"CREATE TRIGGER {quoted(f'by {name}')} AFTER INSERT ON messages BEGIN"
                f" INSERT INTO {index} (rowid, content) VALUES (new.id, new.content) /* messages_fts{spelled} */; END"
            )

    with serving(home_with(tmp_path / "home", default=fill)) as running:
        yield running


def test_every_question_and_change_takes_names_as_names(server: Server, victim: Path) -> None:
    api, path = server.api(), store_path(server.home)
    prepared(api)
    read(api)
    assert len(api.ask(HEALTH)["profile"]["health"]["unknownColumns"]) >= len(attacks(victim))
    with server.served.client() as client:
        exported = client.get("/export/default/told.json")
    assert all(name in cells_of(json.loads(exported.text)) for name in attacks(victim)), exported.text[:1000]
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]
    assert doctor(server.home).returncode in (0, 1)
    assert kept(path) == kept(victim) == [("kept",)]
    with StoreBuilder(path) as store:
        assert {
            store.sql(f"SELECT {quoted(name)} FROM sessions WHERE id = 'binned'")[0] for name in attacks(victim)
        } == {("a cell",)}


def cells_of(exported: object) -> set[str]:
    """Names of everything in it."""
    if isinstance(exported, dict):
        return set(exported) | {name for value in exported.values() for name in cells_of(value)}
    return {name for value in exported for name in cells_of(value)} if isinstance(exported, list) else set()


def kept(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT word FROM secrets").fetchall()


@pytest.mark.parametrize("mode", ["ro", "rw"])
async def test_no_connection_of_ours_reaches_another_file(tmp_path: Path, victim: Path, mode: str) -> None:
    path = store_path(home_with(tmp_path / "home", default=ready_for_changes))
    async with connected(path, mode) as database, database.connection() as connection:  # type: ignore[arg-type]
        with pytest.raises(HermesSessionsError):
            await connection.execute(f"ATTACH '{victim}' AS other")
