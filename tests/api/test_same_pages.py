"""One list of changes on both engines, by GraphQL: every answer is the same, and every list, walked in pages of 1, 7 or
500 from either end, before and after a restart."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermes_sessions.stores.postgres.address import Address
from tests.api.serving import Api, Json, serving
from tests.api.walking import LISTS, List, backwards, forwards
from tests.builders import StoreBuilder, T, full_plan, store_path
from tests.postgres.builder import aside, fill
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer

SIZES = (1, 7, 500)
ORDERS = ("STARTED", "LAST_ACTIVE", "MESSAGES", "TOKENS", "COST", "TITLE")
FILTERS = ("", "archived: ONLY", "archived: INCLUDE", 'text: "walk"')
SEARCH = """
    query ($first: Int!, $after: String, $sort: SearchSort!) {
      search(text: "words", filter: {archived: INCLUDE}, sort: $sort, first: $first, after: $after) {
        totalCount pageInfo { hasNextPage endCursor }
        edges { node { field snippet hitsInConversation session { id } message { id } } }
      }
    }"""
CHANGES = """
    mutation {
      renameSession(input: {id: "d3", title: "Walked"}) { session { id title } userErrors { code } }
      taken: renameSession(input: {id: "w3", title: "Walked"}) { userErrors { code message } }
      archiveSession(input: {id: "w1"}) { changedIds userErrors { code } }
      many: archiveSessions(input: {ids: ["w2", "w4", "nowhere"], errorPolicy: SKIP_FAILED}) {
        changedIds skipped { id code } userErrors { code }
      }
      forkSession(input: {id: "w0", newId: "fork"}) { session { id title messageCount } userErrors { code } }
      appendMessages(input: {id: "w5", messages: [
        {role: "user", content: "late words", clientId: "a", timestamp: "2025-06-20T00:00:00Z"}
        {role: "assistant", content: "and more", clientId: "b", timestamp: "2025-06-20T00:00:01Z"}
      ]}) { messages { id } newIds userErrors { code } }
      again: appendMessages(input: {id: "w5", messages: [{role: "user", content: "late words", clientId: "a"}]}) {
        messages { id } newIds userErrors { code }
      }
      recordUsage(input: {id: "w5", model: "m", provider: "p", inputTokens: 5, estimatedCostUsd: 0.25}) {
        session { usage { totalTokens } cost { usd status } } userErrors { code }
      }
      deleteSession(input: {id: "sub1", force: true}) { deletedIds detachedIds messageCount bytes userErrors { code } }
      pruned: deleteSessions(input: {ids: ["w7", "w8"], force: true}) {
        changedIds messageCount bytes cost { usd }
      }
      endSession(input: {id: "w9", reason: "user"}) { changedIds userErrors { code } }
    }"""


def walked(store: StoreBuilder) -> None:
    """The plan, and conversations of many lengths with equal moments among them."""
    full_plan(store)
    chosen = random.Random(7)
    for number in range(40):
        start = T + 1000 * chosen.randrange(8)
        cost = chosen.choice([None, 0.5, 0.5, 2.0])
        id = store.session(f"w{number}", start=start, title=f"Walk {number}", input=chosen.randrange(3), cost=cost)
        for at in range(chosen.randrange(4)):
            store.message(id, ("user", "assistant")[at % 2], f"some words of {id}, {at}", at=start + at)
    store.session("s", start=T + 9000, title="Long")
    for at in range(60):
        store.message("s", ("user", "assistant")[at % 2], f"long words {at}", at=T + 9000 + at // 2)


@contextmanager
def served(home: Path, url: str | None) -> Iterator[Api]:
    """The profile of either engine."""
    declared = (("team", url),) if url is not None else ()
    with serving(home, profile=declared) as server:
        yield server.api("team" if url is not None else "default")


def lists() -> Iterator[tuple[List, str, tuple[int, ...]]]:
    for plain in LISTS:
        yield plain, "", SIZES
    conversations = LISTS[-1]
    for order in ORDERS:
        for direction in ("ASC", "DESC"):
            for condition in FILTERS:
                more = f"orderBy: {{field: {order}, direction: {direction}}}, filter: {{{condition}}}"
                yield conversations, more, SIZES[1:]


def everything(api: Api) -> dict[str, Any]:
    """Each list by its name; the same for every size of page and from either end."""
    found: dict[str, Any] = {}
    for each, more, sizes in lists():
        walks = [walk(each, api, size, lambda _: None, more) for size in sizes for walk in (forwards, backwards)]
        assert all(walk == walks[0] for walk in walks), (each.name, more)
        found[f"{each.name} {more}"] = walks[0]
    for sort in ("RELEVANCE", "NEWEST", "OLDEST"):
        searches = [searched(api, sort, size) for size in SIZES]
        assert all(hits == searches[0] for hits in searches), sort
        found[sort] = searches[0]
    return found


def searched(api: Api, sort: str, size: int) -> list[Json]:
    hits: list[Json] = []
    after = None
    while True:
        page = api.ask(SEARCH, first=size, after=after, sort=sort)["search"]
        hits += [edge["node"] for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            return hits
        after = page["pageInfo"]["endCursor"]


def test_both_engines_answer_alike_and_walk_alike_before_and_after_a_restart(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    home, copies = tmp_path / "home", tmp_path / "copies"
    url = aside(lambda: new_database(postgres))
    for path in (store_path(home), store_path(copies)):
        with StoreBuilder(path) as store:
            walked(store)
            if path == store_path(copies):
                aside(lambda: fill(Address.of("team", url), store))
    with served(home, None) as one, served(tmp_path / "team", url) as other:
        assert everything(one) == everything(other)
        answers = [api.ask(CHANGES) for api in (one, other)]
        assert json.dumps(answers[0]) == json.dumps(answers[1])
        refused = {name for name, payload in answers[0].items() if payload.get("userErrors")}
        assert refused == {"taken"}
        found = everything(one)
        assert found == everything(other)
    with served(home, None) as one, served(tmp_path / "team", url) as other:
        assert everything(one) == found == everything(other)
