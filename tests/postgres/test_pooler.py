"""A store behind PgBouncer in transaction mode answers as any other; a URL that does not name the pooler is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.export.rows import Table
from hermes_sessions.store_values import MessageQuery
from hermes_sessions.stores.database import LiveDatabase, postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import migrate, migrations
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.builders import StoreBuilder, store_path
from tests.postgres.asking import refusal, until_it_passes
from tests.postgres.pooler import pooled
from tests.postgres.server import PostgresServer
from tests.postgres.twins import all_rows, twins
from tests.stores.opened import fill

POOL_SIZE = 3


@pytest.fixture(scope="module")
def port(server: PostgresServer) -> Iterator[int]:
    with pooled(server, POOL_SIZE) as running:
        yield running


@pytest.fixture
def through(url: str, server: PostgresServer, port: int) -> str:
    """The URL of a database that holds nothing, by way of the pooler and without a word about it."""
    return url.replace(f":{server.port}/", f":{port}/")


@asynccontextmanager
async def database(url: str, *, size: int = 50, limit: float = 10.0) -> AsyncIterator[LiveDatabase]:
    own = postgres_database(Address.of("team", url), size=size, limit=limit)
    async with own:
        yield own


async def test_the_steps_of_the_tables_are_made_once_through_the_pooler(through: str) -> None:
    address = Address.of("team", f"{through}?pgbouncer=true&schema=pooled")

    async def made() -> list[int]:
        async with database(f"{through}?pgbouncer=true", size=1) as own:
            return [step.number for step in await migrate(own, address)]

    between_them = await asyncio.gather(*(made() for _ in range(POOL_SIZE)))
    assert sorted(number for each in between_them for number in each) == [step.number for step in migrations()]
    assert await made() == []


async def test_a_twin_behind_the_pooler_answers_as_the_original(through: str, tmp_path: Path) -> None:
    path = store_path(tmp_path)
    with StoreBuilder(path) as store:
        fill(store)
    async with twins(path, f"{through}?pgbouncer=true") as (original, twin):
        assert (await twin.forest()).sessions == (await original.forest()).sessions
        ids = sorted((await original.forest()).sessions)
        assert await twin.details(ids) == await original.details(ids)
        lines, twins_lines = [await each.transcript(ids, MessageQuery()) for each in (original, twin)]
        assert list(twins_lines.ids) == list(lines.ids)
        for table in Table:
            for theirs, ours in zip(await all_rows(original, table), await all_rows(twin, table), strict=True):
                assert {name: ours[name] for name in theirs} == theirs


async def test_fifty_questions_at_once_share_three_connections(through: str, server: PostgresServer) -> None:
    async with database(f"{through}?pgbouncer=true") as own:

        async def ask(number: int) -> tuple[int, str]:
            """Statements of different shapes: an answer to another's would be seen."""
            added = await own.fetch_val(f"SELECT CAST(:number AS integer) + {number % 7}", {"number": number})
            text = await own.fetch_val("SELECT CAST(:text AS text) || '!'", {"text": str(number)})
            return added, text

        for _ in range(4):
            answers = await asyncio.gather(*(ask(number) for number in range(50)))
            assert answers == [(number + number % 7, f"{number}!") for number in range(50)]
        used = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        assert await own.fetch_val(used) <= POOL_SIZE


async def test_changes_by_many_are_numbered_and_followed_through_the_pooler(through: str) -> None:
    """Each transaction has a number of its own, though the transactions of many share a connection."""
    url = f"{through}?pgbouncer=true"
    address = Address.of("team", url)
    async with database(url) as own:
        await migrate(own, address)
        store = PostgresReading("team", address, limit=10.0)
        await store.open()
        insert = "INSERT INTO hermes_sessions.sessions (id) VALUES (:id), (:id || '-twin')"
        for begin in range(0, 60, 20):
            await asyncio.gather(*(own.execute(insert, {"id": f"s{number}"}) for number in range(begin, begin + 20)))
            assert len(await store.forest()) == 2 * (begin + 20)
        rows = await own.fetch_all("SELECT count(*) AS of_one FROM hermes_sessions.sessions GROUP BY revision")
        assert [row["of_one"] for row in rows] == [2] * 60
        await store.close()


async def test_a_statement_that_takes_too_long_is_stopped_through_the_pooler(through: str) -> None:
    async with database(f"{through}?pgbouncer=true", size=1, limit=0.3) as own:
        assert await refusal(own.fetch_all("SELECT pg_sleep(30)")) is ErrorCode.TIMEOUT
        busy = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()"
        assert await own.fetch_val(f"{busy} AND state = 'active'") == 0


async def test_a_server_that_goes_behind_the_pooler_is_said_and_used_when_it_is_back() -> None:
    server = PostgresServer()
    try:
        server.start()
        with pooled(server, patience=1) as port:
            url = server.url().replace(f":{server.port}/", f":{port}/")
            async with database(f"{url}?pgbouncer=true", size=2, limit=2.0) as own:
                assert await own.fetch_val("SELECT 1") == 1
                server.kill()
                assert await refusal(own.fetch_val("SELECT 1")) is ErrorCode.STORE_UNREACHABLE
                server.start()
                refusals = await until_it_passes(lambda: own.fetch_val("SELECT 1"), within=20)
                assert refusals <= {ErrorCode.STORE_UNREACHABLE}
    finally:
        server.close()


async def test_a_pooler_that_the_url_does_not_name_is_noticed_at_once(through: str) -> None:
    async with database(through) as own:
        with pytest.raises(HermesSessionsError) as caught:
            await own.fetch_val("SELECT 1")
    assert caught.value.code is ErrorCode.BAD_USER_INPUT
    assert "add pgbouncer=true" in caught.value.message


async def test_a_pooler_that_mixes_prepared_statements_up_though_it_was_said_not_to(through: str) -> None:
    async with database(f"{through}?pgbouncer=false") as own:
        answers: list[object] = []
        for _ in range(3):
            asked = [own.fetch_val("SELECT pg_sleep(0.005)") for _ in range(50)]
            answers += await asyncio.gather(*asked, return_exceptions=True)
    refusals = [answer for answer in answers if isinstance(answer, HermesSessionsError)]
    assert refusals
    assert {(each.code, "add pgbouncer=true" in each.message) for each in refusals} == {
        (ErrorCode.BAD_USER_INPUT, True)
    }
