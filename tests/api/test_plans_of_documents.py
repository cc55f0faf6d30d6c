"""What the dashboard and the benchmark ask is answered by plans, and just as graphql-core answers it."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from graphql import OperationType

from hermes_sessions.api.executor import Executor
from hermes_sessions.bench import documents
from tests.api.dashboard import Question, dashboard_questions, questions_in
from tests.api.planning import Json, answer, executor_on, no_plans, watched_plans

DASHBOARD = dashboard_questions()
BENCHMARK = {name: text for name, text in vars(documents).items() if name.isupper() and not name.startswith("_")}
READ = [each for each in DASHBOARD if each.kind is not OperationType.MUTATION]
WRITTEN = [each for each in DASHBOARD if each.kind is OperationType.MUTATION]
CONVERSATIONS: list[Json | None] = [
    None,
    {"audience": "CHATS", "archived": "INCLUDE"},
    {"audience": "AUTOMATION", "minMessages": 1, "activeAfter": "2020-01-01T00:00:00Z"},
    {"text": "the", "archived": "ONLY"},
    {"live": False, "minCostUsd": 0.01},
]
# By a variable's name, or by its type.
VALUES: Mapping[str, list[Any]] = {
    "profile": ["default"],
    "profiles": [[], None, ["default"]],
    "first": [3, 40],
    "last": [None],
    "after": [None],
    "before": [None],
    "around": [None],
    "maxBytes": [1_048_576, 64],
    "maxNodes": [200, 2],
    "maxMarks": [300, 2],
    "text": ["the", "test", "记忆"],
    "find": ["the", None],
    "findFields": [["CONTENT", "REASONING"], None],
    "isAnchor": [True, False],
    "by": [["DAY"], ["MODEL", "SOURCE"], ["PROFILE", "WORKSPACE"], ["TASK"]],
    "from": [None, "2020-01-01T00:00:00Z"],
    "to": [None],
    "timeZone": ["UTC", "Europe/Lisbon"],
    "sort": ["RELEVANCE", "NEWEST"],
    "ConversationFilter": CONVERSATIONS,
    "ConversationOrder": [None, {"field": "COST"}, {"field": "TITLE", "direction": "ASC"}],
    "MessageFilter": [None, {"roles": ["tool"]}, {"errorsOnly": True}, {"text": "the"}],
    "SearchFilter": [None, {"fields": ["TOOL", "TITLE"], "archived": "INCLUDE"}, {"roles": ["user"]}],
}
_CONVERSATION_LIST = """{ conversations(first: 100, filter: {archived: INCLUDE}) { nodes {
    id kind segments { id } subagentCount messages(first: 30) { nodes { nodeId id role } } } } }"""


@pytest.fixture(scope="module")
def values(demo_home: Path) -> Mapping[str, list[Any]]:
    """With sessions of every kind and messages of every role."""

    async def read() -> Json:
        async with executor_on(demo_home) as executor:
            return await answer(executor, _CONVERSATION_LIST, {})

    nodes = asyncio.run(read())["data"]["conversations"]["nodes"]
    kinds = {(node["kind"], len(node["segments"]) > 1, node["subagentCount"] > 0): node for node in nodes}
    ids = [segment["id"] for node in kinds.values() for segment in node["segments"][:2]]
    roles = {message["role"]: message["nodeId"] for node in nodes for message in node["messages"]["nodes"]}
    assert {"user", "assistant", "tool"} <= {*roles}
    return {**VALUES, "id": ids, "left": ids, "right": ids[::-1], "nodeId": [*roles.values()]}


def values_for(question: Question, values: Mapping[str, list[Any]]) -> Mapping[str, list[Any]]:
    """One question compares messages, not sessions."""
    messages = values["nodeId"]
    return {**values, "left": messages, "right": messages[::-1]} if question.name == "CompareWhole" else values


async def by_plans(executor: Executor, question: Question, variables: Json) -> Json:
    """The answer, which graphql-core must have answered alike, and which plans must have given."""
    with no_plans():
        plain = await answer(executor, question.text, variables)
    with watched_plans() as left:
        planned = await answer(executor, question.text, variables)
    assert planned == plain, variables
    assert "errors" not in planned, variables
    assert left == [], f"A plan was given up, with {variables}."
    return planned


async def with_other_pages(executor: Executor, question: Question, variables: Json) -> Json:
    """The first page's answer; the next page, the last one and the one around an entry are asked, too, where the
    question can."""
    first = await by_plans(executor, question, variables)
    for page in _pages(first["data"]):
        if page["pageInfo"]["hasNextPage"] and "after" in question.variables:
            await by_plans(executor, question, {**variables, "after": page["pageInfo"]["endCursor"]})
        if "last" in question.variables:
            await by_plans(executor, question, {**variables, "first": None, "last": 3})
        if page.get("edges") and "around" in question.variables:
            await by_plans(executor, question, {**variables, "around": page["edges"][-1]["node"]["id"]})
    return first


def _pages(value: Any) -> Iterator[Json]:
    """Connections of an answer that tell whether they go on."""
    if isinstance(value, dict):
        if "pageInfo" in value:
            yield value
        for inner in value.values():
            yield from _pages(inner)


@pytest.mark.parametrize("question", READ, ids=lambda question: question.name)
def test_the_dashboard_reads_by_plans(demo_home: Path, values: Mapping[str, list[Any]], question: Question) -> None:
    async def ask() -> list[Json]:
        async with executor_on(demo_home) as executor:
            return [await with_other_pages(executor, question, each) for each in question.variants(known)]

    known = values_for(question, values)
    assert any(value is not None for each in asyncio.run(ask()) for value in each["data"].values())


@pytest.mark.parametrize("name", BENCHMARK)
def test_the_benchmark_reads_by_plans(demo_home: Path, values: Mapping[str, list[Any]], name: str) -> None:
    [question] = questions_in(BENCHMARK[name])

    async def ask() -> None:
        async with executor_on(demo_home) as executor:
            for variables in question.variants(values):
                await with_other_pages(executor, question, variables)

    asyncio.run(ask())


@cache
def _imported() -> str:
    session = {"id": "brought-in", "source": "cli", "started_at": 1_750_000_000.0}
    message = {"role": "user", "content": "hello", "timestamp": 1_750_000_001.0}
    return json.dumps({**session, "messages": [message]})


def changes(ids: list[str], bin_id: str) -> dict[str, list[Json]]:
    """Inputs of the dashboard's mutations, in an order in which all succeed but the last of each."""
    few, nobody = {"ids": ids[2:4], "errorPolicy": "SKIP_FAILED"}, {"id": "nobody"}
    return {
        "RenameConversation": [{"id": ids[0], "title": "Another title"}, nobody],
        "ArchiveConversation": [{"id": ids[0], "archived": True}, nobody],
        "ArchiveMany": [{**few, "archived": True}, {"ids": ["nobody"]}],
        "PrunePreview": [{"olderThanDays": 0, "dryRun": True}, {"olderThanDays": -1}],
        "ImportSessions": [{"document": _imported()}, {"document": "nonsense"}],
        "DeleteConversation": [{"id": ids[1]}, nobody],
        "RestoreSessions": [{"binId": bin_id}, {"binId": "nobody"}],
        "DeleteMany": [few, {"ids": ["nobody"]}],
    }


