"""The cases S1 to S4, filters and pages of `search`, asked through GraphQL."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.serving import Api, Json, Server
from tests.builders import StoreBuilder, T, plan_chain

SEARCH = """
    query ($text: String!, $filter: SearchFilter, $sort: SearchSort! = RELEVANCE, $profiles: [String!], $first: Int,
           $after: String) {
      search(text: $text, filter: $filter, sort: $sort, profiles: $profiles, first: $first, after: $after) {
        totalCount totalIsCapped degraded unsearched
        pageInfo { hasNextPage hasPreviousPage endCursor }
        failures { profile code }
        edges { cursor node {
          field snippet hitsInConversation highlights { start end }
          profile { name } conversation { id } session { id kind } message { id state }
        } }
      }
    }"""
STRINGS = [
    "not found",
    "it's",
    "gateway/run.py",
    "user@host",
    "#tag",
    "C++",
    "61.2%",
    ".env",
    "chat-send",
    "rock and roll",
]
CHINESE = "今天讨论了记忆断裂问题和项目"


def search(api: Api, text: str, /, **variables: Any) -> Json:
    answer: Json = api.ask(SEARCH, text=text, **variables)["search"]
    return answer


def hits(api: Api, text: str, /, **variables: Any) -> list[Json]:
    return [edge["node"] for edge in search(api, text, **variables)["edges"]]


def found(api: Api, text: str, /, **filter: Any) -> list[str]:
    """Conversations."""
    return [hit["conversation"]["id"] for hit in hits(api, text, filter=filter or None)]


def marked(hit: Json) -> list[str]:
    return [hit["snippet"][each["start"] : each["end"]] for each in hit["highlights"]]


def one_message(content: Any, role: str = "user", **columns: Any) -> Callable[[StoreBuilder], None]:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", role, content, **columns)
        store.session("other")
        store.message("other", content="nothing of it")

    return fill


@pytest.fixture(scope="module")
def literal(server: Server) -> Api:
    return server.profile(one_message(" | ".join(STRINGS)))


@pytest.mark.parametrize("text", STRINGS)
def test_s1_each_string_is_found_by_typing_it(literal: Api, text: str) -> None:
    [hit] = hits(literal, text)
    assert hit["conversation"]["id"] == "s"
    assert marked(hit)[0] in (text, text.split()[0])


@pytest.mark.parametrize("typed", ["今天", "项目", "记忆断裂", "题"])
def test_s2_chinese_is_found_inside_a_sentence(server: Server, typed: str) -> None:
    call = {"id": "c", "function": {"name": "note", "arguments": json.dumps({"text": f"a\n{CHINESE}"})}}
    for fill in (
        one_message(CHINESE),
        one_message([{"type": "text", "text": CHINESE}]),
        one_message(None, "assistant", tool_calls=[call]),
        one_message(json.dumps({"output": CHINESE}), "tool"),
    ):
        [hit] = hits(server.profile(fill), typed)
        assert marked(hit) == [typed]


def test_s2_latin_words_inside_chinese_and_behind_escapes(server: Server) -> None:
    arguments = json.dumps({"note": "使用docker部署\nfirst “quoted” café"})
    call = {"id": "c", "function": {"name": "note", "arguments": arguments}}
    api = server.profile(one_message(None, "assistant", tool_calls=[call]))
    for typed in ("docker", "first", "quoted", "quot", "cafe", "CAFÉ", "docker 部署"):
        assert found(api, typed) == ["s"], typed
    assert found(api, "ocker") == []
    assert found(server.profile(one_message("使用docker部署")), "DOCK") == ["s"]
    assert found(server.profile(one_message('{"output": "a\\n使用docker"}', "tool")), "dock") == ["s"]


@pytest.mark.parametrize(
    "text",
    ["*", '"', "NOT", "a AND", "(", "a:b", "^x", "{x}", "NEAR(a b)", "-x", "a OR", "\\", "%", "_", "'", "\u202e"],
)
def test_s3_hostile_text_is_text(literal: Api, text: str) -> None:
    answer = search(literal, text)
    assert answer["totalCount"] == len(answer["edges"])


@pytest.mark.parametrize("text", ["", " \t\n", "a\x00b", "x" * 2100, " ".join(map(str, range(33))), "\ud800"])
def test_s3_what_nobody_can_mean_is_refused_in_words(server: Server, literal: Api, text: str) -> None:
    with server.served.client() as client:
        body = json.dumps({"query": SEARCH, "variables": {"text": text}}).encode()
        answer = client.post(
            f"/graphql?profile={literal.profile}", content=body, headers={"Content-Type": "application/json"}
        )
    [error] = answer.json()["errors"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"


def test_s4_a_hit_in_a_compacted_middle_segment_can_be_jumped_to(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        plan_chain(store)
        for number in range(40):
            store.message("d2", content=f"line {number}", at=T + 110 + number, active=0, compacted=1)
        store.message("d2", content="the lighthouse", at=T + 160, active=0, compacted=1)
        store.message("d2", content="the lighthouse, taken back", at=T + 161, active=0, compacted=0)
        store.message("d3", content="later", at=T + 210)

    api = server.profile(fill)
    [hit] = hits(api, "lighthouse")
    assert (hit["conversation"]["id"], hit["session"]["id"], hit["hitsInConversation"]) == ("d1", "d2", 1)
    assert hit["message"]["state"] == "COMPACTED"
    around = api.ask(
        """query ($id: ID!, $at: ID!) { conversation(id: $id) { messages(around: $at, first: 5) {
             edges { node { id content } } } } }""",
        id=hit["conversation"]["id"],
        at=hit["message"]["id"],
    )["conversation"]["messages"]["edges"]
    assert {"id": hit["message"]["id"], "content": "the lighthouse"} in [edge["node"] for edge in around]


def test_subagents_and_side_rows_count_for_their_conversation(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        plan_chain(store)
        store.session("sub1", parent="d3", delegate_from="d3", start=T + 220)
        for session in ("d1", "sub1", "d3s"):
            store.message(session, content="lighthouse")

    api = server.profile(fill)
    [hit] = hits(api, "lighthouse")
    assert (hit["conversation"]["id"], hit["hitsInConversation"]) == ("d1", 3)
    each = hits(api, "lighthouse", filter={"conversation": "d2"})
    assert sorted(hit["session"]["id"] for hit in each) == ["d1", "d3s", "sub1"]
    assert found(api, "lighthouse", conversation="nowhere") == []


def sorts(store: StoreBuilder) -> None:
    for name, content, at in (("old", "lighthouse", T), ("new", "lighthouse", T + 9), ("tool", None, T + 20)):
        store.session(
            name, "telegram" if name == "new" else "cli", start=at, archived=int(name == "old"), cwd=f"/w/{name}"
        )
        if content:
            store.message(name, content=content, at=at)
    store.message("tool", "tool", "lighthouse", at=T + 20)
    store.session("title", start=T - 5, title="The lighthouse")
    store.session("bot", "cron", start=T - 6, reasoning_tokens=0)
    store.message("bot", "assistant", "x", at=T - 6, reasoning="lighthouse")


def test_hits_come_by_weight_and_by_moment(server: Server) -> None:
    api = server.profile(sorts)
    names = {
        sort: [hit["conversation"]["id"] for hit in hits(api, "lighthouse", sort=sort)]
        for sort in ("RELEVANCE", "NEWEST", "OLDEST")
    }
    assert names == {
        "RELEVANCE": ["title", "new", "old", "tool"],
        "NEWEST": ["tool", "new", "old", "title"],
        "OLDEST": ["title", "old", "new", "tool"],
    }


@pytest.mark.parametrize(
    ("filter", "names"),
    [
        ({"archived": "EXCLUDE"}, ["title", "new", "tool"]),
        ({"archived": "ONLY"}, ["old"]),
        ({"sources": ["telegram"]}, ["new"]),
        ({"excludeSources": ["telegram"]}, ["title", "old", "tool"]),
        ({"workspace": "/w/old"}, ["old"]),
        ({"roles": ["tool"]}, ["tool"]),
        ({"roles": []}, []),
        ({"kinds": ["SUBAGENT"]}, []),
        ({"kinds": ["ROOT"]}, ["title", "new", "old", "tool"]),
        ({"after": "2025-06-15T15:06:49Z"}, ["new", "tool"]),
        ({"before": "2025-06-15T15:06:49Z"}, ["title", "old"]),
        ({"fields": ["TITLE"]}, ["title"]),
        ({"fields": ["TOOL"]}, ["tool"]),
        ({"fields": ["REASONING"]}, ["bot"]),
        ({"fields": ["REASONING"], "audience": "CHATS"}, []),
        ({"fields": []}, []),
        ({"conversation": "ne"}, ["new"]),
    ],
    ids=str,
)
def test_each_filter_leaves_what_it_says(server: Server, filtered: Api, filter: Json, names: list[str]) -> None:
    assert found(filtered, "lighthouse", **filter) == names


@pytest.fixture(scope="module")
def filtered(server: Server) -> Api:
    return server.profile(sorts)


def many(store: StoreBuilder) -> None:
    for number in range(30):
        store.session(f"c{number:02}", start=T + number % 4, title=f"lighthouse {number}" if number % 5 == 0 else None)
        for extra in range(number % 3 + 1):
            store.message(f"c{number:02}", content="the lighthouse" if extra else "a lighthouse", at=T + number % 7)


@pytest.mark.parametrize("sort", ["RELEVANCE", "NEWEST", "OLDEST"])
def test_walking_gives_the_same_as_one_page_while_others_write(server: Server, sort: str) -> None:
    apis = [server.profile(many), server.profile(many)]
    profiles = [api.profile for api in apis]
    whole = walked(apis[0], 100, sort, profiles)
    assert len(whole) == len(set(whole)) == 60
    with apis[1].store() as store:
        for size in (1, 7):
            assert (
                walked(apis[0], size, sort, profiles, lambda: store.message("c01", content="unrelated", at=T)) == whole
            )


def walked(
    api: Api, size: int, sort: str, profiles: list[str], between: Callable[[], object] = int
) -> list[tuple[str, str]]:
    seen: list[tuple[str, str]] = []
    after = None
    while True:
        page = search(api, "lighthouse", first=size, after=after, sort=sort, profiles=profiles)
        seen += [(edge["node"]["profile"]["name"], edge["node"]["conversation"]["id"]) for edge in page["edges"]]
        assert page["totalCount"] == 60
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        if not page["pageInfo"]["hasNextPage"]:
            return seen
        after = page["pageInfo"]["endCursor"]
        between()


def test_a_cursor_is_bound_to_its_question(server: Server) -> None:
    api, other = server.profile(many), server.profile(many)
    after = search(api, "lighthouse", first=1)["pageInfo"]["endCursor"]
    assert search(api, " lighthouse ", first=1, after=after)["edges"]
    for asked in (
        {"text": "light"},
        {"sort": "NEWEST"},
        {"filter": {"roles": ["user"]}},
        {"profiles": [api.profile, other.profile]},
        {"after": ""},
        {"after": after[:-4]},
    ):
        variables = {"text": "lighthouse", "after": after} | asked
        assert api.refusal(SEARCH, **variables).code == "INVALID_CURSOR", asked
    assert other.refusal(SEARCH, text="lighthouse", after=after).code == "INVALID_CURSOR"
    for first in (-1, 501):
        assert api.refusal(SEARCH, text="lighthouse", first=first).code == "BAD_USER_INPUT"


@pytest.mark.sqlite
def test_a_damaged_profile_fails_alone(server: Server) -> None:
    sound, damaged = server.profile(many), server.profile(many)
    damaged.path.write_bytes(b"not a database" * 400)
    answer = search(sound, "lighthouse", profiles=[sound.profile, damaged.profile, "absent"])
    assert answer["totalCount"] == 30
    codes = {failure["profile"]: failure["code"] for failure in answer["failures"]}
    assert codes.pop("absent") == "PROFILE_NOT_FOUND"
    assert list(codes) == [damaged.profile]
