"""What is timed is the same work: the floor answers with the same rows as the API, and nobody is left running."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from hermes_sessions.bench.load import _writing
from hermes_sessions.bench.operations import MESSAGES, PREFIX, SESSION, SESSIONS, TREE, Operation
from hermes_sessions.bench.readers import READERS, readers
from hermes_sessions.bench.servers import Client, api, floor
from hermes_sessions.bench.subjects import Subjects, subjects_of
from tests.bench.processes import Pids, left_of, marked_processes

Json = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    api: Client
    floor: Client
    subjects: Subjects

    def answer(self, operation: Operation) -> Json:
        data: Json = orjson.loads(self.api.post("/graphql", operation.body(self.subjects, 0)))["data"]
        return data

    def ground(self, operation: Operation) -> Any:
        assert operation.floor is not None
        return orjson.loads(self.floor.post(operation.floor(self.subjects), b""))


@pytest.fixture(scope="module")
def pair(demo_home: Path) -> Iterator[Pair]:
    store = demo_home / "state.db"
    with api(demo_home) as served, floor(store) as ground:
        yield Pair(served.client, ground, subjects_of(served.client, store))


def some(rows: list[Json], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


SESSION_FIELDS = ("id", "source", "model", "endReason", "archived", "messageCount", "toolCallCount", "cwd", "parentId")


def test_the_floor_lists_the_same_sessions(pair: Pair) -> None:
    rows = pair.answer(SESSIONS)["sessions"]["nodes"]
    assert some(pair.ground(SESSIONS), *SESSION_FIELDS) == some(rows, *SESSION_FIELDS)


@pytest.mark.parametrize("operation", [SESSION, PREFIX], ids=lambda operation: operation.key)
def test_the_floor_finds_the_same_session(pair: Pair, operation: Operation) -> None:
    row = pair.answer(operation)["session"]
    assert row["id"] == pair.subjects.long_session
    assert some([pair.ground(operation)], *SESSION_FIELDS) == some([row], *SESSION_FIELDS)


def test_the_floor_reads_the_same_messages(pair: Pair) -> None:
    rows = [{**row, "id": int(row["id"])} for row in pair.answer(MESSAGES)["session"]["messages"]["nodes"]]
    names = ("id", "role", "content", "toolCallId", "toolName", "tokenCount", "reasoning")
    assert some(pair.ground(MESSAGES), *names) == some(rows, *names)


def test_the_floor_walks_the_same_tree(pair: Pair) -> None:
    nodes = pair.answer(TREE)["session"]["lineage"]["nodes"]
    rows = [{**node["session"], "depth": node["depth"], "parentId": node["parentId"]} for node in nodes]
    names = ("id", "depth", "parentId", "title", "source", "model", "messageCount", "endReason")
    assert sorted(some(pair.ground(TREE), *names)) == sorted(some(rows, *names))


def test_servers_and_clients_end_with_what_they_are_for(demo_home: Path) -> None:
    with marked_processes() as running:
        with ExitStack() as stack:
            served = stack.enter_context(api(demo_home, workers=2))
            stack.enter_context(floor(demo_home / "state.db"))
            together = stack.enter_context(readers())
            assert together.read(served.client.port, b'{"query": "{ __typename }"}', 1.0).answers > 0
            assert len(running()) >= 2 + 1 + READERS
        assert left_of(running) == set()


def test_servers_end_when_a_run_is_broken_off(demo_home: Path) -> None:
    with marked_processes() as running:
        with pytest.raises(KeyboardInterrupt):
            _broken_off(demo_home, running)
        assert left_of(running) == set()


def _broken_off(home: Path, running: Pids) -> None:
    with api(home, workers=2), floor(home / "state.db"):
        assert len(running()) >= 3
        raise KeyboardInterrupt


def test_a_writer_that_cannot_begin_is_an_error(demo_home: Path, tmp_path: Path) -> None:
    with marked_processes() as running:
        with pytest.raises(RuntimeError, match="could not open"), _writing(demo_home / "state.db", Path("/bin/false")):
            pass
        assert left_of(running) == set()
