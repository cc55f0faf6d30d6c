"""Forks: what they copy, where they may end, and what they are called."""

from __future__ import annotations

import pytest

from tests.api.serving import Server
from tests.api.shaping import create, detail, fork, refusal, texts
from tests.builders import StoreBuilder, T, plan_chain

CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


def talk(store: StoreBuilder) -> None:
    store.session("s", "telegram", title="Plan", model="m", cwd="/w", model_config='{"a": 1, "_delegate_from": "x"}')
    store.message("s", "user", "one")
    store.message("s", "assistant", None, tool_calls=[CALL, CALL | {"id": "c2"}])
    store.message("s", "tool", "r1", tool_call_id="c1", platform_message_id="p1")
    store.message("s", "tool", "r2", tool_call_id="c2")
    store.message("s", "assistant", "done")
    store.message("s", "user", "gone", active=0)
    store.message("s", "user", "two")


ALL = ["user: one", "assistant: None", "tool: r1", "tool: r2", "assistant: done", "user: two"]


def test_a_fork_holds_the_live_messages_and_the_settings_of_its_parent(server: Server) -> None:
    api = server.profile(talk)
    answer = fork(api, "s")
    session = answer["session"]
    assert (session["title"], session["kind"], session["parentId"]) == ("Plan #2", "BRANCH", "s")
    assert (session["source"], session["messageCount"], session["toolCallCount"]) == ("telegram", 6, 2)
    assert answer["conversation"]["id"] == session["id"] == answer["changedIds"][0]
    assert texts(api, session["id"]) == ALL
    assert detail(api, session["id"])["modelConfig"] == {"a": 1, "_branched_from": "s"}
    assert detail(api, session["id"])["cwd"] == "/w"
    assert texts(api, "s") == ALL
    assert api.ask('{ session(id: "s") { endReason } }')["session"]["endReason"] is None
    with api.store() as store:
        copied = store.sql("SELECT timestamp, platform_message_id FROM messages WHERE session_id <> 's'")
    assert copied == [(T, None)] * 6


@pytest.mark.parametrize(("message", "copied"), [(1, 1), (2, 4), (3, 4), (4, 4), (5, 5), (7, 6)])
def test_a_fork_ends_at_its_message_or_behind_the_results_of_its_tools(
    server: Server, message: int, copied: int
) -> None:
    api = server.profile(talk)
    assert texts(api, fork(api, "s", messageId=str(message))["session"]["id"]) == ALL[:copied]


def test_a_fork_where_results_are_missing_is_refused_and_says_where_to_fork(server: Server) -> None:
    def open_exchange(store: StoreBuilder) -> None:
        talk(store)
        store.message("s", "assistant", "let me see", tool_calls=[CALL])

    api = server.profile(open_exchange)
    payload = fork(api, "s")
    assert refusal(payload) == ("BAD_USER_INPUT", "messageId")
    assert "Fork at message 7" in payload["userErrors"][0]["message"]
    assert fork(api, "s", messageId="7")["session"]["messageCount"] == 6


@pytest.mark.parametrize("message", ["6", "99", "8"])
def test_a_fork_at_what_is_no_live_message_of_the_session_is_refused(server: Server, message: str) -> None:
    api = server.profile(talk, lambda store: [store.session("t"), store.message("t")])
    assert refusal(fork(api, "s", messageId=message)) == ("NOT_FOUND", "messageId")


@pytest.mark.parametrize("message", ["", "x", "-1", "1" * 19, "１"])
def test_a_message_id_that_is_no_number_is_refused(server: Server, message: str) -> None:
    assert refusal(fork(server.profile(talk), "s", messageId=message)) == ("BAD_USER_INPUT", "messageId")


def test_forks_are_numbered_like_hermes_numbers_them(server: Server) -> None:
    api = server.profile(talk, lambda store: store.session("old", title="Plan #7"))
    first, second = fork(api, "s")["session"], fork(api, "s")["session"]
    assert (first["title"], second["title"]) == ("Plan #8", "Plan #9")
    assert fork(api, second["id"])["session"]["title"] == "Plan #10"
    untitled = create(api)["session"]["id"]
    assert [fork(api, untitled)["session"]["title"] for _ in range(2)] == ["branch", "branch #2"]


def test_a_long_session_is_copied_whole_and_in_order(server: Server) -> None:
    def long(store: StoreBuilder) -> None:
        store.session("s")
        for number in range(1203):
            store.message("s", content=str(number))

    api = server.profile(long)
    copy = fork(api, "s")["session"]
    with api.store() as store:
        copied = store.sql("SELECT content FROM messages WHERE session_id = ? ORDER BY id", (copy["id"],))
    assert copied == [(str(number),) for number in range(1203)]
    assert copy["messageCount"] == 1203


def test_a_fork_of_a_middle_segment_is_a_branch_there(server: Server) -> None:
    session = fork(server.profile(plan_chain), "d2")["session"]
    assert (session["parentId"], session["kind"], session["title"]) == ("d2", "BRANCH", "Plan #4")
