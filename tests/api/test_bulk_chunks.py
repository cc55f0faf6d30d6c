"""Chunks of bulk changes: a deletion that fails half-way, and how much one chunk takes at most."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from hermes_sessions.api import bulk as api_bulk
from hermes_sessions.stores import bulk
from hermes_sessions.stores.bulk import AT_ONCE, HELD_SECONDS, LEAST_ROOM, Pace
from tests.api.dumps import Dump, dump
from tests.api.locks import Locks, locks
from tests.api.serving import Api, Json, Server, serving
from tests.api.test_actions import delete as delete_one
from tests.api.test_bulk import delete, many
from tests.api.test_restoring import restore
from tests.builders import StoreBuilder, T, home_with

__all__ = ["locks"]  # a fixture

IDS = [f"s{number:03}" for number in range(250)]
SOME = IDS[50:155]
"""More than one transaction takes, and few enough for one request also on a busy machine."""
MESSAGES = 10


def guarded(store: StoreBuilder) -> None:
    many(250)(store)
    store.sql(
        "CREATE TRIGGER guard BEFORE DELETE ON sessions WHEN old.id = 's240'"
        " BEGIN SELECT raise(ABORT, 'database disk image is malformed'); END"
    )


def long_ones(store: StoreBuilder) -> None:
    """250 sessions of ten messages, and one conversation that is longer than any chunk should be."""
    store.sql("BEGIN")
    for number, id in enumerate(IDS):
        store.session(id, start=T + number, end=T + number + 1, end_reason="cli_close")
        for turn in range(MESSAGES if number != 100 else 400):
            store.message(id, content=f"words {turn} of {id} " * 20, at=T + number)
    store.sql("COMMIT")


def entries(api: Api) -> list[Json]:
    bin: list[Json] = api.ask("{ bin(first: 500) { binId sessionIds messageCount } }")["bin"]
    return bin


def at_rest(api: Api) -> Dump:
    with api.store() as store:
        return dump(store)


@pytest.mark.sqlite
def test_a_deletion_that_fails_half_way_tells_what_is_gone_and_the_bin_restores_it(server: Server) -> None:
    api = server.profile(guarded)
    before = at_rest(api)
    answer = delete(api, ids=IDS)
    with api.store() as store:
        left = [id for (id,) in store.sql("SELECT id FROM sessions ORDER BY id")]
    assert (answer["completed"], len(answer["userErrors"])) == (False, 1)
    assert "s240" in left
    assert 100 <= len(answer["changedIds"]) < 250
    assert sorted([*answer["changedIds"], *left]) == IDS
    assert answer["messageCount"] == 4 * len(answer["changedIds"])
    assert {entry["binId"] for entry in entries(api)} == set(answer["binIds"])
    for bin_id in answer["binIds"]:
        assert restore(api, bin_id)["skipped"] == []
    assert at_rest(api) == before


@pytest.mark.sqlite
def test_a_deletion_that_fails_leaves_the_store_and_the_bin_as_they_were(server: Server) -> None:
    api = server.profile(guarded)
    before = at_rest(api)
    for delete_it in (lambda: delete(api, ids=["s240"]), lambda: delete_one(api, "s240")):
        [error] = delete_it()["userErrors"]
        assert error["code"] == "UNSUPPORTED_STORE"
        assert (at_rest(api), entries(api)) == (before, [])


def test_what_takes_too_long_tells_what_was_done_and_asking_again_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = server.profile(many(250))
    before = at_rest(api)
    monkeypatch.setattr(api_bulk, "SHARE_OF_REQUEST", 0.0)
    done: list[str] = []
    bin_ids: list[str] = []
    calls = 0
    while len(done) < 250:
        calls += 1
        answer = delete(api, ids=[id for id in IDS if id not in done])
        assert answer["changedIds"]
        done += answer["changedIds"]
        bin_ids = answer["binIds"] + bin_ids
        with api.store() as store:
            assert store.sql("SELECT count(*) FROM sessions") == [(250 - len(done),)]
        is_all = len(done) == 250
        assert answer["completed"] is is_all
        assert [error["code"] for error in answer["userErrors"]] == ([] if is_all else ["TIMEOUT"])
    assert calls > 1
    for bin_id in bin_ids:
        restore(api, bin_id)
    assert at_rest(api) == before


def test_a_chunk_is_small_at_first_grows_step_by_step_and_splits_no_conversation(server: Server) -> None:
    api = server.profile(long_ones)
    answer = delete(api, ids=SOME)
    assert answer["completed"]
    found = {entry["binId"]: entry for entry in entries(api)}
    chunks = [found[bin_id] for bin_id in reversed(answer["binIds"])]
    assert [id for chunk in chunks for id in chunk["sessionIds"]] == SOME
    for chunk, most in zip(chunks, (2 * LEAST_ROOM * 2**step for step in count()), strict=False):
        assert len(chunk["sessionIds"]) <= AT_ONCE
        assert chunk["messageCount"] <= most or len(chunk["sessionIds"]) == 1


def test_a_slow_chunk_makes_the_next_one_smaller_and_a_quick_one_larger() -> None:
    pace = Pace()
    first = pace.room
    pace.learn(first, HELD_SECONDS / 10)
    assert pace.room == 2 * first
    pace.learn(pace.room, HELD_SECONDS)
    assert pace.room == 2 * first
    pace.learn(pace.room, HELD_SECONDS * 2)
    assert pace.room == first
    for _ in range(5):
        pace.learn(pace.room, 60)
    assert pace.room == LEAST_ROOM


def test_after_each_chunk_the_lock_is_free_for_a_while_and_how_long_it_was_held_is_told(
    tmp_path: Path, locks: Locks, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    works: list[float] = []
    rested = time.monotonic()

    async def sleep(seconds: float) -> None:
        nonlocal rested
        works.append(time.monotonic() - rested)
        pauses.append(seconds)
        await asyncio.sleep(seconds)
        rested = time.monotonic()

    monkeypatch.setattr(bulk, "asyncio", SimpleNamespace(sleep=sleep))
    with serving(home_with(tmp_path / "home", default=long_ones)) as server:
        assert delete(server.api(), ids=SOME)["completed"]
    locks.tell()
    assert len(pauses) == len(locks.seconds["a chunk of many"]) > 2
    assert min(pauses) >= 0.02 < max(pauses)
    assert all(pause <= max(0.02, work) for pause, work in zip(pauses, works, strict=True))
