"""What comes back out of the bin is what went in: every cell, flag, link and usage row, as far as the ids are free."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores.sqlite import merging
from tests.builders import StoreBuilder, T, full_plan
from tests.statements import overhear
from tests.stores.opened import delete, fingerprint, opened, refused, rows_of

TABLES = ("sessions", "messages", "session_model_usage", "messages_fts", "messages_fts_trigram")


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every cell of the store with its type, as bytes, so that also text that is no UTF-8 is compared."""
    with StoreBuilder(path) as store:
        return {table: sorted(store.sql(f"SELECT {_exact(store, table)} FROM {table}")) for table in TABLES}


def _exact(store: StoreBuilder, table: str) -> str:
    number = "rowid, " if "fts" in table else ""  # its messages' own numbers; elsewhere rowids mean nothing
    return number + ", ".join(
        f"typeof({name}) || ':' || hex(CAST({name} AS BLOB))" for name in sorted(store.columns(table))
    )


def numbers(path: Path, session: str) -> list[int]:
    return [row[0] for row in rows_of(path, f"SELECT id FROM messages WHERE session_id = '{session}'")]


async def test_a2_a_conversation_comes_back_with_all_that_went_with_it(filled: Path) -> None:
    before = contents(filled)
    async with opened(filled) as store:
        deletion = await delete(store, "d2")
        assert sorted(deletion.plan.ids) == ["d1", "d2", "d3", "d3s", "leg", "sub1", "sub2"]
        assert [session.id for session in deletion.plan.detached] == ["br1"]
        assert (await store.forest()).sessions["br1"].parent_id is None
        assert sorted((await store.forest()).sessions) == ["br1", "ferry"]
        restored = await store.restore(deletion.bin_id or "", dry_run=False)
        assert sorted(restored.restored_ids) == sorted(deletion.plan.ids)
        assert restored.taken_ids == []
        assert (await store.forest()).sessions["br1"].parent_id == "d2"
        assert await store.bin(10) == []
    assert contents(filled) == before


async def test_a3_a_deletion_leaves_no_row_behind(filled: Path) -> None:
    async with opened(filled) as store:
        await delete(store, "ferry")
        await delete(store, "d1")
    assert {table: len(rows) for table, rows in contents(filled).items()} == {
        "sessions": 1, "messages": 0, "session_model_usage": 0, "messages_fts": 0, "messages_fts_trigram": 0
    }  # fmt: skip
    assert rows_of(filled, "PRAGMA foreign_key_check") == []


async def test_a3_links_that_dangled_before_dangle_as_before(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("o1", parent="ghost")
        builder.message("o1")
        builder.session("s")
        builder.message("s")
    before = (contents(path), broken_links(path))
    async with opened(path) as store:
        for session in ("s", "o1"):
            await store.restore((await delete(store, session)).bin_id or "", dry_run=False)
    assert (contents(path), broken_links(path)) == before == (before[0], [("sessions", "sessions")])


def broken_links(path: Path) -> list[tuple[Any, ...]]:
    return [(table, parent) for table, _, parent, _ in rows_of(path, "PRAGMA foreign_key_check")]


async def test_cells_of_every_kind_come_back(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s", archived=1, system_prompt="p", input=2**63 - 1, cost=float("inf"), start="yesterday")
        builder.message("s", content=[{"type": "text", "text": "x"}], reasoning="because", active=0, compacted=1)
        builder.message("s", content=b"\xff\x00", token_count="many", active=0)
        number = builder.message("s")
        builder.sql(f"UPDATE messages SET content = CAST(x'ff41c328' AS TEXT) WHERE id = {number}")
        for at in range(130):
            builder.message("s", "assistant", f"reply {at}")
        builder.usage("s", task="compression", cost=0.01)
        builder.usage("s", cost=0.2)
    before = contents(path)
    async with opened(path) as store:
        deletion = await delete(store, "s")
        restored = await store.restore(deletion.bin_id or "", dry_run=False)
        assert (deletion.message_count, restored.message_count) == (133, 133)
    assert contents(path) == before


@pytest.mark.parametrize("number", [-5, -1, 0, 2**40])
async def test_a_message_with_an_unusual_number_comes_back(path: Path, number: int) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        builder.message("s", content="unusual", id=number)
        builder.message("s", content="usual")
    before = contents(path)
    async with opened(path) as store:
        await store.restore((await delete(store, "s")).bin_id or "", dry_run=False)
    assert contents(path) == before


async def test_a_session_whose_id_is_taken_is_left_out_and_named(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "d1")).bin_id or ""
        with StoreBuilder(filled) as builder:
            builder.session("d2", title="somebody else's")
        planned = await store.restore(entry, dry_run=True)
        done = await store.restore(entry, dry_run=False)
        assert (planned.restored_ids, planned.taken_ids) == (done.restored_ids, done.taken_ids)
        assert (done.taken_ids, "d2" in done.restored_ids) == (["d2"], False)
        forest = await store.forest()
        assert forest.sessions["d2"].title == "somebody else's"
        assert forest.sessions["d3"].title == "Plan #3"
    assert rows_of(filled, "PRAGMA foreign_key_check") == []


async def test_a_plan_to_restore_counts_what_will_come_back(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "d1")).bin_id or ""
        with StoreBuilder(filled) as builder:
            builder.session("d3s")
        planned, done = [await store.restore(entry, dry_run=dry_run) for dry_run in (True, False)]
        assert planned == done


