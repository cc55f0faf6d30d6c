"""What the API writes is what Hermes would have written: the same script, run through both, leaves the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.model.writing.numbering import next_title
from tests.api.serving import Api, Json, serving
from tests.api.shaping import append, changed, create, fork, mutate, texts
from tests.builders import SCHEMA_8, StoreBuilder, T
from tests.hermes.process import HermesProcess

CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "ferry to São Tomé"}'}}
CALL2 = {"id": "c2", "type": "function", "function": {"name": "read", "arguments": "{}"}}
PARTS = [
    {"type": "text", "text": "a picture of it"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
]
MOMENTS = {"started_at", "ended_at", "first_seen", "last_seen"}


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    """A server on a home without a store."""
    with serving(tmp_path / "home") as server:
        yield server.api()


def rows(path: Path) -> dict[str, list[Json]]:
    """Every cell of a store but moments that the clock gave."""
    with StoreBuilder(path) as store:
        found: dict[str, list[Json]] = {}
        for table in ("sessions", "messages", "session_model_usage"):
            names = [row[1] for row in store.sql(f"PRAGMA table_info({table})")]
            cells = [dict(zip(names, row, strict=True)) for row in store.sql(f"SELECT * FROM {table} ORDER BY rowid")]
            found[table] = [{name: cell for name, cell in row.items() if name not in MOMENTS} for row in cells]
        return found


def by_us(api: Api) -> None:
    create(
        api,
        id="s1",
        source="telegram",
        title="Ferry",
        model="asked/for",
        modelConfig={"max_iterations": 60, "reasoning_config": {"effort": "high"}, "name": "São"},
        systemPrompt="You are helpful.\nAlways.",
        cwd="/srv/ferry",
        userId="u1",
    )
    create(api, id="sub", source="cli", parentId="s1", modelConfig={"_delegate_from": "s1"})
    append(
        api,
        "s1",
        {"role": "user", "content": "book the ferry – now", "clientId": "tg-1", "timestamp": "2025-06-15T15:06:40Z"},
        {
            "role": "assistant",
            "toolCalls": [CALL, CALL2],
            "reasoning": "think first",
            "finishReason": "tool_calls",
            "tokenCount": 17,
            "timestamp": "2025-06-15T15:06:41.5Z",
        },
        {
            "role": "tool",
            "content": "{}",
            "toolCallId": "c1",
            "toolName": "search",
            "timestamp": "2025-06-15T15:06:42Z",
        },
        {"role": "tool", "content": "no", "toolCallId": "c2", "toolName": "read", "timestamp": "2025-06-15T15:06:43Z"},
        {"role": "assistant", "parts": PARTS, "finishReason": "stop", "timestamp": "2025-06-15T15:06:44Z"},
    )
    for usage in USAGE:
        mutate(api, "recordUsage", id="s1", **usage)
    changed(api, "endSession", id="s1", reason="session_reset")
    changed(api, "endSession", id="s1", reason="cli_close")
    changed(api, "endSession", id="sub", reason="agent_close")
    changed(api, "reopenSession", id="sub")
    fork(api, "s1", newId="f1")
    fork(api, "s1", newId="f2", messageId="1", title="Another way")


USAGE: list[dict[str, Any]] = [
    {"model": "answered/by", "provider": "router", "baseUrl": "https://r.example", "billingMode": "credits",
     "inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 3, "cacheWriteTokens": 4, "reasoningTokens": 5,
     "estimatedCostUsd": 0.25, "costSource": "models.dev", "pricingVersion": "7"},
    {"model": "other/one", "provider": "direct", "inputTokens": 1, "apiCalls": 2, "estimatedCostUsd": 0.5,
     "actualCostUsd": 0.75, "costStatus": "actual"},
    {"inputTokens": 10, "estimatedCostUsd": 0.0, "costStatus": "included"},
    {"task": "compression", "model": "small/one", "provider": "direct", "inputTokens": 7, "estimatedCostUsd": 0.01},
    {"task": "compression", "model": "small/one", "provider": "direct", "outputTokens": 2},
    {"task": "vision"},
]  # fmt: skip
ABSOLUTE = {"absolute": True, "inputTokens": 5, "outputTokens": 6, "cacheReadTokens": 7, "cacheWriteTokens": 8,
            "reasoningTokens": 9, "apiCalls": 3, "estimatedCostUsd": 2.5, "costStatus": "estimated"}  # fmt: skip
KEYWORDS = {
    "model": "model", "provider": "billing_provider", "baseUrl": "billing_base_url", "billingMode": "billing_mode",
    "inputTokens": "input_tokens", "outputTokens": "output_tokens", "cacheReadTokens": "cache_read_tokens",
    "cacheWriteTokens": "cache_write_tokens", "reasoningTokens": "reasoning_tokens", "apiCalls": "api_call_count",
    "estimatedCostUsd": "estimated_cost_usd", "actualCostUsd": "actual_cost_usd", "costStatus": "cost_status",
    "costSource": "cost_source", "pricingVersion": "pricing_version", "absolute": "absolute",
}  # fmt: skip


def record(hermes: HermesProcess, session: str, usage: Json) -> None:
    """As the agent does: each call has a status by the figure that it brought."""
    words = {KEYWORDS[name]: value for name, value in usage.items() if name != "task"}
    if "task" in usage:
        hermes.call("record_auxiliary_usage", session, usage["task"], **words)
    else:
        hermes.call("update_token_counts", session, **{"api_call_count": 1, "cost_status": "estimated"} | words)


def by_hermes(hermes: HermesProcess, path: Path) -> None:
    hermes.open(path)
    hermes.create_session(
        "s1",
        "telegram",
        model="asked/for",
        model_config={"max_iterations": 60, "reasoning_config": {"effort": "high"}, "name": "São"},
        system_prompt="You are helpful.\nAlways.",
        cwd="/srv/ferry",
        user_id="u1",
    )
    hermes.set_session_title("s1", "Ferry")
    hermes.create_session("sub", "cli", parent_session_id="s1", model_config={"_delegate_from": "s1"})
    hermes.append_message("s1", "user", "book the ferry – now", platform_message_id="tg-1", timestamp=T)
    hermes.append_message(
        "s1",
        "assistant",
        None,
        tool_calls=[CALL, CALL2],
        reasoning="think first",
        finish_reason="tool_calls",
        token_count=17,
        timestamp=T + 1.5,
    )
    hermes.append_message("s1", "tool", "{}", tool_call_id="c1", tool_name="search", timestamp=T + 2)
    hermes.append_message("s1", "tool", "no", tool_call_id="c2", tool_name="read", timestamp=T + 3)
    hermes.append_message("s1", "assistant", PARTS, finish_reason="stop", timestamp=T + 4)
    for usage in USAGE:
        record(hermes, "s1", usage)
    hermes.end_session("s1", "session_reset")
    hermes.end_session("s1", "cli_close")
    hermes.end_session("sub", "agent_close")
    hermes.call("reopen_session", "sub")
    branch(hermes, "f1", 5, hermes.call("get_next_title_in_lineage", "Ferry"))
    branch(hermes, "f2", 1, "Another way")
    hermes.close()


def branch(hermes: HermesProcess, id: str, messages: int, title: str) -> None:
    """The steps of Hermes' own forks, with all that any of them keeps of a session and its messages."""
    parent = hermes.get_session("s1")
    assert parent
    hermes.create_session(
        id,
        parent["source"],
        model=parent["model"],
        model_config={
            "max_iterations": 60,
            "reasoning_config": {"effort": "high"},
            "name": "São",
            "_branched_from": "s1",
        },
        system_prompt=parent["system_prompt"],
        cwd=parent["cwd"],
        parent_session_id="s1",
    )
    copies = [message | {"platform_message_id": None} for message in hermes.get_messages("s1")[:messages]]
    hermes.call("replace_messages", id, copies)
    hermes.set_session_title(id, title)


