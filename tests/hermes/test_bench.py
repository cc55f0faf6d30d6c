"""The real Hermes takes part in the benchmark: its dashboard is asked the same, and its store is written to."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.bench.made import copy_of
from hermes_sessions.bench.operations import (
    CONVERSATIONS,
    COUNTS,
    MESSAGES,
    OPERATIONS,
    PREFIX,
    SESSION,
    SESSIONS,
    Operation,
)
from hermes_sessions.bench.peers import hermes
from hermes_sessions.bench.run import Order, run_bench
from hermes_sessions.bench.servers import api
from hermes_sessions.bench.subjects import subjects_of
from tests.bench.processes import left_of, marked_processes
from tests.hermes.venv import hermes_python

Json = dict[str, Any]


@pytest.fixture(scope="module")
def before(demo_home: Path) -> str:
    return _hash(demo_home)


@pytest.fixture(scope="module")
def run(demo_home: Path, before: str) -> dict[str, Json]:
    """The rows by their keys."""
    with marked_processes() as running:
        written = json.loads(run_bench(Order(demo_home, rounds=20, hermes=hermes_python())).json())
        assert left_of(running) == set(), "A run ends its servers, Hermes' too."
    return {row["key"]: row for row in [*written["operations"], *written["comparisons"]]}


def test_hermes_answers_with_as_much(run: dict[str, Json]) -> None:
    assert run["messages"]["peers"]["Hermes"]["items"] > 10
    assert run["sessions"]["peers"]["Hermes"]["items"] > 20
    assert run["conversations"]["peers"]["Hermes"]["items"] > 20
    assert run["counts"]["peers"]["Hermes"]["items"] >= run["counts"]["items"]
    assert run["common"]["peers"]["Hermes"]["items"] > 0
    assert all("Hermes" in run[key]["peers"] for key in ("cjk", "paths"))


def test_hermes_answers_with_the_same(demo_home: Path) -> None:
    with ExitStack() as stack:
        served = stack.enter_context(api(demo_home))
        other = stack.enter_context(hermes(hermes_python(), stack.enter_context(copy_of(demo_home))))
        subjects = subjects_of(served.client, demo_home / "state.db")

        def own(operation: Operation) -> Json:
            return dict(json.loads(served.client.post("/graphql", operation.body(subjects, 0)))["data"])

        def theirs(operation: Operation) -> Json:
            text = operation.text(subjects, 0)
            return dict(json.loads(other.routes[operation.key].send(other.client, subjects, text)))

        messages = [(int(each["id"]), each["content"]) for each in own(MESSAGES)["session"]["messages"]["nodes"]]
        assert [(each["id"], each["content"]) for each in theirs(MESSAGES)["messages"]] == messages
        session = own(SESSION)["session"]
        assert [theirs(SESSION)[name] for name in ("id", "title", "message_count")] == [
            session[name] for name in ("id", "title", "messageCount")
        ]
        assert theirs(PREFIX)["id"] == session["id"]
        profile = own(COUNTS)["profile"]
        assert [theirs(COUNTS)[name] for name in ("total", "messages")] == [
            profile[name] for name in ("sessionCount", "messageCount")
        ]
        # Hermes lists no segments and subagents; of what both list, the newest are the same.
        listed = {each["id"]: each["started_at"] for each in theirs(SESSIONS)["sessions"]}
        both = [each["id"] for each in own(SESSIONS)["sessions"]["nodes"] if each["id"] in listed]
        assert len(both) > 20
        assert [listed[id] for id in both] == sorted((listed[id] for id in both), reverse=True)
        conversations = {each["id"] for each in own(CONVERSATIONS)["conversations"]["nodes"]}
        assert len(conversations & {each["id"] for each in theirs(CONVERSATIONS)["sessions"]}) > 20
        common = next(each for each in OPERATIONS if each.key == "common")
        found = {each["node"]["session"]["id"] for each in own(common)["search"]["edges"]}
        assert found & {each["session_id"] for each in theirs(common)["results"]}


def test_a_list_is_measured_while_hermes_commits(run: dict[str, Json]) -> None:
    rate = float(run["load"]["name"].split("commits ")[1].split(" times")[0])
    assert rate > 1
    assert run["load"]["base"] > 0
    assert [target["text"] for target in run["load"]["targets"]] == ["≤ 5 ×"]
    assert run["load counts"]["base"] > 0
    assert run["load usage"]["base"] > 0


def test_the_given_home_is_only_read(demo_home: Path, before: str, run: dict[str, Json]) -> None:
    assert run
    assert _hash(demo_home) == before


def _hash(home: Path) -> str:
    return hashlib.sha256((home / "state.db").read_bytes()).hexdigest()
