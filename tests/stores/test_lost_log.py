"""Rule 4 where an agent that believed to be the last one has deleted the log: what SQLite shares within this process is
of the lost log, and a new agent writes another one. Neither is read or written by the knowledge of the other.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from ast import literal_eval
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import Freshness
from hermes_sessions.stores.database import LiveDatabase, commit, write_transaction
from hermes_sessions.stores.sqlite import handle as sqlite_handle
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.stores.opened import connected, delete, opened, read_everything, refused, remove, rows_of, texts

AGENT = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.stdin:
    print(connection.execute(statement).fetchall(), flush=True)
"""
BEFORE, MEANWHILE, AFTER = 20, 40, 5
REPLACED = "replaced by another file meanwhile. Nothing was changed; try again"
SLOW = """
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 3000000)
    SELECT count(*), (SELECT count(*) FROM messages) FROM number
"""


class Agent:
    """Another program with the store open."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", AGENT, path], stdin=-1, stdout=-1, text=True)

    def does(self, statement: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{statement}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def says(self, text: str, times: int) -> None:
        for _ in range(times):
            insertion = "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('ferry', 'user', '{}', 1)"
            assert self.does(insertion.format(text)) == "[]"

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def agent(path: Path) -> Iterator[Agent]:
    process = Agent(path)
    try:
        yield process
    finally:
        process.kill()


def lose(path: Path, *suffixes: str) -> None:
    """What was said so far is in the file; then the log is gone, or what SQLite knows of it."""
    with agent(path) as last:
        busy, length, copied = literal_eval(last.does("PRAGMA wal_checkpoint(PASSIVE)"))[0]
        assert (busy, length) == (0, copied)
    remove(path, *suffixes)


def assert_all_is_there(path: Path, title: str) -> None:
    found = dict(rows_of(path, "SELECT content, count(*) FROM messages WHERE session_id = 'ferry' GROUP BY 1"))
    assert (found["before"], found["meanwhile"], found["after"]) == (BEFORE, MEANWHILE, AFTER)
    assert rows_of(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows_of(path, "SELECT title FROM sessions WHERE id = 'ferry'") == [(title,)]


async def rename(store: SqliteStore) -> None:
    await store.rename("ferry", "Boat", Scope.SESSION)


async def bring(store: SqliteStore) -> None:
    """As an import does."""
    async with store._writing() as rows:
        await rows.set_title("ferry", "Boat")


async def delete_another(store: SqliteStore) -> None:
    await delete(store, "br1", force=True)
    await store.rename("ferry", "Boat", Scope.SESSION)


async def nobody(_: LiveDatabase, __: AsyncExitStack) -> None:
    pass


async def in_a_transaction(readers: LiveDatabase, until: AsyncExitStack) -> None:
    connection = await until.enter_async_context(readers.connection())
    await connection.execute("BEGIN")
    await connection.fetch_all("SELECT count(*) FROM messages")

    async def end() -> None:
        await asyncio.sleep(0.3)
        await connection.execute("COMMIT")

    until.push_async_callback(lambda: ending)
    ending = asyncio.ensure_future(end())


async def in_a_statement(readers: LiveDatabase, until: AsyncExitStack) -> None:
    async def ask() -> None:
        async with readers.connection() as connection:
            await connection.fetch_all(SLOW)

    asking = asyncio.ensure_future(ask())
    until.push_async_callback(lambda: asking)
    await asyncio.sleep(0.05)


@pytest.mark.parametrize("change", [rename, bring, delete_another])
@pytest.mark.parametrize("reading", [nobody, in_a_transaction, in_a_statement])
@pytest.mark.parametrize("lost", [("-wal", "-shm"), ("-shm",)], ids=" ".join)
async def test_a_change_harms_nothing_in_the_new_log(
    filled: Path,
    lost: tuple[str, ...],
    reading: Callable[[LiveDatabase, AsyncExitStack], Awaitable[None]],
    change: Callable[[SqliteStore], Awaitable[None]],
) -> None:
    async with opened(filled) as store, AsyncExitStack() as until:
        with agent(filled) as first:
            first.says("before", BEFORE)
        await read_everything(store)
        await reading(store._readers, until)
        lose(filled, *lost)
        with agent(filled) as next_agent:
            next_agent.says("meanwhile", MEANWHILE)
            await change(store)
            next_agent.says("after", AFTER)
            assert next_agent.does("PRAGMA integrity_check") == "[('ok',)]"
        assert (await store.forest(Freshness.NOW)).sessions["ferry"].title == "Boat"
        assert (await texts(store, "ferry")).count("after") == AFTER
    assert_all_is_there(filled, "Boat")


async def test_changes_and_readers_by_the_dozen_while_logs_are_lost(filled: Path) -> None:
    async with opened(filled) as store:
        for number in range(8):
            await asyncio.gather(*(read_everything(store) for _ in range(2)))
            lose(filled, "-wal", "-shm")
            with agent(filled) as next_agent:
                next_agent.says(f"round {number}", 10)
                asked = [asyncio.ensure_future(texts(store, "ferry")) for _ in range(6)]
                await asyncio.gather(*(store.rename("ferry", f"{number} {each}", Scope.SESSION) for each in range(2)))
                for said in await asyncio.gather(*asked):
                    assert said.count(f"round {number}") == 10
                next_agent.says(f"round {number}", 10)
                assert (await texts(store, "ferry")).count(f"round {number}") == 20
    counts = dict(rows_of(filled, "SELECT content, count(*) FROM messages GROUP BY 1"))
    assert [counts[f"round {number}"] for number in range(8)] == [20] * 8
    assert rows_of(filled, "PRAGMA integrity_check") == [("ok",)]


async def test_what_is_read_beside_one_that_stays_in_a_transaction_is_of_now(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_handle, "PATIENCE", 0.2)
    async with connected(filled) as one, connected(filled) as two:
        for database in (one, two):
            await database.fetch_val("SELECT count(*) FROM sessions")
        async with two.connection() as reading:
            await reading.execute("BEGIN")
            await reading.fetch_val("SELECT count(*) FROM sessions")
            lose(filled, "-wal", "-shm")
            with agent(filled) as next_agent:
                next_agent.says("meanwhile", 1)
                with refused(
                    ErrorCode.STORE_BUSY, "replaced by another file meanwhile. Nothing was changed; try again"
                ):
                    await one.fetch_val("SELECT count(*) FROM sessions")
                await reading.execute("COMMIT")
                for count in range(1, 4):
                    said = "SELECT count(*) FROM messages WHERE content = 'meanwhile'"
                    assert await one.fetch_val(said) == count
                    next_agent.says("meanwhile", 1)


@pytest.mark.parametrize("lost", [("-wal", "-shm"), ("", "-wal", "-shm")], ids=["the log", "the file"])
async def test_a_change_that_loses_its_log_is_not_called_made(filled: Path, lost: tuple[str, ...]) -> None:
    with refused(ErrorCode.STORE_BUSY, REPLACED):
        async with write_transaction(filled, 5) as writer:
            await writer.execute("UPDATE sessions SET title = 'Boat' WHERE id = 'ferry'")
            remove(filled, *lost)
            await writer.execute("UPDATE sessions SET archived = 1 WHERE id = 'ferry'")


async def test_a_change_whose_log_is_lost_while_it_is_committed_may_not_be_there(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refused(ErrorCode.STORE_UNREACHABLE, "not known whether it was kept"):
        async with write_transaction(filled, 5) as writer:
            await writer.execute("UPDATE sessions SET title = 'Boat' WHERE id = 'ferry'")
            worker = writer.raw_connection
            is_lost = worker.is_lost

            def lost_at_last() -> bool:
                remove(filled, "-wal", "-shm")
                return bool(is_lost())

            monkeypatch.setattr(worker, "is_lost", lost_at_last)
            await commit(writer)


async def test_a_change_whose_log_was_lost_is_made_in_the_new_one(filled: Path) -> None:
    async with opened(filled) as store:
        await read_everything(store)
        picture = store._catalogue.picture

        async def losing_once(freshness: Freshness = Freshness.USUAL) -> object:
            found = await picture(freshness)
            if store._precedence._ahead:  # the change has the lock
                store._catalogue.picture = picture  # type: ignore[method-assign]
                remove(filled, "-wal", "-shm")
                with agent(filled) as next_agent:
                    next_agent.says("meanwhile", 3)
            return found

        store._catalogue.picture = losing_once  # type: ignore[method-assign, assignment]
        await store.rename("ferry", "Boat", Scope.SESSION)
    assert rows_of(filled, "SELECT title FROM sessions WHERE id = 'ferry'") == [("Boat",)]
    assert rows_of(filled, "SELECT count(*) FROM messages WHERE content = 'meanwhile'") == [(3,)]


async def test_one_that_was_opened_where_there_was_no_log_notices_that_it_is_lost(filled: Path) -> None:
    async with connected(filled) as database:
        await database.fetch_val("SELECT count(*) FROM sessions")
        lose(filled, "-wal", "-shm")
        with agent(filled) as next_agent:
            next_agent.says("meanwhile", 1)
            async with database.connection() as connection:
                generation = connection.raw_connection.generation
                said = "SELECT count(*) FROM messages WHERE content = 'meanwhile'"
                assert await connection.fetch_val(said) == 1
                assert connection.raw_connection.generation == generation + 1
