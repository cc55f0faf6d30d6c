"""Search over random stores, asked through GraphQL, gives the conversations and counts of the plain reference."""

from __future__ import annotations

import pytest

from tests.api.serving import Server
from tests.api.test_search import search
from tests.builders import StoreBuilder, store_path
from tests.random_search import fill_randomly, questions, rows_of
from tests.search_layouts import LAYOUTS
from tests.search_reference import by_conversation


@pytest.mark.parametrize("layout", ["whole", "over_views", "half_built"])
def test_conversations_and_their_hits_are_those_of_the_reference(server: Server, layout: str) -> None:
    conversation_of: dict[str, str] = {}
    path = store_path(server.home, f"random-{layout.replace('_', '-')}")
    LAYOUTS[layout](path, lambda store: conversation_of.update(fill_randomly(store, 7)))
    with StoreBuilder(path) as store:
        rows = rows_of(store)
    api = server.api(path.parent.name)
    for text in questions(7, 25):
        answer = search(api, text, filter={"fields": ["CONTENT", "TOOL"]})
        counts = {edge["node"]["conversation"]["id"]: edge["node"]["hitsInConversation"] for edge in answer["edges"]}
        assert counts == by_conversation(rows, text, conversation_of), text
        for edge in answer["edges"]:
            assert edge["node"]["highlights"], (text, edge["node"])
