"""The cases L1 to L12: which sessions are one conversation, and how they hang together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.serving import Api, Json, Server
from tests.builders import StoreBuilder, T, full_plan, plan_branch, plan_chain, plan_early_child, plan_subagents

CONVERSATION = """
    query ($id: ID!) {
      conversation(id: $id) {
        id kind title source startedAt lastActiveAt endedAt
        head { id } tip { id } segments { id }
        usage { inputTokens } cost { usd } costWithSubagents { usd }
        branchCount subagentCount
      }
    }"""
SESSION = """
    query ($id: ID!) {
      session(id: $id) {
        id kind kindReason parentId parent { id } root { id } ancestors { id } conversation { id } modelConfig warnings
      }
    }"""
LINEAGE = """
    query ($id: ID!) {
      session(id: $id) {
        lineage {
          root { id } totalCount depth truncated hasCycle
          nodes { session { id kind } depth parentId childCount isFocus }
        }
      }
    }"""


def listed(api: Api) -> list[str]:
    """Heads of the list, by id."""
    answer = api.ask("{ conversations(first: 500) { nodes { id } totalCount } }")["conversations"]
    ids = [node["id"] for node in answer["nodes"]]
    assert len(ids) == answer["totalCount"]
    return sorted(ids)


def conversation(api: Api, id: str) -> Json:
    found: Json = api.ask(CONVERSATION, id=id)["conversation"]
    return found


def session(api: Api, id: str) -> Json:
    found: Json = api.ask(SESSION, id=id)["session"]
    return found


def lineage(api: Api, id: str) -> Json:
    found: Json = api.ask(LINEAGE, id=id)["session"]["lineage"]
    return found


def parents(tree: Json) -> dict[str, Any]:
    """Of each node, its parent in the tree."""
    return {node["session"]["id"]: node["parentId"] for node in tree["nodes"]}


def ids(items: list[Json]) -> list[str]:
    return [item["id"] for item in items]


def test_L1_chain_with_a_stale_sibling(server: Server) -> None:
    api = server.profile(plan_chain)
    assert listed(api) == ["d1"]
    for member in ("d1", "d2", "d3", "d3s"):
        found = conversation(api, member)
        assert (found["id"], found["head"]["id"], found["tip"]["id"]) == ("d1", "d1", "d3")
        assert ids(found["segments"]) == ["d1", "d2", "d3"]
        assert found["startedAt"] == "2025-06-15T15:06:40.000000Z"
        assert (found["title"], found["source"], found["endedAt"]) == ("Plan #3", "telegram", None)
        assert (found["usage"]["inputTokens"], found["cost"]["usd"]) == (7000, 7.0)
    stale = session(api, "d3s")
    assert (stale["kind"], stale["parentId"], stale["conversation"]["id"]) == ("SIDE", "d2", "d1")
    assert session(api, "d3")["kind"] == "CONTINUATION"


def test_L1_the_list_says_that_it_left_out_the_stale_sibling(server: Server) -> None:
    api = server.profile(plan_chain)
    hidden = api.ask("{ conversations { hidden { sideRows subagents archived otherFilters } } }")
    assert hidden["conversations"]["hidden"] == {"sideRows": 1, "subagents": 0, "archived": 0, "otherFilters": 0}


def test_L2_subagents_at_two_levels(server: Server) -> None:
    api = server.profile(plan_chain, plan_subagents)
    assert listed(api) == ["d1"]
    found = conversation(api, "d1")
    assert (found["cost"]["usd"], found["costWithSubagents"]["usd"], found["subagentCount"]) == (7.0, 8.2, 2)
    tree = lineage(api, "sub1")
    assert parents(tree) == {"d1": None, "d2": "d1", "d3": "d2", "d3s": "d2", "sub1": "d3", "sub2": "d2"}
    kinds = {node["session"]["id"]: node["session"]["kind"] for node in tree["nodes"]}
    assert (kinds["sub1"], kinds["sub2"]) == ("SUBAGENT", "SUBAGENT")
    assert [node["session"]["id"] for node in tree["nodes"] if node["isFocus"]] == ["sub1"]


def test_L3_branch_from_a_middle_segment(server: Server) -> None:
    api = server.profile(plan_chain, plan_branch)
    assert listed(api) == ["br1", "d1"]
    branch = conversation(api, "br1")
    assert (branch["kind"], ids(branch["segments"])) == ("BRANCH", ["br1"])
    assert conversation(api, "d2")["branchCount"] == 1
    assert parents(lineage(api, "d1"))["br1"] == "d2"


def test_L4_compressed_branch(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("bp")
        store.session("bb", parent="bp", branched_from="bp", start=T + 10, end=T + 50, end_reason="compression")
        store.session("bc", parent="bb", branched_from="bp", start=T + 50)

    api = server.profile(fill)
    assert listed(api) == ["bb", "bp"]
    branch = conversation(api, "bc")
    assert (branch["id"], branch["tip"]["id"]) == ("bb", "bc")
    assert session(api, "bc")["kind"] == "CONTINUATION"


def test_L5_legacy_branch(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("q", end=T + 10, end_reason="branched")
        store.session("at", parent="q", start=T + 10)
        store.session("before", parent="q", start=T + 9)
        store.session("other", end=T + 10, end_reason="cli_close")
        store.session("marked", parent="other", start=T + 5, branched_from="other")

    api = server.profile(fill)
    kinds = {id: session(api, id)["kind"] for id in ("at", "before", "marked")}
    assert kinds == {"at": "BRANCH", "before": "UNCLASSIFIED", "marked": "BRANCH"}


def test_L6_untagged_early_child(server: Server) -> None:
    api = server.profile(plan_chain, plan_early_child)
    early = session(api, "leg")
    assert (early["kind"], early["conversation"]["id"]) == ("SIDE", "d1")
    assert listed(api) == ["d1"]
    assert conversation(api, "leg")["tip"]["id"] == "d3"
    assert parents(lineage(api, "d3"))["leg"] == "d1"


def test_L7_resets(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("rp", "telegram", end=T + 10, end_reason="session_reset", session_key="K")
        store.session("rc", "telegram", parent="rp", start=T + 10, session_key="K")
        store.session("rm", "telegram", parent="rp", start=T + 11, reset_from="rp")
        store.message("rm", content="after the reset")

    api = server.profile(fill)
    assert listed(api) == ["rc", "rm", "rp"]
    for id in ("rc", "rm"):
        found = session(api, id)
        assert (found["kind"], found["parent"]["id"], found["conversation"]["id"]) == ("RESET", "rp", id)
    opened = api.ask('{ conversation(id: "rp") { messages { totalCount } } }')["conversation"]
    assert opened["messages"]["totalCount"] == 0


def test_L8_orphaned_subagent(server: Server) -> None:
    api = server.profile(lambda store: store.session("orphan", delegate_from="__orphaned__"))
    assert listed(api) == []
    assert session(api, "orphan")["kind"] == "SUBAGENT"
    assert api.ask("{ conversations { hidden { subagents } } }")["conversations"]["hidden"]["subagents"] == 1


def test_L9_dangling_parent(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("o1", parent="ghost")
        store.message("o1")

    api = server.profile(fill)
    assert listed(api) == ["o1"]
    found = session(api, "o1")
    assert (found["kind"], found["parentId"], found["parent"]) == ("UNCLASSIFIED", "ghost", None)
    assert (found["root"]["id"], found["ancestors"]) == ("o1", [])
    assert api.ask("{ profile { health { danglingParents } } }")["profile"]["health"]["danglingParents"] == 1


def test_L10_cycles(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("c1", parent="c2", end=T + 1, end_reason="compression")
        store.session("c2", parent="c1", start=T + 1, end=T + 2, end_reason="compression")
        store.session("self", parent="self")
        store.session("tail", parent="c1", start=T + 3, delegate_from="c1")

    api = server.profile(fill)
    assert listed(api) == ["c1", "c2", "self"]
    for id, members in {"c1": {"c1", "c2", "tail"}, "c2": {"c1", "c2", "tail"}, "self": {"self"}}.items():
        tree = lineage(api, id)
        assert tree["hasCycle"]
        assert set(parents(tree)) == members
        assert len(tree["nodes"]) == len(members) == tree["totalCount"]
        assert session(api, id)["kind"] == "UNCLASSIFIED"
    assert ids(session(api, "c1")["ancestors"]) == ["c2"]
    assert lineage(api, "tail")["hasCycle"]


@pytest.mark.parametrize(
    ("stored", "config"),
    [
        ("{bad json", None),
        ("[1,2]", [1, 2]),
        ('"str"', "str"),
        ('{"_branched_from": null}', {"_branched_from": None}),
        ('{"_delegate_from": ""}', {"_delegate_from": ""}),
    ],
)
def test_L11_markers_gone_wrong(server: Server, stored: str, config: Any) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("alone", model_config=stored)
        store.session("p")
        store.session("child", parent="p", model_config=stored)

    api = server.profile(fill)
    assert listed(api) == ["alone", "child", "p"]
    found = session(api, "alone")
    assert (found["kind"], session(api, "child")["kind"]) == ("ROOT", "UNCLASSIFIED")
    assert found["modelConfig"] == config
    assert any("model_config" in words for words in found["warnings"]) == (config is None)


def test_L12_wide_root_of_98_subagents(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("root")
        for number in range(98):
            store.session(f"sub{number:02}", parent="root", start=T + number, delegate_from="root", cost=0.25)

    tree = lineage(server.profile(fill), "sub50")
    assert (tree["root"]["id"], tree["totalCount"], tree["depth"], tree["truncated"]) == ("root", 99, 1, False)
    assert [node["session"]["id"] for node in tree["nodes"]] == ["root", *(f"sub{number:02}" for number in range(98))]


def test_L12_deep_chain_of_79_branches(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("b00")
        for number in range(1, 80):
            before = f"b{number - 1:02}"
            store.session(f"b{number:02}", parent=before, start=T + number, branched_from=before)

    api = server.profile(fill)
    tree = lineage(api, "b40")
    assert [(node["session"]["id"], node["depth"]) for node in tree["nodes"]] == [(f"b{n:02}", n) for n in range(80)]
    assert len(session(api, "b79")["ancestors"]) == 79


def test_L12_ternary_tree_of_2000(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("n0000")
        for number in range(1, 2000):
            parent = f"n{(number - 1) // 3:04}"
            store.session(f"n{number:04}", parent=parent, start=T + number, delegate_from=parent)

    tree = lineage(server.profile(fill), "n1999")
    assert (tree["totalCount"], len(tree["nodes"]), tree["truncated"]) == (2000, 2000, False)
    assert parents(tree) == {"n0000": None} | {f"n{n:04}": f"n{(n - 1) // 3:04}" for n in range(1, 2000)}
    assert all(node["childCount"] == 3 for node in tree["nodes"] if node["session"]["id"] < "n0666")


def test_a_lineage_is_the_same_from_every_member(server: Server) -> None:
    api = server.profile(full_plan)
    trees = [lineage(api, id) for id in ("d1", "d2", "d3", "d3s", "sub1", "sub2", "br1", "leg")]
    assert len({json.dumps(parents(tree)) for tree in trees}) == 1
