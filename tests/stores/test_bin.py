"""The bin: a file of our own, readable by its owner alone, whose entries outlive the server and end in time."""

from __future__ import annotations

import asyncio
import stat
import time
from pathlib import Path

import apsw
import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores import database
from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.clock import DAY
from hermes_sessions.stores.store_rows import Link
from tests.builders import StoreBuilder
from tests.stores.opened import bin_of, bin_path, delete, fill, fingerprint, opened, refused, rows_of, texts
from tests.stores.test_reading import count_openings


async def add(bin: FileBin, title: str = "Ferry", session: str = "ferry") -> str:
    """As a deletion does."""
    await bin.until_free()
    async with bin.new_entry(title, [session], 10) as entry:
        await entry.add_rows("messages", ["{}"])
        await entry.add_links([Link(session, "parent")])
    return entry.bin_id


async def titles(bin: FileBin) -> list[str | None]:
    return [entry.title for entry in await bin.entries(100)]


async def test_it_is_readable_by_its_owner_alone(filled: Path) -> None:
    async with bin_of(filled).new_entry("Ferry", ["ferry"], 10):
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in bin_path(filled).parent.iterdir()}
    assert modes == {"bin.db": 0o600, "bin.db-wal": 0o600, "bin.db-shm": 0o600}
    assert stat.S_IMODE(bin_path(filled).parent.stat().st_mode) == 0o700


async def test_it_is_made_when_first_needed(filled: Path) -> None:
    async with opened(filled) as store:
        assert await store.bin(10) == []
        await delete(store, "ferry", dry_run=True)
        assert not bin_path(filled).exists()
        await delete(store, "ferry")
        assert bin_path(filled).exists()


async def test_an_entry_survives_a_restart(filled: Path) -> None:
    async with opened(filled) as store:
        deletion = await delete(store, "ferry")
    async with opened(filled) as store:
        [entry] = await store.bin(10)
        assert (entry.bin_id, entry.title, entry.session_ids) == (deletion.bin_id, "Ferry", ["ferry"])
        assert (entry.message_count, entry.size_bytes) == (4, deletion.size_bytes)
        assert abs(entry.deleted_at - time.time()) < 60
        assert entry.expires_at == entry.deleted_at + 30 * DAY
        assert (await store.restore(entry.bin_id, dry_run=False)).message_count == 4


def stored_titles(path: Path) -> list[object]:
    """Of all entries, listed or not, in the order of their moments."""
    return [title for (title,) in rows_of_bin(path, "SELECT title FROM entry ORDER BY deleted_at, rowid")]


def rows_of_bin(path: Path, statement: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(bin_path(path)))
    try:
        return list(connection.execute(statement))
    finally:
        connection.close()


async def test_0_days_keep_nothing(filled: Path) -> None:
    async with opened(filled, days=0) as store:
        deletion = await delete(store, "ferry")
        assert (deletion.bin_id, deletion.message_count) == (None, 4)
        assert await store.bin(10) == []
        assert (await delete(store, "ferry")).already_absent
    assert rows_of_bin(filled, "SELECT count(*) FROM entry") == [(0,)]
    assert rows_of(filled, "SELECT count(*) FROM messages WHERE session_id = 'ferry'") == [(0,)]


async def test_permanent_keeps_nothing(filled: Path) -> None:
    async with opened(filled) as store:
        assert (await delete(store, "ferry", permanent=True)).bin_id is None
        assert await store.bin(10) == []
        assert (await delete(store, "ferry")).already_absent


