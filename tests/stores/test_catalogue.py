"""The picture of a store that is kept in memory equals one that is read from nothing, whoever changes the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import Freshness
from hermes_sessions.stores.catalogue import MAX_AGE_SECONDS, Catalogue
from hermes_sessions.stores.own_changes import OwnChanges
from hermes_sessions.stores.seen import PREPARE
from tests.builders import StoreBuilder, T
from tests.stores.foreign import change
from tests.stores.opened import connected, fill, opened

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
        st.tuples(st.just("lose"), ids),
        st.tuples(st.just("clear"), ids, st.sampled_from([0, 1])),
        st.tuples(st.just("cell"), ids, st.sampled_from(["started_at", "input_tokens", "model"]), st.integers(0, 9)),
        st.tuples(st.just("look")),
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
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
        catalogue = Catalogue(watcher, reader, OwnChanges(path.parent / "marks", path))
        yield catalogue
        await catalogue.close()


def assert_same(kept: Forest, fresh: Forest) -> None:
    assert kept.sessions == fresh.sessions
    assert [kept.verdict(each) for each in kept.sessions] == [fresh.verdict(each) for each in kept.sessions]
    assert kept.conversations == fresh.conversations


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


async def test_a_commit_that_changes_no_session_keeps_what_was_derived(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        async with opened(path) as store:
            before = await store.forest()
            builder.sql("INSERT INTO state_meta VALUES ('heartbeat', '1')")
            assert await store.forest(Freshness.NOW) is before
            builder.set("sessions", "s", title="Another")
            assert await store.forest(Freshness.NOW) is not before


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


async def test_a_session_that_loses_all_its_messages_while_its_row_changes_has_none(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.message(agent.session("s"))
        async with opened(path) as store:
            assert (await store.forest()).sessions["s"].message_count == 1
            change(agent, "clear", "s", 0)
            assert (await store.forest(Freshness.NOW)).sessions["s"].message_count == 0


async def test_messages_without_a_session_count_once_it_comes_if_they_are_still_there(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("other")
        agent.message(agent.session("s"))
        async with opened(path) as store:

            async def counts() -> dict[str, int]:
                forest = await store.forest(Freshness.NOW)
                return {name: session.message_count for name, session in forest.sessions.items()}

            assert await counts() == {"other": 0, "s": 1}
            change(agent, "lose", "s")
            assert await counts() == {"other": 0}
            agent.message("other")
            assert await counts() == {"other": 1}
            agent.session("s")
            assert await counts() == {"other": 1, "s": 1}
            change(agent, "lose", "s")
            assert await counts() == {"other": 1}
            agent.sql("DELETE FROM messages WHERE session_id = 's'")
            assert await counts() == {"other": 1}
            agent.session("s")
            assert await counts() == {"other": 1, "s": 0}
