"""Rules 1 and 2 beside an agent that has lost its file locks: it keeps its WAL, and with it all that it committed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores.database import write_transaction
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.hermes.process import HermesProcess
from tests.stores.opened import delete, opened, read_everything, rows_of, state_of

SESSIONS = ("trip", "old", "spare")


def without_locks(hermes: HermesProcess, path: Path) -> HermesProcess:
    """The agent with a few sessions, all of them in its WAL only as far as it has not checkpointed, and no locks."""
    hermes.open(path)
    for session in SESSIONS:
        hermes.create_session(session, "telegram")
        hermes.append_message(session, "user", f"hello {session}")
        hermes.end_session(session, "cli_close")
    hermes.drop_posix_locks()
    return hermes


def assert_it_goes_on(hermes: HermesProcess, path: Path, expected: dict[str, list[str]]) -> None:
    """The agent writes one more message and dies; whoever opens the store then finds everything."""
    hermes.append_message("trip", "user", "one more")
    hermes.kill()
    found: dict[str, list[str]] = {}
    for session, content in rows_of(path, "SELECT session_id, content FROM messages ORDER BY id"):
        found.setdefault(session, []).append(content)
    assert found == {**expected, "trip": ["hello trip", "one more"]}
    assert rows_of(path, "PRAGMA integrity_check") == [("ok",)]


ALL = {session: [f"hello {session}"] for session in SESSIONS}


async def test_it_keeps_its_wal_through_reads_and_shutdown(hermes: HermesProcess, path: Path) -> None:
    without_locks(hermes, path)
    before = (state_of(path), state_of(path, "-wal"))
    async with opened(path) as store:
        assert set((await read_everything(store))["forest"].sessions) == set(SESSIONS)
    assert (state_of(path), state_of(path, "-wal")) == before
    assert_it_goes_on(hermes, path, ALL)


async def rename(store: SqliteStore) -> None:
    await store.rename("trip", "Porto", Scope.SESSION)


async def archive(store: SqliteStore) -> None:
    await store.archive("old", True, Scope.SESSION)


async def delete_and_restore(store: SqliteStore) -> None:
    entry = (await delete(store, "spare", force=True)).bin_id
    assert entry is not None
    await store.restore(entry, dry_run=False)


@pytest.mark.parametrize("change", [rename, archive, delete_and_restore])
async def test_it_keeps_its_wal_through_a_change_and_shutdown(
    hermes: HermesProcess, path: Path, change: Callable[[SqliteStore], Awaitable[None]]
) -> None:
    without_locks(hermes, path)
    file, wal = state_of(path), state_of(path, "-wal")
    async with opened(path) as store:
        await change(store)
    assert state_of(path) == file
    assert state_of(path, "-wal").inode == wal.inode
    assert state_of(path, "-wal").size > wal.size
    assert_it_goes_on(hermes, path, ALL)


async def test_it_sees_a_deletion_by_us_and_goes_on(hermes: HermesProcess, path: Path) -> None:
    without_locks(hermes, path)
    async with opened(path) as store:
        await delete(store, "spare", force=True)
    assert hermes.get_session("spare") is None
    assert_it_goes_on(hermes, path, {"old": ["hello old"]})


async def test_a_writer_alone_is_not_the_only_connection_of_ours(hermes: HermesProcess, path: Path) -> None:
    """The transaction itself makes a reader look first, also when nobody has asked for anything before."""
    without_locks(hermes, path)
    wal = state_of(path, "-wal")
    async with write_transaction(path, 5) as writer:
        await writer.execute("UPDATE sessions SET title = 'Porto' WHERE id = 'trip'")
    assert state_of(path, "-wal").inode == wal.inode
    assert_it_goes_on(hermes, path, ALL)
