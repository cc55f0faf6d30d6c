"""Messages that are appended: stored once, in order, as Hermes stores them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.api.serving import Api, Json, Server
from tests.api.shaping import append, create, fork, nothing, refusal, texts
from tests.builders import SCHEMA_8, StoreBuilder, T, plan_chain
from tests.stores.test_tokenizers import with_foreign_tokenizer

USER = {"role": "user", "content": "hello"}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


@pytest.fixture
def api(server: Server) -> Api:
    """A store with the empty session s."""
    api = server.profile(nothing)
    create(api, id="s")
    return api


def cells(api: Api, names: str) -> list[tuple[Any, ...]]:
    with api.store() as store:
        return store.sql(f"SELECT {names} FROM messages ORDER BY id")


def test_messages_are_there_at_once_in_the_order_that_they_were_sent_in(api: Api) -> None:
    payload = append(api, "s", USER | {"timestamp": "2026-03-01T12:00:00Z"}, {"role": "assistant", "content": "hi"})
    assert [message["content"] for message in payload["messages"]] == ["hello", "hi"]
    assert payload["newIds"] == [message["id"] for message in payload["messages"]]
    assert payload["session"]["messageCount"] == 2
    append(api, "s", USER | {"content": "later", "timestamp": "2026-02-01T12:00:00+01:00"})
    assert texts(api, "s") == ["user: hello", "assistant: hi", "user: later"]
    [(first,), (second,), (third,)] = cells(api, "timestamp")
    assert (first, third) == (1772366400.0, 1769943600.0)
    assert 0 <= time.time() - second < 60


def test_moments_that_are_not_told_follow_each_other(api: Api) -> None:
    append(api, "s", *[USER] * 5)
    moments = [at for (at,) in cells(api, "timestamp")]
    assert moments == sorted(moments)
    assert len(set(moments)) == 5


def test_every_cell_is_stored(api: Api) -> None:
    append(
        api,
        "s",
        {"role": "assistant", "toolCalls": [CALL], "reasoning": "so", "finishReason": "tool_calls", "tokenCount": 3},
        {"role": "tool", "content": "42", "toolCallId": "c1", "toolName": "search"},
        {"role": "user", "parts": [{"type": "text", "text": "ö"}]},
        {"role": "system", "content": ""},
    )
    query = """{ session(id: "s") { toolCallCount messages(first: 9) { nodes {
        reasoning finishReason tokenCount toolName toolCallId toolCalls { id name } parts { __typename } } } } }"""
    session = api.ask(query)["session"]
    call, result, parts, empty = session["messages"]["nodes"]
    assert session["toolCallCount"] == 1
    assert call["toolCalls"] == [{"id": "c1", "name": "search"}]
    assert (call["reasoning"], call["finishReason"], call["tokenCount"]) == ("so", "tool_calls", 3)
    assert (result["toolName"], result["toolCallId"]) == ("search", "c1")
    assert parts["parts"] == [{"__typename": "TextPart"}]
    assert empty["parts"] == []
    assert cells(api, "content")[2:] == [('\x00json:[{"type": "text", "text": "\\u00f6"}]',), ("",)]


# Client ids


def test_a_repeated_client_id_is_not_written_again(api: Api) -> None:
    first = append(api, "s", USER | {"clientId": "a"}, USER | {"clientId": "b"})
    again = append(api, "s", USER | {"clientId": "a"}, USER | {"clientId": "c"}, USER | {"clientId": "b"})
    assert len(again["newIds"]) == 1
    assert [again["messages"][0], again["messages"][2]] == first["messages"]
    assert again["session"]["messageCount"] == 3
    with api.store() as store:
        assert store.sql("SELECT message_count FROM sessions") == [(3,)]


def test_a_client_id_counts_once_within_a_call(api: Api) -> None:
    payload = append(api, "s", USER | {"clientId": "a"}, USER | {"content": "other", "clientId": "a"}, USER)
    assert len(payload["newIds"]) == 2
    assert payload["messages"][0] == payload["messages"][1]
    assert texts(api, "s") == ["user: hello", "user: hello"]


def test_a_client_id_belongs_to_its_conversation(api: Api) -> None:
    create(api, id="t")
    for id in ("s", "t"):
        assert len(append(api, id, USER | {"clientId": "a"})["newIds"]) == 1


def test_a_client_id_that_was_taken_back_is_not_written_again(api: Api) -> None:
    append(api, "s", USER | {"clientId": "a"})
    with api.store() as store:
        store.sql("UPDATE messages SET active = 0")
    assert append(api, "s", USER | {"clientId": "a"})["newIds"] == []


def test_a_repeated_call_finds_what_an_earlier_segment_holds(server: Server) -> None:
    def earlier(store: StoreBuilder) -> None:
        plan_chain(store)
        store.message("d1", content="said", platform_message_id="a")

    api = server.profile(earlier)
    payload = append(api, "d2", USER | {"clientId": "a"}, USER | {"clientId": "b"})
    assert [message["content"] for message in payload["messages"]] == ["said", "hello"]
    assert payload["session"]["id"] == "d3"


# What is refused


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"role": "robot"}, "role"),
        ({"role": ""}, "role"),
        ({"role": "user", "content": "a\x00b"}, "content"),
        ({"role": "user", "content": "\x00json:[]"}, "content"),
        ({"role": "user", "content": "a", "parts": []}, "parts"),
        ({"role": "user", "parts": "text"}, "parts"),
        ({"role": "user", "parts": [1]}, "parts"),
        ({"role": "user", "parts": [{"text": "\x00"}]}, "parts"),
        ({"role": "user", "toolCalls": [CALL]}, "toolCalls"),
        ({"role": "assistant", "toolCalls": {"id": "c1"}}, "toolCalls"),
        ({"role": "assistant", "toolCalls": ["c1"]}, "toolCalls"),
        ({"role": "user", "toolCallId": "c1"}, "toolCallId"),
        ({"role": "user", "reasoning": "so"}, "reasoning"),
        ({"role": "user", "tokenCount": -1}, "tokenCount"),
        ({"role": "user", "clientId": "x" * 201}, "clientId"),
        ({"role": "user", "clientId": "a\nb"}, "clientId"),
        ({"role": "user", "timestamp": "1970-01-01T00:00:00Z"}, "timestamp"),
    ],
)
def test_a_message_that_cannot_be_one_is_refused_with_all_of_its_call(api: Api, message: Json, field: str) -> None:
    assert refusal(append(api, "s", USER, message)) == ("BAD_USER_INPUT", f"messages.1.{field}")
    assert texts(api, "s") == []


@pytest.mark.parametrize("number", [0, 501])
def test_a_call_takes_1_to_500_messages(api: Api, number: int) -> None:
    assert refusal(append(api, "s", *[USER] * number)) == ("BAD_USER_INPUT", "messages")


def test_500_messages_are_written_at_once(api: Api) -> None:
    payload = append(api, "s", *[USER | {"clientId": str(number)} for number in range(500)])
    assert (len(payload["newIds"]), payload["session"]["messageCount"]) == (500, 500)
    assert append(api, "s", *[USER | {"clientId": str(number)} for number in range(500)])["newIds"] == []


def test_what_compression_closed_is_not_written_to(server: Server) -> None:
    api = server.profile(plan_chain)
    assert refusal(append(api, "d1", USER, scope="SESSION", force=True)) == ("BAD_USER_INPUT", "id")
    assert append(api, "d3s", USER, scope="SESSION")["session"]["id"] == "d3s"


def test_an_ended_session_stays_ended(server: Server) -> None:
    api = server.profile(lambda store: store.session("s", end=T + 1, end_reason="cli_close"))
    assert append(api, "s", USER)["session"]["endReason"] == "cli_close"


@pytest.mark.sqlite
def test_a_store_without_a_place_for_client_ids_says_so(server: Server) -> None:
    api = server.profile(lambda store: store.session("s"), columns=SCHEMA_8)
    assert refusal(append(api, "s", USER | {"clientId": "a"})) == ("UNSUPPORTED_STORE", "messages")
    assert append(api, "s", USER)["userErrors"] == []


@pytest.mark.sqlite
def test_where_a_tokenizer_is_missing_nothing_is_written(server: Server) -> None:
    api = server.profile(lambda store: store.session("s"))
    with_foreign_tokenizer(api.path)
    for payload in (append(api, "s", USER), fork(api, "s")):
        assert refusal(payload)[0] == "UNSUPPORTED_STORE"
        assert "messages_fts_cjk needs a tokenizer" in payload["userErrors"][0]["message"]
    assert texts(api, "s") == []