async def test_an_entry_whose_block_fails_is_not_there(path: Path) -> None:
    async def fail() -> None:
        async with bin_of(path).new_entry("Ferry", ["ferry"], 10) as entry:
            await entry.add_rows("messages", ["{}"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await titles(bin_of(path)) == []


async def test_entries_are_the_newest_first_and_of_one_store(path: Path) -> None:
    for number in range(3):
        await add(bin_of(path), f"entry {number}")
    other = FileBin(bin_path(path), path.with_name("other.db"), "other", 30, 5)
    await add(other, "of the other")
    assert await titles(bin_of(path)) == ["entry 2", "entry 1", "entry 0"]
    assert [entry.title for entry in await bin_of(path).entries(1)] == ["entry 2"]
    assert await titles(other) == ["of the other"]


async def test_ids_that_were_deleted_are_remembered_by_store(path: Path) -> None:
    bin, other = bin_of(path), FileBin(bin_path(path), path.with_name("other.db"), "other", 30, 5)
    await bin.remember_deleted(["ferry"])
    assert (await bin.was_deleted("ferry"), await bin.was_deleted("fer"), await other.was_deleted("ferry")) == (
        True, False, False
    )  # fmt: skip


async def test_it_can_be_listed_while_an_entry_is_being_written(filled: Path) -> None:
    """A deletion of many messages takes a while, also one in another profile or by another server."""
    await add(bin_of(filled), "earlier")
    async with bin_of(filled).new_entry("Ferry", ["ferry"], 10):
        assert await titles(bin_of(filled)) == ["earlier"]


async def test_two_entries_at_once_wait_for_each_other(path: Path) -> None:
    """For longer than SQLite's own timeout, as changes of a store do."""
    bin = bin_of(path)
    await add(bin, "earlier")

    async def slowly() -> None:
        async with bin.new_entry("slow", ["s"], 10):
            await asyncio.sleep(1.5)

    slow = asyncio.create_task(slowly())
    await asyncio.sleep(0.1)
    await bin.until_free()
    await add(bin, "quick")
    await slow
    assert set(await titles(bin)) == {"earlier", "slow", "quick"}


async def test_a_bin_that_stays_locked_is_not_waited_for_while_the_store_is_locked(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(filled) as store:
        await delete(store, "br1")
        with StoreBuilder(bin_path(filled)) as other, StoreBuilder(filled) as agent:
            agent.sql("PRAGMA busy_timeout = 0")
            other.sql("BEGIN IMMEDIATE")
            monkeypatch.setattr(database, "BUSY_SECONDS", 0.5)
            deletion = asyncio.create_task(delete(store, "ferry"))
            while not deletion.done():
                agent.set("sessions", "ferry", title="Ferry")
                await asyncio.sleep(0.02)
            with refused(ErrorCode.STORE_BUSY, "bin.db"):
                await deletion


async def test_listing_it_writes_nothing(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await add(bin_of(filled), session="gone")
    openings = count_openings(bin_path(filled), monkeypatch)
    async with opened(filled, read_only=True) as store:
        assert len(await store.bin(10)) == 1
    assert set(openings) == {"ro"}


async def test_a_deletion_writes_to_it_once(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the agent waits: each opening, and the file's own end, takes as long as the deletion."""
    async with opened(filled) as store:
        openings = count_openings(bin_path(filled), monkeypatch)
        await delete(store, "ferry")
        assert openings == ["rwc"]
        assert (await delete(store, "ferry")).already_absent


async def test_a_deletion_whose_commit_fails_leaves_the_store_unchanged(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.sql("CREATE TABLE notes (session_id TEXT REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED)")
        builder.sql("INSERT INTO notes VALUES ('ferry')")
    tables = ("sessions", "messages", "session_model_usage", "messages_fts", "notes")
    before = [rows_of(filled, f"SELECT * FROM {table}") for table in tables]
    async with opened(filled) as store:
        with refused(ErrorCode.UNSUPPORTED_STORE):
            await delete(store, "ferry")
        assert len(await texts(store, "ferry")) == 4
        assert await store.bin(10) == []
        with StoreBuilder(filled) as builder:
            builder.sql("DELETE FROM notes")
        assert not (await delete(store, "ferry", dry_run=True)).already_absent
    assert [rows_of(filled, f"SELECT * FROM {table}") for table in tables[:-1]] == before[:-1]


async def test_entries_of_what_is_there_are_not_listed_and_do_not_shorten_the_list(filled: Path) -> None:
    """Such as those of deletions that were cut off."""
    bin = bin_of(filled)
    for number in range(5):
        await add(bin, f"gone {number}", session=f"gone-{number}")
        await add(bin, f"ferry {number}")
    async with opened(filled) as store:
        listed = [[entry.title for entry in await store.bin(limit)] for limit in (0, 2, 10)]
    assert listed == [[], ["gone 4", "gone 3"], [f"gone {number}" for number in (4, 3, 2, 1, 0)]]


async def test_a_restoration_is_done_although_the_bin_cannot_be_written(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(filled) as store:
        deletion = await delete(store, "ferry")
        with StoreBuilder(bin_path(filled)) as other:
            monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)
            other.sql("BEGIN IMMEDIATE")
            answer = await store.restore(deletion.bin_id or "", dry_run=False)
        assert answer.restored_ids == ["ferry"]
        assert len(await texts(store, "ferry")) == 4
        assert await store.bin(10) == []
        assert not (await delete(store, "ferry", dry_run=True)).already_absent


async def test_a_deletion_whose_bin_cannot_be_written_leaves_the_store_unchanged(filled: Path) -> None:
    before = rows_of(filled, "SELECT * FROM messages")
    bin_path(filled).parent.mkdir()
    bin_path(filled).write_bytes(b"These are no rows but words." * 100)
    async with opened(filled) as store:
        with refused(ErrorCode.STORE_DAMAGED, "bin.db"):
            await delete(store, "ferry")
        assert "ferry" in (await store.forest()).sessions
        assert (await delete(store, "ferry", permanent=True, dry_run=True)).message_count == 4
    assert rows_of(filled, "SELECT * FROM messages") == before


async def test_r2_a_deleted_id_does_not_slide_to_its_neighbour(path: Path) -> None:
    with StoreBuilder(path) as builder:
        fill(builder)
        for session in ("20260201_100000_abc1", "20260201_100000_abc123"):
            builder.session(session)
    async with opened(path) as store:
        first = await store.delete(
            "20260201_100000_abc1", Scope.CONVERSATION, exact=False, permanent=False, force=False, dry_run=False
        )
        assert first.plan.ids == ["20260201_100000_abc1"]
        again = await store.delete(
            "20260201_100000_abc1", Scope.CONVERSATION, exact=False, permanent=False, force=False, dry_run=False
        )
        assert (again.already_absent, again.plan.ids) == (True, [])
        assert "20260201_100000_abc123" in (await store.forest()).sessions
        await store.restore(first.bin_id or "", dry_run=False)
        assert (await delete(store, "20260201_100000_abc1")).plan.ids == ["20260201_100000_abc1"]


async def test_a_planned_deletion_changes_nothing(filled: Path) -> None:
    before = fingerprint(filled)
    async with opened(filled) as store:
        planned = await delete(store, "d1", dry_run=True)
        assert fingerprint(filled) == before
        done = await delete(store, "d1")
    assert (planned.plan, planned.message_count, planned.size_bytes) == (
        done.plan, done.message_count, done.size_bytes
    )  # fmt: skip
    assert (planned.bin_id, planned.already_absent) == (None, False)
