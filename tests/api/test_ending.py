"""Ending and reopening sessions, and what holds for every change that shapes them."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from tests.api.serving import Json, Server, serving
from tests.api.shaping import append, changed, create, detail, fork, mutate, nothing, refusal, texts
from tests.builders import SCHEMA_8, StoreBuilder, T, home_with, plan_chain


def test_the_first_reason_wins(server: Server) -> None:
    api = server.profile(nothing)
    create(api, id="a")
    assert changed(api, "endSession", id="a", reason="agent_close") == ["a"]
    again = mutate(api, "endSession", id="a", reason="other")
    assert (again["changedIds"], again["session"]["endReason"]) == ([], "agent_close")
    assert changed(api, "reopenSession", id="a") == ["a"]
    reopened = mutate(api, "reopenSession", id="a")
    assert (reopened["changedIds"], reopened["session"]["endedAt"]) == ([], None)
    assert changed(api, "endSession", id="a") == ["a"]
    assert mutate(api, "endSession", id="a")["session"]["endReason"] == "cli_close"


def test_what_ends_and_opens_is_the_last_segment(server: Server) -> None:
    api = server.profile(plan_chain, lambda store: store.message("d3", at=T + 300))
    assert changed(api, "endSession", id="d1") == ["d3"]
    assert changed(api, "endSession", id="d1", scope="SESSION") == []
    assert refusal(mutate(api, "reopenSession", id="d2", scope="SESSION", force=True)) == ("BAD_USER_INPUT", "id")
    assert changed(api, "reopenSession", id="d1") == ["d3"]


def test_reopening_keeps_what_children_are(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("q", end=T + 10, end_reason="branched")
        store.session("qb", parent="q", start=T + 10, model_config='{"a": 1}')
        store.session("r", end=T + 10, end_reason="session_reset", session_key="K")
        store.session("rc", parent="r", start=T + 10, session_key="K")

    api = server.profile(fill)
    for id in ("q", "r"):
        changed(api, "reopenSession", id=id)
    kinds = {node["id"]: node["kind"] for node in api.ask("{ sessions { nodes { id kind } } }")["sessions"]["nodes"]}
    assert (kinds["qb"], kinds["rc"]) == ("BRANCH", "RESET")
    assert detail(api, "qb")["modelConfig"] == {"a": 1, "_branched_from": "q"}
    assert detail(api, "rc")["modelConfig"] == {"_reset_from": "r"}


@pytest.mark.sqlite
def test_a_reset_starts_a_new_generation_of_a_chat_where_the_store_counts_them(server: Server) -> None:
    api = server.profile(lambda store: store.session("s", "telegram", session_key="K"), schema30=True)
    for reason in ("cli_close", "session_reset", "daily"):
        for _ in range(2):
            mutate(api, "endSession", id="s", reason=reason)
        changed(api, "reopenSession", id="s")
    create(api, id="chatless")
    changed(api, "endSession", id="chatless", reason="session_reset")
    with api.store() as store:
        assert store.sql("SELECT * FROM conversation_generations") == [("telegram", "K", 2)]


@pytest.mark.sqlite
@pytest.mark.parametrize("table", ["compression_locks", "session_turn_leases"])
def test_what_an_agent_holds_is_changed_by_force_only(server: Server, table: str) -> None:
    def held(store: StoreBuilder) -> None:
        plan_chain(store)
        key = "session_id" if table == "compression_locks" else "conversation_id"
        id = "d3" if table == "compression_locks" else "d1"
        store.insert(table, {key: id, "holder": "agent", "acquired_at": T, "expires_at": time.time() + 600})

    api = server.profile(held, schema30=True)
    message = {"role": "user", "content": "now"}
    assert refusal(append(api, "d1", message)) == ("SESSION_BUSY", "id")
    assert refusal(mutate(api, "endSession", id="d3")) == ("SESSION_BUSY", "id")
    assert fork(api, "d3")["userErrors"] == []
    assert mutate(api, "recordUsage", id="d3", inputTokens=1)["userErrors"] == []
    assert append(api, "d1", message, force=True)["userErrors"] == []
    assert changed(api, "endSession", id="d3", force=True) == ["d3"]
    assert mutate(api, "endSession", id="d3")["userErrors"] == []
    assert refusal(mutate(api, "reopenSession", id="d3")) == ("SESSION_BUSY", "id")
    assert changed(api, "reopenSession", id="d3", force=True) == ["d3"]


def test_a_read_only_server_refuses_all(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=plan_chain)
    (home / "profiles" / "fresh").mkdir(parents=True)
    with serving(home, read_only=True) as server:
        for api in (server.api(), server.api("fresh")):
            for payload in (
                create(api),
                fork(api, "d1"),
                mutate(api, "endSession", id="d1"),
                mutate(api, "reopenSession", id="d1"),
                append(api, "d1", {"role": "user", "content": "x"}),
                mutate(api, "recordUsage", id="d1"),
            ):
                assert refusal(payload) == ("READ_ONLY", "profile")
    assert list((home / "profiles" / "fresh").iterdir()) == []


@pytest.mark.parametrize("name", ["forkSession", "endSession", "reopenSession", "recordUsage"])
def test_an_unknown_or_ambiguous_id_changes_nothing(server: Server, name: str) -> None:
    api = server.profile(plan_chain)
    assert refusal(mutate(api, name, id="nobody")) == ("NOT_FOUND", "id")
    assert refusal(mutate(api, name, id="d")) == ("AMBIGUOUS_ID", "id")


@pytest.mark.sqlite
@pytest.mark.parametrize("options", [{"columns": SCHEMA_8}, {"schema30": True}], ids=["schema 8", "schema 30"])
def test_stores_of_other_versions_are_written_to_with_what_they_have(server: Server, options: Json) -> None:
    api = server.profile(nothing, **options)
    create(api, id="s", title="Plan", systemPrompt="Be brief.", modelConfig={"a": 1}, cwd="/w", userId="u")
    append(api, "s", {"role": "user", "content": "a lighthouse"}, {"role": "assistant", "toolCalls": []})
    mutate(api, "recordUsage", id="s", model="m", inputTokens=5, cacheReadTokens=6, estimatedCostUsd=0.5)
    copy = fork(api, "s")["session"]["id"]
    assert changed(api, "endSession", id="s", reason="session_reset") == ["s"]
    assert changed(api, "reopenSession", id="s") == ["s"]
    assert texts(api, copy) == ["user: a lighthouse", "assistant: None"]
    for id in ("s", copy):
        assert detail(api, id)["systemPrompt"] == "Be brief."
        assert detail(api, id)["model"] == "m"
    with api.store() as store:
        assert len(store.sql("SELECT rowid FROM messages_fts('lighthouse')")) == 2
        assert store.sql("SELECT input_tokens FROM sessions WHERE id = 's'") == [(5,)]
        if "schema30" in options:
            assert store.sql("SELECT title_source, system_prompt FROM sessions") == [("user", None)] * 2
            digest = hashlib.sha256(b"Be brief.").hexdigest()
            assert store.sql("SELECT hash, prompt FROM system_prompts") == [(digest, "Be brief.")]
