"""A conversation goes on in the same way, whichever engine it is in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hermes_sessions.store_values import Tail
from hermes_sessions.stores.postgres.catalogue import version_of
from hermes_sessions.stores.postgres.reading import PostgresReading
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder, T, plan_chain
from tests.postgres.test_change_tracking import connections
from tests.postgres.test_reading import seen
from tests.postgres.twins import twins

IDS = [f"s{number}" for number in range(8)]
PARENTS = {"s1": "s0", "s2": "s1", "s3": "s2", "s4": "s1", "s5": "s4"}


class Both:
    """A store of SQLite and its twin, changed by the same statements. Tables are written as `{}sessions`."""

    def __init__(self, agent: StoreBuilder, original: SqliteStore, twin: PostgresReading) -> None:
        self.original = original
        self.twin = twin
        self._agent = agent
        self._last = 0

    async def change(self, sql: str, **values: Any) -> None:
        self._agent.sql(sql.format(""), values)
        async with self.twin._database.connection() as connection:
            await connection.execute(sql.format("hermes_sessions."), values)

    async def session(self, id: str, **cells: Any) -> None:
        await self._insert("sessions", {"id": id, "source": "cli", "started_at": T, **cells})

    async def message(self, session_id: str, **cells: Any) -> int:
        self._last += 1
        row = {"id": self._last, "session_id": session_id, "role": "user", "content": "hello", "timestamp": T, **cells}
        await self._insert("messages", row)
        return self._last

    async def _insert(self, table: str, row: dict[str, Any]) -> None:
        names, places = ", ".join(row), ", ".join(f":{name}" for name in row)
        await self.change(f"INSERT INTO {{}}{table} ({names}) VALUES ({places})", **row)

    async def tail(self, start: str, after: int = 0, tip: str | None = None, limit: int = 100) -> Tail | None:
        """Of the twin, once it was compared."""
        theirs = await self.original.tail(start, after=after, tip=tip, limit=limit)
        ours = await self.twin.tail(start, after=after, tip=tip, limit=limit)
        assert plain(ours) == plain(theirs), (start, after, tip, limit)
        return ours


def plain(tail: Tail | None) -> Any:
    """Everything but the name of the store."""
    if tail is None:
        return None
    return list(tail.segments), [seen(message) for message in tail.messages], tail.newest, tail.skipped


@asynccontextmanager
async def both(path: Path, url: str) -> AsyncIterator[Both]:
    """Two empty stores."""
    with StoreBuilder(path) as agent:
        async with twins(path, url) as (original, twin):
            yield Both(agent, original, twin)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


async def step(stores: Both, random: Random) -> None:
    id, other = random.sample(IDS, 2)
    at = T + random.randrange(20)
    match random.randrange(10):
        case 0:
            await stores.change("DELETE FROM {}sessions WHERE id = :id", id=id)
            parent = random.choice([PARENTS.get(id), None, other])
            await stores.session(id, parent_session_id=parent, started_at=at)
        case 1 | 2:
            reason = random.choice(["compression", "compression", "cli_close", None])
            sql = "UPDATE {}sessions SET end_reason = :reason, ended_at = :at WHERE id = :id"
            await stores.change(sql, reason=reason, at=T if reason else None, id=id)
        case 3:
            sql = "UPDATE {}messages SET active = 0, compacted = :compacted WHERE session_id = :id AND id % 2 = 0"
            await stores.change(sql, compacted=random.randrange(2), id=id)
        case 4:
            await stores.change("DELETE FROM {}messages WHERE session_id = :id AND id % 3 = 0", id=id)
        case _:
            content = random.choice(["hello", "carried along", None])
            await stores.message(id, content=content, timestamp=T + random.randrange(3))


@pytest.mark.parametrize("seed", range(3))
async def test_every_tail_is_the_same_after_every_change(path: Path, url: str, seed: int) -> None:
    random = Random(seed)
    chains = told = skipped = 0
    async with both(path, url) as stores:
        for id in IDS:
            compressed = {"end_reason": "compression", "ended_at": T} if id in PARENTS.values() else {}
            await stores.session(id, parent_session_id=PARENTS.get(id), **compressed)
        for number in range(60):
            await step(stores, random)
            for _ in range(4):
                start, tip = random.choice(IDS), random.choice([None, *IDS])
                tail = await stores.tail(start, random.randrange(number + 1), tip, random.choice([0, 1, 3, 100]))
                if tail is not None:
                    chains += len(tail.segments) > 1
                    told += len(tail.messages)
                    skipped += tail.skipped and tip in tail.segments
    assert chains > 3
    assert told > 50
    assert skipped > 0


async def test_the_segments_are_those_of_the_whole_picture(path: Path, url: str) -> None:
    async with both(path, url) as stores:
        for number in range(12):
            await stores.session(
                f"x{number}",
                parent_session_id=f"x{number - number % 3 - 3}" if number >= 3 else None,
                started_at=T + number,
                ended_at=T + 50 + number if number % 2 else None,
                end_reason="compression" if number % 3 == 0 else "cli_close" if number % 2 else None,
            )
            await stores.message(f"x{number}", timestamp=T + 99 * (number % 4))
        forest = await stores.twin.forest()
        found = {head: [each.id for each in talk.segments] for head, talk in forest.conversations.items()}
        assert any(len(segments) > 2 for segments in found.values())
        for head, segments in found.items():
            tail = await stores.tail(head)
            assert tail is not None
            assert list(tail.segments) == segments


async def test_rewound_messages_and_carried_copies_are_not_told(path: Path, url: str) -> None:
    async with both(path, url) as stores:
        await stores.session("a")
        old = await stores.message("a", content="first", active=0, compacted=1)
        await stores.message("a", content="taken back", active=0)
        await stores.message("a", content="first")
        new = await stores.message("a", content="first", timestamp=T + 3)
        tail = await stores.tail("a")
        assert tail is not None
        assert [message.id for message in tail.messages] == [old, new]


async def test_a_tail_names_the_store_and_what_is_not_there_has_none(path: Path, url: str) -> None:
    async with both(path, url) as stores:
        assert await stores.tail("a") is None
        await stores.session("a")
        tail = await stores.tail("a")
        assert tail is not None
        async with stores.twin._database.connection() as connection:
            assert (tail.store, 1) == await version_of(connection, "hermes_sessions")
        assert (tail.messages, tail.newest) == ([], 0)


async def test_a_tail_is_of_one_moment(path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is committed while it is read is told by the next one, also where `newest` is asked for first."""
    with StoreBuilder(path) as agent:
        plan_chain(agent)
    async with twins(path, url) as (_, twin), connections(url) as [other]:

        async def version(*asked: Any) -> tuple[str, int]:
            found = await version_of(*asked)
            await other.execute("INSERT INTO messages (session_id, content) VALUES ('d3', 'meanwhile')")
            return found

        first = await twin.tail("d1", after=0, tip=None, limit=10)
        monkeypatch.setattr("hermes_sessions.stores.postgres.tails.version_of", version)
        assert plain(await twin.tail("d1", after=0, tip=None, limit=10)) == plain(first)
        monkeypatch.undo()
        assert first is not None
        after = await twin.tail("d1", after=first.newest, tip="d3", limit=10)
        assert after is not None
        assert [message.text for message in after.messages] == ["meanwhile"]


