"""Rule 6: a statement ends at its deadline and when its task is cancelled, and its connection goes on."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores.database import LiveDatabase
from hermes_sessions.stores.sqlite import live as live_sqlite
from hermes_sessions.stores.sqlite.base import CONNECTIONS, READERS
from hermes_sessions.stores.sqlite.handle import Handle
from hermes_sessions.stores.sqlite.store import SqliteStore
from hermes_sessions.stores.sqlite.worker import Worker, statement_timeout
from tests.builders import StoreBuilder
from tests.stores.opened import ANYTHING, bin_of, connected, delete, opened, refused, texts

LONG = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000000) SELECT count(*) FROM n"
"""Takes some seconds where nothing stops it."""


async def test_a_statement_is_stopped_at_its_deadline_and_the_connection_goes_on(filled: Path) -> None:
    async with connected(filled, limit=0.3) as database:
        for _ in range(2):
            started = time.monotonic()
            with refused(ErrorCode.TIMEOUT, "longer than 0.3 s"):
                await database.fetch_all(LONG)
            assert 0.25 < time.monotonic() - started < 3
            assert await database.fetch_val("SELECT count(*) FROM sessions") == 9


async def test_a_task_may_have_a_deadline_of_its_own(filled: Path) -> None:
    async with connected(filled, limit=60) as database:
        reset = statement_timeout.set(0.2)
        started = time.monotonic()
        with refused(ErrorCode.TIMEOUT, "longer than 0.2 s"):
            await database.fetch_all(LONG)
        assert time.monotonic() - started < 3
        statement_timeout.reset(reset)


async def test_each_statement_has_the_whole_time(filled: Path) -> None:
    async with connected(filled, limit=0.4) as database:
        for _ in range(3):
            await database.fetch_all("SELECT 1")
            await asyncio.sleep(0.2)


async def test_a_question_of_the_store_ends_at_its_deadline(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("big")
        builder.sql("BEGIN")
        for _ in range(3000):
            builder.message("big")
        builder.sql("COMMIT")
    async with opened(path, limit=0.1) as store:
        started = time.monotonic()
        with refused(ErrorCode.TIMEOUT):
            await store.transcript(["big"] * 2000, ANYTHING)
        assert time.monotonic() - started < 3
        assert (await store.forest()).sessions["big"].message_count == 3000


async def test_a_cancelled_task_stops_its_statement_at_once(filled: Path) -> None:
    async with connected(filled, limit=60) as database:
        task = asyncio.create_task(database.fetch_all(LONG))
        await asyncio.sleep(0.1)
        task.cancel()
        started = time.monotonic()
        with suppress(asyncio.CancelledError):
            await task
        assert await database.fetch_val("SELECT 1") == 1
        assert time.monotonic() - started < 3


async def test_a_transaction_that_is_cancelled_again_and_again_is_rolled_back(filled: Path) -> None:
    async with connected(filled, limit=60) as database:

        async def read_long() -> None:
            async with database.connection() as connection:
                await connection.execute("BEGIN")
                await connection.fetch_all("SELECT * FROM sessions")
                await connection.fetch_all(LONG)

        task = asyncio.create_task(read_long())
        await asyncio.sleep(0.1)
        while not task.done():
            task.cancel()
            await asyncio.sleep(0)
        await assert_whole(database, 1)


async def test_a_connection_whose_rollback_fails_is_not_lost(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(worker: Worker) -> None:
        raise apsw.IOError

    async with connected(filled) as database:
        with monkeypatch.context() as patch:
            patch.setattr(Worker, "rollback", fail)
            with pytest.raises(apsw.IOError):
                async with database.connection() as connection:
                    await connection.execute("BEGIN")
        await assert_whole(database, 1)


Step = Callable[[SqliteStore], Awaitable[Any]]


async def binned(store: SqliteStore) -> None:
    """Deletes the branch, or brings it back when it is in the bin."""
    if "br1" in (await store.forest()).sessions:
        await delete(store, "br1")
    for entry in await store.bin(1):
        await store.restore(entry.bin_id, dry_run=False)


STEPS: list[Step] = [
    lambda store: store.forest(),
    lambda store: store.health(),
    lambda store: store.previews(["ferry", "d3s"]),
    lambda store: texts(store, "ferry"),
    lambda store: store.rename("ferry", f"Boat {random.random()}", Scope.SESSION),
    lambda store: store.archive("d1", random.random() < 0.5, Scope.CONVERSATION),
    binned,
]


async def test_600_random_cancels_lose_no_connection(filled: Path) -> None:
    chance, known = random.Random(600), sqlite_threads()
    unexpected: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unexpected.append(context))
    async with opened(filled) as store:
        for _ in range(150):
            tasks = [asyncio.create_task(_quietly(chance.choice(STEPS), store)) for _ in range(4)]
            for task in tasks:
                await asyncio.sleep(chance.uniform(0, 0.004))
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for database, size in (
            (store._readers, READERS),
            (store._watcher, 1),
            (store._picturer, 1),
            (store._usager, 1),
        ):
            await assert_whole(database, size)
        assert await come_down_to(CONNECTIONS, known)
        with StoreBuilder(filled) as agent:
            agent.sql("PRAGMA busy_timeout = 0")
            agent.sql("BEGIN IMMEDIATE")
            assert agent.sql("PRAGMA integrity_check") == [("ok",)]
        async with bin_of(filled).new_entry(None, [], 0):
            pass
        await store.rename("ferry", "Ferry", Scope.SESSION)
        assert len(await texts(store, "ferry")) == 4
    assert await come_down_to(0, known)
    assert unexpected == []


async def _quietly(step: Step, store: SqliteStore) -> None:
    """The step, with what it may say when others are at work on the same session."""
    with suppress(HermesSessionsError):
        await step(store)


async def assert_whole(database: LiveDatabase, size: int) -> None:
    """All workers are back, none is in a transaction, and each of them answers."""
    backend: Any = database._backend
    assert len(backend._workers) == size
    async with asyncio.timeout(5):  # the worker of a cancelled task comes back by itself
        workers = [await backend.lend() for _ in range(size)]
    assert backend._idle.is_empty()
    assert len(set(workers)) == size
    for worker in workers:
        assert (await worker.query("SELECT 1", {}))[0][0] == 1
        assert not worker._handle.connection.in_transaction
        await backend.take_back(worker)


def sqlite_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("sqlite-")}


async def come_down_to(number: int, known: set[threading.Thread]) -> bool:
    """Whether soon no more than this number of threads is left, apart from the known ones."""
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        if len(sqlite_threads() - known) <= number:
            return True
        await asyncio.sleep(0.01)
    return False


async def test_a_change_that_is_cancelled_again_and_again_leaves_no_writer(filled: Path) -> None:
    """A writer that stays open could be the last connection of ours to close, and take the WAL with it."""
    chance, known = random.Random(2), sqlite_threads()
    async with opened(filled) as store:
        await store.forest()
        for _ in range(60):
            task = asyncio.create_task(store.rename("ferry", f"Boat {chance.random()}", Scope.SESSION))
            await asyncio.sleep(chance.uniform(0, 0.01))
            while not task.done():
                task.cancel()
                await asyncio.sleep(0)
        assert await come_down_to(CONNECTIONS, known)
        await assert_whole(store._readers, READERS)
        await assert_whole(store._watcher, 1)
        await store.rename("ferry", "Ferry", Scope.SESSION)


async def test_a_writer_closes_before_the_readers_however_often_its_task_is_cancelled(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the server shuts down at that moment: the last connection to close must be a reader."""
    chance, closed = random.Random(3), closings(monkeypatch)
    for _ in range(40):
        async with opened(filled) as store:
            await store.forest()
            closed.clear()  # what opened without a log beside it may have been opened twice
            task = asyncio.create_task(store.rename("ferry", f"Boat {chance.random()}", Scope.SESSION))
            await asyncio.sleep(chance.uniform(0, 0.01))
            while not task.done():
                task.cancel()
                await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        assert "rw" not in closed[closed.index("ro") :]


