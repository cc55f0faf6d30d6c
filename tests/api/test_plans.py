"""Answers by plans are those of graphql-core, whatever is asked; and plans are what answers."""

from __future__ import annotations

import asyncio
import gc
import json
import tracemalloc
from pathlib import Path

import pytest
from graphql import parse, validate

from hermes_sessions.api import documents, planned
from hermes_sessions.api.documents import Document
from hermes_sessions.api.executor import Executor
from hermes_sessions.api.schema import core_schema
from hermes_sessions.demo import make_demo
from tests.api.planning import SCHEMA, Json, answer, executor_on, no_plans, watched_plans
from tests.api.queries import Questions

VARIABLES = {"yes": True, "few": 3}
BATCH = 40
NO_LIMITS = {"max_cost": 10**9, "max_depth": 50, "max_aliases": 10_000}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("plans") / "home"
    make_demo(home, sessions=60)
    return home


async def questions(executor: Executor, seed: int, wrong: float) -> list[str]:
    """Random ones that are valid, about sessions of the home."""
    listed = await answer(executor, "{ sessions(first: 60) { nodes { id nodeId conversation { nodeId } } } }", {})
    nodes = listed["data"]["sessions"]["nodes"]
    node_ids = [node_id for node in nodes for node_id in (node["nodeId"], node["conversation"]["nodeId"])]
    named = {"id": [node["id"] for node in nodes], "profile": ["default"], "nodeId": node_ids}
    made = Questions(core_schema(SCHEMA), named, seed, wrong)
    asked = [made.question() for _ in range(BATCH)]
    return [each for each in asked if not validate(core_schema(SCHEMA), parse(each))]


def in_order(answer: Json) -> Json:
    """Fields of the root are answered side by side: which of their errors comes first means nothing."""
    return {**answer, "errors": sorted(answer.get("errors", []), key=json.dumps)}


async def without_plans(executor: Executor, query: str) -> Json:
    with no_plans():
        return await answer(executor, query, VARIABLES)


@pytest.mark.parametrize("seed", range(6))
def test_sound_questions_are_answered_alike_and_by_plans(home: Path, seed: int) -> None:
    async def compare() -> None:
        async with executor_on(home, **NO_LIMITS) as executor:
            asked = await questions(executor, seed, wrong=0)
            assert len(asked) > BATCH / 2
            for query in asked:
                plain = await without_plans(executor, query)
                with watched_plans() as left:
                    assert await answer(executor, query, VARIABLES) == plain, query
                assert left == [] or "errors" in plain, query

    asyncio.run(compare())


@pytest.mark.parametrize("seed", range(100, 106))
def test_errors_in_the_middle_are_the_same(home: Path, seed: int) -> None:
    async def both() -> list[tuple[Json, Json]]:
        async with executor_on(home, **NO_LIMITS) as executor:
            asked = await questions(executor, seed, wrong=0.3)
            return [(await answer(executor, query, VARIABLES), await without_plans(executor, query)) for query in asked]

    answers = asyncio.run(both())
    assert [in_order(planned) for planned, _ in answers] == [in_order(plain) for _, plain in answers]
    assert sum("errors" in plain for _, plain in answers) > 3


def test_a_document_with_many_switches_keeps_few_plans(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned, "ROOM", 100)
    names = [f"s{number}" for number in range(7)]
    fields = " ".join(f"{name}: id @include(if: ${name})" for name in names)
    variables = ", ".join(f"${name}: Boolean!" for name in names)
    query = f"query ({variables}) {{ sessions(first: 1) {{ nodes {{ {fields} }} }} }}"

    async def ask() -> None:
        async with executor_on(home, **NO_LIMITS) as executor:
            for states in range(2 ** len(names)):
                given = {name: bool(states >> place & 1) for place, name in enumerate(names)}
                done = await executor.execute(
                    query, operation_name=None, variables=given, profile=None, request_id="a-request"
                )
                [node] = json.loads(done.body)["data"]["sessions"]["nodes"]
                assert set(node) == {name for name in names if given[name]}
            document = executor.documents.get(query)
            assert isinstance(document, Document)
            assert 0 < executor.documents.plans.weight <= 100

    asyncio.run(ask())


def test_plans_of_documents_with_long_texts_take_no_more_room(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, size = 400_000, 40_000
    monkeypatch.setattr(documents, "ROOM", room)
    monkeypatch.setattr(planned, "ROOM", room // planned.BYTES_OF_FIELD)

    async def grown() -> int:
        async with executor_on(home) as executor:
            for number in range(40):
                text = str(number) + "x" * size
                query = f'{{ sessions(first: 1) {{ nodes {{ children(after: "{text}") {{ nodes {{ id }} }} }} }} }}'
                done = await answer(executor, query, {})
                assert done["errors"][0]["extensions"]["code"] == "INVALID_CURSOR"
                if number == 0:
                    tracemalloc.start()
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

    try:
        assert asyncio.run(grown()) < 3 * room
    finally:
        tracemalloc.stop()
