"""5,000 sessions with 200,000 messages: every page answers, and memory stays small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.serving import peak_megabytes, process_serving
from tests.builders import StoreBuilder, T, home_with

SESSIONS, EACH = 5000, 40
ORDERS = ["STARTED", "LAST_ACTIVE", "MESSAGES", "TOKENS", "COST", "TITLE"]


def fill(store: StoreBuilder) -> None:
    """Half of the sessions are roots, the others hang on one as subagents."""
    store.index_no_more()  # filling the index takes minutes, and no question here reads it
    store.sql(
        f"""
        WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {SESSIONS})
        INSERT INTO sessions (id, source, started_at, ended_at, parent_session_id, model_config, title, input_tokens,
                              message_count, estimated_cost_usd, system_prompt)
        SELECT printf('s%04d', n), 'cli', {T} + n, {T} + n + 900,
               CASE WHEN n % 2 THEN printf('s%04d', n - 1) END,
               CASE WHEN n % 2 THEN printf('{{"_delegate_from": "s%04d"}}', n - 1) END,
               printf('Session %d', n), n, {EACH}, n * 0.01, printf('%.*c', 4000, 'p')
        FROM numbers
        """
    )
    store.sql(
        f"""
        WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {SESSIONS * EACH})
        INSERT INTO messages (session_id, role, content, timestamp)
        SELECT printf('s%04d', n / {EACH}), CASE WHEN n % 2 THEN 'assistant' ELSE 'user' END,
               printf('message %d %.*c', n, 500, 'm'), {T} + n / {EACH} + n % {EACH}
        FROM numbers
        """
    )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, int]]:
    home: Path = home_with(tmp_path_factory.mktemp("many") / "home", default=fill)
    with process_serving(home) as running:
        yield running


def ask(client: httpx.Client, query: str, **variables: Any) -> Any:
    answer = client.post("/graphql", json={"query": query, "variables": variables}).json()
    assert "errors" not in answer
    return answer["data"]


def test_every_page_answers_and_memory_stays_under_250_megabytes(served: tuple[httpx.Client, int]) -> None:
    client, pid = served
    query = """query ($after: String, $order: ConversationOrderField!) {
      conversations(first: 500, after: $after, orderBy: {field: $order}) {
        totalCount pageInfo { hasNextPage endCursor } hidden { subagents }
        nodes { id displayTitle preview messageCount cost { usd } costWithSubagents { usd } }
        facets { models { count } } }
    }"""
    for order in ORDERS:
        found: set[str] = set()
        after = None
        while len(found) < SESSIONS // 2:
            page = ask(client, query, after=after, order=order)["conversations"]
            assert (page["totalCount"], page["hidden"]["subagents"]) == (SESSIONS // 2, SESSIONS // 2)
            assert all(node["messageCount"] == EACH for node in page["nodes"])
            found |= {node["id"] for node in page["nodes"]}
            after = page["pageInfo"]["endCursor"]
        assert not page["pageInfo"]["hasNextPage"]
    assert peak_megabytes(pid) < 250


def test_transcripts_searches_in_lists_and_trees_answer(served: tuple[httpx.Client, int]) -> None:
    client, pid = served
    transcript = """query ($id: ID!) { conversation(id: $id) {
        messages(first: 500) { totalCount nodes { content raw } } lineage { totalCount } } }"""
    for number in range(0, SESSIONS, 500):
        found = ask(client, transcript, id=f"s{number:04}")["conversation"]
        assert (found["messages"]["totalCount"], found["lineage"]["totalCount"]) == (EACH, 2)
    filtered = ask(client, '{ conversations(filter: {text: "message 80000 "}) { totalCount nodes { id } } }')
    assert filtered["conversations"] == {"totalCount": 1, "nodes": [{"id": "s2000"}]}
    assert peak_megabytes(pid) < 250
