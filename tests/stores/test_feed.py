"""A feed: one watcher a store however many subscribers, none without, and a log that all of them read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from hermes_sessions import feed as feed_module
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.feed import Feed, Feeds
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import ChangeKind
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import Freshness, Pulse
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder
from tests.stores.opened import delete, opened
from tests.stores.test_replaced import held_files, make_other, replace

SOON = 0.02


class Counted:
    """A store that counts its watchers."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self.profile = store.profile
        self.started = self.running = 0

    async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
        return await self._store.forest(freshness)

    async def watch(self, interval: float) -> AsyncGenerator[Pulse, None]:
        self.started += 1
        self.running += 1
        try:
            async for pulse in self._store.watch(interval):
                yield pulse
        finally:
            self.running -= 1


async def changes(feed: Feed, after: int, count: int) -> list[tuple[ChangeKind, str | None]]:
    """At least so many changes after that one."""
    async with asyncio.timeout(10):
        while len(feed.log.after(after) or ()) < count:
            await feed.log_after(feed.log.last)
    return [(change.kind, change.session_id) for change in feed.log.after(after) or ()]


async def test_our_own_changes_and_those_of_others_are_told(filled: Path) -> None:
    async with opened(filled) as store:
        feed = Feeds(SOON).of(store)
        async with feed.joined():
            await feed.first_look()
            assert feed.log.last == 0
            with StoreBuilder(filled) as agent:
                agent.session("new")
            assert await changes(feed, 0, 1) == [(ChangeKind.CREATED, "new")]
            await store.rename("ferry", "Boat", Scope.SESSION)
            assert await changes(feed, 1, 1) == [(ChangeKind.UPDATED, "ferry")]
            await delete(store, "ferry")
            assert await changes(feed, 2, 1) == [(ChangeKind.DELETED, "ferry")]


async def test_a_burst_is_one_change_of_a_session(filled: Path) -> None:
    async with opened(filled) as store:
        feed = Feed(store, SOON)
        async with feed.joined():
            await feed.first_look()
            with StoreBuilder(filled) as agent:
                for number in range(200):
                    agent.message("ferry", "user", f"message {number}")
                agent.session("last")
            told = await changes(feed, 0, 2)
            assert told.count((ChangeKind.UPDATED, "ferry")) == 1


async def test_one_watcher_serves_all_and_ends_with_the_last(filled: Path) -> None:
    async with opened(filled) as store:
        counted = Counted(store)
        feed = Feed(counted, SOON)  # type: ignore[arg-type]
        leaving = asyncio.Event()

        async def subscriber() -> int:
            async with feed.joined():
                await feed.beat_after(0)
                await leaving.wait()
                return counted.running

        subscribers = [asyncio.create_task(subscriber()) for _ in range(50)]
        await asyncio.sleep(5 * SOON)
        assert counted.running == 1
        leaving.set()
        assert set(await asyncio.gather(*subscribers)) == {1}
        assert (counted.started, counted.running, feed.is_watching) == (1, 0, False)


async def test_without_subscribers_nothing_is_asked_nor_held(filled: Path) -> None:
    async with opened(filled) as store:
        feed = Feed(store, SOON)
        await store.forest()
        threads, tasks = threading.active_count(), len(asyncio.all_tasks())
        files: list[int] = []
        for _ in range(5):
            async with feed.joined():
                await feed.first_look()
                assert threading.active_count() > threads
            files.append(len(held_files(filled)))  # SQLite keeps one for the next to open while others hold locks
        assert len(set(files)) == 1
        assert len(asyncio.all_tasks()) == tasks
        await asyncio.sleep(0.1)
        assert threading.active_count() == threads


async def test_a_cancelled_subscriber_leaves(filled: Path) -> None:
    async with opened(filled) as store:
        feed = Feed(store, SOON)

        async def subscriber() -> None:
            async with feed.joined():
                await feed.log_after(10)

        for pause in (0.0, 0.01, 0.05):
            task = asyncio.create_task(subscriber())
            await asyncio.sleep(pause)
            task.cancel()
            await asyncio.wait([task])
            assert not feed.is_watching
        await asyncio.sleep(0.1)
        assert len(asyncio.all_tasks()) == 1


