"""The cluster of the tests keeps what it acknowledged, and goes on without its primary."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from tests.postgres.cluster import running_cluster


async def test_a_commit_is_on_the_standby_and_outlives_the_primary() -> None:
    with running_cluster() as cluster:
        primary = await asyncpg.connect(cluster.primary.url())
        standby = await asyncpg.connect(cluster.standby.url())
        await primary.execute("CREATE TABLE kept (id integer)")
        for number in range(50):
            await primary.execute("INSERT INTO kept VALUES ($1)", number)
            assert await standby.fetchval("SELECT max(id) FROM kept") == number
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            await standby.execute("INSERT INTO kept VALUES (50)")

        cluster.primary.kill()
        await asyncio.to_thread(cluster.standby.promote)
        assert await standby.fetchval("SELECT count(*) FROM kept") == 50
        async with asyncio.timeout(5):  # nobody is waited for
            await standby.execute("INSERT INTO kept VALUES (50)")
        await standby.close()
        primary.terminate()


async def test_a_primary_that_is_frozen_says_nothing_until_it_is_thawed() -> None:
    with running_cluster() as cluster:
        connection = await asyncpg.connect(cluster.primary.url())
        cluster.primary.freeze()
        answer = asyncio.ensure_future(connection.fetchval("SELECT 1"))
        with pytest.raises(TimeoutError):
            await asyncpg.connect(cluster.primary.url(), timeout=0.3)
        assert not answer.done()
        cluster.primary.thaw()
        assert await answer == 1
        await connection.close()
