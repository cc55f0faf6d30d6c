"""A pulse after each commit by anybody, on every replica; and a server that goes and comes back is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.feed import Feed
from hermes_sessions.model.live import ChangeKind
from hermes_sessions.store_values import Pulse
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres import watching
from hermes_sessions.stores.postgres.catalogue import version_of
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.postgres.server import PostgresServer
from tests.postgres.test_catalogue import replica
from tests.postgres.test_change_tracking import connections

SOON = 0.02


class Watch:
    """The pulses of a store in the order in which they come, and the moments at which the store was asked."""

    def __init__(self, store: PostgresReading, interval: float = SOON) -> None:
        self.pulses: asyncio.Queue[Pulse] = asyncio.Queue()
        self.asked: list[float] = []
        self._generator = store.watch(interval)
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        async for pulse in self._generator:
            self.pulses.put_nowait(pulse)

    async def next(self) -> Pulse:
        async with asyncio.timeout(30):
            return await self.pulses.get()

    async def is_quiet(self) -> bool:
        """Whether nothing comes though the store is asked several times more."""
        enough = len(self.asked) + 5
        async with asyncio.timeout(30):
            while len(self.asked) < enough:
                assert not self._task.done()
                await asyncio.sleep(SOON)
        return self.pulses.empty()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._generator.aclose()


@asynccontextmanager
async def watched(
    monkeypatch: pytest.MonkeyPatch, store: PostgresReading, interval: float = SOON
) -> AsyncIterator[Watch]:
    watch = Watch(store, interval)
    beat = watching._beat

    async def count(*asked: object) -> object:
        watch.asked.append(asyncio.get_running_loop().time())
        return await beat(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(watching, "_beat", count)
    try:
        yield watch
    finally:
        await watch.close()


async def test_a_pulse_comes_at_once_and_after_each_commit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connections(url) as [one], replica(url) as store, watched(monkeypatch, store) as watch:
        first = await watch.next()
        assert first.store is not None
        await one.execute("INSERT INTO sessions (id) VALUES ('a')")
        assert await watch.next() == first
        begun = one.transaction()
        await begun.start()
        await one.execute("INSERT INTO messages (session_id) VALUES ('a')")
        assert await watch.is_quiet()
        await begun.commit()
        assert await watch.next() == first
        assert await watch.is_quiet()


async def test_a_change_through_one_replica_wakes_every_other_one(url: str) -> None:
    async with connections(url), replica(url) as one, replica(url) as two:
        watches = [Watch(one), Watch(two)]
        firsts = [await watch.next() for watch in watches]
        assert firsts[0] == firsts[1]
        for number, store in enumerate((one, two, one)):
            async with store._database.connection() as connection:
                await connection.execute(f"INSERT INTO hermes_sessions.sessions (id) VALUES ('s{number}')")
            assert [await watch.next() for watch in watches] == firsts
            assert [len(await each.forest()) for each in (one, two)] == [number + 1, number + 1]
        for watch in watches:
            await watch.close()


async def test_a_burst_is_told_no_oftener_than_the_interval(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connections(url) as [one], replica(url) as store, watched(monkeypatch, store, 0.1) as watch:
        await watch.next()
        for number in range(200):
            await one.execute("INSERT INTO sessions (id) VALUES ($1)", f"s{number}")
        assert await watch.next()
        await watch.is_quiet()
        assert watch.pulses.qsize() + 2 < len(watch.asked)
        assert all(later - earlier > 0.09 for earlier, later in pairwise(watch.asked))


async def test_a_server_that_is_killed_is_told_once_and_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    server = PostgresServer()
    try:
        server.start()
        async with connections(server.url()):
            pass
        async with replica(server.url()) as store, watched(monkeypatch, store) as watch:
            first = await watch.next()
            server.kill()
            assert await watch.next() == Pulse(None)
            assert await watch.is_quiet()
            await asyncio.to_thread(server.start)
            assert await watch.next() == first
            async with connections(server.url()) as [one]:
                await one.execute("INSERT INTO sessions (id) VALUES ('a')")
            assert await watch.next() == first
    finally:
        server.close()


async def test_a_store_that_comes_goes_and_comes_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with replica(url) as store, watched(monkeypatch, store) as watch:
        assert await watch.next() == Pulse(None)
        async with connections(url) as [one]:
            first = await watch.next()
            assert first.store is not None
            await one.execute("DROP SCHEMA hermes_sessions CASCADE")
            assert await watch.next() == Pulse(None)
            assert await watch.is_quiet()
        async with connections(url):
            assert (await watch.next()).store not in (None, first.store)


async def test_a_store_that_is_busy_is_told_by_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [ErrorCode.TIMEOUT, ErrorCode.STORE_BUSY, ErrorCode.INTERNAL]

    async def version(connection: Connection, schema: str) -> tuple[str, int]:
        if codes:
            raise HermesSessionsError(codes.pop(), "Try again.")
        return await version_of(connection, schema)

    monkeypatch.setattr(watching, "version_of", version)
    async with connections(url), replica(url) as store, watched(monkeypatch, store) as watch:
        assert (await watch.next()).store is not None
        assert codes == []


async def test_nothing_is_held_when_nobody_watches_any_more(url: str) -> None:
    async with connections(url), replica(url) as store:
        for _ in range(20):  # more than there are connections
            watch = Watch(store)
            await watch.next()
            await watch.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert len(await store.forest()) == 0


async def test_a_feed_tells_what_another_program_changed(url: str) -> None:
    async with connections(url) as [one], replica(url) as store:
        feed = Feed(store, SOON)  # type: ignore[arg-type]
        async with feed.joined(), asyncio.timeout(30):
            await feed.first_look()
            await one.execute("INSERT INTO sessions (id) VALUES ('new')")
            await feed.log_after(0)
            [change] = feed.log.after(0) or ()
            assert (change.kind, change.session_id) == (ChangeKind.CREATED, "new")


async def test_a_feed_goes_on_without_a_gap_when_its_server_is_back() -> None:
    server = PostgresServer()
    try:
        server.start()
        async with connections(server.url()) as [one]:
            await one.execute("INSERT INTO sessions (id) VALUES ('there')")
        async with replica(server.url()) as store:
            feed = Feed(store, SOON)  # type: ignore[arg-type]
            async with feed.joined(), asyncio.timeout(30):
                await feed.first_look()
                beats = feed.beats
                server.kill()
                await feed.beat_after(beats)
                await asyncio.sleep(5 * SOON)  # the sessions are looked for, too
                await asyncio.to_thread(server.start)
                async with connections(server.url()) as [one]:
                    await one.execute("INSERT INTO sessions (id) VALUES ('new')")
                await feed.log_after(0)
                assert [(each.kind, each.session_id) for each in feed.log.after(0) or ()] == [
                    (ChangeKind.CREATED, "new")
                ]
                assert len(feed.forest) == 2
    finally:
        server.close()


async def test_a_feed_tells_that_a_store_is_gone_and_another_there(url: str) -> None:
    async with connections(url) as [one], replica(url) as store:
        feed = Feed(store, SOON)  # type: ignore[arg-type]
        async with feed.joined(), asyncio.timeout(30):
            await feed.first_look()
            await one.execute("DROP SCHEMA hermes_sessions CASCADE")
            await feed.log_after(0)
            async with connections(url) as [again]:
                await again.execute("INSERT INTO sessions (id) VALUES ('of another')")
                await feed.log_after(1)
            kinds = {each.kind for number in (0, 1) for each in feed.log.after(number) or ()}
            assert kinds == {ChangeKind.STORE_REPLACED}