async def changed(home: Path, ids: list[str]) -> dict[str, list[Json]]:
    """The answers of all mutations, in turn. Ids of the bin are made up at random, and masked."""
    answers: dict[str, list[Json]] = {}
    bins: list[str] = []
    by_name = {each.name: each for each in WRITTEN}
    async with executor_on(home, read_only=False) as executor:
        for name in changes(ids, ""):
            for number in range(2):
                given = changes(ids, bins[0] if bins else "")[name][number]
                found = await answer(executor, by_name[name].text, {"input": given})
                answers.setdefault(name, []).append(_masked(found, bins))
    return answers


def _masked(value: Any, bins: list[str]) -> Any:
    if isinstance(value, list):
        return [_masked(each, bins) for each in value]
    if not isinstance(value, dict):
        return value
    new = [value["binId"]] if value.get("binId") else value.get("binIds") or []
    bins.extend(new)
    return {name: len(new) if name in ("binId", "binIds") else _masked(each, bins) for name, each in value.items()}


def test_the_dashboard_changes_by_plans(demo_home: Path, values: Mapping[str, list[Any]], tmp_path: Path) -> None:
    ids = list(dict.fromkeys(values["id"]))[:4]
    assert {each.name for each in WRITTEN} == {*changes(ids, "")}, "Say what a new mutation is asked."
    for copy in ("planned", "plain"):
        shutil.copytree(demo_home, tmp_path / copy)
    with watched_plans() as left:
        planned = asyncio.run(changed(tmp_path / "planned", ids))
    assert left == []
    with no_plans():
        assert asyncio.run(changed(tmp_path / "plain", ids)) == planned
    for name, answers in planned.items():
        [first], [last] = ([*each["data"].values()] for each in answers)
        assert first["userErrors"] == [], name
        assert last["userErrors"] or last["skipped"], name