async def test_what_happened_while_nobody_was_there_is_told_to_one_that_comes_back(filled: Path) -> None:
    async with opened(filled) as store:
        feed = Feed(store, SOON)
        async with feed.joined():
            await feed.first_look()
        run = feed.run
        with StoreBuilder(filled) as agent:
            agent.session("meanwhile")
        async with feed.joined():
            await feed.first_look()
            assert await changes(feed, 0, 1) == [(ChangeKind.CREATED, "meanwhile")]
            assert feed.run == run


async def test_after_long_absence_the_log_begins_anew(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "KEPT_SECONDS", 0.05)
    async with opened(filled) as store:
        feed = Feed(store, SOON)
        async with feed.joined():
            await feed.first_look()
        run = feed.run
        async with feed.joined():
            await asyncio.sleep(0.1)
            assert feed.run == run
        await asyncio.sleep(0.2)
        assert feed.run != run
        assert len(feed.forest) == 0


async def test_a_replaced_store_is_told_once_and_its_sessions_are_no_news(filled: Path) -> None:
    other = make_other(filled)
    async with opened(filled) as store:
        feed = Feed(store, SOON)
        async with feed.joined():
            await feed.first_look()
            replace(filled, other)
            assert await changes(feed, 0, 1) == [(ChangeKind.STORE_REPLACED, None)]
            assert list(feed.forest.sessions) == ["ferry"]
            with StoreBuilder(filled) as agent:
                agent.session("next")
            assert await changes(feed, 0, 2) == [(ChangeKind.STORE_REPLACED, None), (ChangeKind.CREATED, "next")]


async def test_a_store_that_breaks_is_told_once_and_once_more_when_it_is_sound(filled: Path, tmp_path: Path) -> None:
    other = make_other(filled)
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(b"no database at all, " * 400)
    async with opened(filled) as store:
        feed = Feed(store, SOON)
        async with feed.joined():
            await feed.first_look()
            replace(filled, garbage)
            assert await changes(feed, 0, 1) == [(ChangeKind.STORE_REPLACED, None)]
            await asyncio.sleep(10 * SOON)
            assert feed.log.last == 1
            replace(filled, other)
            assert await changes(feed, 1, 1) == [(ChangeKind.STORE_REPLACED, None)]
            assert list(feed.forest.sessions) == ["ferry"]


async def test_a_picture_of_the_store_that_was_there_before_is_put_aside(filled: Path) -> None:
    other = make_other(filled)

    class Slow(Counted):
        looks = 0

        async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
            forest = await super().forest(freshness)
            self.looks += 1
            if self.looks == 2:
                beats = feed.beats
                replace(filled, other)
                await feed.beat_after(beats)
            return forest

    async with opened(filled) as store:
        feed = Feed(Slow(store), SOON)  # type: ignore[arg-type]
        async with feed.joined():
            await feed.first_look()
            with StoreBuilder(filled) as agent:
                agent.session("of before")
            assert await changes(feed, 0, 1) == [(ChangeKind.STORE_REPLACED, None)]
            assert list(feed.forest.sessions) == ["ferry"]


async def test_a_store_that_comes_into_being_tells_its_sessions(path: Path) -> None:
    async with opened(path) as store:
        feed = Feed(store, SOON)
        async with feed.joined():
            await feed.first_look()
            with StoreBuilder(path) as agent:
                agent.session("first")
                assert await changes(feed, 0, 1) == [(ChangeKind.CREATED, "first")]


async def test_a_failure_to_read_the_sessions_is_waited_out(filled: Path) -> None:
    class Failing(Counted):
        failures = 3

        async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
            if self.failures:
                self.failures -= 1
                raise HermesSessionsError(ErrorCode.STORE_BUSY, "busy")
            return await super().forest(freshness)

    async with opened(filled) as store:
        feed = Feed(Failing(store), SOON)  # type: ignore[arg-type]
        async with feed.joined(), asyncio.timeout(5):
            await feed.first_look()
            assert len(feed.forest) > 0


@pytest.mark.parametrize("method", ["forest", "watch"])
async def test_a_bug_in_the_watcher_reaches_every_subscriber(filled: Path, method: str) -> None:
    async with opened(filled) as store:
        counted = Counted(store)

        def broken(*_: object) -> object:
            raise ZeroDivisionError

        setattr(counted, method, broken)
        feed = Feed(counted, SOON)  # type: ignore[arg-type]
        for _ in range(2):
            async with feed.joined(), asyncio.timeout(5):
                with pytest.raises(ZeroDivisionError):
                    await feed.log_after(0)
