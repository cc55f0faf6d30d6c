"""What is kept of a store says the same as one that was just opened, whatever others write meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_sessions.model.message import MessageState
from hermes_sessions.model.search.fields import MESSAGE_FIELDS
from hermes_sessions.store_values import Find, MessageQuery
from hermes_sessions.stores.postgres import details
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer
from tests.postgres.test_catalogue import replica
from tests.postgres.test_change_tracking import SESSIONS, connections

IDS = ["a", "b", "c"]
EVERY_STATE = MessageQuery(states=frozenset(MessageState))
CALLS = '[{"id": "c1", "function": {"name": "run"}}]'
STEPS = st.one_of(
    st.tuples(st.just("INSERT INTO sessions (id) VALUES ($1) ON CONFLICT DO NOTHING"), SESSIONS),
    st.tuples(
        st.just(
            "WITH gone AS (DELETE FROM messages WHERE session_id = $1), spent AS (DELETE FROM session_model_usage"
            " WHERE session_id = $1) DELETE FROM sessions WHERE id = $1"
        ),
        SESSIONS,
    ),
    st.tuples(
        st.just(
            "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id) SELECT $1, $2, $3,"
            f" CASE WHEN $2 = 'assistant' THEN '{CALLS}' END, CASE WHEN $2 = 'tool' THEN 'c1' END"
            " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = $1)"
        ),
        SESSIONS,
        st.sampled_from(["user", "assistant", "tool"]),
        st.sampled_from(["hello", "Error: broken", "[CONTEXT SUMMARY] so far"]),
    ),
    st.tuples(
        st.just("UPDATE messages SET active = $2, compacted = $3 WHERE session_id = $1"),
        SESSIONS,
        st.integers(0, 1),
        st.integers(0, 1),
    ),
    st.tuples(
        st.just("UPDATE messages SET content = $2 WHERE session_id = $1"), SESSIONS, st.sampled_from(["run", None])
    ),
    st.tuples(
        st.just(
            "INSERT INTO session_model_usage (session_id, model, input_tokens) SELECT $1, $2, 1"
            " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = $1)"
            " ON CONFLICT (session_id, model, billing_provider, billing_base_url, billing_mode, task)"
            " DO UPDATE SET input_tokens = session_model_usage.input_tokens + 1"
        ),
        SESSIONS,
        st.sampled_from(["m", "n"]),
    ),
    st.tuples(st.just("DELETE FROM session_model_usage WHERE session_id = $1"), SESSIONS),
)


async def answers(store: PostgresReading) -> dict[str, Any]:
    lines = await store.transcript(IDS, EVERY_STATE)
    messages = await store.messages(lines.ids)
    places = [(message.session_id, message.id) for message in messages.values()]
    return {
        "lines": lines,
        "live": await store.transcript(IDS, MessageQuery()),
        "points": await store.outline(IDS, EVERY_STATE, Find("run", MESSAGE_FIELDS)),
        "results": await store.tool_results(places),
        "names": await store.tool_names(places),
        "usage": dict(await store.all_usage()),
    }


def test_any_changes_lead_to_what_is_read_from_nothing(server: PostgresServer) -> None:
    async def check(steps: list[tuple[Any, ...]]) -> None:
        url = await new_database(server)
        async with connections(url) as [one], replica(url) as store:
            for sql, *values in steps:
                await one.execute(sql, *values)
                async with replica(url) as anew:
                    assert await answers(store) == await answers(anew)

    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(STEPS, min_size=5, max_size=10))
    def run(steps: list[tuple[Any, ...]]) -> None:
        first = "INSERT INTO sessions (id) SELECT unnest(ARRAY['a', 'b', 'c'])"
        asyncio.run(check([(first,), *steps]))

    run()


async def test_usage_is_read_of_the_sessions_alone_that_a_commit_touched(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) VALUES ('a'), ('b')")
        await one.execute("INSERT INTO session_model_usage (session_id, model) VALUES ('a', 'm'), ('b', 'm')")
        first = await store.all_usage()
        asked: list[Any] = []
        by_model = details.usage_by_model

        async def count(connection: Any, schema: str, session_ids: Any) -> Any:
            asked.append(session_ids)
            return await by_model(connection, schema, session_ids)

        monkeypatch.setattr(details, "usage_by_model", count)
        monkeypatch.delattr(details, "all_usage")
        await one.execute("INSERT INTO messages (session_id) VALUES ('a')")
        assert await store.all_usage() is first
        await one.execute("UPDATE session_model_usage SET input_tokens = 7 WHERE session_id = 'b'")
        second = await store.all_usage()
        assert second.differing(first) == {"b"}
        assert [row.usage.input_tokens for row in second["b"]] == [7]
        assert asked == [["b"]]


async def test_usage_of_a_store_that_took_the_place_of_another_is_read_from_nothing(url: str) -> None:
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO session_model_usage (session_id, model) VALUES ('a', 'm')")
        assert list(await store.all_usage()) == ["a"]
        await one.execute("DROP SCHEMA hermes_sessions CASCADE")
        async with connections(url) as [other]:
            await other.execute("INSERT INTO sessions (id) VALUES ('b')")
            await other.execute("INSERT INTO session_model_usage (session_id, model) VALUES ('b', 'm')")
            assert list(await store.all_usage()) == ["b"]


async def test_previews_are_kept_until_the_messages_change(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    previews = details.previews

    async def count(connection: Any, schema: str, session_ids: Any) -> Any:
        asked.append(list(session_ids))
        return await previews(connection, schema, session_ids)

    monkeypatch.setattr(details, "previews", count)
    async with connections(url) as [one], replica(url) as store:
        await one.execute("INSERT INTO sessions (id) VALUES ('a'), ('b')")
        await one.execute("INSERT INTO messages (session_id, role, content) VALUES ('a', 'user', 'first')")
        for _ in range(2):
            assert await store.previews(["a", "b", "never-was"]) == {"a": "first", "b": None}
        assert asked == [["a"]]
        await one.execute("UPDATE sessions SET title = 'title of ' || id")
        await one.execute("INSERT INTO messages (session_id, role, content) VALUES ('b', 'user', 'second')")
        assert await store.previews(["a", "b"]) == {"a": "first", "b": "second"}
        assert asked == [["a"], ["b"]]
        await one.execute("DROP SCHEMA hermes_sessions CASCADE")
        async with connections(url) as [other]:
            await other.execute("INSERT INTO sessions (id) VALUES ('a')")
            await other.execute("INSERT INTO messages (session_id, role, content) VALUES ('a', 'user', 'another')")
            assert await store.previews(["a"]) == {"a": "another"}
