"""The cases B1 and B2: one bad cell costs one field, never the row, the page or the profile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.serving import Api, Json, Server
from tests.builders import StoreBuilder, T

SESSIONS = """{
  sessions(first: 500, orderBy: {field: STARTED, direction: ASC}) {
    totalCount
    nodes {
      id title displayTitle preview kind source userId model modelConfig systemPrompt cwd gitBranch gitRepoRoot
      startedAt endedAt endReason archived parentId messageCount toolCallCount isLive workspace lastActiveAt
      usage { inputTokens cacheReadTokens cacheWriteTokens outputTokens reasoningTokens totalTokens apiCalls }
      cost { usd actualUsd estimatedUsd status }
      usageByModel { model provider task usage { inputTokens outputTokens apiCalls } cost { usd } firstSeen lastSeen }
      warnings
    }
  }
}"""
MESSAGES = """{
  session(id: "s") {
    messages(first: 500) {
      totalCount
      nodes {
        id role state content parts { __typename } reasoning toolCalls { id name } toolCallId toolName timestamp
        tokenCount finishReason isSummary raw warnings
      }
    }
  }
}"""
BROKEN_TEXT = "CAST(x'ff41c328' AS TEXT)"
SHOWN_TEXT = "\ufffdA\ufffd("
# What a column may change in the answer; one that is not named changes nothing.
SESSION_FIELDS = {
    "source": {"source", "displayTitle"},
    "user_id": {"userId"},
    "model": {"model"},
    "model_config": {"modelConfig", "warnings"},
    "system_prompt": {"systemPrompt"},
    "parent_session_id": {"parentId", "kind"},
    "started_at": {"startedAt", "displayTitle", "lastActiveAt", "warnings"},
    "ended_at": {"endedAt", "warnings"},
    "end_reason": {"endReason"},
    "message_count": {"warnings"},
    "tool_call_count": {"toolCallCount", "warnings"},
    "input_tokens": {"usage", "warnings"},
    "output_tokens": {"usage", "warnings"},
    "cache_read_tokens": {"usage", "warnings"},
    "cache_write_tokens": {"usage", "warnings"},
    "reasoning_tokens": {"usage", "warnings"},
    "api_call_count": {"usage", "warnings"},
    "cwd": {"cwd", "workspace"},
    "git_branch": {"gitBranch"},
    "git_repo_root": {"gitRepoRoot", "workspace"},
    "estimated_cost_usd": {"cost", "warnings"},
    "actual_cost_usd": {"cost", "warnings"},
    "title": {"title", "displayTitle"},
    "archived": {"archived"},
}
MESSAGE_FIELDS = {
    "role": {"role"},
    "content": {"content", "parts", "warnings"},
    "tool_call_id": {"toolCallId"},
    "tool_calls": {"toolCalls", "warnings"},
    "tool_name": {"toolName"},
    "timestamp": {"timestamp", "warnings"},
    "token_count": {"tokenCount", "warnings"},
    "finish_reason": {"finishReason"},
    "reasoning": {"reasoning"},
    "reasoning_content": {"reasoning"},
    "reasoning_details": {"reasoning"},
    "active": {"state"},
    "compacted": {"state"},
}


def columns(store: StoreBuilder, table: str, *types: str) -> list[str]:
    """Columns of these types that are no keys."""
    return [row[1] for row in store.sql(f"PRAGMA table_info({table})") if row[2] in types and not row[5]]


def nodes(api: Api, query: str) -> list[Json]:
    answer: Any = api.ask(query)
    while "nodes" not in answer:
        [answer] = answer.values()
    assert answer["totalCount"] == len(answer["nodes"])
    return list(answer["nodes"])


def changed(clean: Json, bad: Json) -> set[str]:
    return {name for name in clean if clean[name] != bad[name]} - {"id", "raw"}


@pytest.mark.parametrize("moment", ["soon", -1, 0, 1750000000000, 5.49e246, float("inf"), b"\xff\x00"])
def test_B1_implausible_moments(server: Server, moment: Any) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("good", start=T + 5)
        store.session("s", start=moment)
        store.message("s", content="before", at=T + 1)
        store.message("s", content="bad", at=moment)

    api = server.profile(fill)
    listed = api.ask("{ conversations { nodes { id startedAt lastActiveAt head { warnings } } } }")["conversations"]
    by_id = {node["id"]: node for node in listed["nodes"]}
    assert by_id["good"]["head"]["warnings"] == []
    assert by_id["s"]["startedAt"] is None
    assert by_id["s"]["lastActiveAt"] == "2025-06-15T15:06:41.000000Z"
    assert any("started_at" in words for words in by_id["s"]["head"]["warnings"])
    before, bad = nodes(api, MESSAGES)
    assert (before["timestamp"], before["warnings"]) == ("2025-06-15T15:06:41.000000Z", [])
    assert (bad["timestamp"], bad["content"]) == (None, "bad")
    assert any("timestamp" in words for words in bad["warnings"])


def test_B1_every_order_and_filter_by_moment_works(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        for number, moment in enumerate(["soon", -1, 0, 1750000000000, 5.49e246, T]):
            store.session(f"s{number}", start=moment)

    api = server.profile(fill)
    for field in ("STARTED", "LAST_ACTIVE", "MESSAGES", "TOKENS", "COST", "TITLE"):
        page = api.ask(f"{{ conversations(orderBy: {{field: {field}}}) {{ nodes {{ id }} }} }}")["conversations"]
        assert len(page["nodes"]) == 6
    after = api.ask('{ sessions(filter: {startedAfter: "2001-01-01T00:00:00Z"}) { nodes { id } } }')["sessions"]
    assert [node["id"] for node in after["nodes"]] == ["s5"]


def all_bad_sessions(store: StoreBuilder, bad: str, *types: str) -> list[str]:
    """A clean session, and one for each column of these types whose cell is this SQL expression."""
    names = columns(store, "sessions", *types)
    for number, id in enumerate(["clean", *names]):
        store.session(id, start=T + 1, end=T + 2, title=f"title {number}", cwd="/w", input=1, cost=0.5)
        store.message(id, content="hello", at=T + 1)
        store.usage(id, task="", cost=0.5)
    for name in names:
        store.sql(f"UPDATE sessions SET {name} = {bad} WHERE id = ?", (name,))
    store.sql("UPDATE sessions SET title = 'clean' WHERE title LIKE 'title %' AND id = 'clean'")
    return names


@pytest.mark.parametrize(
    ("bad", "types"),
    [
        (BROKEN_TEXT, ("TEXT",)),
        ("9223372036854775807", ("INTEGER", "REAL")),
        ("9e999", ("INTEGER", "REAL")),
        ("-9e999", ("INTEGER", "REAL")),
        (BROKEN_TEXT, ("INTEGER", "REAL")),
        ("x'ff00'", ("TEXT", "INTEGER", "REAL")),
    ],
)
def test_B2_a_bad_cell_of_a_session_costs_one_field(server: Server, bad: str, types: tuple[str, ...]) -> None:
    names: list[str] = []
    api = server.profile(lambda store: names.extend(all_bad_sessions(store, bad, *types)))
    found = {node["id"]: node for node in nodes(api, SESSIONS)}
    assert set(found) == {"clean", *names}
    clean = found["clean"]
    assert clean["warnings"] == []
    for name in names:
        # Titles are unique in a store, so they differ anyway.
        assert changed(clean, found[name]) - {"title", "displayTitle"} <= SESSION_FIELDS.get(name, set()), name
        if "warnings" in SESSION_FIELDS.get(name, set()):
            assert any(name in words for words in found[name]["warnings"]), name
    listed = api.ask("{ conversations(first: 500, filter: {archived: INCLUDE}) { totalCount nodes { id } } }")
    assert len(listed["conversations"]["nodes"]) == listed["conversations"]["totalCount"] == len(found)


def test_B2_text_that_is_not_utf_8_is_shown_with_replacement(server: Server) -> None:
    api = server.profile(lambda store: all_bad_sessions(store, BROKEN_TEXT, "TEXT"))
    found = {node["id"]: node for node in nodes(api, SESSIONS)}
    for column, field in {"title": "title", "model": "model", "cwd": "cwd", "system_prompt": "systemPrompt"}.items():
        assert found[column][field] == SHOWN_TEXT


@pytest.mark.parametrize("bad", [BROKEN_TEXT, "9223372036854775807", "9e999", "x'ff00'"])
def test_B2_a_bad_cell_of_a_message_costs_one_field(server: Server, bad: str) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        names.extend(columns(store, "messages", "TEXT", "INTEGER", "REAL"))
        names.remove("session_id")
        for _ in ["clean", *names]:
            store.message("s", content="hello", at=T, token_count=3)
        for number, name in enumerate(names, start=2):
            store.sql(f"UPDATE messages SET {name} = {bad} WHERE id = ?", (number,))

    names: list[str] = []
    api = server.profile(fill)
    clean, *others = nodes(api, MESSAGES)
    assert clean["warnings"] == []
    assert len(others) == len(names)
    for name, message in zip(names, others, strict=True):
        assert changed(clean, message) <= MESSAGE_FIELDS.get(name, set()), name


@pytest.mark.parametrize("bad", [BROKEN_TEXT, "9223372036854775807", "9e999", "x'ff00'"])
def test_B2_a_bad_cell_of_a_usage_row_costs_one_field(server: Server, bad: str) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        every = [row[1] for row in store.sql("PRAGMA table_info(session_model_usage)") if row[1] != "session_id"]
        for number, name in enumerate(every):
            store.usage("s", model=f"m{number}", cost=0.5)
            store.sql(f"UPDATE session_model_usage SET {name} = {bad} WHERE model = ?", (f"m{number}",))
        store.usage("s", model="clean", cost=0.5)
        count.append(len(every) + 1)

    count: list[int] = []
    [session] = nodes(server.profile(fill), SESSIONS)
    assert len(session["usageByModel"]) == count[0]
    assert session["usageByModel"][-1]["model"] == "clean"
    for row in session["usageByModel"][:-1]:
        values = {"cost": row["cost"]["usd"], "inputs": row["usage"]["inputTokens"]}
        assert len(changed({"cost": 0.5, "inputs": 0}, values)) <= 1


@pytest.mark.sqlite
def test_B2_an_id_that_is_not_utf_8_costs_no_other_row(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("good")
        store.message("good")
        store.sql(f"INSERT INTO sessions (id, source, started_at) VALUES ({BROKEN_TEXT}, 'cli', {T})")
        store.sql(
            f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ({BROKEN_TEXT}, 'user', 'x', {T})"
        )

    api = server.profile(fill)
    assert {node["id"] for node in nodes(api, SESSIONS)} == {"good", SHOWN_TEXT}
    assert api.ask('{ session(id: "good") { messages { totalCount } } }')["session"]["messages"]["totalCount"] == 1
    assert api.ask("query ($id: ID!) { session(id: $id) { id } }", id=SHOWN_TEXT)["session"]["id"] == SHOWN_TEXT


@pytest.mark.parametrize("bad", [BROKEN_TEXT, "9223372036854775807", "9e999", "x'ff00'"])
@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ('text: "needle"', 2),
        ("errorsOnly: true", 1),
        ('tools: ["run"]', 2),
        ('roles: ["user", "tool", "assistant"]', 5),
    ],
)
def test_B2_filters_pass_over_bad_cells(server: Server, bad: str, filter: str, expected: int) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", "user", "a needle")
        store.message("s", "assistant", "calling", tool_calls=[{"id": "c1", "function": {"name": "run"}}])
        store.message("s", "tool", "Error: needle", tool_call_id="c1", tool_name="run")
        store.message("s", "tool", "bad content", tool_call_id="c2")
        store.message("s", "assistant", "bad calls")
        store.sql(f"UPDATE messages SET content = {bad} WHERE content = 'bad content'")
        store.sql(f"UPDATE messages SET tool_calls = {bad} WHERE content = 'bad calls'")

    answer = server.profile(fill).ask(
        f"""{{ session(id: "s") {{ messages(filter: {{{filter}}}) {{
             totalCount nodes {{ id content toolName toolCalls {{ name result {{ id }} }} }} }} }} }}"""
    )
    assert answer["session"]["messages"]["totalCount"] == expected


@pytest.mark.parametrize("bad", [BROKEN_TEXT, "x'ff00'"])
def test_B2_a_filter_of_the_list_passes_over_bad_cells(server: Server, bad: str) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("good", title="needle")
        store.session("bad")
        store.message("bad", content="x")
        store.sql(f"UPDATE messages SET content = {bad}")
        store.sql(f"UPDATE sessions SET title = {bad}, model = {bad}, cwd = {bad} WHERE id = 'bad'")

    api = server.profile(fill)
    for filter in ('text: "needle"', 'excludeSources: ["x"], text: "needle"'):
        page = api.ask(f"{{ conversations(filter: {{{filter}}}) {{ nodes {{ id }} }} }}")["conversations"]
        assert page["nodes"] == [{"id": "good"}]


@pytest.mark.parametrize("cell", ["x'613ae7'", "CAST(x'613ae7' AS TEXT)"])
def test_a_character_that_is_broken_at_the_end_of_a_content_is_replaced_and_not_dropped(
    server: Server, cell: str
) -> None:
    def broken(store: StoreBuilder) -> None:
        store.message(store.session("s"))
        store.sql(f"UPDATE messages SET content = {cell}")

    api = server.profile(broken)
    [message] = api.ask(MESSAGES)["session"]["messages"]["nodes"]
    assert message["content"] == "a:\ufffd"
    assert api.ask('{ session(id: "s") { preview } }')["session"]["preview"] == "a:\ufffd"
