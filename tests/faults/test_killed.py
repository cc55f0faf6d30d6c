"""A server that is killed while its users change everything: what they were told is true, and nothing is half done."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.api.test_restoring import BIN
from tests.builders import StoreBuilder, home_with, store_path
from tests.faults.diary import FIELDS, Diary, Kept, State
from tests.faults.served import NEIGHBOUR
from tests.hermes.process import HermesProcess
from tests.postgres.writers import writing
from tests.processes import Replica, replica

USERS = 3
PER_SECOND = 30
PROFILE = "default"


def test_a_killed_server_has_done_all_that_it_said_and_nothing_by_halves(
    tmp_path: Path, is_long: bool, figure: Callable[[str], None]
) -> None:
    chance, kills = random.Random(7), 100 if is_long else 3
    home = home_with(tmp_path / "home", **{PROFILE: _agents_session, NEIGHBOUR: _agents_session})
    path = store_path(home)
    diaries = [Diary(f"user{number}", PROFILE, seed=number) for number in range(USERS)]
    with HermesProcess(tmp_path) as hermes:
        hermes.open(path)
        hermes.start_appending("agent", per_second=PER_SECOND)
        for _ in range(kills):
            with replica(tmp_path / "server", "--home", str(home)) as server:
                _bins_are_as_known(server, diaries)
                _change_until_killed(server, diaries, chance.uniform(0.2, 1.5))
            for diary in diaries:
                diary.settle(_found(path, diary))
            _store_is_sound(path)
        with replica(tmp_path / "server", "--home", str(home)) as server:
            _bins_are_as_known(server, diaries)
        appended = hermes.stop_appending()
        assert (appended.errors, hermes.complaints()) == ([], [])
        written = [id for (id,) in _rows(path, "SELECT id FROM messages WHERE session_id = 'agent' ORDER BY id")]
        assert written == appended.written
    kinds = set().union(*(diary.kinds for diary in diaries))
    assert kinds == FIELDS.keys() if is_long else len(kinds) > len(FIELDS) / 2
    figure(
        f"Killed: {kills} times by SIGKILL with {sum(each.acknowledged for each in diaries)} changes of {len(kinds)} "
        f"kinds acknowledged, beside {len(written)} messages of a Hermes; all of them are there."
    )


def _agents_session(store: StoreBuilder) -> None:
    store.session("agent", "telegram")


def _change_until_killed(server: Replica, diaries: Sequence[Diary], seconds: float) -> None:
    for diary in diaries:
        diary.port = server.port
    with writing(diaries):
        time.sleep(seconds)
        os.kill(server.pid, signal.SIGKILL)


def _bins_are_as_known(server: Replica, diaries: Sequence[Diary]) -> None:
    entries = server.ask(BIN.replace("bin {", "bin(first: 200) {"), PROFILE)["data"]["bin"]
    for diary in diaries:
        diary.learn_bins(entries)


def _found(path: Path, diary: Diary) -> State:
    """What the store has of a user's sessions, and what it had of those that are gone."""
    present: dict[str, Kept] = {}
    for id, title, archived, ended, tokens, counted in _rows(
        path,
        "SELECT id, title, archived, ended_at IS NOT NULL, input_tokens, message_count FROM sessions WHERE id GLOB ?",
        f"{diary.name}-*",
    ):
        contents = _rows(path, "SELECT content FROM messages WHERE session_id = ? ORDER BY id", id)
        used = _rows(path, "SELECT coalesce(sum(input_tokens), 0) FROM session_model_usage WHERE session_id = ?", id)
        assert (len(contents), used) == (counted, [(tokens or 0,)]), id
        present[id] = Kept(title, bool(archived), bool(ended), tokens or 0, tuple(text for (text,) in contents))
    known = {**diary.state.binned, **diary.state.present}
    return State(present, {id: kept for id, kept in known.items() if id not in present})


def _store_is_sound(path: Path) -> None:
    for (name,) in _rows(path, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"):
        assert _rows(path, f"PRAGMA integrity_check({name})") == [("ok",)]
    assert _rows(path, "PRAGMA foreign_key_check") == []
    for index in ("messages_fts", "messages_fts_trigram"):
        differ = f"""
            SELECT count(*) FROM messages FULL JOIN {index} AS indexed ON indexed.rowid = messages.id
            WHERE indexed.content IS NOT messages.content || '  '
        """
        assert _rows(path, differ) == [(0,)]
        _rows(path, f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")


def _rows(path: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    with StoreBuilder(path) as store:
        return store.sql(statement, values)
