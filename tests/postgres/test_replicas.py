"""Two servers on one store: what goes through the one is seen and told through the other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from hermes_sessions.stores.postgres.address import Address
from tests.api.serving import Api, Json, Server, serving
from tests.api.streaming import CHANGES, MESSAGES, streaming
from tests.api.test_session_changes import told
from tests.builders import StoreBuilder, plan_chain
from tests.postgres.builder import fill

APPEND = """
    mutation ($text: String!) {
      appendMessages(input: {id: "d1", messages: [{role: "user", content: $text}]}) { messages { id } }
    }"""
CREATE = 'mutation ($id: ID!) { createSession(input: {id: $id, source: "cli"}) { userErrors { message } } }'
WITHIN = 1.0
"""Seconds in which a change through one server arrives through another."""


@dataclass(frozen=True)
class Replicas:
    one: Server
    other: Server

    def apis(self) -> tuple[Api, Api]:
        return self.one.api("team"), self.other.api("team")


@pytest.fixture
def replicas(url: str, tmp_path: Path) -> Iterator[Replicas]:
    with StoreBuilder(tmp_path / "state.db") as store:
        plan_chain(store)
        asyncio.run(fill(Address.of("team", url), store))
    declared = (("team", url),)
    with serving(tmp_path / "one", profile=declared) as one, serving(tmp_path / "other", profile=declared) as other:
        yield Replicas(one, other)


def test_what_is_acknowledged_by_one_is_read_through_the_other(replicas: Replicas) -> None:
    here, there = replicas.apis()
    for number in range(30):
        assert here.ask(CREATE, id=f"s{number}")["createSession"]["userErrors"] == []
        assert there.ask("query ($id: ID!) { session(id: $id) { id } }", id=f"s{number}")["session"] is not None
        assert len(here.ask(APPEND, text=f"words {number}")["appendMessages"]["messages"]) == 1
        found = there.ask('{ conversation(id: "d1") { messages(last: 1) { nodes { content } } } }')["conversation"]
        assert found["messages"]["nodes"] == [{"content": f"words {number}"}]
        here, there = there, here


def test_both_streams_hear_within_a_second_of_what_came_through_the_other(replicas: Replicas) -> None:
    here, _ = replicas.apis()

    async def story() -> None:
        there = replicas.other
        async with (
            streaming(there, there.api("team"), CHANGES) as changes,
            streaming(there, there.api("team"), MESSAGES, id="d1") as messages,
        ):
            await changes.next()
            await messages.next()
            for number in range(5):
                await asyncio.to_thread(here.ask, APPEND, text=f"words {number}")
                acknowledged = time.monotonic()
                assert (await messages.next())["message"]["content"] == f"words {number}"
                assert told([await changes.next()]) == [("UPDATED", "d3")]
                assert time.monotonic() - acknowledged < WITHIN

    asyncio.run(story())


def test_a_stream_of_messages_goes_on_at_the_other_server(replicas: Replicas) -> None:
    async def story() -> None:
        api = replicas.one.api("team")
        async with streaming(replicas.one, api, MESSAGES, id="d1") as stream:
            await stream.next()
            await asyncio.to_thread(api.ask, APPEND, text="first")
            cursor = (await stream.next())["resumeCursor"]
        for text in ("second", "third"):
            await asyncio.to_thread(api.ask, APPEND, text=text)
        async with streaming(replicas.other, replicas.other.api("team"), MESSAGES, id="d1", after=cursor) as stream:
            events = await stream.take(3)
            assert [event["message"] and event["message"]["content"] for event in events] == [None, "second", "third"]
            assert all(event["complete"] for event in events)

    asyncio.run(story())


async def seen(server: Server, after: str, count: int) -> list[Json]:
    async with streaming(server, server.api("team"), CHANGES, after=after) as stream:
        first = await stream.next()
        assert (first["kind"], first["complete"]) == ("SYNCED", True)
        events = await stream.take(count)
        assert await stream.is_quiet()
        return events


def test_every_cursor_of_one_server_brings_at_the_other_what_came_after_it(replicas: Replicas) -> None:
    names = [f"new-{number}" for number in range(6)]
    api = replicas.one.api("team")

    async def story() -> None:
        async with streaming(replicas.one, api, CHANGES) as stream:
            cursors = [(await stream.next())["resumeCursor"]]
            for name in names[:4]:
                await asyncio.to_thread(api.ask, CREATE, id=name)
                cursors.append((await stream.next())["resumeCursor"])
        for name in names[4:]:
            await asyncio.to_thread(api.ask, CREATE, id=name)
        for known, cursor in enumerate(cursors):
            events = await seen(replicas.other, cursor, 6 - known)
            assert told(events) == [("CREATED", name) for name in names[known:]]
            if known < 6:
                again = await seen(replicas.one, events[-1]["resumeCursor"], 0)
                assert again == []

    asyncio.run(story())


def test_what_was_made_changed_and_deleted_meanwhile_is_told_as_what_came_of_it(replicas: Replicas) -> None:
    api = replicas.one.api("team")

    async def story() -> None:
        async with streaming(replicas.one, api, CHANGES) as stream:
            cursor = (await stream.next())["resumeCursor"]
        for name in ("stays", "goes"):
            await asyncio.to_thread(api.ask, CREATE, id=name)
        await asyncio.to_thread(
            api.ask, 'mutation { renameSession(input: {id: "stays", title: "Kept"}) { session { id } } }'
        )
        await asyncio.to_thread(api.ask, 'mutation { deleteSession(input: {id: "goes", force: true}) { deletedIds } }')
        await asyncio.to_thread(api.ask, 'mutation { archiveSession(input: {id: "d1"}) { changedIds } }')
        kinds = {session: kind for kind, session in told(await seen(replicas.other, cursor, 6))}
        # d3s is another child of d2: whether it continues it depends on the others, so it is told, too.
        updated = dict.fromkeys(("d1", "d2", "d3", "d3s"), "UPDATED")
        assert kinds == {"stays": "CREATED", "goes": "DELETED", **updated}

    asyncio.run(story())


def test_a_cursor_of_another_store_has_a_gap(replicas: Replicas, url: str) -> None:
    async def story() -> None:
        async with streaming(replicas.one, replicas.one.api("team"), CHANGES) as stream:
            cursor = (await stream.next())["resumeCursor"]
        connection = await asyncpg.connect(url)
        await connection.execute("UPDATE hermes_sessions.store SET id = gen_random_uuid()")
        await connection.close()
        async with streaming(replicas.other, replicas.other.api("team"), CHANGES, after=cursor) as stream:
            first = await stream.next()
            assert (first["kind"], first["complete"]) == ("SYNCED", False)

    asyncio.run(story())


def test_nothing_is_lost_when_a_commit_is_late(replicas: Replicas, url: str) -> None:
    """A program that holds its transaction open for a while: who writes after it waits, so that nobody has told a later
    change before an earlier one."""

    async def story() -> None:
        here, there = replicas.apis()
        late = await asyncpg.connect(url)
        async with streaming(replicas.other, there, CHANGES) as stream:
            await stream.next()
            transaction = late.transaction()
            await transaction.start()
            await late.execute("INSERT INTO hermes_sessions.sessions (id, started_at) VALUES ('late', 1)")
            waiting = asyncio.create_task(asyncio.to_thread(here.ask, CREATE, id="after it"))
            await asyncio.sleep(0.5)
            assert not waiting.done()
            await transaction.commit()
            await waiting
            assert sorted(told(await stream.take(2))) == [("CREATED", "after it"), ("CREATED", "late")]
            assert await stream.is_quiet()
        await late.close()

    asyncio.run(story())
