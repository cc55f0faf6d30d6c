"""Rule 3: SQLite alone opens and closes the files of a store; one plain close would drop our locks, and an agent's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores import database
from hermes_sessions.stores.sqlite import handle as sqlite_handle
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder
from tests.hermes.process import HermesProcess
from tests.stores.opened import bin_of, bin_path, delete, names_in, opened, read_everything

_listeners: list[list[str]] = []


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not _listeners or isinstance(arguments[0], int):
        return
    path, _, flags = arguments
    if not flags & os.O_EXCL:  # which opens no file that is there already
        _listeners[-1].append(os.path.abspath(os.fsdecode(path)))


sys.addaudithook(_listen)  # Python offers no way to take it away again


@contextmanager
def plain_opens() -> Iterator[list[str]]:
    """The paths that Python code opens in the block; SQLite's own openings are not among them."""
    opened: list[str] = []
    _listeners.append(opened)
    try:
        yield opened
    finally:
        _listeners.pop()


def files_of(path: Path) -> set[str]:
    return {f"{path}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")}


async def change_everything(store: SqliteStore) -> None:
    await store.rename("ferry", "Boat", Scope.SESSION)
    await store.archive("ferry", True, Scope.SESSION)
    await delete(store, "ferry", dry_run=True)
    entry = (await delete(store, "ferry")).bin_id
    await store.restore(entry or "", dry_run=True)
    await store.restore(entry or "", dry_run=False)
    await delete(store, "ferry", permanent=True)


def test_the_listener_hears(filled: Path) -> None:
    with plain_opens() as opens:
        filled.read_bytes()
    assert opens == [str(filled)]


async def test_no_file_of_a_store_is_opened_from_opening_to_shutdown(filled: Path) -> None:
    with plain_opens() as opens:
        async with opened(filled) as store:
            await read_everything(store)
            await change_everything(store)
            await read_everything(store)
    assert files_of(filled).isdisjoint(opens)


def damage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


async def test_a_damaged_store_is_not_opened_either(filled: Path) -> None:
    damage(filled)
    with plain_opens() as opens:
        async with opened(filled) as store:
            await store.state()
    assert files_of(filled).isdisjoint(opens)


async def test_an_open_bin_is_not_opened_as_a_plain_file(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bin is shared by several servers: closing a plain file would drop the locks of an entry being written."""
    monkeypatch.setattr(sqlite_handle, "BUSY_TIMEOUT_MS", 50)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    bin = bin_of(filled)
    async with bin.new_entry("Ferry", ["ferry"], 0):
        with plain_opens() as opens:
            for other in (bin.entries(10), bin.was_deleted("ferry"), bin.remember_deleted(["ferry"])):
                with suppress(HermesSessionsError):
                    await other
    assert files_of(bin_path(filled)).isdisjoint(opens)


async def test_our_locks_hold_while_a_store_is_read_and_changed(hermes: HermesProcess, filled: Path) -> None:
    """An agent that closes in order deletes the WAL when it holds the last lock: ours must still be there."""
    hermes.open(filled)
    async with opened(filled) as store:
        await read_everything(store)
        await store.rename("ferry", "Boat", Scope.SESSION)
        hermes.close()
        assert "state.db-wal" in names_in(filled.parent)
        with StoreBuilder(filled) as agent:
            agent.message("ferry", "user", "after the agent")
        assert (await read_everything(store))["forest"].sessions["ferry"].message_count == 5