def closings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modes of the connections that are closed from now on, in order."""
    closed: list[str] = []
    close = Handle.close

    def listening(handle: Handle) -> None:
        if handle.connection is not None:
            closed.append(handle._mode)
        close(handle)

    monkeypatch.setattr(Handle, "close", listening)
    return closed


async def test_nothing_is_left_to_do_for_a_writer_that_is_closed(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sqlite, "IDLE_SECONDS", 0.2)
    chance, unexpected = random.Random(4), list[Any]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unexpected.append(context))
    async with opened(filled) as store:
        for _ in range(20):
            task = asyncio.create_task(store.rename("ferry", f"Boat {chance.random()}", Scope.SESSION))
            await asyncio.sleep(chance.uniform(0, 0.01))
            while not task.done():
                task.cancel()
                await asyncio.sleep(0)
        await asyncio.sleep(0.5)
    assert unexpected == []


async def test_a_cancelled_change_is_whole_or_has_not_happened(filled: Path) -> None:
    chance = random.Random(1)
    async with opened(filled) as store:
        for number in range(40):
            task = asyncio.create_task(store.archive("d1", number % 2 == 0, Scope.CONVERSATION))
            await asyncio.sleep(chance.uniform(0, 0.01))
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            with StoreBuilder(filled) as agent:
                flags = agent.sql("SELECT DISTINCT archived FROM sessions WHERE id IN ('d1', 'd2', 'd3')")
            assert len(flags) == 1