async def test_a_title_that_somebody_has_taken_meanwhile_is_named_and_nothing_is_lost(filled: Path) -> None:
    """Titles are unique in a store; once the holder has another one, the session comes back with its own."""
    before = contents(filled)
    async with opened(filled) as store:
        entry = (await delete(store, "ferry")).bin_id or ""
        await store.rename("br1", "Ferry", Scope.SESSION)
        with refused(ErrorCode.TITLE_TAKEN, "belongs to session br1"):
            await store.restore(entry, dry_run=False)
        assert "ferry" not in (await store.forest()).sessions
        assert [kept.bin_id for kept in await store.bin(10)] == [entry]
        await store.rename("br1", None, Scope.SESSION)
        assert (await store.restore(entry, dry_run=False)).restored_ids == ["ferry"]
    assert contents(filled) == before


async def test_a_link_whose_parent_is_gone_is_left_out(filled: Path) -> None:
    async with opened(filled) as store:
        branch = (await delete(store, "br1")).bin_id or ""
        await delete(store, "d1", permanent=True)
        await store.restore(branch, dry_run=False)
        assert (await store.forest()).sessions["br1"].parent_id is None
    assert rows_of(filled, "PRAGMA foreign_key_check") == []


async def test_a_child_that_got_another_parent_meanwhile_keeps_it(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "d1")).bin_id or ""
        with StoreBuilder(filled) as builder:
            builder.set("sessions", "br1", parent_session_id="ferry")
        await store.restore(entry, dry_run=False)
        assert (await store.forest()).sessions["br1"].parent_id == "ferry"


async def test_a_detached_child_that_was_deleted_later_comes_back_linked_in_any_order(filled: Path) -> None:
    for first, second in ((0, 1), (1, 0)):
        async with opened(filled) as store:
            entries = [(await delete(store, session)).bin_id or "" for session in ("d1", "br1")]
            await store.restore(entries[first], dry_run=False)
            await store.restore(entries[second], dry_run=False)
            assert sorted((await store.forest()).sessions)[:4] == ["br1", "d1", "d2", "d3"]
    assert rows_of(filled, "PRAGMA foreign_key_check") == []


async def test_scope_session_takes_one_segment_and_brings_it_back(filled: Path) -> None:
    before = contents(filled)
    async with opened(filled) as store:
        deletion = await delete(store, "d2", Scope.SESSION)
        assert "d1" not in deletion.plan.ids
        assert "d3" in {session.id for session in deletion.plan.detached}
        await store.restore(deletion.bin_id or "", dry_run=False)
    assert contents(filled) == before


async def test_a_planned_restoration_changes_nothing(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "ferry")).bin_id or ""
        before = contents(filled), fingerprint(filled)
        planned = await store.restore(entry, dry_run=True)
        assert (planned.restored_ids, planned.message_count) == (["ferry"], 4)
        assert (contents(filled), len(await store.bin(10))) == (before[0], 1)


async def test_an_entry_is_restored_once(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "ferry")).bin_id or ""
        await store.restore(entry, dry_run=False)
        for dry_run in (True, False):
            with refused(ErrorCode.NOT_FOUND, "bin has no such entry"):
                await store.restore(entry, dry_run=dry_run)


async def test_a_live_session_and_a_locked_one_are_deleted_by_force_alone(path: Path) -> None:
    with StoreBuilder(path) as builder:
        full_plan(builder)
        builder.session("live", start=time.time() - 20)
        builder.session("locked", end=T)
        lock = {"session_id": "locked", "holder": "agent", "acquired_at": T, "expires_at": time.time() + 60}
        builder.insert("compression_locks", lock)
        builder.session("unlocked", end=T)
        builder.insert("compression_locks", lock | {"session_id": "unlocked", "expires_at": T})
    async with opened(path) as store:
        for session, words in (("live", "is live"), ("locked", "holds a lock")):
            with refused(ErrorCode.SESSION_BUSY, words):
                await delete(store, session)
            assert (await delete(store, session, force=True)).plan.ids == [session]
        assert (await delete(store, "unlocked")).plan.ids == ["unlocked"]


async def _segments_after_restoring(path: Path, meanwhile: str) -> list[tuple[Any, ...]]:
    """Of the index of words; the statement is another program's, between a deletion and its restoration."""
    async with opened(path) as store:
        deletion = await delete(store, "ferry")
        rows_of(path, meanwhile)
        before = numbers(path, "ferry")
        assert (await store.restore(deletion.bin_id or "", dry_run=False)).message_count == 4
        assert (before, len(numbers(path, "ferry"))) == ([], 4)
    return rows_of(path, "SELECT DISTINCT segid FROM messages_fts_idx ORDER BY segid")


async def test_nothing_but_a_great_index_is_merged_before_messages_come_back(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged = await _segments_after_restoring(filled, "SELECT 1")
    monkeypatch.setattr(merging, "MOST_PAGES", 0)
    left_alone = await _segments_after_restoring(filled, "SELECT 1")
    assert len(merged) == 1 + 4  # all that was there before, and each message
    assert len(left_alone) > len(merged)


async def test_an_index_may_be_merged_for_longer_than_a_statement_may_take(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow disk a restoration would be stopped in it each time."""
    limits: dict[str, float] = {}
    overhear(monkeypatch, limits.__setitem__)
    await _segments_after_restoring(filled, "SELECT 1")
    assert {limit for sql, limit in limits.items() if "'optimize'" in sql} == {merging.MERGE_SECONDS}
    assert {limit for sql, limit in limits.items() if sql == "COMMIT"} == {5.0}


async def test_messages_come_back_beside_an_index_that_cannot_be_merged(filled: Path) -> None:
    await _segments_after_restoring(filled, "UPDATE messages_fts_trigram_data SET block = zeroblob(20) WHERE id > 10")
    with StoreBuilder(filled) as store, pytest.raises(apsw.CorruptError):
        store.sql("INSERT INTO messages_fts_trigram (messages_fts_trigram) VALUES ('integrity-check')")
