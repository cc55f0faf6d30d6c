"""The same home is measured on both engines: the copy is one, the answers are the same, and what is sent is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from hermes_sessions.bench import plans
from hermes_sessions.bench.engines import Engines, measure_engines
from hermes_sessions.bench.filling import fill_copy
from hermes_sessions.bench.operations import OPERATIONS
from hermes_sessions.bench.report import Report
from tests.bench.processes import left_of, marked_processes
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer

TRIPS = {
    "sessions": 1,
    "conversations": 2,
    "messages": 3,
    "session": 1,
    "prefix": 1,
    "tree": 1,
    "usage": 2,
    "counts": 4,
}
"""To the database and back for a question that was asked before. Each question asks first whether anything is new."""
SEARCH_TRIPS = 10


@pytest.fixture(scope="module")
def filled(postgres: PostgresServer, demo_home: Path) -> tuple[str, Engines]:
    """The URL of a database with a copy of the demo home, and what was measured on both."""
    url = asyncio.run(new_database(postgres))
    with marked_processes() as running:
        engines = measure_engines(demo_home, url, 20)
        assert left_of(running) == set(), "A run ends its servers."
    return url, engines


async def ask(url: str, sql: str) -> Sequence[Any]:
    connection = await asyncpg.connect(url, server_settings={"search_path": "hermes_sessions"})
    try:
        return list(await connection.fetch(sql))
    finally:
        await connection.close()


def test_every_operation_is_measured_on_both_with_the_same_items(filled: tuple[str, Engines]) -> None:
    rows = {each.row.key: each.row for each in filled[1].asked}
    assert [*rows] == [f"postgres {operation.key}" for operation in OPERATIONS]
    assert all(row.value > 0 and row.base for row in rows.values())
    assert {key: row.items for key, row in rows.items()} == {key: row.base_items for key, row in rows.items()}


def test_only_lists_have_deep_pages(filled: tuple[str, Engines]) -> None:
    deep = [each.row.key for each in filled[1].asked if each.depth is not None]
    assert deep == ["postgres sessions", "postgres conversations"]


def test_a_question_goes_to_the_database_no_more_often_than_it_must(filled: tuple[str, Engines]) -> None:
    trips = {each.row.key.removeprefix("postgres "): each.trips for each in filled[1].asked}
    assert {key: trips[key] for key in TRIPS} == TRIPS
    assert all(2 < number <= SEARCH_TRIPS for key, number in trips.items() if key not in TRIPS), trips


def test_every_statement_has_its_plan(filled: tuple[str, Engines]) -> None:
    asked = {each.row.key: each for each in filled[1].asked}
    messages = [plan for plan in asked["postgres messages"].plans if ".messages" in plan.sql]
    assert messages
    assert all("Index" in " ".join(plan.nodes) and plan.pages > 0 for plan in messages)
    searches = [plan for key in ("common", "rare") for plan in asked[f"postgres {key}"].plans]
    assert any("@@" in plan.sql for plan in searches)


def test_the_server_as_a_whole_is_measured(filled: tuple[str, Engines]) -> None:
    keys = ["postgres fill", "postgres start", "postgres first page", "postgres memory", "postgres change"]
    assert [row.key for row in filled[1].rows] == keys
    assert all(row.value > 0 for row in filled[1].rows)


def test_the_report_shows_every_row(filled: tuple[str, Engines]) -> None:
    report = Report(engines=[filled[1]])
    printed = report.markdown()
    for row in (*filled[1].rows, *(each.row for each in filled[1].asked)):
        assert f"\n| {row.name} | " in printed
    assert b'"trips"' in report.json()
    assert report.failures == []


async def test_a_copy_is_used_again_and_other_rows_are_refused(filled: tuple[str, Engines], demo_home: Path) -> None:
    url, _ = filled
    before = await ask(url, "SELECT count(*), max(id) FROM messages")
    assert not await fill_copy(demo_home, url)
    assert await ask(url, "SELECT count(*), max(id) FROM messages") == before
    await ask(url, "INSERT INTO sessions (id) VALUES ('foreign')")
    try:
        with pytest.raises(RuntimeError, match="rows of another store"):
            await fill_copy(demo_home, url)
        assert await ask(url, "SELECT count(*), max(id) FROM messages") == before
    finally:
        await ask(url, "DELETE FROM sessions WHERE id = 'foreign'")


def test_a_table_that_is_read_from_end_to_end_is_a_failure(
    filled: tuple[str, Engines], demo_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, _ = filled
    monkeypatch.setattr(plans, "SMALL", 100)
    asyncio.run(ask(url, "DROP INDEX messages_id"))
    failures = Report(engines=[measure_engines(demo_home, url, 20)]).failures
    assert failures
    assert all("reads all of messages: SELECT" in failure for failure in failures)
