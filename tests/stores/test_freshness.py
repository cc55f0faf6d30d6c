"""How old a picture of a store may be: never older than our own changes, little older than those of others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model import lineage
from hermes_sessions.model.bulk import ErrorPolicy
from hermes_sessions.model.families import Families
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import BulkDeletion, Freshness
from hermes_sessions.stores import catalogue
from hermes_sessions.stores.catalogue import MAX_AGE_SECONDS
from hermes_sessions.stores.own_changes import OwnChanges
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder
from tests.stores.foreign import change
from tests.stores.opened import as_if_reading_took, delete, opened, refused


async def own_rename(store: SqliteStore) -> bool:
    await store.rename("ferry", "Boat", Scope.SESSION)
    return (await store.forest()).sessions["ferry"].title == "Boat"


async def own_archive(store: SqliteStore) -> bool:
    await store.archive("d1", True, Scope.CONVERSATION)
    return (await store.forest()).conversation_of("d1").tip.archived


async def own_delete(store: SqliteStore) -> bool:
    await delete(store, "ferry")
    return "ferry" not in (await store.forest()).sessions


@pytest.mark.parametrize("act", [own_rename, own_archive, own_delete])
async def test_an_own_change_is_seen_at_once(filled: Path, act: Callable[[SqliteStore], Any]) -> None:
    async with opened(filled) as store:
        await as_if_reading_took(60.0, store)
        assert await act(store)


@pytest.mark.parametrize("act", [own_rename, own_archive, own_delete])
async def test_a_change_through_another_process_of_ours_is_seen_at_once(
    filled: Path, act: Callable[[SqliteStore], Any]
) -> None:
    async with opened(filled) as store, opened(filled) as other:
        for each in (store, other):
            await as_if_reading_took(60.0, each)
        before = await other.forest()
        assert await act(store)
        after = await other.forest()
        assert after is not before
        assert after.sessions == (await store.forest()).sessions


def test_a_change_is_known_by_whatever_path_its_store_is_opened(filled: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(filled.parent)
    marks = tmp_path / "marks"
    here, there = OwnChanges(marks, filled), OwnChanges(marks, link / filled.name)
    before = there.mark()
    here.move()
    assert there.mark() != before


async def test_an_own_change_is_seen_where_nothing_can_be_kept_beside_the_bin(filled: Path) -> None:
    async with opened(filled) as store:
        store._catalogue._own_changes._path = filled / "no folder" / "mark"
        await as_if_reading_took(60.0, store)
        assert await own_rename(store)


async def test_an_own_change_is_seen_at_once_by_questions_that_run_beside_it(filled: Path) -> None:
    async with opened(filled) as store:
        for number in range(30):
            reading = [asyncio.create_task(store.forest()) for _ in range(3)]
            await store.rename("ferry", f"Boat {number}", Scope.SESSION)
            assert (await store.forest()).sessions["ferry"].title == f"Boat {number}"
            await asyncio.gather(*reading)


async def test_an_own_change_is_seen_while_another_question_is_still_reading_it(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(*reading: Any) -> Any:
        time.sleep(0.2)
        return work_out(*reading)

    work_out = catalogue._known_after
    async with opened(filled) as store:
        await as_if_reading_took(60.0, store)
        with StoreBuilder(filled) as agent:
            change(agent, "title", "ferry", "Boat")
        store._catalogue.forget()
        monkeypatch.setattr(catalogue, "_known_after", slowly)
        another = asyncio.create_task(store.forest())
        await asyncio.sleep(0.1)
        assert (await store.forest()).sessions["ferry"].title == "Boat"
        await another


@pytest.mark.parametrize("what", ["title", "end", "append", "archive", "delete", "usage"])
async def test_a_change_by_another_program_is_seen_within_two_seconds(filled: Path, what: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "title": ("Boat",), "end": ("compression",), "append": (1, 0), "archive": (1,), "delete": (), "usage": (0.5,)
    }  # fmt: skip
    async with opened(filled) as store:
        before = (await store.forest()).sessions["ferry"]
        await as_if_reading_took(60.0, store)
        with StoreBuilder(filled) as agent:
            change(agent, what, "ferry", *arguments[what])
            started = time.monotonic()
            while (await store.forest()).sessions.get("ferry") == before:
                assert time.monotonic() - started < 2
                await asyncio.sleep(0.02)


async def test_a_change_is_worked_out_on_what_is_there_once_it_has_the_lock(filled: Path) -> None:
    async with opened(filled) as store:
        await as_if_reading_took(60.0, store)
        with StoreBuilder(filled) as agent:
            agent.session("ferry-2")
        with refused(ErrorCode.AMBIGUOUS_ID):
            await store.rename("ferr", "Boat", Scope.SESSION)
        await as_if_reading_took(60.0, store)
        with StoreBuilder(filled) as agent:
            agent.session("side", parent="ferry", delegate_from="ferry")
        assert set((await delete(store, "ferry")).plan.ids) == {"ferry", "side"}


async def test_a_deletion_sorts_all_sessions_into_conversations_before_it_has_the_lock(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sort = lineage.families_of
    sorted_with_the_lock_free: list[bool] = []

    def look_at_the_lock(sessions: Mapping[str, Session]) -> Families:
        try:
            agent.sql("BEGIN IMMEDIATE")
        except apsw.BusyError:
            sorted_with_the_lock_free.append(False)
        else:
            agent.sql("ROLLBACK")
            sorted_with_the_lock_free.append(True)
        return sort(sessions)

    with StoreBuilder(filled) as agent:
        agent.sql("PRAGMA busy_timeout = 0")
        monkeypatch.setattr(lineage, "families_of", look_at_the_lock)
        async with opened(filled) as store:
            await delete(store, "ferry")
            order = BulkDeletion(["br1"], Scope.CONVERSATION, ErrorPolicy.SKIP_FAILED)
            assert (await store.delete_many(order)).changed_ids == ["br1"]
    assert set(sorted_with_the_lock_free) == {True}


async def test_where_reading_takes_long_the_present_picture_answers_while_a_new_one_is_read(filled: Path) -> None:
    async with opened(filled) as store:
        await as_if_reading_took(60.0, store)
        store._catalogue._rested_at = 0.0
        with StoreBuilder(filled) as agent:
            change(agent, "title", "ferry", "Boat")
        assert (await store.forest()).sessions["ferry"].title == "Ferry"
        async with asyncio.timeout(MAX_AGE_SECONDS / 2):  # sooner than anybody would have waited for it
            while (await store.forest()).sessions["ferry"].title != "Boat":
                await asyncio.sleep(0.01)


async def test_a_reading_goes_on_when_the_question_that_began_it_is_cancelled(filled: Path) -> None:
    async with opened(filled) as store:
        asked = asyncio.create_task(store.forest())
        await asyncio.sleep(0)
        while store._catalogue._reading is None:
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.wait([store._catalogue._reading])
        assert store._catalogue._picture is not None


async def test_nobody_meets_a_reading_that_is_over(filled: Path) -> None:
    """Who waited for it would come back at once, without letting anybody else run, for ever."""
    async with opened(filled) as store:
        for _ in range(20):
            reading = store._catalogue._begin()
            while not reading.done():
                await asyncio.sleep(0)
            assert store._catalogue._reading is not reading


async def test_after_a_reading_that_failed_nothing_that_it_saw_is_lost(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    async with opened(filled) as store:
        await store.forest()
        with StoreBuilder(filled) as agent:
            change(agent, "title", "ferry", "Boat")
        with monkeypatch.context() as patch:
            patch.setattr(catalogue, "_known_after", fail)
            with pytest.raises(ZeroDivisionError):
                await store.forest(Freshness.NOW)
        assert (await store.forest(Freshness.NOW)).sessions["ferry"].title == "Boat"
