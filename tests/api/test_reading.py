"""What a reader of long transcripts asks besides: where a page stands, what failed, how a huge content ends."""

from __future__ import annotations

import json

import pytest

from tests.api.serving import Api, Server
from tests.builders import StoreBuilder, T

PAGE = """
    query ($first: Int, $after: String, $last: Int, $before: String, $around: ID, $filter: MessageFilter) {
      conversation(id: "a") {
        messages(first: $first, after: $after, last: $last, before: $before, around: $around, filter: $filter) {
          startPosition totalCount nodes { id } pageInfo { startCursor endCursor }
        }
      }
    }"""
ENDS = """
    query ($head: Int!, $tail: Int!) {
      session(id: "s") { messages { nodes {
        content(maxBytes: $head) contentTruncated(maxBytes: $head) contentBytes
        contentTail(maxBytes: $tail, headBytes: $head)
      } } }
    }"""


def two_segments(store: StoreBuilder) -> None:
    store.session("a", end=T + 10, end_reason="compression")
    store.session("b", parent="a", start=T + 10)
    for number in range(12):
        store.message("a" if number % 2 else "b", "user" if number % 3 else "tool", f"message {number}", at=T + number)
    store.message("a", "user", "carried", at=T + 20, active=0, compacted=1)
    store.message("a", "user", "carried", at=T + 20)
    store.message("b", "user", "taken back", active=0)


@pytest.mark.parametrize("filter", [None, {"roles": ["user"]}, {"states": ["LIVE", "REWOUND"]}, {"text": "message 1"}])
def test_every_page_knows_its_place_in_the_list(server: Server, filter: dict[str, object] | None) -> None:
    api = server.profile(two_segments)
    ids = [node["id"] for node in page(api, first=100, filter=filter)[1]]
    assert len(ids) > 2
    for size in (1, 3):
        for way, cursor, argument in (("first", "endCursor", "after"), ("last", "startCursor", "before")):
            seen, at = 0, {}
            while seen < len(ids):
                start, nodes, info = page(api, filter=filter, **{way: size}, **at)
                assert start == ids.index(nodes[0]["id"])
                seen += len(nodes)
                at = {argument: info[cursor]}
    for id in ids:
        start, nodes, _ = page(api, first=3, around=id, filter=filter)
        assert start == ids.index(nodes[0]["id"])


def page(api: Api, **asked: object) -> tuple[int | None, list[dict[str, str]], dict[str, str]]:
    found = api.ask(PAGE, **asked)["conversation"]["messages"]
    return found["startPosition"], found["nodes"], found["pageInfo"]


def test_a_page_of_one_session_and_an_empty_one(server: Server) -> None:
    api = server.profile(two_segments)
    last = api.ask('{ session(id: "b") { messages(last: 2) { startPosition totalCount } } }')["session"]["messages"]
    assert last == {"startPosition": 4, "totalCount": 6}
    assert page(api, first=0)[:2] == (None, [])
    end = page(api, last=1)[2]["endCursor"]
    assert page(api, first=5, after=end)[:2] == (None, [])
    assert page(api, first=5, filter={"roles": ["nobody"]})[:2] == (None, [])


CONTENTS = (
    "short",
    "x" * 100,
    "日本語" * 40,
    "é" + "x" * 99,
    "",
    None,
    "y" * 400_000,
    "a" + "日本語" * 100_000,
    [{"type": "text", "text": "größe " * 30}],
    [{"type": "text", "text": "größe " * 100_000}],
    "x" * 300_000 + "\x00end",
    17,
)


def long_contents(store: StoreBuilder) -> None:
    store.session("s")
    for content in CONTENTS:
        store.message("s", "tool", content)


@pytest.fixture(scope="module")
def api(server: Server) -> Api:
    return server.profile(long_contents)


@pytest.mark.parametrize("head", [0, 1, 50, 100, 262_143, 262_144, 300_001, 399_999])
@pytest.mark.parametrize("tail", [0, 1, 7, 4096, 200_000])
def test_beginning_and_end_never_overlap_and_leave_out_what_they_say(api: Api, head: int, tail: int) -> None:
    wholes = [node["content"] for node in nodes(api, 64_000_000, 0)]
    for whole, node in zip(wholes, nodes(api, head, tail), strict=True):
        if not node["contentTruncated"]:
            assert node["contentTail"] is None
            continue
        beginning, end = node["content"].encode(), node["contentTail"].encode()
        raw = whole.encode()
        assert raw.startswith(beginning)
        assert raw.endswith(end)
        assert len(end) <= tail
        assert len(beginning) + len(end) <= len(raw)
        left_out = len(raw) - len(beginning) - len(end)
        assert left_out <= max(node["contentBytes"] - head - tail, 0) + 6  # parts of a character at both cuts


def nodes(api: Api, head: int, tail: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = api.ask(ENDS, head=head, tail=tail)["session"]["messages"]["nodes"]
    return found


def test_the_end_of_20_megabytes(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for table in ("messages_fts", "messages_fts_trigram"):
            store.sql(f"DROP TRIGGER {table}_insert")
        store.message("s", "tool", "x" * 20_000_000 + "the end 日本")

    api = server.profile(fill)
    question = '{ session(id: "s") { messages { nodes { contentTail contentBytes end: contentTail(maxBytes: 7) } } } }'
    [node] = api.ask(question)["session"]["messages"]["nodes"]
    assert node["contentTail"].endswith("xxxthe end 日本")
    assert len(node["contentTail"].encode()) == 4096
    assert node["end"] == " 日本"


@pytest.mark.parametrize("asked", ["maxBytes: -1", "maxBytes: 1000001", "headBytes: -1"])
def test_sizes_have_bounds(server: Server, asked: str) -> None:
    api = server.profile(two_segments)
    question = f'{{ session(id: "a") {{ messages {{ nodes {{ contentTail({asked}) }} }} }} }}'
    with pytest.raises(AssertionError, match="BAD_USER_INPUT"):
        api.ask(question)


def test_only_results_of_tools_fail(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for role in ("user", "assistant", "tool", "system"):
            store.message("s", role, json.dumps({"error": "no"}))

    api = server.profile(fill)
    found = api.ask('{ session(id: "s") { messages { nodes { role isError } } } }')["session"]["messages"]["nodes"]
    assert [node["role"] for node in found if node["isError"]] == ["tool"]
