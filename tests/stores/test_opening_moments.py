"""What happens while a connection is opened, or waits for others to leave a lost log."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path

import apsw
import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import Freshness
from hermes_sessions.stores.database import commit, write_transaction
from hermes_sessions.stores.sqlite.files import Paths
from hermes_sessions.stores.sqlite.handle import PATIENCE, Handle
from hermes_sessions.stores.sqlite.worker import Worker
from tests.stores.opened import connected, opened, read_everything, refused, remove, rows_of, state_of
from tests.stores.test_lost_log import Agent, agent

COUNT = "SELECT count(*) FROM sessions"
BOAT = "UPDATE sessions SET title = 'Boat' WHERE id = 'ferry'"
TITLE = "SELECT title FROM sessions WHERE id = 'ferry'"


async def test_a_store_of_many_tables_is_opened(filled: Path) -> None:
    with agent(filled) as program:
        program.does("BEGIN")
        for number in range(1500):
            program.does(f"CREATE TABLE extra{number} (a, b)")
        program.does("COMMIT")
    async with connected(filled) as database:
        assert await database.fetch_val(COUNT) > 0
    async with write_transaction(filled, 5) as writer:
        await writer.execute(BOAT)
    assert rows_of(filled, TITLE) == [("Boat",)]


@pytest.mark.parametrize("error", [PermissionError, HermesSessionsError(ErrorCode.UNSUPPORTED_STORE, "A pipe.")])
async def test_a_change_may_not_be_there_where_nobody_can_tell_what_it_was_committed_to(
    filled: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def cannot_be_told(_: Paths) -> None:
        raise error

    with refused(ErrorCode.STORE_UNREACHABLE, "not known whether it was kept"):
        async with write_transaction(filled, 5) as writer:
            await writer.execute(BOAT)
            worker = writer.raw_connection
            is_lost = worker.is_lost

            def at_last() -> bool:
                monkeypatch.setattr(Paths, "identity", cannot_be_told)
                return bool(is_lost())

            monkeypatch.setattr(worker, "is_lost", at_last)
            await commit(writer)


async def test_a_log_that_an_opening_has_made_may_be_lost_before_it_is_done(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, agents = Handle._open, list[Agent]()
    remove(filled, "-wal", "-shm")
    with ExitStack() as until:

        def then_lost(handle: Handle) -> apsw.Connection:
            connection = opening(handle)
            if not agents:
                remove(filled, "-wal", "-shm")
                agents.append(until.enter_context(agent(filled)))
                agents[0].says("meanwhile", 40)
            return connection

        monkeypatch.setattr(Handle, "_open", then_lost)
        async with write_transaction(filled, 5) as writer:
            await writer.execute(BOAT)
        agents[0].says("after", 5)
        assert agents[0].does("PRAGMA integrity_check") == "[('ok',)]"
    assert rows_of(filled, TITLE) == [("Boat",)]
    assert rows_of(filled, "SELECT count(*) FROM messages WHERE content IN ('meanwhile', 'after')") == [(45,)]


async def test_who_comes_while_another_one_makes_the_log_waits_for_its_opening_only(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = Worker._prepare

    def slowly(worker: Worker, connection: apsw.Connection) -> None:
        prepare(worker, connection)
        time.sleep(0.05)  # the writer's other connection has made the log

    monkeypatch.setattr(Worker, "_prepare", slowly)
    remove(filled, "-wal", "-shm")
    async with connected(filled) as database:

        async def change() -> None:
            async with write_transaction(filled, 5) as writer:
                await writer.execute(BOAT)
                await database.fetch_val(COUNT)

        async def read() -> None:
            await asyncio.sleep(0.03)
            await database.fetch_val(COUNT)

        began = time.monotonic()
        await asyncio.gather(change(), read())
        assert time.monotonic() - began < PATIENCE / 2
    assert rows_of(filled, TITLE) == [("Boat",)]


async def test_a_file_that_an_agent_has_made_smaller_is_read_and_changed_beside_a_long_reading(filled: Path) -> None:
    with agent(filled) as program:
        program.does("PRAGMA wal_autocheckpoint = 0")
        program.does("CREATE TABLE extra (b)")
        program.does("INSERT INTO extra SELECT zeroblob(1000000)")
        program.does("PRAGMA wal_checkpoint(TRUNCATE)")
        async with connected(filled) as one, connected(filled) as two:
            await one.fetch_val(COUNT)
            program.does("DROP TABLE extra")
            program.does("VACUUM")
            async with two.connection() as reading:
                await reading.execute("BEGIN")
                await reading.fetch_val(COUNT)
                size = state_of(filled).size
                program.does("PRAGMA wal_checkpoint(PASSIVE)")
                assert state_of(filled).size < size
                began = time.monotonic()
                assert await one.fetch_val(COUNT) > 0
                async with write_transaction(filled, 5) as writer:
                    await writer.execute(BOAT)
                assert time.monotonic() - began < PATIENCE / 2
                await reading.execute("COMMIT")
        assert program.does(TITLE) == "[('Boat',)]"


async def test_who_is_cancelled_waits_no_longer_for_others(filled: Path) -> None:
    async with connected(filled) as one, connected(filled) as two:
        for database in (one, two):
            await database.fetch_val(COUNT)
        async with two.connection() as reading:
            await reading.execute("BEGIN")
            await reading.fetch_val(COUNT)
            remove(filled, "-wal", "-shm")
            with agent(filled) as next_agent:
                next_agent.says("meanwhile", 1)
                asking = asyncio.ensure_future(one.fetch_val(COUNT))
                await asyncio.sleep(0.1)
                began = time.monotonic()
                asking.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asking
                assert time.monotonic() - began < PATIENCE / 2
            await reading.execute("COMMIT")


async def test_a_change_that_loses_its_log_before_it_reads_is_begun_again(filled: Path) -> None:
    with ExitStack() as until:
        async with opened(filled) as store:
            await read_everything(store)
            picture = store._catalogue.picture

            async def losing_once(freshness: Freshness = Freshness.USUAL) -> object:
                if store._precedence._ahead:  # the change has the lock
                    store._catalogue.picture = picture  # type: ignore[method-assign]
                    remove(filled, "-wal", "-shm")
                    until.enter_context(agent(filled)).says("meanwhile", 3)
                return await picture(freshness)

            store._catalogue.picture = losing_once  # type: ignore[method-assign, assignment]
            began = time.monotonic()
            await store.rename("ferry", "Boat", Scope.SESSION)
            assert time.monotonic() - began < PATIENCE / 2
    assert rows_of(filled, TITLE) == [("Boat",)]
    assert rows_of(filled, "SELECT count(*) FROM messages WHERE content = 'meanwhile'") == [(3,)]
