"""messageStream: each message once and in order, from the state at the start to the end of the conversation."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.api.serving import Api, Json, Server
from tests.api.streaming import MESSAGES, connected, streaming, subscribed
from tests.builders import StoreBuilder, T, plan_chain, plan_subagents


def contents(events: list[Json]) -> list[str]:
    return [event["message"]["content"] for event in events]


def test_the_first_event_tells_the_state_and_then_come_new_messages(server: Server) -> None:
    api = server.profile(plan_chain, lambda store: store.message("d3", "user", "of before"))

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d1") as stream:
            first = await stream.next()
            assert (first["message"], first["session"]["id"], first["complete"]) == (None, "d3", True)
            with api.store() as agent:
                for session in ("d3", "d3s", "d1"):
                    agent.message(session, "user", f"to {session}")
            told = await stream.take(2)
            assert contents(told) == ["to d3", "to d1"]
            assert [event["message"]["session"]["id"] for event in told] == ["d3", "d1"]
            assert {event["session"]["id"] for event in told} == {"d3"}
            assert told[-1]["session"]["messageCount"] in (1, 2)  # counts may be of a moment before
            assert await stream.is_quiet()

    asyncio.run(story())


def test_a_cursor_goes_on_where_it_was_given(server: Server) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d3") as stream:
            cursors = [(await stream.next())["resumeCursor"]]
            with api.store() as agent:
                for number in range(3):
                    agent.message("d3", "user", f"message {number}")
            cursors += [event["resumeCursor"] for event in await stream.take(3)]
        with api.store() as agent:
            for number in range(3, 60):  # more than one reading holds
                agent.message("d3", "user", f"message {number}")
        for told, cursor in enumerate(cursors):
            async with streaming(server, api, MESSAGES, id="d2", after=cursor) as stream:
                first = await stream.next()
                assert (first["message"], first["complete"]) == (None, True)
                assert contents(await stream.take(60 - told)) == [f"message {number}" for number in range(told, 60)]
                assert await stream.is_quiet()
        async with streaming(server, api, MESSAGES, id="d2", after=first["resumeCursor"]) as stream:
            assert (await stream.next())["resumeCursor"] == first["resumeCursor"]

    asyncio.run(story())


RESUMABLE = """
    query Page($id: ID!, $filter: MessageFilter) {
      conversation(id: $id) { messages(first: 1, filter: $filter) { nodes { content } resumeCursor } }
    }
