"""The cases U1 and U2: what is known about money is told apart from what is not."""

from __future__ import annotations

import pytest

from tests.api.serving import Json, Server
from tests.builders import StoreBuilder, T

COST = "usd actualUsd estimatedUsd status unknownSessions"
UNKNOWN = {"usd": None, "actualUsd": None, "estimatedUsd": None, "status": "UNKNOWN", "unknownSessions": 1}


def five_costs(store: StoreBuilder) -> None:
    """The five sessions of U1, the last four as subagents of the first."""
    store.session("a", cost=0.5)
    store.session("b", parent="a", delegate_from="a", cost=0.0, cost_status="unknown")
    store.session("c", parent="a", delegate_from="a", cost=0.0, cost_status="included")
    store.session("d", parent="a", delegate_from="a", cost=1.0, actual=0.9)
    store.session("e", parent="a", delegate_from="a")


def costs(server: Server, *fills: object) -> dict[str, Json]:
    answer = server.profile(*fills).ask(f"{{ sessions {{ nodes {{ id cost {{ {COST} }} }} }} }}")  # type: ignore[arg-type]
    return {node["id"]: node["cost"] for node in answer["sessions"]["nodes"]}


def test_U1_each_cost_is_what_is_known_of_it(server: Server) -> None:
    known = {"usd": 0.5, "actualUsd": None, "estimatedUsd": 0.5, "status": "ESTIMATED", "unknownSessions": 0}
    found = costs(server, five_costs)
    assert found["a"] == known
    assert found["b"] == UNKNOWN
    assert (found["c"]["usd"], found["c"]["status"], found["c"]["unknownSessions"]) == (0, "INCLUDED", 0)
    assert (found["d"]["usd"], found["d"]["actualUsd"], found["d"]["status"]) == (0.9, 0.9, "ACTUAL")
    assert found["e"] == UNKNOWN


def test_U1_together_they_are_1_4_and_two_are_unknown(server: Server) -> None:
    answer = server.profile(five_costs).ask(
        f"""{{ conversation(id: "a") {{
              cost {{ {COST} }} costWithSubagents {{ {COST} }} lineage {{ cost {{ {COST} }} }} }} }}"""
    )["conversation"]
    for total in (answer["costWithSubagents"], answer["lineage"]["cost"]):
        assert (total["usd"], total["unknownSessions"], total["status"]) == (1.4, 2, "MIXED")
    assert (answer["cost"]["usd"], answer["cost"]["unknownSessions"]) == (0.5, 0)


def test_U1_what_is_nowhere_known_is_null_and_not_0(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("a", end=T + 1, end_reason="compression")
        store.session("b", parent="a", start=T + 1)

    total = server.profile(fill).ask(f'{{ conversation(id: "a") {{ cost {{ {COST} }} }} }}')["conversation"]["cost"]
    assert total == UNKNOWN | {"unknownSessions": 2}


def with_usage_rows(store: StoreBuilder) -> None:
    store.session("s", input=1000, output=10, cost=0.5)
    store.usage("s", cost=0.5, input_tokens=1000, output_tokens=10, first_seen=T, last_seen=T + 5)
    store.usage("s", task="compression", cost=0.01, input_tokens=200, output_tokens=3)


def test_U1_an_auxiliary_call_counts_once(server: Server) -> None:
    answer = server.profile(with_usage_rows).ask(
        """{ session(id: "s") { cost { usd } usage { inputTokens outputTokens }
             usageByModel { model task cost { usd } usage { inputTokens } firstSeen }
             conversation { cost { usd } costWithSubagents { usd } } lineage { cost { usd } } } }"""
    )["session"]
    assert answer["cost"]["usd"] == 0.51
    assert answer["usage"] == {"inputTokens": 1200, "outputTokens": 13}
    assert answer["conversation"] == {"cost": {"usd": 0.51}, "costWithSubagents": {"usd": 0.51}}
    assert answer["lineage"]["cost"]["usd"] == 0.51
    rows = [(row["task"], row["cost"]["usd"], row["usage"]["inputTokens"]) for row in answer["usageByModel"]]
    assert rows == [(None, 0.5, 1000), ("compression", 0.01, 200)]
    assert answer["usageByModel"][0]["firstSeen"] == "2025-06-15T15:06:40.000000Z"


def test_U1_sums_show_no_dust_of_floating_point(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("a", cost=0.1)
        for number in range(9):
            store.session(f"b{number}", parent="a", delegate_from="a", cost=0.1)

    answer = server.profile(fill).ask('{ conversation(id: "a") { costWithSubagents { usd } } }')["conversation"]
    assert answer["costWithSubagents"]["usd"] == 1.0


def test_U2_cached_and_fresh_input_are_told_apart(server: Server) -> None:
    api = server.profile(lambda store: store.session("s", input=477, output=23, cache_read_tokens=13_500_000))
    usage = api.ask('{ session(id: "s") { usage { inputTokens cacheReadTokens outputTokens totalTokens } } }')
    assert usage["session"]["usage"] == {
        "inputTokens": 477,
        "cacheReadTokens": 13_500_000,
        "outputTokens": 23,
        "totalTokens": 13_500_500,
    }


@pytest.mark.parametrize("tokens", [2**31, 2**53 - 1])
def test_U2_a_total_beyond_two_thousand_million_is_a_number(server: Server, tokens: int) -> None:
    api = server.profile(lambda store: store.session("s", cache_read_tokens=tokens))
    usage = api.ask('{ session(id: "s") { usage { totalTokens cacheReadTokens } } }')["session"]["usage"]
    assert usage == {"totalTokens": tokens, "cacheReadTokens": tokens}


def test_U2_a_sum_beyond_the_exact_numbers_costs_one_field(server: Server) -> None:
    api = server.profile(lambda store: store.session("s", input=2**53 - 1, output=2**53 - 1, title="kept"))
    answer = api.ask("{ sessions { nodes { title usage { inputTokens totalTokens } } } }")["sessions"]["nodes"]
    assert answer[0]["title"] == "kept"
    assert answer[0]["usage"]["inputTokens"] == 2**53 - 1
