"""What happens between two steps of a connection: nothing is lost by it, and nothing runs on."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.stores.database import sqlite_database, write_transaction
from hermes_sessions.stores.sqlite import live as live_sqlite
from hermes_sessions.stores.sqlite.errors import is_suspicious
from hermes_sessions.stores.sqlite.files import Paths
from hermes_sessions.stores.sqlite.handle import BUSY_TIMEOUT_MS, Handle
from hermes_sessions.stores.sqlite.siblings import suspect_all
from tests.stores.opened import connected, refused

LIMIT = 60.0
"""Seconds of a statement: nobody waits for so long."""
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


async def test_a_connection_that_is_being_closed_can_be_given_back(filled: Path) -> None:
    async with connected(filled) as database:
        async with database.connection() as connection:
            await connection.fetch_val("SELECT 1")
            worker = connection.raw_connection
            worker._handle.connection.close()  # as its thread does, just before it forgets it
        worker._handle.connection = None
        async with database.connection() as connection:
            assert await asyncio.wait_for(connection.fetch_val("SELECT 1"), 10) == 1


async def test_a_connection_that_is_given_back_after_the_end_is_let_go(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_sqlite, "IDLE_SECONDS", 0.05)
    unexpected: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unexpected.append(context))
    async with connected(filled) as database, database.connection() as connection:
        await connection.fetch_val("SELECT 1")
        await database.disconnect()
        database.is_connected = False
    await asyncio.sleep(0.2)
    assert unexpected == []


async def test_a_connection_is_closed_where_the_event_loop_asks_it_at_the_same_moment(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close, meetings = Handle.close_if_suspect, [apsw.ThreadingViolationError, apsw.ThreadingViolationError]

    def met(handle: Handle) -> None:
        if meetings:
            raise meetings.pop()
        close(handle)

    async with connected(filled) as database:
        await database.fetch_val("SELECT 1")
        monkeypatch.setattr(Handle, "close_if_suspect", met)
        suspect_all(Paths.of(filled).identity().file)
        async with asyncio.timeout(10):
            while [each for each in apsw.connections() if each.filename == str(filled)]:
                await asyncio.sleep(0.01)


async def test_workers_of_a_closing_that_is_cancelled_are_closed(filled: Path) -> None:
    database = sqlite_database(filled, "ro", size=2, limit=5.0)
    await database.connect()
    await database.fetch_val("SELECT 1")
    backend: Any = database._backend
    backend._relief = asyncio.ensure_future(asyncio.sleep(10))
    closing = asyncio.ensure_future(backend.disconnect())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert [each for each in apsw.connections() if each.filename == str(filled)] == []


async def test_foreign_keys_stay_off_where_a_writer_is_opened_anew_while_it_waits(filled: Path) -> None:
    holder = apsw.Connection(str(filled))
    holder.execute("BEGIN IMMEDIATE")

    async def change() -> int:
        async with write_transaction(filled, 5.0, foreign_keys=False) as writer:
            return int(await writer.fetch_val("PRAGMA foreign_keys"))

    async def interfere() -> None:
        await asyncio.sleep(0.2)
        suspect_all(Paths.of(filled).identity().file)
        await asyncio.sleep(BUSY_TIMEOUT_MS / 1000 + 0.3)  # it has tried once, and tries again
        holder.execute("ROLLBACK")

    interfering = asyncio.create_task(interfere())
    assert await change() == 0
    await interfering
    holder.close()


@pytest.mark.parametrize("prepare", ["", "SELECT 1 FROM sqlite_master"])
async def test_a_connection_that_cannot_be_opened_whole_is_not_left_open(tmp_path: Path, prepare: str) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(b"no database " * 1000)
    async with connected(path, "rwc", prepare=prepare) as database, database.connection() as connection:
        with refused(ErrorCode.STORE_DAMAGED):
            await connection.fetch_val("SELECT count(*) FROM sqlite_master")
        assert [each for each in apsw.connections() if each.filename == str(path)] == []


async def test_a_statement_that_is_cancelled_before_it_begins_does_not_run(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, goes_on = threading.Event(), threading.Event()
    open_connection = Handle._open

    def slowly(handle: Handle) -> apsw.Connection:
        opening.set()
        goes_on.wait(10)
        return open_connection(handle)

    monkeypatch.setattr(Handle, "_open", slowly)

    async with connected(filled, limit=LIMIT) as database:

        async def ask() -> None:
            async with database.connection() as connection:
                await connection.fetch_val(ENDLESS)

        asking = asyncio.create_task(ask())
        await asyncio.to_thread(opening.wait, 10)
        asking.cancel()
        await asyncio.sleep(0.05)
        began = time.monotonic()
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert time.monotonic() - began < LIMIT / 3


def test_a_damaged_index_says_nothing_against_the_file() -> None:
    assert not is_suspicious(apsw.exception_for(apsw.SQLITE_CORRUPT_VTAB))
    assert is_suspicious(apsw.exception_for(apsw.SQLITE_CORRUPT))
