"""Another process holds a lock: a change waits, or is refused in time and in words; reads go on."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.api.serving import Api
from tests.builders import home_with, store_path
from tests.faults.changes import CHANGES, OF_BIN, PROFILES, everything, prepared, ready_for_changes
from tests.faults.holder import held
from tests.faults.served import Faulty, done, faulty, read, rename, titles, told, undisturbed, until_done
from tests.hermes.process import HermesProcess

LOCKED = "Another program has locked state.db whole, so that it cannot be read now. Nothing was changed; try again."
BUSY = "Another program or another change holds the write lock of {}. Nothing was changed; try again."
MOST_SECONDS = 15.0
"""A guard against hanging."""
LONG_LOCK = 10.0
"""Seconds."""
STORES = ("waiting", "long", "stopped", "rollback", "bin")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("locks")
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys(STORES, ready_for_changes))
    with held(store_path(home, "rollback"), "PRAGMA journal_mode = DELETE"):
        pass
    with faulty(folder / "server", home) as started:
        for name in STORES:
            prepared(started.server.api(name))
        yield started


def all_refused(api: Api, code: str, message: str) -> float:
    """Every kind of change at once; gives the seconds until the last one was refused."""
    started = time.monotonic()
    with ThreadPoolExecutor(len(CHANGES)) as users:
        answers = users.map(lambda kind: (kind, told(lambda: CHANGES[kind](api))), CHANGES)
        assert dict(answers) == dict.fromkeys(CHANGES, (code, message))
    return time.monotonic() - started


def test_a_change_waits_for_a_lock_that_is_soon_released(server: Faulty) -> None:
    api, path = server.server.api("waiting"), store_path(server.server.home, "waiting")
    with ThreadPoolExecutor(1) as user:
        with held(path):
            change = user.submit(lambda: done(lambda: rename(api, "named", "Patience")))
            time.sleep(0.5)
            assert not change.done()
            read(api)
        change.result()
    assert api.ask('{ session(id: "named") { title } }') == {"session": {"title": "Patience"}}


def test_a_change_that_a_long_lock_refused_is_done_once_it_is_released(
    server: Faulty, figure: Callable[[str], None]
) -> None:
    api, path = server.server.api("long"), store_path(server.server.home, "long")
    with held(path), undisturbed(server) as neighbour:
        began, rounds = time.monotonic(), neighbour.rounds
        assert told(lambda: rename(api, "named", "Too early")) == ("STORE_BUSY", BUSY.format("state.db"))
        took = time.monotonic() - began
        assert neighbour.rounds > rounds + 1
        time.sleep(max(0.0, LONG_LOCK - took))
    done(lambda: rename(api, "named", "In time"))
    assert titles(api)["named"] == "In time"
    assert took < MOST_SECONDS
    figure(f"Lock held for {LONG_LOCK:.0f} s: a change refused after {took:.1f} s, done at once after it.")


def test_changes_are_refused_in_time_while_reads_go_on(server: Faulty, figure: Callable[[str], None]) -> None:
    """Every kind of change at once, while the holder of the lock is stopped."""
    api, path = server.server.api("stopped"), store_path(server.server.home, "stopped")
    before, seen = everything(api, path), read(api)
    slowest, reads = 0.0, 0
    with undisturbed(server) as neighbour, ThreadPoolExecutor(1) as user:
        with held(path, "BEGIN EXCLUSIVE") as holder:
            os.kill(holder.pid, signal.SIGSTOP)
            rounds = neighbour.rounds
            changes = user.submit(all_refused, server.server.api("stopped"), "STORE_BUSY", BUSY.format("state.db"))
            while not changes.done():
                started = time.monotonic()
                assert read(api) == seen
                assert server.ready("stopped")["ready"]
                slowest, reads = max(slowest, time.monotonic() - started), reads + 1
            assert neighbour.rounds > rounds + 1  # not only when all was over
        took = changes.result()
    assert took < MOST_SECONDS
    assert everything(api, path) == before
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]
    figure(
        f"Lock held by a stopped process: {len(CHANGES)} changes at once refused after {took:.1f} s; {reads} reads "
        f"meanwhile, the slowest {slowest * 1000:.0f} ms; {neighbour.rounds} rounds in another profile, the longest "
        f"{neighbour.slowest * 1000:.0f} ms."
    )


def test_a_store_without_a_log_cannot_be_read_while_it_is_locked_whole_and_says_so(server: Faulty) -> None:
    """In a rollback journal's mode a writer keeps readers away while it commits. Its change may not be lost, either."""
    api, path = server.server.api("rollback"), store_path(server.server.home, "rollback")
    before = titles(api)
    with held(path, "BEGIN EXCLUSIVE"), undisturbed(server):
        code, message = told(lambda: titles(api))
        assert (code, message) == ("STORE_BUSY", LOCKED)
        assert not server.ready("rollback")["ready"]
    until_done(lambda: titles(api))
    assert titles(api) == before
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]


def test_a_locked_bin_costs_what_goes_into_it_and_not_the_agents_turns(
    server: Faulty, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    api, path = server.server.api("bin"), store_path(server.server.home, "bin")
    bin_path = server.server.state_dir / "bin.db"
    before = everything(api, path)
    with HermesProcess(tmp_path) as hermes:
        hermes.open(path)
        with held(bin_path), undisturbed(server), ThreadPoolExecutor(len(OF_BIN)) as users:
            started = time.monotonic()
            refusals = [users.submit(told, lambda kind=kind: CHANGES[kind](api)) for kind in OF_BIN]  # type: ignore[misc]
            longest = 0.0
            while not all(each.done() for each in refusals):
                began = time.monotonic()
                assert hermes.set_session_title("open", f"At {began}")
                longest = max(longest, time.monotonic() - began)
            assert [each.result() for each in refusals] == [("STORE_BUSY", BUSY.format("bin.db"))] * len(OF_BIN)
            took = time.monotonic() - started
            assert hermes.set_session_title("open", "")
            assert everything(api, path) == before
            done(lambda: CHANGES["restore"](api))
            done(lambda: CHANGES["rename"](api))
        assert hermes.complaints() == []
    for kind in OF_BIN:
        done(lambda kind=kind: CHANGES[kind](api))  # type: ignore[misc]
    assert longest < MOST_SECONDS
    figure(f"Bin locked: refused after {took:.1f} s; meanwhile the agent waited {longest:.1f} s at most for a turn.")