def test_the_same_script_leaves_the_same_rows(api: Api, hermes: HermesProcess, tmp_path: Path) -> None:
    by_us(api)
    by_hermes(hermes, tmp_path / "twin.db")
    ours, theirs = rows(api.path), rows(tmp_path / "twin.db")
    assert len(ours["messages"]) == 11
    for table in ours:
        assert ours[table] == theirs[table]


def test_totals_that_replace_others_leave_the_same_rows(api: Api, hermes: HermesProcess, tmp_path: Path) -> None:
    create(api, id="s1", source="cli")
    hermes.open(tmp_path / "twin.db")
    hermes.create_session("s1", "cli")
    for usage in (USAGE[0], ABSOLUTE):
        mutate(api, "recordUsage", id="s1", **usage)
        record(hermes, "s1", usage)
    hermes.close()
    assert rows(api.path) == rows(tmp_path / "twin.db")


def test_hermes_reads_back_what_was_written_and_goes_on(api: Api, hermes: HermesProcess) -> None:
    by_us(api)
    assert hermes.open(api.path) == 22
    assert hermes.complaints() == []
    assert {row["id"] for row in hermes.list_sessions()} >= {"s1", "f1", "f2"}
    conversation = hermes.call("get_messages_as_conversation", "f1")
    assert [message["role"] for message in conversation] == ["user", "assistant", "tool", "tool", "assistant"]
    assert conversation[1]["tool_calls"] == [CALL, CALL2]
    assert conversation[4]["content"] == PARTS
    assert hermes.call("resolve_resume_session_id", "f1") == "f1"
    assert hermes.call("has_platform_message_id", "s1", "tg-1") is True
    assert {hit["session_id"] for hit in hermes.call("search_messages", "ferry")} == {"s1", "f1", "f2"}
    assert hermes.call("get_next_title_in_lineage", "Ferry") == "Ferry #3"
    assert hermes.call("get_compression_lineage", "f1") == ["f1"]

    number = hermes.append_message("f1", "user", "and back")
    append(api, "f1", {"role": "assistant", "content": "tomorrow", "clientId": "a"})
    later = hermes.append_message("f1", "user", "fine")
    assert [message["id"] for message in hermes.get_messages("f1")][-3:] == [number, number + 1, later]
    row = hermes.get_session("f1")
    assert row
    assert (row["message_count"], row["tool_call_count"]) == (8, 2)
    assert fork(api, "f1")["session"]["title"] == "Ferry #3"
    assert hermes.sql("PRAGMA integrity_check") == [["ok"]]
    assert hermes.sql("PRAGMA foreign_key_check") == []


