"""`hermes-sessions copy` between profiles and homes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes_sessions.demo import make_demo
from tests.api.serving import Json
from tests.builders import StoreBuilder, T, full_plan, home_with, store_path
from tests.export.hostile import hostile
from tests.hermes.process import HermesProcess
from tests.importing.moving import backup, command, empty_home, variables
from tests.importing.test_round_trip import soft


def copy(home: Path, *arguments: str, status: int = 0) -> Json:
    """From `default` to `copy` unless the arguments name others, which come later and win."""
    done = command("copy", "--home", str(home), "--from", "default", "--to", "copy", "--json", *arguments)
    assert done.returncode == status, done.stderr.decode()
    return dict(json.loads(done.stdout))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """`default` with the plan, and the empty profile `copy`."""
    return empty_home(home_with(tmp_path / "home", default=soft), "copy")


def told(home: Path, profile: str, target: Path) -> dict[str, bytes]:
    """The export, without the profile's name."""
    name = f'"profile": "{profile}"'.encode()
    return {key: raw.replace(name, b"", 1) for key, raw in backup(home, target, profile).items()}


def test_the_copy_exports_the_same_bytes_and_the_source_is_untouched(tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=60)
    with StoreBuilder(tmp_path / "home" / "state.db") as store:
        hostile(store)
        store.session("o1", parent="ghost", title="\u00a0")
    empty_home(tmp_path / "home", "copy")
    before = (tmp_path / "home" / "state.db").read_bytes()
    done = copy(tmp_path / "home", "--all")
    assert (done["skipped"], done["cutLinks"], done["warnings"], done["differences"]) == ([], [], [], [])
    assert told(tmp_path / "home", "copy", tmp_path / "2") == told(tmp_path / "home", "default", tmp_path / "1")
    assert (tmp_path / "home" / "state.db").read_bytes() == before


def test_running_it_again_brings_what_is_new_and_only_that(home: Path, tmp_path: Path) -> None:
    copy(home, "--all")
    assert copy(home, "--all")["importedIds"] == []
    with StoreBuilder(home / "state.db") as store:
        store.message("d3", "user", "more", at=T + 400)
        store.set("messages", 1, active=0, compacted=1)
        store.set("sessions", "d3s", archived=1, end_reason="changed")
        store.usage("d3", cost=0.5)
        store.usage("d1", task="vision", cost=0.5)
        store.session("new", parent="d3", start=T + 500, delegate_from="d3")
    done = copy(home, "--all")
    assert (done["importedIds"], sorted(done["grownIds"]), done["differences"]) == (["new"], ["d1", "d3", "d3s"], [])
    assert done["messageCount"] == 1
    assert told(home, "copy", tmp_path / "2") == told(home, "default", tmp_path / "1")
    assert copy(home, "--all")["grownIds"] == []


def test_a_copy_that_went_on_by_itself_is_left_as_it_is(home: Path) -> None:
    copy(home, "--all")
    with StoreBuilder(store_path(home, "copy")) as store:
        store.message("d3", "user", "mine", at=T + 400)
    with StoreBuilder(home / "state.db") as store:
        store.message("d3", "user", "theirs", at=T + 400)
        store.message("d3", "user", "theirs again", at=T + 401)
    done = copy(home, "--all", status=1)
    assert [each["id"] for each in done["differences"]] == ["d3"]
    assert done["differences"][0]["source"] == {"messages": 2, "usageRows": 0}
    with StoreBuilder(store_path(home, "copy")) as store:
        assert store.sql("SELECT content FROM messages WHERE session_id = 'd3'") == [("mine",)]


def test_chosen_conversations_come_with_their_hangers_on(home: Path) -> None:
    done = copy(home, "--ids", "br1", "--ids", "d2")
    assert sorted(done["importedIds"]) == ["br1", "d1", "d2", "d3", "d3s", "leg", "sub1", "sub2"]
    empty_home(home, "alone")
    alone = copy(home, "--to", "alone", "--ids", "br1")
    assert (alone["importedIds"], [link["parentId"] for link in alone["cutLinks"]]) == (["br1"], ["d2"])


