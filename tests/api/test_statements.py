"""A question costs a fixed number of SQL statements, whatever the size of its answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from hermes_sessions.stores.postgres.backend import PostgresConnection
from tests.api.serving import Server
from tests.builders import StoreBuilder, T
from tests.statements import overheard

LIST = """{ conversations(first: 80) { totalCount hidden { archived } nodes {
    id displayTitle preview messageCount lastActiveAt cost { usd } usage { totalTokens } segments { id }
    profile { name } } facets { sources { value count } } } }"""
SESSIONS = """{ sessions(first: 80) { nodes { id displayTitle modelConfig systemPrompt usageByModel { model }
    parent { id } conversation { id } } } }"""
TRANSCRIPT = """{ session(id: "s") { messages(first: 80) { totalCount edges { seam { kind } node {
    id content parts { __typename } toolName session { id }
    toolCalls { name result { id content toolName } } } } } } }"""
PAGE = """query ($after: String) { conversation(id: "s") { messages(first: 5, after: $after) {
    totalCount startPosition pageInfo { endCursor hasNextPage hasPreviousPage } nodes { id content } } } }"""
OUTLINE = """{ session(id: "s") { messages(first: 80) { startPosition nodes { isError contentTail } }
    outline(find: "result") { messageCount marks { position kind label } } } }"""
SUBAGENTS = '{ session(id: "r") { outline { marks { position kind label session timestamp } } } }'
CHILDREN = """{ session(id: "r") { childCount children(first: 8) { nodes { displayTitle
    children(first: 8) { nodes { displayTitle children(first: 8) { nodes { displayTitle
    children(first: 8) { totalCount nodes { displayTitle parent { id } } } } } } } } } } }"""
LINEAGE = """{ session(id: "r") { lineage { totalCount cost { usd } nodes { depth session {
    id kind displayTitle messageCount cost { usd } conversation { id } } } } } }"""
DESCENDANTS = '{ session(id: "r") { descendants(first: 80) { totalCount nodes { id displayTitle preview } } } }'
USAGE = """{ usage(by: [DAY, PROFILE, MODEL, SOURCE, WORKSPACE, TASK], filter: {text: "question"}) {
    rows { day sessions messages cost { usd } usage { totalTokens } } total { sessions } } }"""
FILTERED = '{ conversations(first: 80, filter: {text: "question"}) { totalCount nodes { id preview } } }'

Fill = Callable[[StoreBuilder], object]
Count = Callable[[Fill, str], int]


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that the server runs, as it runs them."""
    seen = overheard(monkeypatch)
    fetch_all = PostgresConnection.fetch_all

    async def counted_there(self: PostgresConnection, query: Any) -> Any:
        seen.append(query.text)
        return await fetch_all(self, query)

    monkeypatch.setattr(PostgresConnection, "fetch_all", counted_there)
    return seen


@pytest.fixture
def count(server: Server, statements: list[str]) -> Count:
    """How many statements one question costs on a new store, opening it included."""

    def ask(fill: Fill, question: str) -> int:
        api = server.profile(fill)
        statements.clear()
        api.ask(question)
        return len(statements)

    return ask


def conversations(number: int) -> Fill:
    def fill(store: StoreBuilder) -> None:
        for n in range(number):
            store.session(f"a{n}", start=T + n, end=T + n, end_reason="compression", model="m", cwd="/w", cost=0.1)
            store.session(f"b{n}", parent=f"a{n}", start=T + n + 1)
            store.message(f"a{n}", content=f"question {n}")
            store.usage(f"a{n}", task="title", cost=0.01)
            store.session(f"quiet{n}", start=T + n)
            store.message(f"quiet{n}", "assistant", "nobody asked")

    return fill


def turns(number: int) -> Fill:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for n in range(number):
            store.message("s", "assistant", None, tool_calls=[{"id": f"c{n}", "function": {"name": "run"}}])
            store.message("s", "tool", f"result {n}", tool_call_id=f"c{n}")
            store.message("s", "tool", "error " + "x" * 300_000 * (n % 2), tool_call_id=f"c{n}")
            store.message("s", "user", "x" * 300_000 if n == 0 else "go on")

    return fill


def tree(width: int, depth: int) -> Fill:
    def fill(store: StoreBuilder) -> None:
        grow(store, store.session("r"), depth)

    def grow(store: StoreBuilder, parent: str, levels: int) -> None:
        store.message(parent, content=f"question of {parent}")
        for n in range(width if levels else 0):
            grow(store, store.session(f"{parent}.{n}", parent=parent, start=T + n, delegate_from=parent), levels - 1)

    return fill


def star(number: int) -> Fill:
    return tree(number, 1)


@pytest.mark.parametrize(
    ("question", "small", "large", "most"),
    [
        (LIST, conversations(3), conversations(50), 20),
        (FILTERED, conversations(3), conversations(50), 20),
        (SESSIONS, conversations(3), conversations(50), 25),
        (USAGE, conversations(3), conversations(50), 20),
        (TRANSCRIPT, turns(3), turns(60), 25),
        (OUTLINE, turns(3), turns(60), 25),
        (SUBAGENTS, star(5), star(199), 15),
        (CHILDREN, tree(2, 4), tree(4, 4), 30),
        (LINEAGE, star(5), star(199), 15),
        (LINEAGE, tree(1, 3), tree(1, 90), 15),
        (DESCENDANTS, star(5), star(199), 15),
    ],
    ids=[
        "list",
        "filtered list",
        "sessions",
        "usage",
        "transcript",
        "outline",
        "outline with subagents",
        "children",
        "wide lineage",
        "deep lineage",
        "descendants",
    ],
)
def test_the_number_of_statements_does_not_grow(
    count: Count, question: str, small: Fill, large: Fill, most: int
) -> None:
    few = count(small, question)
    many = count(large, question)
    assert many == few
    assert 1 < many <= most


@pytest.mark.sqlite
def test_a_page_of_an_unchanged_store_costs_no_statement(server: Server, statements: list[str]) -> None:
    api = server.profile(conversations(20))
    api.ask(LIST)
    statements.clear()
    api.ask(LIST)
    assert statements == []


@pytest.mark.parametrize("size", [3, 60])
def test_the_second_page_of_a_conversation_reads_its_own_rows_alone(
    server: Server, statements: list[str], size: int
) -> None:
    api = server.profile(turns(size))
    first = api.ask(PAGE)["conversation"]["messages"]
    statements.clear()
    second = api.ask(PAGE, after=first["pageInfo"]["endCursor"])["conversation"]["messages"]
    assert second["startPosition"] == 5
    [reading] = [sql for sql in statements if "messages" in sql]
    assert re.search(r"\bid (IN \(SELECT value FROM json_each\(:ids\)\)|= ANY\(CAST\(:ids AS bigint\[\]\)\))", reading)
    assert len(statements) <= 4


def test_a_list_without_previews_looks_at_no_content_and_no_prompt(server: Server, statements: list[str]) -> None:
    server.profile(conversations(3)).ask("{ conversations { nodes { id title messageCount cost { usd } } } }")
    assert any(re.search(r"FROM (\w+\.)?sessions", sql) for sql in statements)
    assert not [sql for sql in statements if re.search(r"\bcontent\b|\.\W?(system_prompt|origin_json)\b", sql)]
