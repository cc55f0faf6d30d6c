"""A program fetches the lineage of 2,000 sessions in one request."""

from __future__ import annotations

import pytest

from tests.api.serving import Api, Server
from tests.builders import StoreBuilder, T

LINEAGE = """
query Lineage($id: ID!) {
  session(id: $id) {
    lineage {
      totalCount depth truncated cost { usd unknownSessions } usage { totalTokens }
      nodes {
        depth parentId childCount isFocus
        session { id title kind source model startedAt endedAt messageCount cost { usd } usage { totalTokens } }
      }
    }
  }
}"""
SIZE = 2000


def forest(store: StoreBuilder) -> None:
    """A ternary tree of subagents with branches and a chain in it, and as many sessions elsewhere."""
    for number in range(SIZE):
        parent = f"n{(number - 1) // 3:04}" if number else None
        store.session(
            f"n{number:04}",
            parent=parent,
            start=T + number,
            delegate_from=parent if number % 5 else None,
            branched_from=parent if number % 5 == 0 else None,
            title=f"Session {number}",
            model="some/model",
            input=number,
            cost=0.25,
        )
        store.session(f"x{number:04}", start=T + number)


@pytest.fixture(scope="module")
def api(server: Server) -> Api:
    return server.profile(forest)


def test_a_lineage_of_2000_nodes_in_one_request(api: Api) -> None:
    tree = api.ask(LINEAGE, id="n0000")["session"]["lineage"]
    assert (tree["totalCount"], len(tree["nodes"]), tree["truncated"]) == (SIZE, SIZE, False)
    assert tree["cost"] == {"usd": SIZE * 0.25, "unknownSessions": 0}
    assert tree["usage"]["totalTokens"] == SIZE * (SIZE - 1) // 2
    by_id = {node["session"]["id"]: node for node in tree["nodes"]}
    assert len(by_id) == SIZE
    for number in range(1, SIZE):
        node = by_id[f"n{number:04}"]
        assert node["parentId"] == f"n{(number - 1) // 3:04}"
        assert node["depth"] == by_id[node["parentId"]]["depth"] + 1
        assert node["session"]["kind"] == ("SUBAGENT" if number % 5 else "BRANCH")
    assert tree["depth"] == max(node["depth"] for node in tree["nodes"])


def test_parents_stand_before_children_and_each_with_all_below_it(api: Api) -> None:
    nodes = api.ask(LINEAGE, id="n1500")["session"]["lineage"]["nodes"]
    path: list[str] = []
    for node in nodes:
        del path[node["depth"] :]
        assert node["parentId"] == (path[-1] if path else None)
        path.append(node["session"]["id"])
    assert [node["session"]["id"] for node in nodes if node["isFocus"]] == ["n1500"]


def test_a_smaller_number_of_nodes_is_a_beginning_and_says_so(api: Api) -> None:
    query = """query ($max: Int!) { session(id: "n0000") { lineage(maxNodes: $max) {
        totalCount truncated cost { usd } nodes { session { id } } } } }"""
    whole = api.ask(query, max=SIZE)["session"]["lineage"]
    cut = api.ask(query, max=100)["session"]["lineage"]
    assert (cut["totalCount"], cut["truncated"], cut["cost"]) == (SIZE, True, whole["cost"])
    assert cut["nodes"] == whole["nodes"][:100]


@pytest.mark.parametrize("number", [0, -1, 20_001])
def test_a_number_of_nodes_out_of_bounds_is_refused(api: Api, number: int) -> None:
    query = 'query ($max: Int!) { session(id: "n0000") { lineage(maxNodes: $max) { totalCount } } }'
    assert api.refusal(query, max=number).code == "BAD_USER_INPUT"


@pytest.mark.parametrize("order", ["DEPTH_FIRST", "BREADTH_FIRST"])
def test_descendants_walk_through_the_same_tree_in_pages(api: Api, order: str) -> None:
    query = """query ($after: String, $order: TreeOrder!) { session(id: "n0000") {
        descendants(first: 300, after: $after, order: $order) {
          totalCount edges { depth parentId node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } } }"""
    found, after, pages = [], None, 0
    while pages == 0 or after is not None:
        page = api.ask(query, order=order, after=after)["session"]["descendants"]
        assert (page["totalCount"], page["pageInfo"]["hasPreviousPage"]) == (SIZE - 1, pages > 0)
        found += page["edges"]
        after = page["pageInfo"]["endCursor"] if page["pageInfo"]["hasNextPage"] else None
        pages += 1
    assert pages == 7
    assert len({edge["node"]["id"] for edge in found}) == SIZE - 1
    depths = [edge["depth"] for edge in found]
    if order == "BREADTH_FIRST":
        assert depths == sorted(depths)
    else:
        whole = api.ask(LINEAGE, id="n0000")["session"]["lineage"]["nodes"][1:]
        assert [edge["node"]["id"] for edge in found] == [node["session"]["id"] for node in whole]


def test_descendants_can_be_limited_in_depth(api: Api) -> None:
    query = '{ session(id: "n0000") { descendants(first: 500, maxDepth: 2) { totalCount edges { depth } } } }'
    found = api.ask(query)["session"]["descendants"]
    assert (found["totalCount"], {edge["depth"] for edge in found["edges"]}) == (12, {1, 2})
