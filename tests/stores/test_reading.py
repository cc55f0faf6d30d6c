"""Rule 1: reading a store changes and creates nothing, and goes through a few connections that stay."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import StoreStatus
from hermes_sessions.stores.sqlite.base import CONNECTIONS
from hermes_sessions.stores.sqlite.handle import Handle, Mode
from tests.builders import StoreBuilder
from tests.hermes.process import HermesProcess
from tests.stores.opened import (
    ANYTHING,
    bin_path,
    connected,
    fill,
    fingerprint,
    names_in,
    opened,
    read_everything,
    refused,
    rows_of,
    state_of,
    texts,
)

ODD_NAMES = ["a#b", "a?mode=rwc", "100%", "%41", "a b", "Ägypten 日本", "a&b=c;d", 'it\'s"quoted"', "back\\slash"]


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_a_path_may_hold_any_character(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / f"{name}.db"
    with StoreBuilder(path) as store:
        fill(store)
    async with opened(path) as store:
        await read_everything(store)
        await store.rename("ferry", "Boat", Scope.SESSION)
    assert set(names_in(path.parent)) <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    assert set(names_in(tmp_path)) == {name, bin_path(path).parent.name}
    assert rows_of(path, "SELECT title FROM sessions WHERE id = 'ferry'") == [("Boat",)]


async def test_reading_leaves_the_store_as_it_is(filled: Path) -> None:
    before = (fingerprint(filled), state_of(filled))
    async with opened(filled) as store:
        await read_everything(store)
    assert (fingerprint(filled), state_of(filled)) == before
    assert set(names_in(filled.parent)) <= {"state.db", "state.db-wal", "state.db-shm"}


async def test_reading_leaves_a_store_without_wal_alone(filled: Path) -> None:
    with StoreBuilder(filled) as store:
        store.sql("PRAGMA journal_mode = DELETE")
    before = (fingerprint(filled), state_of(filled))
    async with opened(filled) as store:
        await read_everything(store)
    assert (fingerprint(filled), state_of(filled)) == before
    assert names_in(filled.parent) == ["state.db"]


async def test_p2_a_missing_store_is_empty_and_stays_missing(path: Path) -> None:
    async with opened(path) as store:
        assert (await store.state()).status is StoreStatus.EMPTY
        assert len(await store.forest()) == 0
        assert await store.previews(["ferry"]) == {}
        assert (await store.health()).schema_version is None
        assert await store.bin(10) == []
        for question in (store.details(["ferry"]), store.transcript(["ferry"], ANYTHING), store.content(1, 10)):
            with refused(ErrorCode.NOT_FOUND):
                await question
        with refused(ErrorCode.NOT_FOUND):
            await store.rename("ferry", "Boat", Scope.SESSION)
    assert names_in(path.parent) == []


@pytest.mark.parametrize("mode", ["ro", "rw"])
async def test_no_mode_makes_a_live_store(path: Path, mode: Mode) -> None:
    async with connected(path, mode) as database:
        with refused(ErrorCode.STORE_UNREACHABLE):
            await database.fetch_all("SELECT * FROM sqlite_master")
    assert names_in(path.parent) == []


async def test_a_reader_cannot_write(filled: Path) -> None:
    async with connected(filled, limit=1) as database:
        with refused(ErrorCode.READ_ONLY):
            await database.execute("DELETE FROM sessions")
        assert await database.fetch_val("SELECT count(*) FROM sessions") == 9


async def test_readers_see_what_stands_in_the_wal_alone(path: Path) -> None:
    with StoreBuilder(path) as writer:
        writer.sql("PRAGMA wal_autocheckpoint = 0")
        writer.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        fill(writer)
        async with opened(path) as store:
            assert (await texts(store, "ferry"))[0] == "book the ferry"


async def test_a_wal_that_a_killed_agent_left_is_read_and_kept(hermes: HermesProcess, path: Path) -> None:
    hermes.open(path)
    hermes.create_session("s1")
    hermes.append_message("s1", "user", "before the crash")
    hermes.kill()
    before = (fingerprint(path), state_of(path), state_of(path, "-wal"))
    async with opened(path) as store:
        assert await texts(store, "s1") == ["before the crash"]
    assert (fingerprint(path), state_of(path), state_of(path, "-wal")) == before


async def test_the_connections_are_few_and_stay_open(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openings = count_openings(filled, monkeypatch)
    async with opened(filled) as store:
        for _ in range(2):
            await asyncio.gather(*(read_everything(store) for _ in range(6)))
    assert len(openings) <= CONNECTIONS
    assert set(openings) == {"ro"}


async def test_nothing_is_opened_before_the_first_question(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openings = count_openings(filled, monkeypatch)
    async with opened(filled):
        pass
    assert openings == []


def count_openings(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The mode of every connection to this file that is opened from now on."""
    modes: list[str] = []
    connect = Handle._connect

    def counted(handle: Handle, mode: Mode) -> apsw.Connection:
        if handle._path == path:
            modes.append(mode)
        return connect(handle, mode)

    monkeypatch.setattr(Handle, "_connect", counted)
    return modes
