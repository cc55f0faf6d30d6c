"""A picture that follows changes is the one that would be read anew, and nobody sees less than was acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres import catalogue
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.catalogue import version_of
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer
from tests.postgres.test_change_tracking import CHANGES, connections


@asynccontextmanager
async def replica(url: str) -> AsyncIterator[PostgresReading]:
    store = PostgresReading("team", Address.of("team", url), limit=5.0)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def as_read_anew(url: str) -> Forest:
    async with replica(url) as store:
        return await store.forest()


def test_what_follows_is_what_is_read_anew(server: PostgresServer) -> None:
    async def check(changes: list[list[tuple[Any, ...]]]) -> None:
        url = await new_database(server)
        async with connections(url) as [one], replica(url) as store:
            for steps in changes:
                async with one.transaction():
                    for sql, *values in steps:
                        await one.execute(sql, *values)
                await one.execute("UPDATE sessions SET parent_session_id = 'a' WHERE id = 'b' AND row_count % 2 = 1")
                followed, anew = await store.forest(), await as_read_anew(url)
                assert followed.sessions == anew.sessions
                assert {id: followed.kind(id) for id in followed.sessions} == {
                    id: anew.kind(id) for id in anew.sessions
                }

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(CHANGES)
    def run(changes: list[list[tuple[Any, ...]]]) -> None:
        asyncio.run(check(changes))

    run()


async def test_what_one_replica_acknowledged_every_other_one_shows(url: str) -> None:
    async with connections(url) as [one], AsyncExitStack() as stack:
        replicas = [await stack.enter_async_context(replica(url)) for _ in range(3)]
        for number in range(40):
            await one.execute("INSERT INTO sessions (id, started_at) VALUES ($1, $2)", f"s{number}", 1e9 + number)
            for forest in await asyncio.gather(*(each.forest() for each in replicas)):
                assert len(forest) == number + 1


async def test_many_questions_at_once_share_a_reading(url: str) -> None:
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) SELECT 's' || number FROM generate_series(1, 5000) AS number")
        forests = await asyncio.gather(*(store.forest() for _ in range(50)))
        assert {id(forest) for forest in forests} == {id(forests[0])}
        assert len(forests[0]) == 5000


async def test_a_question_that_is_cancelled_leaves_the_reading_to_the_others(url: str) -> None:
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) SELECT 's' || number FROM generate_series(1, 20000) AS number")
        first, second = asyncio.create_task(store.forest()), asyncio.create_task(store.forest())
        while store._catalogue._reading is None:
            await asyncio.sleep(0)
        first.cancel()
        assert len(await second) == 20000
        assert first.cancelled()


async def test_a_store_that_took_the_place_of_another_is_read_from_nothing(url: str) -> None:
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) VALUES ('a')")
        await one.execute("UPDATE sessions SET title = 'more'")
        assert list((await store.forest()).sessions) == ["a"]
        await one.execute("DROP SCHEMA hermes_sessions CASCADE")
        with pytest.raises(HermesSessionsError) as caught:
            await store.forest()
        assert caught.value.code is ErrorCode.UNSUPPORTED_STORE
        async with connections(url) as [other]:
            await other.execute("INSERT INTO sessions (id) VALUES ('b')")
            assert list((await store.forest()).sessions) == ["b"]


async def test_a_store_that_is_replaced_between_question_and_reading_is_read_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    async def version(connection: Connection, schema: str) -> tuple[str, int]:
        """The first answer is about a store that is gone by the next."""
        asked.append(await version_of(connection, schema) if asked else ("another", 7))
        return asked[-1]

    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) VALUES ('a')")
        monkeypatch.setattr(catalogue, "version_of", version)
        async with asyncio.timeout(5):
            assert list((await store.forest()).sessions) == ["a"]
        assert len(asked) == 2


async def test_more_changes_than_are_read_at_once_are_all_followed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "ROWS_AT_ONCE", 7)
    async with connections(url) as [one], replica(url) as store:
        for number in range(3):
            await one.execute(
                "INSERT INTO sessions (id) SELECT $1 || number FROM generate_series(1, 21) AS number", f"s{number}-"
            )
            assert len(await store.forest()) == 21 * (number + 1)


async def test_what_a_standby_never_got_is_shown_by_nobody_after_it_took_over(url: str) -> None:
    """A primary that waited for no standby: the last changes are gone with it, and the revision is an earlier one."""
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) VALUES ('kept')")
        before = await one.fetchval("SELECT revision FROM store")
        await one.execute("INSERT INTO sessions (id) VALUES ('lost')")
        assert set((await store.forest()).sessions) == {"kept", "lost"}
        await one.execute("SET session_replication_role = replica")  # without triggers
        await one.execute("DELETE FROM sessions WHERE id = 'lost'")
        await one.execute("UPDATE store SET revision = $1", before)
        assert set((await store.forest()).sessions) == {"kept"}
