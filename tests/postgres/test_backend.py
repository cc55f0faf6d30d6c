"""The backend on asyncpg: names, deadlines, cancellation, and a server that goes and comes back."""

from __future__ import annotations

import asyncio
import random

import asyncpg
import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.database import LiveDatabase, postgres_database
from hermes_sessions.stores.postgres.address import Address
from tests.postgres.server import PostgresServer


def database(url: str, *, size: int = 2, limit: float = 5.0) -> LiveDatabase:
    return postgres_database(Address.of("team", url), size=size, limit=limit)


async def failing(database: LiveDatabase, sql: str) -> ErrorCode:
    with pytest.raises(HermesSessionsError) as caught:
        await database.fetch_all(sql)
    return caught.value.code


async def test_values_are_bound_by_name_and_a_cast_is_none(url: str) -> None:
    async with database(url) as own:
        row = await own.fetch_one(
            "SELECT CAST(:b AS text) AS b, CAST(:a AS integer) + :a AS sum, '12:30'::time::text AS time",
            {"a": 20, "b": ":a % $1"},
        )
        assert row is not None
        assert dict(row) == {"b": ":a % $1", "sum": 40, "time": "12:30:00"}


async def test_lists_and_every_float_can_be_bound(url: str) -> None:
    async with database(url) as own:
        rows = await own.fetch_all(
            "SELECT unnest(CAST(:ids AS text[])) AS id, CAST(:most AS double precision) AS most",
            {"ids": ["b", "a", 'quo"te', "漢字"], "most": float("inf")},
        )
        assert [tuple(row) for row in rows] == [(id, float("inf")) for id in ("b", "a", 'quo"te', "漢字")]


async def test_a_connection_comes_back_in_order_and_nothing_is_asked_for_that(url: str) -> None:
    sent: list[str] = []
    async with database(url, size=1) as own:
        async with own.connection() as connection:
            connection.raw_connection.add_query_logger(lambda query: sent.append(query.query))
            assert await connection.fetch_val("SELECT 1") == 1
        await asyncio.sleep(0)  # the driver tells of a statement a turn of the loop later
        assert sent == ["SELECT 1"]
        async with own.connection() as connection:
            await connection.raw_connection.execute("BEGIN; CREATE TABLE left_over (id integer)")
        assert await own.fetch_val("SELECT to_regclass('left_over')") is None


async def test_a_statement_that_takes_too_long_is_stopped_and_the_connection_goes_on(url: str) -> None:
    async with database(url, size=1, limit=0.3) as own:
        assert await failing(own, "SELECT pg_sleep(30)") is ErrorCode.TIMEOUT
        assert await own.fetch_val("SELECT 1") == 1
        busy = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()"
        assert await own.fetch_val(f"{busy} AND state = 'active'") == 0


async def test_tasks_that_are_cancelled_anywhere_lose_no_connection(url: str) -> None:
    async with database(url, size=3) as own:

        async def work() -> None:
            async with own.connection() as connection, connection.raw_connection.transaction():
                await connection.fetch_all("SELECT pg_sleep(0.002)")
                await connection.execute("CREATE TEMP TABLE left_over (id integer) ON COMMIT DROP")

        generator = random.Random(20261130)
        for _ in range(200):
            task = asyncio.create_task(work())
            await asyncio.sleep(generator.uniform(0, 0.006))
            task.cancel()
            await asyncio.wait([task])
        for _ in range(3):
            await asyncio.gather(*(work() for _ in range(3)))
        assert await own.fetch_val("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()") <= 3


async def test_a_server_that_is_not_there_is_said_and_one_that_comes_is_used() -> None:
    server = PostgresServer()
    try:
        async with database(server.url(), size=2) as own:
            assert await failing(own, "SELECT 1") is ErrorCode.STORE_UNREACHABLE
            server.start()
            assert await own.fetch_val("SELECT 1") == 1
            server.kill()
            assert await failing(own, "SELECT 1") is ErrorCode.STORE_UNREACHABLE
            server.start()
            assert await own.fetch_val("SELECT 1") == 1
    finally:
        server.close()


async def test_a_connection_that_takes_too_long_is_no_slow_statement(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(_: asyncpg.Pool) -> None:
        raise TimeoutError

    async with database(url) as own:
        monkeypatch.setattr(asyncpg.Pool, "acquire", slow)
        assert await failing(own, "SELECT 1") is ErrorCode.STORE_UNREACHABLE


async def test_a_parameter_that_nobody_knows_is_the_urls_fault(url: str) -> None:
    async with database(f"{url}?no_such_parameter=3") as own:
        assert await failing(own, "SELECT 1") is ErrorCode.BAD_USER_INPUT


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT * FROM not_there", ErrorCode.UNSUPPORTED_STORE),
        ("SELECT no_column FROM pg_class", ErrorCode.UNSUPPORTED_STORE),
        ("SELECT 1 / 0", ErrorCode.INTERNAL),
        ("SET TRANSACTION READ ONLY; CREATE TABLE no (id integer)", ErrorCode.INTERNAL),
        ("DO $do$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $do$", ErrorCode.STORE_BUSY),
        ("DO $do$ BEGIN RAISE EXCEPTION SQLSTATE '53100'; END $do$", ErrorCode.STORAGE_FULL),
        ("DO $do$ BEGIN RAISE EXCEPTION SQLSTATE '25006'; END $do$", ErrorCode.STORE_UNREACHABLE),
        ("DO $do$ BEGIN RAISE EXCEPTION SQLSTATE '42501'; END $do$", ErrorCode.READ_ONLY),
    ],
)
async def test_what_postgresql_refuses_has_a_code_of_ours_and_none_of_its_words(
    url: str, sql: str, code: ErrorCode
) -> None:
    async with database(url) as own:
        with pytest.raises(HermesSessionsError) as caught:
            await own.fetch_all(sql)
        assert caught.value.code is code
        assert "not_there" not in caught.value.message
        assert await own.fetch_val("SELECT 1") == 1
