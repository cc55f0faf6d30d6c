"""From the store of a real Hermes into PostgreSQL while the agent writes, and back into a store that Hermes opens."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.demo import make_demo
from tests.api.serving import Json
from tests.builders import StoreBuilder
from tests.export.hostile import hostile
from tests.hermes.process import HermesProcess
from tests.importing.moving import backup, command, empty_home
from tests.importing.test_copy import told
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer


@pytest.fixture
def team(postgres_server: PostgresServer) -> str:
    """The profile `team` in a database with its tables, as the command line names it."""
    declared = f"team={asyncio.run(new_database(postgres_server))}"
    done = command("migrate", "--profile", declared)
    assert done.returncode == 0, done.stderr.decode()
    return declared


def copy(team: str, home: Path, *arguments: str) -> Json:
    done = command("copy", "--home", str(home), "--profile", team, "--all", "--json", *arguments)
    assert done.returncode == 0, done.stderr.decode()
    answer = dict(json.loads(done.stdout))
    assert answer["differences"] == []
    return answer


def filled(files: dict[str, bytes]) -> dict[str, Any]:
    """Cells that hold something."""
    return {name: json.loads(raw.replace(b", ,", b","), object_hook=_filled) for name, raw in files.items()}


def _filled(cells: Json) -> Json:
    return {name: cell for name, cell in cells.items() if cell is not None}


def test_a_live_store_goes_there_and_comes_back_as_it_was(
    hermes: HermesProcess, tmp_path: Path, team: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, back = tmp_path / "home", empty_home(tmp_path / "back")
    make_demo(home, sessions=60)
    with StoreBuilder(home / "state.db") as store:
        hostile(store)
        store.sql("DELETE FROM messages WHERE id = (SELECT max(id) FROM messages)")  # Hermes cannot read its bytes
        store.session("o1", parent="ghost", title="\u00a0")
    hermes.open(home / "state.db")
    hermes.create_session("live")
    hermes.start_appending("live", per_second=40)
    first = copy(team, home, "--from", "default", "--to", "team")
    written = hermes.stop_appending()
    assert (first["cutLinks"], first["warnings"]) == ([], [])
    copy(team, home, "--from", "default", "--to", "team")
    assert written.errors == []
    copy(team, home, "--from", "team", "--to", "default", "--to-home", str(back))
    monkeypatch.setenv("HERMES_SESSIONS_PROFILE", team)
    there = told(home, "team", tmp_path / "3")
    monkeypatch.delenv("HERMES_SESSIONS_PROFILE")
    origin = told(home, "default", tmp_path / "1")
    assert told(back, "default", tmp_path / "2") == origin
    assert filled(there) == filled(origin)  # a store there has further columns, for later versions of Hermes
    count = hermes.sql("SELECT count(*) FROM messages")
    newest = hermes.sql("SELECT max(id) FROM messages")[0][0]
    hermes.close()

    hermes.open(back / "state.db")
    assert hermes.sql("PRAGMA integrity_check") == [["ok"]]
    assert hermes.sql("SELECT count(*) FROM messages") == count
    assert hermes.call("search_messages", "Lisbon")
    assert hermes.append_message("live", "user", "a word like zugzwang") == newest + 1
    assert hermes.call("search_messages", "zugzwang")


def test_a_profile_is_not_copied_onto_itself(tmp_path: Path, team: str) -> None:
    done = command(
        "copy",
        "--home",
        str(empty_home(tmp_path / "home")),
        "--profile",
        team,
        "--all",
        "--from",
        "team",
        "--to",
        "team",
    )
    assert (done.returncode, b"onto itself" in done.stderr) == (1, True)


def test_files_come_into_a_profile_in_postgresql(tmp_path: Path, team: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_demo(tmp_path / "home", sessions=20)
    exported = backup(tmp_path / "home", tmp_path / "files")
    monkeypatch.setenv("HERMES_SESSIONS_PROFILE", team)
    files = [str(path) for path in sorted((tmp_path / "files").iterdir())]
    done = command("import", "--home", str(tmp_path / "home"), "--profile", "team", "--json", *files)
    assert done.returncode == 0, done.stderr.decode()
    again = told(tmp_path / "home", "team", tmp_path / "again")
    assert again.keys() == exported.keys()
