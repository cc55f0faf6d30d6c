"""Usage that is recorded: totals that run, rows by model and task, and costs that are not known."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.serving import Api, Json, Server
from tests.api.shaping import create, mutate, nothing, refusal
from tests.builders import SCHEMA_8, plan_chain


@pytest.fixture
def api(server: Server) -> Api:
    """A store with the unused session s."""
    api = server.profile(nothing)
    create(api, id="s", model="asked")
    return api


def record(api: Api, **input: Any) -> Json:
    """The session after it. Fails when it is refused."""
    payload = mutate(api, "recordUsage", **({"id": "s"} | input))
    assert payload["userErrors"] == []
    assert payload["changedIds"] == [payload["session"]["id"]]
    session: Json = payload["session"]
    return session


def test_totals_run(api: Api) -> None:
    record(api, inputTokens=100, cacheReadTokens=13_500_000, estimatedCostUsd=0.25)
    session = record(api, inputTokens=377, outputTokens=5, apiCalls=2, estimatedCostUsd=0.5)
    assert session["usage"] == {
        "inputTokens": 477,
        "outputTokens": 5,
        "cacheReadTokens": 13_500_000,
        "totalTokens": 13_500_482,
        "apiCalls": 3,
    }
    assert (session["cost"]["usd"], session["cost"]["status"]) == (0.75, "ESTIMATED")


def test_models_and_tasks_are_told_apart(api: Api) -> None:
    record(api, model="a", provider="p", inputTokens=1, estimatedCostUsd=0.25)
    record(api, model="b", provider="p", inputTokens=2)
    record(api, model="a", provider="p", inputTokens=4, estimatedCostUsd=0.5)
    session = record(api, model="c", provider="q", task="vision", inputTokens=8, estimatedCostUsd=0.5)
    found = [(row["model"], row["task"], row["usage"]["inputTokens"]) for row in session["usageByModel"]]
    assert found == [("a", None, 5), ("b", None, 2), ("c", "vision", 8)]
    assert [row["cost"]["usd"] for row in session["usageByModel"]] == [0.75, None, 0.5]
    assert session["model"] == "a"
    with api.store() as store:
        assert store.sql("SELECT input_tokens, api_call_count, estimated_cost_usd FROM sessions")[0][:2] == (7, 3)


def test_a_cost_that_nobody_tells_is_unknown_and_not_0(api: Api) -> None:
    session = record(api, inputTokens=5)
    assert (session["cost"]["usd"], session["cost"]["status"], session["cost"]["unknownSessions"]) == (
        None,
        "UNKNOWN",
        1,
    )
    with api.store() as store:
        assert store.sql("SELECT estimated_cost_usd, actual_cost_usd FROM sessions") == [(None, None)]
    assert record(api, estimatedCostUsd=0.0, costStatus="included")["cost"] == {
        "usd": 0.0,
        "actualUsd": None,
        "estimatedUsd": None,
        "status": "INCLUDED",
        "unknownSessions": 0,
    }


def test_a_figure_ends_an_unknown_status(api: Api) -> None:
    record(api, costStatus="unknown")
    assert record(api, estimatedCostUsd=0.25)["cost"]["usd"] == 0.25
    assert record(api, actualCostUsd=0.5)["cost"]["status"] == "ACTUAL"


def test_absolute_figures_replace_and_may_be_repeated(api: Api) -> None:
    record(api, inputTokens=100, outputTokens=7, estimatedCostUsd=0.25)
    for _ in range(2):
        session = record(api, absolute=True, inputTokens=50, estimatedCostUsd=0.04)
    assert session["usage"]["inputTokens"] == 50
    assert session["usage"]["outputTokens"] == 7
    assert session["usage"]["apiCalls"] == 1
    assert session["cost"]["usd"] == 0.04


def test_usage_is_booked_where_the_conversation_goes_on(server: Server) -> None:
    api = server.profile(plan_chain)
    assert record(api, id="d1", inputTokens=1)["id"] == "d3"
    assert record(api, id="d1", inputTokens=1, scope="SESSION")["usage"]["inputTokens"] == 1001


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("inputTokens", -1),
        ("apiCalls", -5),
        ("outputTokens", 2**53 - 1),
        ("estimatedCostUsd", -0.01),
        ("actualCostUsd", 1e12),
        ("costStatus", "free"),
        ("model", "a\x00b"),
        ("baseUrl", "x" * 2001),
    ],
)
def test_a_figure_that_cannot_be_is_refused(api: Api, field: str, value: Any) -> None:
    record(api, outputTokens=1)
    assert refusal(mutate(api, "recordUsage", id="s", **{field: value})) == ("BAD_USER_INPUT", field)


def test_a_task_has_no_totals_to_replace(api: Api) -> None:
    payload = mutate(api, "recordUsage", id="s", absolute=True, task="vision")
    assert refusal(payload) == ("BAD_USER_INPUT", "absolute")


@pytest.mark.sqlite
def test_a_store_that_cannot_tell_tasks_apart_says_so(server: Server) -> None:
    api = server.profile(lambda store: store.session("s"), columns=SCHEMA_8)
    assert refusal(mutate(api, "recordUsage", id="s", task="vision")) == ("UNSUPPORTED_STORE", "task")
    assert record(api, inputTokens=3)["usage"]["inputTokens"] == 3
