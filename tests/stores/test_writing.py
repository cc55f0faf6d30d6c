"""Rules 2 and 5: a change is one immediate transaction that checkpoints nothing and waits for other writers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import StoreStatus
from hermes_sessions.stores import database
from hermes_sessions.stores.database import write_transaction
from hermes_sessions.stores.sqlite import handle as sqlite_handle
from hermes_sessions.stores.sqlite import worker as sqlite_worker
from tests.builders import StoreBuilder
from tests.stores.opened import (
    delete,
    fingerprint,
    opened,
    read_everything,
    refused,
    rows_of,
    state_of,
    texts,
)

MEGABYTE = "x" * 1_000_000


async def test_a_change_checkpoints_nothing_however_long_the_wal_is(filled: Path) -> None:
    with StoreBuilder(filled) as agent:
        agent.sql("PRAGMA wal_autocheckpoint = 0")
        for _ in range(6):
            agent.message("ferry", content=MEGABYTE)
        before, wal = (fingerprint(filled), state_of(filled)), state_of(filled, "-wal")
        assert wal.size > 1000 * 4096  # more than the pages after which SQLite checkpoints by itself
        async with opened(filled) as store:
            await store.rename("ferry", "Boat", Scope.SESSION)
            await store.archive("d1", True, Scope.CONVERSATION)
            entry = (await delete(store, "br1")).bin_id
            await store.restore(entry or "", dry_run=False)
        assert (fingerprint(filled), state_of(filled)) == before
        assert state_of(filled, "-wal").inode == wal.inode
        assert state_of(filled, "-wal").size > wal.size


async def test_a_change_to_a_store_that_nobody_has_open_leaves_the_wal_for_its_owner(filled: Path) -> None:
    before = (fingerprint(filled), state_of(filled))
    async with opened(filled) as store:
        await store.rename("ferry", "Boat", Scope.SESSION)
    assert (fingerprint(filled), state_of(filled)) == before
    assert rows_of(filled, "SELECT title FROM sessions WHERE id = 'ferry'") == [("Boat",)]


async def test_foreign_keys_are_enforced_on_our_changes(filled: Path) -> None:
    with StoreBuilder(filled) as store:
        store.sql("CREATE TABLE notes (session_id TEXT REFERENCES sessions(id))")
        store.sql("INSERT INTO notes VALUES ('ferry')")
    async with opened(filled) as store:
        with refused(ErrorCode.UNSUPPORTED_STORE, "refers to these sessions"):
            await delete(store, "ferry")
        assert "ferry" in (await store.forest()).sessions
        assert len(await texts(store, "ferry")) == 4


async def test_a_transaction_takes_the_lock_before_it_reads(filled: Path) -> None:
    async with write_transaction(filled, 5):
        with StoreBuilder(filled) as agent:
            agent.sql("PRAGMA busy_timeout = 0")
            with pytest.raises(apsw.BusyError):
                agent.sql("BEGIN IMMEDIATE")


async def test_a_failing_block_changes_nothing_and_leaves_no_lock(filled: Path) -> None:
    async def fail() -> None:
        async with (
            write_transaction(filled, 5) as writer,
        ):
            await writer.execute("DELETE FROM messages")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    with locked(filled) as agent:
        assert agent.sql("SELECT count(*) FROM messages") == [(5,)]


@contextmanager
def locked(path: Path) -> Iterator[StoreBuilder]:
    """Another writer in the middle of a transaction; closing its connection ends it."""
    with StoreBuilder(path) as agent:
        agent.sql("BEGIN IMMEDIATE")
        yield agent


async def test_a_lock_held_for_half_a_second_is_waited_for(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_handle, "BUSY_TIMEOUT_MS", 50)  # so that a single try would not do
    async with opened(filled) as store:
        with locked(filled) as agent:
            asyncio.get_running_loop().call_later(0.5, agent.sql, "COMMIT")
            started = time.monotonic()
            await store.rename("ferry", "Boat", Scope.SESSION)
            assert time.monotonic() - started > 0.4
        assert (await store.forest()).sessions["ferry"].title == "Boat"


async def test_a_lock_held_too_long_makes_the_store_busy_and_reads_go_on(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_handle, "BUSY_TIMEOUT_MS", 50)
    async with opened(filled, lock_limit=1.0) as store:
        await read_everything(store)
        with locked(filled):
            waiting = asyncio.create_task(store.rename("ferry", "Boat", Scope.SESSION))
            for _ in range(5):
                assert (await read_everything(store))["state"].status is StoreStatus.READY
            with refused(ErrorCode.STORE_BUSY, "Nothing was changed; try again"):
                await asyncio.wait_for(waiting, 15)
        assert (await store.forest()).sessions["ferry"].title == "Ferry"
        await store.rename("ferry", "Boat", Scope.SESSION)
        assert (await store.forest()).sessions["ferry"].title == "Boat"


def test_the_limits_are_those_of_the_rule() -> None:
    assert (sqlite_handle.BUSY_TIMEOUT_MS, database.BUSY_SECONDS) == (1000, 5.0)


async def test_a_failure_while_committing_says_that_the_outcome_is_unknown(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = sqlite_worker.rows_of

    def failing(connection: object, sql: str, bindings: dict[str, object]) -> list[sqlite_worker.Row]:
        if sql == "COMMIT":
            raise OSError("input/output error")
        return run(connection, sql, bindings)  # type: ignore[arg-type]

    async with opened(filled) as store:
        await store.forest()
        monkeypatch.setattr(sqlite_worker, "rows_of", failing)
        with refused(ErrorCode.STORE_UNREACHABLE, "not known whether it was kept"):
            await store.rename("ferry", "Boat", Scope.SESSION)
        monkeypatch.undo()
        assert (await store.forest()).sessions["ferry"].title == "Ferry"
