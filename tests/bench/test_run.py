"""The benchmark measures what it says: every row is there, and those that are compared answer with the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.bench import run as bench_run
from hermes_sessions.bench.operations import OPERATIONS
from hermes_sessions.bench.report import Report
from hermes_sessions.bench.targets import TARGETS
from hermes_sessions.cli import main
from hermes_sessions.demo import make_demo
from tests.bench.processes import left_of, marked_processes
from tests.builders import StoreBuilder
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer

COMPARED = [
    "start",
    "first page",
    "memory",
    "prefix against id",
    "deep sessions",
    "deep conversations",
    "deep messages",
    "grown start",
    "grown memory",
    *(f"grown {operation.key}" for operation in OPERATIONS),
    "workers",
]
Rows = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer) -> tuple[str, dict[str, Any]]:
    """What the command printed, and the JSON that it wrote."""
    folder = tmp_path_factory.mktemp("bench")
    make_demo(folder / "home", sessions=120)
    make_demo(folder / "grown", sessions=160)
    homes = ["--home", str(folder / "home"), "--grow", str(folder / "grown")]
    urls = [asyncio.run(new_database(postgres)) for _ in homes[::2]]
    homes += ["--postgres", urls[0], "--grow-postgres", urls[1]]
    with marked_processes() as running:
        done = CliRunner().invoke(main, ["bench", *homes, "--rounds", "20", "--json", str(folder / "figures.json")])
        assert left_of(running) == set(), "A run ends its servers."
    assert done.exit_code == 0, done.output
    return done.output, json.loads(Path(folder / "figures.json").read_text())


@pytest.fixture
def operations(run: tuple[str, dict[str, Any]]) -> Rows:
    return {row["key"]: row for row in run[1]["operations"]}


@pytest.fixture
def comparisons(run: tuple[str, dict[str, Any]]) -> Rows:
    return {row["key"]: row for row in run[1]["comparisons"]}


def test_every_operation_has_a_row(operations: Rows) -> None:
    assert list(operations) == [*(operation.key for operation in OPERATIONS), "made tree"]
    assert all(row["value"] > 0 and row["p95"] > 0 for row in operations.values())


def test_whatever_a_target_speaks_of_is_measured(run: tuple[str, dict[str, Any]]) -> None:
    names = [row["name"] for row in [*run[1]["operations"], *run[1]["comparisons"]]]
    for subject in (
        "50 sessions by start",
        "50 conversations by last activity",
        "100 messages",
        "one session by id",
        "one session by prefix",
        "search, two common words",
        "search, a rare word",
        "counts",
        "usage by day and model",
        "lineage tree of 1,000 nodes, 10 fields each",
        "50 sessions by start, page ",
        "50 conversations by last activity, page ",
        "100 messages, page ",
        "50 conversations by last activity, 1",
        "start to READY",
        "memory",
        "50 sessions by start, 8 clients",
    ):
        assert any(name.startswith(subject) for name in names), subject


def test_every_comparison_has_a_row(comparisons: Rows) -> None:
    assert list(comparisons) == COMPARED
    assert all(row["value"] > 0 for row in comparisons.values())
    assert all(row["ratio"] == row["value"] / row["base"] for row in comparisons.values() if row["against"])


def test_every_target_has_a_row_but_the_one_that_needs_hermes(operations: Rows, comparisons: Rows) -> None:
    assert {*TARGETS} - {*operations, *comparisons} == {"load"}


def test_answers_hold_what_is_asked_for(operations: Rows) -> None:
    items = {key: row["items"] for key, row in operations.items()}
    assert items["sessions"] == items["conversations"] == 50
    assert items["session"] == items["prefix"] == 1
    assert items["messages"] > 10
    assert items["counts"] == operations["counts"]["sessions"] > 60
    assert items["usage"] > 10
    assert items["tree"] > 1
    assert items["made tree"] == 1_000


def test_the_floor_answers_with_the_same_number_of_items(operations: Rows) -> None:
    beside = {key: row for key, row in operations.items() if row["against"] == "floor"}
    assert list(beside) == ["sessions", "messages", "session", "prefix", "tree", "made tree"]
    assert {key: row["baseItems"] for key, row in beside.items()} == {key: row["items"] for key, row in beside.items()}


def test_a_deep_page_is_as_full_as_the_first(comparisons: Rows) -> None:
    deep = {key: row for key, row in comparisons.items() if key in ("deep sessions", "deep conversations")}
    assert {(row["items"], row["baseItems"]) for row in deep.values()} == {(50, 50)}
    assert deep["deep sessions"]["name"] == f"50 sessions by start, page {deep['deep sessions']['sessions'] // 50}"
    messages = comparisons["deep messages"]
    assert messages["items"] == messages["baseItems"]


def test_the_second_home_is_another_one(comparisons: Rows, operations: Rows) -> None:
    grown = comparisons["grown counts"]
    assert grown["baseItems"] == operations["counts"]["items"]
    assert grown["items"] == grown["sessions"] > operations["counts"]["items"]


def test_the_tables_show_every_row_and_say_what_was_not_measured(run: tuple[str, dict[str, Any]]) -> None:
    printed, written = run
    for row in [*written["operations"], *written["comparisons"]]:
        assert f"\n| {row['name']} | " in printed
    assert "needs `--hermes PYTHON`" in printed


def test_both_homes_are_measured_in_postgresql_too(run: tuple[str, dict[str, Any]], operations: Rows) -> None:
    printed, written = run
    home, grown = written["engines"]
    assert home["sessions"] == operations["sessions"]["sessions"] < grown["sessions"]
    possible = [key for key in operations if key != "made tree"]
    assert [row["key"] for row in home["operations"]] == [f"postgres {key}" for key in possible]
    assert printed.count("| PostgreSQL | items | ms |") == 2
    assert "PostgreSQL was not measured" not in printed


def test_tables_that_are_read_from_end_to_end_are_said_and_end_the_command_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Report, "failures", ["100 messages reads all of messages: SELECT 1"])
    monkeypatch.setattr(bench_run, "run_bench", lambda *_: Report())
    done = CliRunner().invoke(main, ["bench", "--home", str(tmp_path)])
    assert done.exit_code == 1
    assert "Error: 100 messages reads all of messages: SELECT 1" in done.output


def test_a_home_without_sessions_is_refused_with_advice(tmp_path: Path) -> None:
    with StoreBuilder(tmp_path / "state.db"):
        pass
    done = CliRunner().invoke(main, ["bench", "--home", str(tmp_path), "--rounds", "20"])
    assert done.exit_code == 1
    assert "has no sessions to measure. `hermes-sessions demo DIR` makes" in done.output
