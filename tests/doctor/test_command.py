"""`hermes-sessions doctor`: its text, its JSON and its exit status, and that it leaves everything as it was."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_sessions.demo import make_demo
from tests.builders import StoreBuilder, full_plan, home_with, store_path
from tests.doctor.looking import doctor, files_under, findings, report
from tests.hermes.process import HermesProcess
from tests.stores.opened import state_of


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = home_with(tmp_path / "home", default=full_plan, work=full_plan)
    for profile in ("default", "work"):
        store_path(home, profile).chmod(0o600)
    return home


def break_index(home: Path) -> None:
    with StoreBuilder(home / "state.db") as store:
        store.sql("UPDATE messages_fts_data SET block = x'00' WHERE id = 10")


def test_a_sound_home_has_no_finding_and_status_0(home: Path) -> None:
    assert findings(home) == {"default": {}, "work": {}}
    done = doctor(home)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "All is well."
    assert f"work: {store_path(home, 'work')}" in done.stdout
    assert "8 sessions, 1 messages" in done.stdout


def test_a_problem_is_said_with_what_to_do_and_status_1(home: Path) -> None:
    break_index(home)
    done = doctor(home)
    assert done.returncode == 1
    assert "PROBLEM  messages_fts is damaged" in done.stdout
    assert "`hermes sessions repair`" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 problem."


def test_profiles_can_be_named(home: Path) -> None:
    break_index(home)
    assert [each["profile"] for each in report(home, "--profile", "work")["profiles"]] == ["work"]
    both = report(home, "--profile", "work", "--profile", "default", "--profile", "Work")
    assert [each["profile"] for each in both["profiles"]] == ["work", "default"]
    assert doctor(home, "--profile", "work").returncode == 0


def test_the_json_has_the_keys_that_scripts_read(home: Path) -> None:
    document = report(home)
    assert set(document) == {"format", "exitStatus", "profiles"}
    [first, _] = document["profiles"]
    assert set(first) == {"profile", "path", "seconds", "findings", "facts"}
    assert set(first["findings"][0]) == {"severity", "area", "code", "message", "advice", "count", "ids"}
    assert set(first["facts"]) == {"health", "holders", "sessions", "rows", "searchIndexes", "parts", "damages"}
    assert first["facts"]["rows"]["sessions"] == 8
    assert first["facts"]["health"]["place"]["fileBytes"] == store_path(home).stat().st_size
    assert first["facts"]["damages"] is None


def test_a_deep_look_reads_every_page(home: Path) -> None:
    with StoreBuilder(home / "state.db") as store:
        [(page,)] = store.sql("SELECT rootpage FROM sqlite_master WHERE name = 'idx_async_delegations_delivery'")
    with store_path(home).open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 64)
    assert findings(home, "--deep", "--profile", "default")["default"]["DAMAGED"] == "PROBLEM"
    assert report(home, "--deep", "--profile", "work")["profiles"][0]["facts"]["damages"] == []


def nothing(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def no_database(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)


def another_database(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE cats (name)")
    connection.close()


def lost_under_its_log(path: Path) -> None:
    path.unlink()
    Path(f"{path}-wal").write_bytes(b"x" * 100)


def a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("harm", "code", "status"),
    [
        (nothing, "NO_STORE", 0),
        (empty, "NO_STORE", 0),
        (zeroed, "DAMAGED", 1),
        (truncated, "DAMAGED", 1),
        (no_database, "DAMAGED", 1),
        (lost_under_its_log, "FILE_LOST", 1),
        (another_database, "NOT_LOOKED_AT", 2),
        (a_directory, "NOT_LOOKED_AT", 2),
    ],
)
def test_a_store_in_ruins_is_said_in_a_sentence_and_left_as_it_is(
    home: Path, harm: Callable[[Path], None], code: str, status: int
) -> None:
    harm(home / "state.db")
    before = files_under(home)
    for arguments in ([], ["--deep"]):
        done = doctor(home, *arguments)
        assert (done.returncode, done.stderr) == (status, "")
        assert "work:" in done.stdout
    assert code in findings(home)["default"]
    assert findings(home)["work"] == {}
    assert files_under(home) == before


@pytest.mark.parametrize("arguments", [[], ["--deep"], ["--json"]])
def test_nothing_is_written_and_nothing_left_behind(home: Path, arguments: list[str]) -> None:
    (home / "profiles" / "new").mkdir()
    before = files_under(home.parent)
    assert doctor(home, *arguments).returncode == 0
    assert files_under(home.parent) == before
    assert not home.with_name("no-state").exists()


def test_a_store_in_use_is_looked_at_and_its_files_stay(hermes: HermesProcess, home: Path) -> None:
    path = home / "state.db"
    hermes.open(path)
    hermes.append_message("d3", "user", "still in the log")
    before = [state_of(path), state_of(path, "-wal")]
    [found] = report(home, "--profile", "default")["profiles"]
    assert [state_of(path), state_of(path, "-wal")] == before
    assert found["facts"]["rows"]["messages"] == 2
    assert [each["pid"] for each in found["facts"]["holders"]["known"] if not each["isThisProcess"]] == [hermes.pid]
    hermes.append_message("d3", "user", "and on it goes")
    assert f"Open in: {hermes.pid} (" in doctor(home, "--profile", "default").stdout


def test_what_is_stored_cannot_speak_to_the_terminal(tmp_path: Path) -> None:
    def hostile(store: StoreBuilder) -> None:
        store.session("evil\x1b[2J\u202e", parent="gone\x07")

    done = doctor(home_with(tmp_path / "home", default=hostile))
    assert "BAD" not in done.stdout
    assert "evil\ufffd[2J\ufffd" in done.stdout
    assert [letter for letter in done.stdout if not letter.isprintable() and letter != "\n"] == []
    assert doctor(tmp_path / "home", "--json").stdout.isascii()
    assert json.loads(doctor(tmp_path / "home", "--json").stdout)["profiles"][0]["facts"]["sessions"]["badIds"]


@pytest.mark.parametrize("arguments", [["--profile", "nobody"], ["--profile", "../etc"]])
def test_what_is_not_there_cannot_be_looked_at(home: Path, arguments: list[str]) -> None:
    done = doctor(home, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr
    assert doctor(home / "nowhere").returncode == 2


def test_the_oddities_of_the_demo_home_are_what_is_found(tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=300)
    assert findings(tmp_path / "home") == {
        "default": {"DANGLING_PARENTS": "WARNING", "CYCLES": "WARNING"},
        "research": {},
        "work": {},
    }
    [default, *_] = report(tmp_path / "home")["profiles"]
    facts = default["facts"]["sessions"]
    assert (len(facts["dangling"]), len(facts["cyclicIds"])) == (1, 2)
    [taken_back] = facts["miscounts"]
    assert taken_back["counted"] == taken_back["live"] + taken_back["rewound"]
