"""A primary goes and its standby takes over: that is said, nothing acknowledged is lost, nobody has to start anew."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.stores.database import LiveDatabase, postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import migrate
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.postgres.asking import refusal, until_it_passes
from tests.postgres.cluster import Cluster, running_cluster

LIMIT = 1.0
INSERT = "INSERT INTO hermes_sessions.sessions (id, started_at) VALUES (:id, 1e9)"
COUNT = "SELECT count(*) FROM hermes_sessions.sessions"


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as running:
        yield running


@asynccontextmanager
async def migrated(cluster: Cluster, size: int = 3) -> AsyncIterator[LiveDatabase]:
    address = Address.of("team", cluster.url())
    database = postgres_database(address, size=size, limit=LIMIT)
    async with database:
        await migrate(database, address)
        yield database


async def fill_pool(database: LiveDatabase, size: int = 3) -> None:
    """So many connections are open, and idle after it."""
    ready = asyncio.Barrier(size)

    async def use() -> None:
        async with database.connection() as connection:
            await connection.fetch_val("SELECT 1")
            await ready.wait()

    await asyncio.gather(*(use() for _ in range(size)))


async def test_the_store_goes_on_with_the_standby_and_has_what_was_acknowledged(cluster: Cluster) -> None:
    async with migrated(cluster) as database:
        store = PostgresReading("team", Address.of("team", cluster.url()), limit=LIMIT)
        await store.open()
        for number in range(20):
            await database.execute(INSERT, {"id": f"s{number}"})
        assert len(await store.forest()) == 20

        cluster.primary.kill()
        assert await refusal(store.forest()) is ErrorCode.STORE_UNREACHABLE
        assert await refusal(database.execute(INSERT, {"id": "lost"})) is ErrorCode.STORE_UNREACHABLE

        promotion = asyncio.create_task(asyncio.to_thread(cluster.standby.promote))
        refusals = await until_it_passes(lambda: database.execute(INSERT, {"id": "s20"}), within=30)
        await promotion
        assert refusals <= {ErrorCode.STORE_UNREACHABLE}
        assert set((await store.forest()).sessions) == {f"s{number}" for number in range(21)}
        await store.close()


async def test_acknowledged_writes_under_load_outlive_the_primary(cluster: Cluster) -> None:
    acknowledged: list[str] = []

    async def write(database: LiveDatabase, name: str) -> None:
        number = 0
        while True:
            id = f"{name}-{number}"
            await database.execute(INSERT, {"id": id})
            acknowledged.append(id)
            number += 1

    async with migrated(cluster) as database:
        writers = [asyncio.create_task(write(database, name)) for name in ("a", "b", "c")]
        while len(acknowledged) < 100:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(cluster.primary.kill)
        for writer in writers:
            assert await refusal(writer) is ErrorCode.STORE_UNREACHABLE
        await asyncio.to_thread(cluster.standby.promote)
        rows = await database.fetch_all("SELECT id FROM hermes_sessions.sessions")
        assert set(acknowledged) <= {row["id"] for row in rows}


async def test_a_primary_that_is_frozen_holds_nobody_up_for_long(cluster: Cluster) -> None:
    async with migrated(cluster) as database:
        await fill_pool(database)
        cluster.primary.freeze()
        begun = time.monotonic()
        assert await refusal(database.fetch_val(COUNT)) is ErrorCode.TIMEOUT
        assert time.monotonic() - begun < LIMIT + 3

        begun = time.monotonic()
        assert await refusal(database.fetch_val(COUNT)) is ErrorCode.STORE_UNREACHABLE
        assert time.monotonic() - begun < 4  # the standby takes no writes yet
        await asyncio.to_thread(cluster.standby.promote)
        await asyncio.gather(*(database.fetch_val(COUNT) for _ in range(3)))


async def test_a_transaction_on_a_frozen_primary_ends_too(cluster: Cluster) -> None:
    async with migrated(cluster, size=1) as database:
        await fill_pool(database, 1)
        cluster.primary.freeze()
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            async with database.connection() as connection, connection.raw_connection.transaction():
                raise AssertionError("begun")
        assert time.monotonic() - begun < LIMIT + 3


async def test_connections_to_a_frozen_server_leave_nothing_behind(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    async with migrated(cluster) as database:
        await fill_pool(database)
        cluster.primary.freeze()
        await asyncio.to_thread(cluster.standby.promote)
        assert await refusal(database.fetch_val(COUNT)) is ErrorCode.TIMEOUT
        await fill_pool(database)
        async with asyncio.timeout(10):
            while len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0.05)
        gc.collect()
    assert caplog.messages == []


async def test_closing_does_not_wait_for_a_frozen_server(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hermes_sessions.stores.postgres.backend.CLOSE_SECONDS", 0.5)
    async with asyncio.timeout(10):
        async with migrated(cluster) as database:
            await fill_pool(database)
            cluster.primary.freeze()


async def test_a_primary_that_only_reads_is_left_for_the_one_that_writes(cluster: Cluster) -> None:
    """As where an operator hands over: the old primary is closed to writes before the new one opens."""
    async with migrated(cluster) as database:
        await fill_pool(database)
        await database.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        await database.execute("SELECT pg_reload_conf()")
        await asyncio.to_thread(cluster.standby.promote)
        await until_read_only(database)
        assert await refusal(database.execute(INSERT, {"id": "a"})) is ErrorCode.STORE_UNREACHABLE
        for number in range(3):
            await database.execute(INSERT, {"id": f"s{number}"})
        port = await database.fetch_val("SELECT current_setting('port')")
        assert port == str(cluster.standby.port)


async def until_read_only(database: LiveDatabase) -> None:
    async with asyncio.timeout(5):
        while await database.fetch_val("SHOW default_transaction_read_only") != "on":
            await asyncio.sleep(0.01)


async def test_of_several_hosts_the_one_that_writes_is_used_without_being_asked_for(cluster: Cluster) -> None:
    hosts = f"127.0.0.1:{cluster.standby.port},127.0.0.1:{cluster.primary.port}"
    for parameters, port in (("", cluster.primary.port), ("?target_session_attrs=any", cluster.standby.port)):
        address = Address.of("team", f"postgresql://postgres@{hosts}/postgres{parameters}")
        async with postgres_database(address, size=1, limit=LIMIT) as database:
            assert await database.fetch_val("SELECT current_setting('port')") == str(port)


async def test_a_host_that_does_not_answer_leaves_time_to_the_next(cluster: Cluster) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hosts = f"127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{cluster.primary.port}"
        address = Address.of("team", f"postgresql://postgres@{hosts}/postgres")
        async with postgres_database(address, size=3, limit=LIMIT) as database:
            assert await database.fetch_val("SELECT 1") == 1
            begun = time.monotonic()
            await fill_pool(database)  # the host that was used last is tried first
            assert time.monotonic() - begun < 1


async def test_a_machine_that_is_gone_is_noticed_by_the_system(cluster: Cluster) -> None:
    async with migrated(cluster, size=1) as database, database.connection() as connection:
        watched = connection.raw_connection._con._transport.get_extra_info("socket")
        assert watched.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert watched.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
            assert watched.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 5


async def test_what_was_acknowledged_is_no_failure_though_the_server_goes_right_after_it(cluster: Cluster) -> None:
    async with migrated(cluster, size=1) as database:
        async with database.connection() as connection:
            await connection.execute(INSERT, {"id": "kept"})
            await asyncio.to_thread(cluster.primary.kill)
        await asyncio.to_thread(cluster.standby.promote)
        await until_it_passes(lambda: database.fetch_val(COUNT), within=30)
        assert await database.fetch_val(COUNT) == 1
