"""What triggers keep: counts of messages, revisions in the order of commits, and a word to those who listen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import migrate
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer

COUNTS = "row_count, live, compacted, newest, last_id, live_ids"


@asynccontextmanager
async def connections(url: str, number: int = 1) -> AsyncIterator[list[Any]]:
    """Of any program on a store that was migrated, not of this server alone."""
    address = Address.of("team", url)
    database = postgres_database(address, size=1, limit=60)
    async with database:
        await migrate(database, address)
    made = [await asyncpg.connect(url, server_settings={"search_path": address.schema}) for _ in range(number)]
    try:
        yield made
    finally:
        for each in made:
            await each.close()


async def counted(connection: Any) -> dict[str, tuple[Any, ...]]:
    """What the sessions say, once it was compared with what their messages say."""
    kept = {row["id"]: tuple(row)[1:] for row in await connection.fetch(f"SELECT id, {COUNTS} FROM sessions")}
    real = {
        row["session_id"]: tuple(row)[1:]
        for row in await connection.fetch(f"SELECT session_id, {COUNTS} FROM activity")
    }
    assert kept == {id: real.get(id, (0, 0, 0, None, 0, 0.0)) for id in kept}
    return kept


async def test_messages_are_counted_by_their_state(url: str) -> None:
    async with connections(url) as [one]:
        await one.execute("INSERT INTO sessions (id) VALUES ('a'), ('b')")
        await one.execute(
            """
            INSERT INTO messages (session_id, role, timestamp, active, compacted) VALUES
                ('a', 'user', 1000000000, 1, 0), ('a', 'user', 1000000002, NULL, 0), ('a', 'tool', 1000000001, 0, 1),
                ('a', 'tool', 9e12, 0, 0), ('stray', 'user', 1000000000, 1, 0)
            """
        )
        assert await counted(one) == {"a": (4, 2, 1, 1000000002.0, 4, 3.0), "b": (0, 0, 0, None, 0, 0.0)}
        await one.execute("UPDATE messages SET session_id = 'b', active = 1 WHERE id = 3")
        assert (await counted(one))["b"] == (1, 1, 0, 1000000001.0, 3, 3.0)
        await one.execute("DELETE FROM messages WHERE session_id = 'a'")
        assert (await counted(one))["a"] == (0, 0, 0, None, 0, 0.0)
        await one.execute("INSERT INTO sessions (id) VALUES ('stray')")
        assert (await counted(one))["stray"] == (1, 1, 0, 1000000000.0, 5, 5.0)


SESSIONS = st.sampled_from(["a", "b", "c"])
STEPS = st.one_of(
    st.tuples(st.just("INSERT INTO sessions (id) VALUES ($1) ON CONFLICT DO NOTHING"), SESSIONS),
    st.tuples(st.just("DELETE FROM sessions WHERE id = $1"), SESSIONS),
    st.tuples(
        st.just("INSERT INTO messages (session_id, timestamp, active, compacted) VALUES ($1, $2, $3, $4)"),
        SESSIONS,
        st.sampled_from([None, 0.0, 1e9, 1.5e9, 2e9, 9e12]),
        st.sampled_from([None, 0, 1, 2]),
        st.sampled_from([None, 0, 1]),
    ),
    st.tuples(st.just("DELETE FROM messages WHERE session_id = $1 AND id % 3 = $2"), SESSIONS, st.integers(0, 2)),
    st.tuples(
        st.just("UPDATE messages SET active = 0, compacted = $2 WHERE session_id = $1"), SESSIONS, st.integers(0, 1)
    ),
    st.tuples(st.just("UPDATE messages SET session_id = $2 WHERE session_id = $1 AND id % 2 = 0"), SESSIONS, SESSIONS),
    st.tuples(
        st.just("UPDATE messages SET timestamp = $2 WHERE session_id = $1"), SESSIONS, st.sampled_from([None, 1.1e9])
    ),
)


CHANGES = st.lists(st.lists(STEPS, min_size=1, max_size=8), max_size=6)
"""Transactions, each some statements with their values."""


def test_counts_stay_right_whatever_anybody_does(server: PostgresServer) -> None:
    async def check(rounds: list[list[tuple[Any, ...]]]) -> None:
        async with connections(await new_database(server)) as [one]:
            for steps in rounds:
                async with one.transaction():
                    for sql, *values in steps:
                        await one.execute(sql, *values)
                await counted(one)

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(CHANGES)
    def run(rounds: list[list[tuple[Any, ...]]]) -> None:
        asyncio.run(check(rounds))

    run()


async def test_a_session_has_the_revision_of_the_last_change_that_touched_it(url: str) -> None:
    async with connections(url) as [one]:

        async def revisions() -> dict[str, int]:
            rows = await one.fetch("SELECT id, revision FROM sessions UNION ALL SELECT session_id, revision FROM gone")
            return {row[0]: row[1] for row in rows}

        await one.execute("INSERT INTO sessions (id) VALUES ('a'), ('b'), ('c')")
        assert await revisions() == {"a": 1, "b": 1, "c": 1}
        await one.execute("INSERT INTO messages (session_id) VALUES ('b')")
        await one.execute("INSERT INTO session_model_usage (session_id, model) VALUES ('c', 'm')")
        assert await revisions() == {"a": 1, "b": 2, "c": 3}
        async with one.transaction():
            await one.execute("UPDATE sessions SET title = 't' WHERE id = 'a'")
            await one.execute("DELETE FROM sessions WHERE id = 'b'")
        assert await revisions() == {"a": 4, "b": 4, "c": 3}
        assert await one.fetchval("SELECT revision FROM store") == 4
        assert await one.fetchval("SELECT usage_revision FROM sessions WHERE id = 'c'") == 3


async def test_a_change_that_is_rolled_back_leaves_its_revision_to_the_next(url: str) -> None:
    async with connections(url) as [one]:
        with pytest.raises(asyncpg.UniqueViolationError):
            await one.execute("INSERT INTO sessions (id) VALUES ('a'), ('a')")
        await one.execute("INSERT INTO sessions (id) VALUES ('a')")
        assert await one.fetchval("SELECT revision FROM sessions") == 1


async def test_nobody_overtakes_a_change_under_way(url: str) -> None:
    async with connections(url, 2) as [one, two]:
        await one.execute("INSERT INTO sessions (id) VALUES ('a')")
        begun = one.transaction()
        await begun.start()
        await one.execute("INSERT INTO messages (session_id) VALUES ('a')")
        later = asyncio.create_task(two.execute("INSERT INTO messages (session_id) VALUES ('a')"))
        done, _ = await asyncio.wait([later], timeout=0.3)
        assert not done, "The second writer got its id before the first had committed."
        await one.execute("INSERT INTO messages (session_id) VALUES ('a')")
        await begun.commit()
        await later
        assert [row["id"] for row in await one.fetch("SELECT id FROM messages ORDER BY id")] == [1, 2, 3]
        assert await one.fetchval("SELECT revision FROM sessions") == 3