def test_a_copy_goes_to_another_home_and_into_one_that_is_in_use(home: Path, tmp_path: Path) -> None:
    other = home_with(
        tmp_path / "other", default=lambda store: (store.session("own", title="Plan"), store.message("own"))
    )
    done = copy(home, "--to-home", str(other), "--to", "default", "--all")
    assert (len(done["importedIds"]), done["differences"]) == (8, [])
    assert any("called 'Plan (2)'" in warning for warning in done["warnings"])
    assert any("new ids" in warning for warning in done["warnings"])
    assert copy(home, "--to-home", str(other), "--to", "default", "--all")["grownIds"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--to", "default", "--all"], b"onto itself"),
        (["--all", "--ids", "d1"], b"--ids"),
        ([], b"--all"),
        (["--ids", "nobody"], b"No session has this id"),
        (["--from", "nowhere", "--all"], b"There is no profile nowhere"),
    ],
)
def test_a_mistake_is_one_sentence(home: Path, arguments: list[str], words: bytes) -> None:
    done = command("copy", "--home", str(home), "--from", "default", "--to", "copy", *arguments)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"Error: ")
    assert words in done.stderr
    assert not store_path(home, "copy").exists()


def test_a_session_whose_id_is_not_utf_8_is_named_by_export_and_copy(home: Path) -> None:
    with StoreBuilder(home / "state.db") as store:
        store.sql("INSERT INTO sessions (id, source, started_at) VALUES (CAST(x'ff41' AS TEXT), 'cli', 1)")
    done = copy(home, "--all", status=1)
    assert [(each["id"], each["reason"]) for each in done["skipped"]] == [("\ufffdA", "Its id is not UTF-8.")]
    assert [each["id"] for each in done["differences"]] == ["\ufffdA"]
    exported = command("export", "\ufffdA", "--home", str(home))
    assert json.loads(exported.stdout) == {
        "format": "hermes-sessions/1", "profile": "default", "sessions": [], "left_out": ["\ufffdA"],
    }  # fmt: skip
    assert b"Left out" in exported.stderr


def test_a_killed_copy_goes_on_where_it_stopped(tmp_path: Path) -> None:
    def long(store: StoreBuilder) -> None:
        store.sql("BEGIN")
        for number in range(200):
            store.session(f"s{number:03}", start=T + number)
            for at in range(6):
                store.message(f"s{number:03}", "user", f"message {at} " + "words " * 30, at=T + number)
        store.sql("COMMIT")

    home = empty_home(home_with(tmp_path / "home", default=long), "copy")
    arguments = ["copy", "--home", str(home), "--from", "default", "--to", "copy", "--all"]
    kept: list[int] = []
    for wanted in (30, 90):
        process = subprocess.Popen([sys.executable, "-m", "hermes_sessions", *arguments], env=variables())
        try:
            while len(sessions_of(home)) < wanted and process.poll() is None:
                time.sleep(0.01)
            assert process.poll() is None, "it was done before it could be killed"
        finally:
            process.kill()
            process.wait()
        kept.append(len(sessions_of(home)))
        assert set(sessions_of(home).values()) == {6}
    done = copy(home, "--all")
    assert (len(done["importedIds"]), done["grownIds"], done["differences"]) == (200 - kept[-1], [], [])
    assert told(home, "copy", tmp_path / "2") == told(home, "default", tmp_path / "1")


def sessions_of(home: Path) -> dict[str, int]:
    """Numbers of messages in the copy, by session."""
    if not store_path(home, "copy").exists():
        return {}
    with StoreBuilder(store_path(home, "copy")) as store:
        if not store.columns("sessions"):
            return {}
        rows = store.sql(
            "SELECT sessions.id, count(*) FROM sessions JOIN messages ON session_id = sessions.id GROUP BY 1"
        )
        return dict(rows)


def test_a_live_source_is_copied_while_hermes_appends(hermes: HermesProcess, tmp_path: Path) -> None:
    home = empty_home(home_with(tmp_path / "home", default=full_plan), "copy")
    hermes.open(home / "state.db")
    hermes.create_session("live")
    hermes.append_message("live", "user", "begin")
    hermes.start_appending("live", per_second=30)
    for _ in range(3):
        command("copy", "--home", str(home), "--from", "default", "--to", "copy", "--all")
    appended = hermes.stop_appending()
    assert (appended.errors, len(appended.written) > 10) == ([], True)
    hermes.append_message("live", "user", "end")
    assert copy(home, "--all")["differences"] == []
    hermes.close()
    assert told(home, "copy", tmp_path / "2") == told(home, "default", tmp_path / "1")
    assert hermes.complaints() == []
