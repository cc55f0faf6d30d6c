"""`hermes-sessions doctor` on a profile in PostgreSQL."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from hermes_sessions.stores.postgres.address import Address
from tests.builders import StoreBuilder, full_plan
from tests.importing.moving import command
from tests.postgres.builder import fill


@pytest.fixture
def filled(url: str, tmp_path: Path) -> str:
    with StoreBuilder(tmp_path / "state.db") as store:
        full_plan(store)
        asyncio.run(fill(Address.of("team", url), store))
    return url


def doctor(url: str, *arguments: str, status: int) -> dict[str, Any]:
    """The report on the one profile, without any Hermes home."""
    done = command(
        "doctor", "--json", *arguments, HERMES_SESSIONS_PROFILE=f"team={url}", HOME="/nonexistent", HERMES_HOME=""
    )
    assert (done.returncode, done.stderr) == (status, b"")
    [report] = json.loads(done.stdout)["profiles"]
    return dict(report)


def problems(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (each["severity"], each["code"]) for each in report["findings"] if each["severity"] in ("PROBLEM", "WARNING")
    ]


def well(report: dict[str, Any]) -> set[str]:
    return {each["area"] for each in report["findings"] if each["severity"] == "OK"}


READ = {"SCHEMA", "LINKS", "COUNTS", "CELLS", "ROWS", "SEARCH"}


def test_only_what_was_looked_at_is_called_well(filled: str) -> None:
    """Nothing is known of files, and locks are the agent's."""
    assert well(doctor(filled, status=0)) == READ
    assert well(doctor(filled, "--deep", status=0)) == {*READ, "PAGES"}


def test_a_sound_store_has_no_problem(filled: str) -> None:
    report = doctor(filled, "--deep", status=0)
    assert (report["profile"], report["path"]) == ("team", "PostgreSQL")
    assert problems(report) == []
    assert "postgresql://" not in json.dumps(report)


def test_a_database_without_tables_cannot_be_looked_at(url: str) -> None:
    report = doctor(url, status=2)
    assert "hermes-sessions migrate" in json.dumps(report)
    assert well(report) == set()


def test_counts_that_contradict_the_messages_are_a_problem(filled: str) -> None:
    async def miscount() -> None:
        connection = await asyncpg.connect(filled)
        await connection.execute("UPDATE hermes_sessions.sessions SET row_count = row_count + 1 WHERE id = 'd1'")
        await connection.close()

    asyncio.run(miscount())
    report = doctor(filled, "--deep", status=1)
    assert [severity for severity, _ in problems(report)] == ["PROBLEM"]
    assert "state.db" not in json.dumps(report)
