"""sessionChanges: what anybody does to the sessions of a profile, and what was missed meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hermes_sessions import feed
from tests.api.serving import Json, Server, serving
from tests.api.streaming import CHANGES, MESSAGES, connected, streaming, subscribed
from tests.api.test_message_stream import replace_store
from tests.builders import plan_chain


def told(events: list[Json]) -> list[tuple[str, str | None]]:
    return [(event["kind"], event["sessionId"]) for event in events]


def test_first_the_state_then_what_others_and_we_ourselves_change(server: Server) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, CHANGES) as stream:
            first = await stream.next()
            assert (first["kind"], first["complete"], first["session"]) == ("SYNCED", True, None)
            with api.store() as agent:
                agent.session("new", title="Begun")
                created = await stream.next()
                assert told([created]) == [("CREATED", "new")]
                assert created["session"] == {"id": "new", "title": "Begun", "kind": "ROOT", "messageCount": 0}
                agent.message("new")
                updated = await stream.next()
                assert (told([updated]), updated["session"]["messageCount"]) == ([("UPDATED", "new")], 1)
            rename = 'mutation { renameSession(input: {id: "new", title: "Ours"}) { session { id } } }'
            await asyncio.to_thread(api.ask, rename)
            renamed = await stream.next()
            assert (told([renamed]), renamed["session"]["title"]) == ([("UPDATED", "new")], "Ours")
            await asyncio.to_thread(api.ask, 'mutation { deleteSession(input: {id: "new"}) { deletedIds } }')
            deleted = await stream.next()
            assert (told([deleted]), deleted["session"]) == ([("DELETED", "new")], None)
            assert await stream.is_quiet()

    asyncio.run(story())


def test_every_cursor_brings_exactly_what_came_after_it(server: Server) -> None:
    api = server.profile(plan_chain)
    names = [f"new-{number}" for number in range(6)]

    async def story() -> None:
        async with streaming(server, api, CHANGES) as stream:
            cursors = [(await stream.next())["resumeCursor"]]
            with api.store() as agent:
                for name in names[:4]:
                    agent.session(name)
                    cursors.append((await stream.next())["resumeCursor"])
        with api.store() as agent:
            for name in names[4:]:
                agent.session(name)
        for seen, cursor in enumerate(cursors):
            async with streaming(server, api, CHANGES, after=cursor) as stream:
                first = await stream.next()
                assert (first["kind"], first["complete"], first["resumeCursor"]) == ("SYNCED", True, cursor)
                assert told(await stream.take(6 - seen)) == [("CREATED", name) for name in names[seen:]]
                assert await stream.is_quiet()

    asyncio.run(story())


def test_a_cursor_of_another_server_process_is_told_to_have_a_gap(tmp_path: Path) -> None:
    async def first_event(server: Server, **variables: str) -> Json:
        async with streaming(server, server.api("case-1"), CHANGES, **variables) as stream:
            return await stream.next()

    with serving(tmp_path / "home") as server:
        server.profile(plan_chain)
        event = asyncio.run(first_event(server))
    with serving(tmp_path / "home") as server:
        again = asyncio.run(first_event(server, after=event["resumeCursor"]))
        assert (again["kind"], again["complete"]) == ("SYNCED", False)


def test_more_than_is_kept_is_a_gap_for_who_was_away_and_for_who_is_slow(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LOG_SIZE", 20)
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, CHANGES) as stream:
            cursor = (await stream.next())["resumeCursor"]
            with api.store() as agent:
                agent.sql("BEGIN")
                for number in range(30):
                    agent.session(f"new-{number}")
                agent.sql("COMMIT")
            event = await stream.next()
            assert (event["kind"], event["complete"]) == ("SYNCED", False)
            with api.store() as agent:
                agent.session("after")
            assert told([await stream.next()]) == [("CREATED", "after")]
        async with streaming(server, api, CHANGES, after=cursor) as stream:
            event = await stream.next()
            is_known_to_the_store = api.address is not None
            assert (event["kind"], event["complete"]) == ("SYNCED", is_known_to_the_store)

    asyncio.run(story())


@pytest.mark.sqlite
def test_a_replaced_store_is_told(server: Server) -> None:
    api = server.profile(plan_chain, lambda store: store.session("only here"))

    async def story() -> None:
        async with streaming(server, api, CHANGES) as stream:
            await stream.next()
            replace_store(api)
            event = await stream.next()
            assert (told([event]), event["complete"]) == ([("STORE_REPLACED", None)], False)
            with api.store() as agent:
                agent.session("next")
            assert told([await stream.next()]) == [("CREATED", "next")]

    asyncio.run(story())


def test_a_profile_without_a_store_tells_when_hermes_makes_one(server: Server) -> None:
    (server.home / "profiles" / "empty").mkdir(parents=True)
    api = server.api("empty")

    async def story() -> None:
        async with streaming(server, api, CHANGES) as stream:
            await stream.next()
            with api.store() as agent:
                agent.session("first")
            assert told([await stream.next()]) == [("CREATED", "first")]

    asyncio.run(story())


@pytest.mark.parametrize("after", ["", "nonsense", "WzEsIngiLDFd"])
def test_what_is_no_cursor_is_refused(server: Server, after: str) -> None:
    api = server.profile(plan_chain)

    async def story() -> None:
        async with streaming(server, api, CHANGES, after=after) as stream:
            assert (await stream.refusal()).code == "INVALID_CURSOR"

    asyncio.run(story())


def test_an_unknown_profile_is_refused(server: Server) -> None:
    async def story() -> None:
        async with streaming(server, server.api("nobody"), CHANGES) as stream:
            assert (await stream.refusal()).code == "PROFILE_NOT_FOUND"

    asyncio.run(story())


def test_queries_mutations_and_subscriptions_share_a_connection_and_its_limits(tmp_path: Path) -> None:
    with serving(tmp_path / "home", read_only=True, max_depth=4) as server:
        api = server.profile(plan_chain)

        async def story() -> None:
            async with (
                connected(server, api) as session,
                subscribed(session, CHANGES) as changes,
                subscribed(session, MESSAGES, id="d1") as messages,
            ):
                await changes.next()
                await messages.next()
                with api.store() as agent:
                    agent.message("d3", "user", "hello")
                assert (await messages.next())["message"]["content"] == "hello"
                assert told([await changes.next()]) == [("UPDATED", "d3")]
                async with subscribed(session, '{ session(id: "d2") { title } }') as query:
                    assert (await query.next())["title"] == "Plan #2"
                rename = 'mutation { renameSession(input: {id: "d3", title: "x"}) { userErrors { code } } }'
                async with subscribed(session, rename) as mutation:
                    assert (await mutation.next())["userErrors"] == [{"code": "READ_ONLY"}]
                deep = "subscription { sessionChanges { session { parent { parent { parent { id } } } } } }"
                async with subscribed(session, deep) as stream:
                    assert (await stream.refusal()).code == "QUERY_TOO_EXPENSIVE"
                async with subscribed(session, "subscription { sessionChanges { kind } }", after=3) as stream:
                    await stream.next()
                async with subscribed(session, CHANGES, after=3) as stream:
                    assert (await stream.refusal()).code == "BAD_USER_INPUT"

        asyncio.run(story())


def test_a_subscription_is_refused_over_post(server: Server) -> None:
    api = server.profile(plan_chain)
    assert "over WebSocket" in api.refusal("subscription { sessionChanges { kind } }").message
