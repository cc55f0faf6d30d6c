"""Rule 4: a store that is replaced, deleted or has a new WAL is noticed by the next question; idle ones are let go."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import StoreStatus
from hermes_sessions.stores.sqlite import live as live_sqlite
from tests.builders import StoreBuilder
from tests.stores.opened import (
    ANYTHING,
    as_if_reading_took,
    connected,
    names_in,
    opened,
    read_everything,
    refused,
    remove,
    texts,
)


def make_other(path: Path, *contents: str) -> Path:
    """A store beside this one whose session `ferry` says something else."""
    other = path.with_name("other.db")
    with StoreBuilder(other) as store:
        store.session("ferry", title="Other")
        for content in contents or ("something else",):
            store.message("ferry", "user", content)
    return other


def replace(path: Path, other: Path) -> None:
    """As a restored backup does: the old WAL goes, too."""
    remove(path, "-wal", "-shm")
    os.replace(other, path)


async def test_a_replaced_store_answers_the_next_question(filled: Path) -> None:
    other = make_other(filled)
    async with opened(filled) as store:
        await read_everything(store)
        replace(filled, other)
        assert (await store.forest()).sessions["ferry"].title == "Other"
        assert list((await store.forest()).sessions) == ["ferry"]
        assert await texts(store, "ferry") == ["something else"]


async def test_a_replaced_store_answers_at_once_however_long_reading_takes(filled: Path) -> None:
    """A reading that took long may be kept for a second, but not that of another store."""
    other = make_other(filled)
    async with opened(filled) as store:
        await as_if_reading_took(60.0, store)
        replace(filled, other)
        assert (await store.forest()).sessions["ferry"].title == "Other"


async def test_every_reader_notices(filled: Path) -> None:
    other = make_other(filled)
    async with opened(filled) as store:
        await asyncio.gather(*(read_everything(store) for _ in range(10)))
        replace(filled, other)
        answers = await asyncio.gather(*(store.transcript(["ferry"], ANYTHING) for _ in range(10)))
        assert [len(lines) for lines in answers] == [1] * 10


async def test_previews_are_those_of_the_new_store(filled: Path) -> None:
    """Also where the new store has as many messages with the same ids as the old one had."""
    with StoreBuilder(filled) as builder:
        builder.sql("DELETE FROM messages")
        builder.sql("DELETE FROM sqlite_sequence")
        builder.message("ferry", "user", "the old words")
    other = make_other(filled, "the new words")
    async with opened(filled) as store:
        assert await store.previews(["ferry"]) == {"ferry": "the old words"}
        replace(filled, other)
        assert await store.previews(["ferry"]) == {"ferry": "the new words"}


async def test_a_change_goes_to_the_new_store(filled: Path) -> None:
    other = make_other(filled)
    async with opened(filled) as store:
        await read_everything(store)
        replace(filled, other)
        await store.rename("ferry", "Boat", Scope.SESSION)
        assert (await store.forest()).sessions["ferry"].title == "Boat"
        with StoreBuilder(filled) as agent:
            assert agent.sql("SELECT id, title FROM sessions") == [("ferry", "Boat")]


async def test_a_new_wal_is_read(filled: Path) -> None:
    """An agent that believed to be the last one has deleted the WAL, and started another."""
    with StoreBuilder(filled) as agent:
        agent.message("ferry", "user", "in the first WAL")
        async with opened(filled) as store:
            assert (await texts(store, "ferry"))[-1] == "in the first WAL"
            agent.sql("PRAGMA wal_checkpoint(TRUNCATE)")
            remove(filled, "-wal", "-shm")
            with StoreBuilder(filled) as next_agent:
                next_agent.message("ferry", "user", "in the second WAL")
                assert (await texts(store, "ferry"))[-1] == "in the second WAL"


async def test_a_deleted_store_is_empty_until_there_is_a_new_one(filled: Path) -> None:
    other = make_other(filled)
    async with opened(filled) as store:
        await read_everything(store)
        remove(filled, "", "-wal", "-shm")
        assert (await store.state()).status is StoreStatus.EMPTY
        assert len(await store.forest()) == 0
        with refused(ErrorCode.NOT_FOUND):
            await texts(store, "ferry")
        assert names_in(filled.parent) == ["other.db"]
        replace(filled, other)
        assert (await store.state()).status is StoreStatus.READY
        assert await texts(store, "ferry") == ["something else"]


@pytest.mark.parametrize("size", [0, 100, 4096, 10_000])
async def test_a_truncated_store_is_an_error_and_not_an_old_answer(filled: Path, size: int) -> None:
    async with opened(filled) as store:
        await read_everything(store)
        remove(filled, "-wal", "-shm")
        os.truncate(filled, size)
        expected = StoreStatus.EMPTY if size == 0 else StoreStatus.DAMAGED
        assert (await store.state()).status is expected


async def test_idle_connections_let_the_files_go(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sqlite, "IDLE_SECONDS", 0.1)
    async with opened(filled) as store:
        await read_everything(store)
        assert held_files(filled)
        await asyncio.sleep(0.5)
        assert held_files(filled) == []
        assert len(await texts(store, "ferry")) == 4


async def test_a_connection_in_use_is_not_let_go(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sqlite, "IDLE_SECONDS", 0.05)
    async with connected(filled) as database:
        await database.fetch_val("SELECT count(*) FROM sessions")
        async with database.connection() as connection:
            await connection.fetch_val("SELECT count(*) FROM sessions")
            generation = connection.raw_connection.generation
            await asyncio.sleep(0.2)
            await connection.fetch_val("SELECT count(*) FROM sessions")
            assert connection.raw_connection.generation == generation


async def test_nothing_is_held_after_shutdown(filled: Path) -> None:
    async with opened(filled) as store:
        await read_everything(store)
        await store.rename("ferry", "Boat", Scope.SESSION)
    assert held_files(filled) == []


def held_files(path: Path) -> list[str]:
    """The files of a store that this process has open."""
    held: list[str] = []
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{descriptor}")
        except FileNotFoundError:
            continue
        if target.startswith(str(path)):
            held.append(target)
    return held