def test_a_conversation_that_hermes_compressed_is_written_to_where_it_goes_on(api: Api, hermes: HermesProcess) -> None:
    hermes.open(api.path)
    hermes.create_session("a", "cli")
    hermes.append_message("a", "user", "hello")
    hermes.compress("a", "b")
    answer = append(api, "a", {"role": "user", "content": "go on", "clientId": "m1"})
    assert answer["session"]["id"] == "b"
    assert [message["content"] for message in hermes.get_messages("b")] == ["go on"]
    hermes.compress("b", "c")
    again = append(api, "a", {"role": "user", "content": "go on", "clientId": "m1"})
    assert (again["newIds"], again["messages"]) == ([], answer["messages"])
    assert hermes.get_messages("c") == []


def test_a_fork_of_what_hermes_compacted_in_place_is_what_the_agent_sees(api: Api, hermes: HermesProcess) -> None:
    hermes.open(api.path)
    hermes.create_session("s1", "cli")
    for words in ("one", "two", "three"):
        hermes.append_message("s1", "user", words)
    kept = [{"role": "user", "content": "[CONTEXT SUMMARY]: one, two"}, {"role": "user", "content": "three"}]
    hermes.call("archive_and_compact", "s1", kept)
    copy = fork(api, "s1")["session"]
    seen = hermes.call("get_messages_as_conversation", "s1")
    assert [message["content"] for message in seen] == [message["content"] for message in kept]
    assert [message["content"] for message in hermes.get_messages(copy["id"], include_inactive=True)] == [
        message["content"] for message in seen
    ]
    assert copy["messageCount"] == 2


def test_what_hermes_is_compressing_is_busy(api: Api, hermes: HermesProcess) -> None:
    hermes.open(api.path)
    hermes.create_session("s1", "cli")
    assert hermes.call("try_acquire_compression_lock", "s1", "agent") is True
    refused = append(api, "s1", {"role": "user", "content": "now"})
    assert [error["code"] for error in refused["userErrors"]] == ["SESSION_BUSY"]
    hermes.call("release_compression_lock", "s1", "agent")
    assert append(api, "s1", {"role": "user", "content": "now"})["userErrors"] == []


@pytest.mark.parametrize("options", [{"columns": SCHEMA_8}, {"schema30": True}], ids=["schema 8", "schema 30"])
def test_hermes_goes_on_in_stores_of_other_versions(api: Api, hermes: HermesProcess, options: Json) -> None:
    StoreBuilder(api.path, **options).close()
    create(api, id="s1", title="Ferry", systemPrompt="Be brief.", modelConfig={"a": 1})
    append(api, "s1", {"role": "user", "content": "a lighthouse"}, {"role": "assistant", "toolCalls": [CALL]})
    append(api, "s1", {"role": "tool", "content": "42", "toolCallId": "c1"})
    mutate(api, "recordUsage", id="s1", inputTokens=5)
    fork(api, "s1", newId="f1")

    hermes.open(api.path)
    for id in ("s1", "f1"):
        conversation = hermes.call("get_messages_as_conversation", id)
        assert [message["content"] for message in conversation] == ["a lighthouse", None, "42"]
        assert conversation[1]["tool_calls"] == [CALL]
        assert (hermes.get_session(id) or {})["message_count"] == 3
    hermes.append_message("f1", "user", "and back")
    assert {row["id"] for row in hermes.list_sessions()} == {"s1", "f1"}
    assert hermes.call("get_next_title_in_lineage", "Ferry") == "Ferry #3"
    assert texts(api, "f1")[-1] == "user: and back"


def test_titles_are_numbered_alike(hermes: HermesProcess, tmp_path: Path) -> None:
    titles = ["Plan", "Plan #4", "plan #9", "Planet #20", "50%_x #2", "50a_x #8", "a #1 #3", "é #2", "#7", "No \\ #5"]
    hermes.open(tmp_path / "state.db")
    for number, title in enumerate(titles):
        hermes.create_session(f"s{number}")
        hermes.set_session_title(f"s{number}", title)
    bases = ["PLAN", "Plan #2", "50%_x", "a #1", "a", "É", "#7", "No \\", "new", "x #0"]
    for base in [*titles, *bases]:
        assert next_title(base, titles) == hermes.call("get_next_title_in_lineage", base), base
