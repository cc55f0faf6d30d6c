"""What is asked for by its id is found, also where the picture of a big store is older than it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hermes_sessions.api.context import Context
from hermes_sessions.api.executor import Executor
from hermes_sessions.feed import Feeds
from hermes_sessions.model.ids import encode_node_id
from hermes_sessions.opening import open_profiles
from hermes_sessions.settings import Settings
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.api.planning import FACTS, SCHEMA, Json, answer
from tests.builders import StoreBuilder
from tests.stores.opened import as_if_reading_took

NODE_ID = encode_node_id("Session", "default", "fresh")
ASKED = {
    "session": 'query { found: session(id: "fresh") { id } }',
    "by prefix": 'query { found: session(id: "fre") { id } }',
    "conversation": 'query { found: conversation(id: "fresh") { id } }',
    "node": f'query {{ found: node(nodeId: "{NODE_ID}") {{ ... on Session {{ id }} }} }}',
}


@pytest.mark.parametrize("question", ASKED.values(), ids=ASKED.keys())
def test_a_session_that_has_only_just_begun_is_found(tmp_path: Path, question: str) -> None:
    async def story() -> Json:
        settings = Settings(home=tmp_path)
        profiles, feeds = open_profiles(settings), Feeds(settings.poll_interval)
        store = await profiles.get("default")
        assert isinstance(store, SqliteStore)
        await as_if_reading_took(60.0, store)
        agent.session("fresh")
        assert "fresh" not in (await store.forest()).sessions
        executor = Executor(SCHEMA, settings, lambda profile: Context(profiles, feeds, settings, FACTS, profile))
        try:
            return await answer(executor, question, {})
        finally:
            await profiles.close()

    with StoreBuilder(tmp_path / "state.db") as agent:
        agent.session("old")
        assert asyncio.run(story()) == {"data": {"found": {"id": "fresh"}}}