"""


def test_a_page_s_cursor_goes_on_where_the_whole_list_ended(server: Server) -> None:
    """Whatever part of the list the page holds, and over a compression."""
    api = server.profile(plan_chain)
    with api.store() as agent:
        for number in range(3):
            agent.message("d3", "user", f"of before {number}")
    page = api.ask(RESUMABLE, id="d3")["conversation"]["messages"]
    assert [node["content"] for node in page["nodes"]] == ["of before 0"]

    async def story() -> None:
        with api.store() as agent:
            agent.message("d3", "user", "between")
            agent.set("sessions", "d3", end_reason="compression", ended_at=T + 300)
            agent.session("d4", parent="d3", start=T + 300)
            agent.message("d4", "user", "after the compression")
        async with streaming(server, api, MESSAGES, id="d3", after=page["resumeCursor"]) as stream:
            first = await stream.next()
            assert (first["message"], first["complete"]) == (None, True)
            assert contents(await stream.take(2)) == ["between", "after the compression"]
            assert await stream.is_quiet()

    asyncio.run(story())


def test_a_session_s_page_has_a_cursor_unless_another_session_continues_it(server: Server) -> None:
    api = server.profile(plan_chain, plan_subagents)
    asked = "{ session(id: %s) { messages(first: 1) { resumeCursor } } }"

    async def story() -> None:
        cursors = {id: api.ask(asked % f'"{id}"')["session"]["messages"]["resumeCursor"] for id in ("d2", "d3", "sub1")}
        assert cursors.pop("d2") is None
        for id, cursor in cursors.items():
            with api.store() as agent:
                agent.message(id, "user", f"to {id}")
            async with streaming(server, api, MESSAGES, id=id, after=cursor) as stream:
                assert (await stream.next())["complete"] is True
                assert contents([await stream.next()]) == [f"to {id}"]

    asyncio.run(story())


def test_it_goes_on_in_the_continuation(server: Server) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d1") as stream:
            before = (await stream.next())["resumeCursor"]
            with api.store() as agent:
                agent.message("d3", "user", "last words")
                agent.set("sessions", "d3", end_reason="compression", ended_at=T + 300)
                assert contents([await stream.next()]) == ["last words"]
                agent.session("d4", parent="d3", start=T + 300)
                news = await stream.next()
                assert (news["message"], news["session"]["id"], news["complete"]) == (None, "d4", True)
                agent.message("d4", "user", "summary")
            assert contents([await stream.next()]) == ["summary"]
        async with streaming(server, api, MESSAGES, id="d1", after=before) as stream:
            assert (await stream.next())["session"]["id"] == "d4"
            assert contents(await stream.take(2)) == ["last words", "summary"]

    asyncio.run(story())


def test_another_continuation_is_not_taken_up_without_a_word(server: Server) -> None:
    api = server.profile(plan_chain, lambda store: store.message("d3", at=T + 250))

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d1") as stream:
            await stream.next()
            with api.store() as agent:
                agent.sql("BEGIN")
                agent.set("sessions", "d3s", ended_at=None, end_reason=None)
                agent.message("d3s", "user", "to the other", at=T + 400)
                agent.sql("COMMIT")
            news, told = await stream.take(2)
            assert (news["message"], news["complete"], news["session"]["id"]) == (None, False, "d3s")
            assert told["message"]["content"] == "to the other"

    asyncio.run(story())


def test_a_subagent_has_a_stream_of_its_own(server: Server) -> None:
    api = server.profile(plan_chain, plan_subagents)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="sub1") as stream:
            assert (await stream.next())["session"]["id"] == "sub1"
            with api.store() as agent:
                agent.message("d3", "user", "to the parent")
                agent.message("sub1", "user", "to the subagent")
            assert contents([await stream.next()]) == ["to the subagent"]

    asyncio.run(story())


def test_a_conversation_that_was_just_begun_is_found(server: Server) -> None:
    """Also where commits come so fast that lists may show a picture that is a moment old."""
    api = server.profile(plan_chain)

    async def story() -> None:
        for number in range(5):
            api.ask("{ sessions { totalCount } }")
            with api.store() as agent:
                agent.session(f"new-{number}")
            async with streaming(server, api, MESSAGES, id=f"new-{number}") as stream:
                assert (await stream.next())["session"]["id"] == f"new-{number}"

    asyncio.run(story())


def test_it_ends_when_the_conversation_is_deleted(server: Server) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d1") as stream:
            await stream.next()
            delete = 'mutation { deleteSession(input: {id: "d1", exact: true}) { deletedIds } }'
            assert await asyncio.to_thread(api.ask, delete)
            refusal = await stream.refusal()
            assert (refusal.code, refusal.message) == ("NOT_FOUND", "The conversation has been deleted.")

    asyncio.run(story())


def test_it_goes_on_when_the_first_segment_alone_is_deleted(server: Server) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d1") as stream:
            await stream.next()
            delete = 'mutation { deleteSession(input: {id: "d1", exact: true, scope: SESSION}) { deletedIds } }'
            await asyncio.to_thread(api.ask, delete)
            with api.store() as agent:
                agent.message("d3", "user", "still here")
            event = await stream.next()
            assert contents([event]) == ["still here"]
        async with streaming(server, api, MESSAGES, id="d3", after=event["resumeCursor"]) as stream:
            assert (await stream.next())["complete"] is True

    asyncio.run(story())


def replace_store(api: Api) -> None:
    other = api.path.with_name("other.db")
    with StoreBuilder(other) as store:
        plan_chain(store)
    for suffix in ("-wal", "-shm"):
        api.path.with_name(api.path.name + suffix).unlink(missing_ok=True)
    os.replace(other, api.path)


@pytest.mark.sqlite
def test_it_ends_when_the_store_is_replaced(server: Server) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id="d1") as stream:
            cursor = (await stream.next())["resumeCursor"]
            replace_store(api)
            refusal = await stream.refusal()
            assert (refusal.code, refusal.details["reason"]) == ("INVALID_CURSOR", "STORE_REPLACED")
        async with streaming(server, api, MESSAGES, id="d1", after=cursor) as stream:
            assert (await stream.next())["complete"] is False
            with api.store() as agent:
                agent.message("d3", "user", "in the new store")
            event = await stream.next()
            assert (contents([event]), event["complete"]) == (["in the new store"], True)

    asyncio.run(story())


@pytest.mark.parametrize(
    ("id", "after", "code"),
    [
        ("nobody", None, "NOT_FOUND"),
        ("", None, "BAD_USER_INPUT"),
        ("", "nonsense", "INVALID_CURSOR"),
        ("d1", "nonsense", "INVALID_CURSOR"),
    ],
)
def test_what_cannot_be_followed_is_refused(server: Server, id: str, after: str | None, code: str) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, MESSAGES, id=id, after=after) as stream:
            assert (await stream.refusal()).code == code

    asyncio.run(story())


def test_a_cursor_of_another_conversation_profile_or_field_is_refused(server: Server) -> None:
    api = server.profile(plan_chain, lambda store: store.session("other"))
    elsewhere = server.profile(plan_chain)

    async def story() -> None:
        cursors: list[str] = []
        for where, id in ((api, "other"), (elsewhere, "d1")):
            async with streaming(server, where, MESSAGES, id=id) as stream:
                cursors.append((await stream.next())["resumeCursor"])
        for cursor in cursors:
            async with streaming(server, api, MESSAGES, id="d1", after=cursor) as stream:
                assert (await stream.refusal()).code == "INVALID_CURSOR"

    asyncio.run(story())


def test_a_slow_reader_gets_everything_and_others_do_not_wait(server: Server) -> None:
    api = server.profile(plan_chain)
    count, size = 60, 60_000

    async def story() -> None:
        async with (
            streaming(server, api, MESSAGES, id="d1") as slow,
            connected(server, api) as session,
            subscribed(session, MESSAGES, id="d1") as quick,
        ):
            await slow.next()
            await quick.next()
            with api.store() as agent:
                for number in range(count):
                    agent.message("d3", "user", f"{number} " + "x" * size)
            numbers = [text.split()[0] for text in contents(await quick.take(count))]
            assert numbers == [str(number) for number in range(count)]
            assert [text.split()[0] for text in contents(await slow.take(count))] == numbers

    asyncio.run(story())
