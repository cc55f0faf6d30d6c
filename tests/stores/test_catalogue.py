"""The picture of a store that is kept in memory equals one that is read from nothing, whoever changes the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model import lineage
from hermes_sessions.model.bulk import ErrorPolicy
from hermes_sessions.model.families import Families
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import BulkDeletion, Freshness
from hermes_sessions.stores import catalogue
from hermes_sessions.stores.catalogue import MAX_AGE_SECONDS, Catalogue
from hermes_sessions.stores.seen import PREPARE
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder, T
from tests.stores.opened import as_if_reading_took, connected, delete, fill, opened, refused

IDS = [f"s{number}" for number in range(6)]
Change = tuple[Any, ...]

ids = st.sampled_from(IDS)
reasons = st.sampled_from([None, "compression", "branched", "session_reset", "cli_close"])
changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), ids, st.none() | ids, st.sampled_from([None, *IDS])),
        st.tuples(st.just("append"), ids, st.sampled_from([0, 1]), st.sampled_from([0, 1])),
        st.tuples(st.just("end"), ids, reasons),
        st.tuples(st.just("archive"), ids, st.sampled_from([0, 1])),
        st.tuples(st.just("title"), ids, st.none() | st.text(max_size=5)),
        st.tuples(st.just("rewind"), ids),
        st.tuples(st.just("usage"), ids, st.floats(0, 1)),
        st.tuples(st.just("delete"), ids),
        st.tuples(st.just("cell"), ids, st.sampled_from(["started_at", "input_tokens", "model"]), st.integers(0, 9)),
        st.tuples(st.just("look")),
    ),
    max_size=25,
)


def change(store: StoreBuilder, what: str, *arguments: Any) -> None:
    """One change by another program, as far as it applies to what is there."""
    session = arguments[0]
    match what:
        case "add":
            store.sql("DELETE FROM sessions WHERE id = ?", (session,))
            store.session(session, parent=arguments[1], branched_from=arguments[2])
        case "append":
            store.message(session, active=arguments[1], compacted=arguments[2])
        case "end":
            store.set("sessions", session, end_reason=arguments[1], ended_at=T + 10 if arguments[1] else None)
        case "archive":
            store.set("sessions", session, archived=arguments[1])
        case "title":
            store.sql("UPDATE OR IGNORE sessions SET title = ? WHERE id = ?", (arguments[1], session))
        case "rewind":
            store.sql("UPDATE messages SET active = 1 - active WHERE session_id = ?", (session,))
        case "usage":
            store.sql("DELETE FROM session_model_usage WHERE session_id = ?", (session,))
            store.usage(session, task="compression", cost=arguments[1])
        case "delete":
            store.sql("DELETE FROM messages WHERE session_id = ?", (session,))
            store.sql("DELETE FROM sessions WHERE id = ?", (session,))
        case "cell":
            store.set("sessions", session, **{arguments[1]: arguments[2]})


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(changes)
def test_any_changes_by_others_lead_to_the_picture_that_is_read_from_nothing(done: list[Change]) -> None:
    with TemporaryDirectory() as directory:
        asyncio.run(check(Path(directory) / "state.db", done))


async def check(path: Path, done: list[Change]) -> None:
    with StoreBuilder(path) as agent:
        async with catalogue_of(path) as kept_true:
            for each in done:
                if each == ("look",):
                    kept_true.forget()
                    await kept_true.picture()
                else:
                    change(agent, *each)
            kept_true.forget()
            kept = (await kept_true.picture()).forest
        async with catalogue_of(path) as fresh_one:
            fresh = (await fresh_one.picture()).forest
    assert_same(kept, fresh)


@asynccontextmanager
async def catalogue_of(path: Path) -> AsyncIterator[Catalogue]:
    async with connected(path) as watcher, connected(path, prepare=PREPARE) as reader:
        catalogue = Catalogue(watcher, reader)
        yield catalogue
        await catalogue.close()


def assert_same(kept: Forest, fresh: Forest) -> None:
    assert kept.sessions == fresh.sessions
    assert [kept.verdict(each) for each in kept.sessions] == [fresh.verdict(each) for each in kept.sessions]
    assert kept.conversations == fresh.conversations


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


async def test_an_unchanged_store_is_not_read_again(filled: Path) -> None:
    async with opened(filled) as store:
        first = await store.forest()
        await asyncio.sleep(MAX_AGE_SECONDS / 4)
        assert await store.forest() is first


async def test_what_has_not_changed_is_taken_over(filled: Path) -> None:
    async with opened(filled) as store:
        before = await store.forest()
        await store.rename("ferry", "Boat", Scope.SESSION)
        after = await store.forest()
        assert after.sessions["d1"] is before.sessions["d1"]
        assert after.sessions["ferry"] is not before.sessions["ferry"]


async def test_a_column_that_comes_while_we_look_is_read(filled: Path) -> None:
    """Hermes migrates the store while we serve it."""
    async with opened(filled) as store:
        assert (await store.forest()).sessions["ferry"].last_activity_at is None
        with StoreBuilder(filled) as agent:
            agent.sql("ALTER TABLE sessions ADD COLUMN last_activity_at REAL")
            agent.set("sessions", "ferry", last_activity_at=T + 999)
            store._catalogue.forget()
            assert (await store.forest()).sessions["ferry"].last_activity_at == T + 999


async def test_one_picture_is_of_one_moment(path: Path) -> None:
    """Each commit puts a session with its message into another's place: no picture shows one without the other."""
    with StoreBuilder(path) as agent:
        fill(agent)
        async with opened(path) as store:

            async def write() -> None:
                for number in range(100):
                    agent.sql("BEGIN")
                    change(agent, "delete", f"n{number - 1}")
                    agent.message(agent.session(f"n{number}"))
                    agent.sql("COMMIT")
                    await asyncio.sleep(0.001)

            writing = asyncio.create_task(write())
            while not writing.done():
                store._catalogue.forget()
                added = [session for name, session in (await store.forest()).sessions.items() if name[0] == "n"]
                assert [session.message_count for session in added] == [1] * len(added)
            await writing


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


async def test_a_commit_that_changes_no_session_keeps_what_was_derived(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        async with opened(path) as store:
            before = await store.forest()
            builder.sql("INSERT INTO state_meta VALUES ('heartbeat', '1')")
            assert await store.forest(Freshness.NOW) is before
            builder.set("sessions", "s", title="Another")
            assert await store.forest(Freshness.NOW) is not before


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


async def test_a_session_that_gets_the_row_of_one_that_has_gone_takes_its_place(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("first")
        agent.session("last")
        async with opened(path) as store:
            assert set((await store.forest()).sessions) == {"first", "last"}
            agent.sql("DELETE FROM sessions WHERE id = 'last'")
            agent.session("next")
            assert set((await store.forest(Freshness.NOW)).sessions) == {"first", "next"}


async def test_a_message_that_becomes_a_compacted_one_is_counted_anew(path: Path) -> None:
    """No index holds that column."""
    with StoreBuilder(path) as agent:
        agent.session("s")
        agent.message("s", active=0, compacted=0)
        async with opened(path) as store:
            assert (await store.forest()).sessions["s"].message_count == 0
            agent.sql("UPDATE messages SET compacted = 1")
            assert (await store.forest(Freshness.NOW)).sessions["s"].message_count == 1