async def test_a_tail_does_not_wait_for_a_picture(path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with both(path, url) as stores:
        await stores.session("a")
        reading = asyncio.Event()

        async def never(*_: Any) -> None:
            reading.set()
            await asyncio.Event().wait()

        monkeypatch.setattr("hermes_sessions.stores.postgres.catalogue._picture_after", never)
        waiting = asyncio.create_task(stores.twin.forest())
        await reading.wait()
        number = await stores.message("a")
        tail = await stores.tail("a")
        assert tail is not None
        assert [message.id for message in tail.messages] == [number]
        assert not waiting.done()
        waiting.cancel()


async def test_of_a_tail_no_other_rows_are_read(path: Path, url: str) -> None:
    """However many messages others have written since, and however far behind the reader is."""
    async with both(path, url) as stores, stores.twin._database.connection() as connection:
        await stores.session("a")
        await stores.session("b")
        await connection.execute(
            """
            INSERT INTO hermes_sessions.messages (session_id, content, timestamp)
            SELECT CASE WHEN number % 1000 = 0 THEN 'a' ELSE 'b' END, 'hello', 1e9 + number
            FROM generate_series(1, 20000) AS number
            """
        )
        await connection.execute("ANALYZE hermes_sessions.messages")
        before = await rows_read(connection)
        tail = await stores.twin.tail("a", after=1000, tip=None, limit=5)
        assert tail is not None
        assert [message.id for message in tail.messages] == [2000, 3000, 4000, 5000, 6000]
        assert await rows_read(connection) - before < 50


async def rows_read(connection: Any) -> int:
    """Of messages, by index and otherwise, by this connection's transactions and those before."""
    await connection.execute("SELECT pg_stat_force_next_flush()")
    found = await connection.fetch_val(
        """
        SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables
        WHERE schemaname = 'hermes_sessions' AND relname = 'messages'
        """
    )
    return int(found)
