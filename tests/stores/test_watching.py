"""What a live store tells those who wait: a pulse after each commit, and how a conversation goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import Freshness, Pulse, Tail
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.sqlite import watching as sqlite_watching
from hermes_sessions.stores.sqlite.store import SqliteStore
from hermes_sessions.stores.tails import read_tail
from tests.builders import SCHEMA_8, StoreBuilder, T
from tests.stores.opened import as_if_reading_took, delete, names_in, opened, remove
from tests.stores.test_replaced import held_files, make_other, replace

SOON = 0.02


class Watch:
    """The pulses of a store, one at a time."""

    def __init__(self, store: SqliteStore) -> None:
        self._pulses = store.watch(SOON)

    async def next(self) -> Pulse:
        async with asyncio.timeout(5):
            return await anext(self._pulses)

    async def is_quiet(self) -> bool:
        """For long enough to be asked many times; it is over then."""
        try:
            async with asyncio.timeout(10 * SOON):
                await anext(self._pulses)
        except TimeoutError:
            return True
        return False

    async def close(self) -> None:
        await self._pulses.aclose()


@contextlib.asynccontextmanager
async def watching(path: Path) -> AsyncIterator[tuple[SqliteStore, Watch]]:
    async with opened(path) as store:
        watch = Watch(store)
        try:
            yield store, watch
        finally:
            await watch.close()


async def test_a_pulse_comes_at_once_and_after_each_commit(filled: Path) -> None:
    async with watching(filled) as (store, watch):
        first = await watch.next()
        with StoreBuilder(filled) as agent:
            agent.message("ferry", "user", "by another program")
            assert await watch.next() == first
        await store.rename("ferry", "By ourselves", Scope.SESSION)
        assert await watch.next() == first
        assert await watch.is_quiet()


async def test_another_file_is_another_store(filled: Path) -> None:
    other = make_other(filled)
    async with watching(filled) as (_, watch):
        first = await watch.next()
        replace(filled, other)
        second = await watch.next()
        assert None not in (first.store, second.store)
        assert first != second


async def test_a_store_that_comes_goes_and_comes_is_told(path: Path) -> None:
    async with watching(path) as (_, watch):
        assert await watch.next() == Pulse(None)
        with StoreBuilder(path) as agent:
            agent.session("a")
            assert (await watch.next()).store is not None
        remove(path, "", "-wal", "-shm")
        while (pulse := await watch.next()).store is not None:
            pass
        assert pulse == Pulse(None)
        assert names_in(path.parent) == []


async def test_what_cannot_be_opened_is_told_once_and_waited_out(filled: Path) -> None:
    aside = filled.with_name("aside.db")
    async with watching(filled) as (_, watch):
        first = await watch.next()
        os.rename(filled, aside)
        os.symlink(aside, filled)
        assert await watch.next() != first
        assert await watch.is_quiet()
    os.rename(aside, filled)
    async with watching(filled) as (_, watch):
        assert await watch.next() == first


async def test_nothing_is_held_when_nobody_watches_any_more(filled: Path) -> None:
    async with opened(filled) as store:
        watch = Watch(store)
        await watch.next()
        assert held_files(filled)
        await watch.close()
        assert held_files(filled) == []


async def tail_of(store: SqliteStore, start: str, after: int = 0, tip: str | None = None, limit: int = 100) -> Tail:
    tail = await store.tail(start, after=after, tip=tip, limit=limit)
    assert tail is not None
    return tail


async def ids(store: SqliteStore, start: str, after: int = 0, limit: int = 100) -> list[int]:
    return [message.id for message in (await tail_of(store, start, after, limit=limit)).messages]


async def test_a_tail_holds_the_messages_of_all_segments_after_a_message(filled: Path) -> None:
    with StoreBuilder(filled) as agent:
        numbers = [agent.message(session) for session in ("d1", "ferry", "d3", "d3s", "d2", "d3")]
    async with opened(filled) as store:
        tail = await tail_of(store, "d1", after=numbers[0])
        assert list(tail.segments) == ["d1", "d2", "d3"]
        assert [message.id for message in tail.messages] == [numbers[2], numbers[4], numbers[5]]
        assert (tail.newest, tail.skipped) == (numbers[-1], False)
        assert await ids(store, "d1", after=numbers[0], limit=2) == [numbers[2], numbers[4]]


async def test_the_segments_are_those_of_the_whole_picture(filled: Path) -> None:
    """Whatever the case: the narrow statement and the model over all sessions choose the same continuation."""
    with StoreBuilder(filled) as agent:
        for number in range(12):
            parent = f"x{number - number % 3 - 3}" if number >= 3 else None
            agent.session(
                f"x{number}",
                parent=parent,
                start=T + number,
                end=T + 50 + number if number % 2 else None,
                end_reason="compression" if number % 3 == 0 else "cli_close" if number % 2 else None,
                delegate_from=parent if number == 7 else None,
            )
            agent.message(f"x{number}", at=T + 99 * (number % 4))
    async with opened(filled) as store:
        forest = await store.forest()
        found = {head: [s.id for s in talk.segments] for head, talk in forest.conversations.items()}
        assert any(len(segments) > 2 for segments in found.values())
        assert {head: list((await tail_of(store, head)).segments) for head in found} == found


async def test_rewound_messages_and_carried_copies_are_not_told(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("a")
        old = agent.message("a", "user", "first", at=T + 1, active=0, compacted=1)
        agent.message("a", "user", "taken back", at=T + 2, active=0)
        agent.message("a", "user", "first", at=T + 1)
        new = agent.message("a", "user", "first", at=T + 3)
    async with opened(path) as store:
        assert await ids(store, "a") == [old, new]


@pytest.mark.parametrize("behind", [10, 3000])
async def test_near_and_far_the_same_messages_are_found(path: Path, behind: int) -> None:
    with StoreBuilder(path) as agent:
        agent.session("a")
        agent.session("b")
        agent.sql("BEGIN")
        mine = [agent.message("a" if number % 7 == 0 else "b", at=T - number) for number in range(behind)][::7]
        agent.sql("COMMIT")
    async with opened(path) as store:
        assert await ids(store, "a", limit=1000) == mine


async def test_an_early_store_has_a_tail(path: Path) -> None:
    with StoreBuilder(path, columns=SCHEMA_8) as agent:
        agent.session("a", end=T + 1, end_reason="compression")
        agent.session("b", parent="a", start=T + 1)
        numbers = [agent.message("a"), agent.message("b")]
    async with opened(path) as store:
        assert await ids(store, "a") == numbers


async def test_a_chain_that_goes_on_elsewhere_is_told(filled: Path) -> None:
    with StoreBuilder(filled) as agent:
        told = agent.message("d3", at=T + 300)
        agent.message("d3s", at=T + 206)
        async with opened(filled) as store:
            assert not (await tail_of(store, "d1", told, "d3")).skipped
            agent.set("sessions", "d3s", ended_at=None, end_reason=None)
            agent.message("d3s", at=T + 400)
            changed = await tail_of(store, "d1", told, "d3")
            assert (changed.segments[-1], changed.skipped) == ("d3s", True)


async def test_a_continuation_with_messages_from_before_is_told(filled: Path) -> None:
    with StoreBuilder(filled) as agent:
        agent.session("d4", parent="d3", start=T + 300)
        early = agent.message("d4", at=T + 301)
        told = agent.message("d3", at=T + 302)
        agent.set("sessions", "d3", end_reason="compression", ended_at=T + 303)
    async with opened(filled) as store:
        assert (await tail_of(store, "d1", told, "d3")).skipped
        assert not (await tail_of(store, "d1", early - 1, "d3")).skipped


async def test_a_session_that_is_not_there_has_no_tail(filled: Path) -> None:
    async with opened(filled) as store:
        await delete(store, "ferry")
        assert await store.tail("ferry", after=0, tip=None, limit=1) is None
        remove(filled, "", "-wal", "-shm")
        assert await store.tail("d1", after=0, tip=None, limit=1) is None


async def test_a_tail_names_the_store_that_it_is_of(filled: Path) -> None:
    other = make_other(filled)
    async with opened(filled) as store:
        before = await tail_of(store, "ferry")
        replace(filled, other)
        after = await tail_of(store, "ferry")
        assert before.store != after.store
        assert [message.text for message in after.messages] == ["something else"]


async def test_a_store_that_is_replaced_amid_a_reading_is_read_again(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the messages of one store would go under the name of the other."""
    other = make_other(filled)
    names: list[str] = []

    async def reading_slowly(connection: Connection, name: str, *rest: Any) -> Tail | None:
        tail = await read_tail(connection, name, *rest)
        names.append(name)
        if len(names) == 1:
            replace(filled, other)
        return tail

    monkeypatch.setattr(sqlite_watching, "read_tail", reading_slowly)
    async with opened(filled) as store:
        tail = await tail_of(store, "ferry")
        assert [message.text for message in tail.messages] == ["something else"]
        assert (tail.store, len(set(names))) == (names[1], 2)


async def test_a_tail_does_not_wait_for_a_picture(filled: Path) -> None:
    async with opened(filled) as store:
        await store.forest()
        async with store._picturer.connection(), store._watcher.connection():
            with StoreBuilder(filled) as agent:
                number = agent.message("ferry")
            assert (await ids(store, "ferry"))[-1] == number


async def test_a_picture_can_be_had_now_or_promptly(filled: Path) -> None:
    async with opened(filled) as store:
        await as_if_reading_took(60.0, store)
        present = await store._catalogue.picture()
        with StoreBuilder(filled) as agent:
            agent.session("fresh")
            assert "fresh" not in (await store.forest()).sessions
            assert await store.forest(Freshness.PROMPT) is present.forest
            assert "fresh" in (await store.forest(Freshness.NOW)).sessions
            agent.session("fresher")
            assert "fresher" in (await store.forest(Freshness.PROMPT)).sessions
