"""A server that is killed while its users change everything: what they were told is true, and nothing is half done."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hermes_sessions.api.schema import build_schema, core_schema
from tests.api.shaping import nothing
from tests.api.test_restoring import BIN
from tests.builders import StoreBuilder, home_with, store_path
from tests.faults.diary import FIELDS, Diary, Kept, State
from tests.faults.served import NEIGHBOUR, faulty
from tests.hermes.appending import appending
from tests.postgres.listeners import until
from tests.postgres.writers import writing
from tests.processes import Replica

USERS = 3
PER_SECOND = 30
PROFILE = "default"


def test_a_killed_server_has_done_all_that_it_said_and_nothing_by_halves(
    tmp_path: Path, is_long: bool, figure: Callable[[str], None]
) -> None:
    chance, kills = random.Random(7), 100 if is_long else 3
    home = home_with(tmp_path / "home", **dict.fromkeys((PROFILE, NEIGHBOUR), nothing))
    diaries = [Diary(f"user{number}", PROFILE if number else NEIGHBOUR, seed=number) for number in range(USERS)]
    with appending(store_path(home), tmp_path, per_second=PER_SECOND) as written:
        for _ in range(kills):
            with faulty(tmp_path / "server", home) as server:
                _bins_are_as_known(server.replica, diaries)
                _change_until_killed(server.replica, diaries, chance.uniform(0.2, 1.5))
            for diary in diaries:
                diary.settle(_found(store_path(home, diary.profile), diary))
            for profile in (PROFILE, NEIGHBOUR):
                _store_is_sound(store_path(home, profile))
        with faulty(tmp_path / "server", home) as server:
            _bins_are_as_known(server.replica, diaries)
    kinds = set().union(*(diary.kinds for diary in diaries))
    assert kinds == FIELDS.keys() if is_long else kinds  # how many a short run comes to depends on the machine
    figure(
        f"Killed: {kills} times by SIGKILL with {sum(each.acknowledged for each in diaries)} changes of {len(kinds)} "
        f"kinds acknowledged, beside {len(written)} messages of a Hermes; all of them are there."
    )


def test_the_users_make_every_kind_of_change() -> None:
    mutations = core_schema(build_schema()).mutation_type
    assert mutations is not None
    assert FIELDS.keys() == mutations.fields.keys()


def _change_until_killed(server: Replica, diaries: Sequence[Diary], seconds: float) -> None:
    for diary in diaries:
        diary.port = server.port
    acknowledged = sum(each.acknowledged for each in diaries)
    with writing(diaries):
        assert until(lambda: sum(each.acknowledged for each in diaries) > acknowledged, within=30)
        time.sleep(seconds)
        assert os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None, "it has ended by itself"
        assert not any(each.is_cut_off for each in diaries)
        os.kill(server.pid, signal.SIGKILL)


def _bins_are_as_known(server: Replica, diaries: Sequence[Diary]) -> None:
    for diary in diaries:
        diary.learn_bins(server.ask(BIN.replace("bin {", "bin(first: 200) {"), diary.profile)["data"]["bin"])


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
