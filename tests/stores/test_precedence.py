"""Readers stand back for a moment: for a change of ours, and for a log that could not begin anew for them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores.database import opened, sqlite_database
from hermes_sessions.stores.sqlite import precedence
from hermes_sessions.stores.sqlite.precedence import Precedence
from tests.stores.opened import opened as opened_store
from tests.stores.opened import texts

SECONDS = 2.0
PATIENCE = 30.0
"""Seconds, on a busy machine."""
SLOW = """
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 200000)
    SELECT count(*), (SELECT count(*) FROM written) FROM number
"""
"""Keeps a snapshot for some hundredths of a second."""
WRITER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
connection.execute("PRAGMA wal_autocheckpoint = 50")
print("ready", flush=True)
while True:
    connection.execute("INSERT INTO written VALUES (zeroblob(20000))")
    time.sleep(0.005)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "state.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE written (content BLOB)")
    return path


@contextlib.contextmanager
def written_to(path: Path) -> Iterator[None]:
    """Another program commits some hundred times a second, and copies the log early and often."""
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            yield
            assert writer.poll() is None
        finally:
            writer.kill()


async def logs_begun(path: Path, order: Precedence | None, seconds: float, enough: float) -> int:
    """How often the log was begun anew while readers overlap all the time, for so long or until it is enough."""
    database = sqlite_database(path, "ro", size=3, limit=5.0, precedence=order)
    await database.connect()
    begun = 0
    ending = asyncio.Event()

    async def read() -> None:
        while not ending.is_set():
            async with database.connection() as connection:
                await connection.fetch_all(SLOW)

    async def look() -> None:
        nonlocal begun
        until, before = time.monotonic() + seconds, 0
        async with opened(sqlite_database(path, "ro", size=1, limit=5.0)) as connection:
            while time.monotonic() < until and begun < enough:
                length, _ = await connection.raw_connection.log_pages()
                begun, before = begun + (length < before), length
                await asyncio.sleep(0.01)
        ending.set()

    await asyncio.gather(look(), *(read() for _ in range(6)))
    await database.disconnect()
    return begun


async def test_a_log_begins_anew_though_readers_overlap_all_the_time(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precedence, "LONG_LOG_BYTES", 1)
    monkeypatch.setattr(precedence, "LONG_LOG", 200)
    monkeypatch.setattr(precedence, "REST", 0.1)
    with written_to(file):
        begun = await logs_begun(file, None, SECONDS, math.inf)
        assert await logs_begun(file, Precedence(file), PATIENCE, begun + 1) == begun + 1


@pytest.mark.parametrize("kind", ["_changing", "_writing"])
async def test_readers_stand_back_for_a_change_and_read_what_it_made(
    filled: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(precedence, "PATIENCE", 30.0)  # whoever reads within a change would hang for so long
    async with opened_store(filled) as store:
        await texts(store, "ferry")
        begun = asyncio.Event()

        async def change() -> None:
            async with getattr(store, kind)() as given:
                rows = given[0] if isinstance(given, tuple) else given
                begun.set()
                await asyncio.sleep(0.3)
                await rows.set_title("ferry", "Boat")

        changing = asyncio.create_task(change())
        await begun.wait()
        reading = asyncio.create_task(texts(store, "ferry"))
        await asyncio.sleep(0.1)
        assert not reading.done()
        await changing
        assert len(await asyncio.wait_for(reading, 5)) == 4
        await store.rename("ferry", "Ship", Scope.SESSION)
        assert (await store.forest()).sessions["ferry"].title == "Ship"


async def test_between_two_changes_the_lock_is_free_for_as_long_as_it_was_held() -> None:
    order = Precedence(Path("state.db"))
    held: list[tuple[float, float]] = []

    async def change() -> None:
        async with order.turn(5.0):
            began = time.monotonic()
            with order.ahead():
                await asyncio.sleep(0.05)
            held.append((began, time.monotonic()))

    await asyncio.gather(*(change() for _ in range(4)))
    for (began, ended), (following, _) in itertools.pairwise(held):
        assert following - ended >= 0.9 * (ended - began)


async def test_a_change_that_does_not_get_its_turn_is_refused_in_time() -> None:
    order = Precedence(Path("state.db"))
    async with order.turn(5.0) as left:
        assert left > 4.0
        started = time.monotonic()
        with pytest.raises(HermesSessionsError) as refused:
            async with order.turn(0.2):
                pass
        assert refused.value.code is ErrorCode.STORE_BUSY
        assert time.monotonic() - started < 4.0
    async with order.turn(1.0):
        pass


async def test_a_reader_does_not_wait_for_ever() -> None:
    order = Precedence(Path("state.db"))
    with order.ahead(), order.ahead():
        started = time.monotonic()
        await order.stand_back()
        assert time.monotonic() - started >= 0.9 * precedence.PATIENCE
    await asyncio.wait_for(order.stand_back(), 0.1)


async def test_a_log_that_others_keep_long_is_looked_at_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "PATIENCE", 0.05)
    order = Precedence(Path("state.db"))
    rests = []
    for _ in range(8):
        await order.relieve(lambda: pages_are(precedence.LONG_LOG, 1))
        rests.append(order._rest)
    assert rests == [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 64.0, 64.0]
    assert not order.wants_look(precedence.LONG_LOG_BYTES - 1)
    assert order.wants_look(precedence.LONG_LOG_BYTES)
    order.looked_at()
    assert not order.wants_look(precedence.LONG_LOG_BYTES)
    await order.relieve(lambda: pages_are(precedence.LONG_LOG, precedence.LONG_LOG))
    assert order._rest == precedence.REST


async def pages_are(length: int, copied: int) -> tuple[int, int]:
    return length, copied


async def test_a_failure_to_look_is_nobodys(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "LONG_LOG_BYTES", 0)
    order = Precedence(Path("state.db"))

    async def fail(*_: object) -> None:
        raise HermesSessionsError(ErrorCode.STORE_BUSY, "The store is busy.")

    monkeypatch.setattr(order, "relieve", fail)
    database = sqlite_database(file, "ro", size=1, limit=5.0, precedence=order)
    await database.connect()
    for _ in range(3):
        async with database.connection() as connection:
            await connection.fetch_all("SELECT count(*) FROM written")
        await asyncio.sleep(0.02)
    await database.disconnect()
