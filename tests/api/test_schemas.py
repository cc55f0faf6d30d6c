"""The cases P3 and P4: stores of an earlier and of a later schema than the one that Hermes writes today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.serving import Server, serving
from tests.builders import SCHEMA_8, StoreBuilder, T, store_path

pytestmark = pytest.mark.sqlite


def early(store: StoreBuilder) -> None:
    store.session("first", end=T + 10, end_reason="compression", title="Early", input=5)
    store.session("second", parent="first", start=T + 10, title="Early #2")
    store.message("first", content="old words", at=T + 1)
    store.message("second", "assistant", None, at=T + 11, tool_calls=[{"id": "c", "function": {"name": "run"}}])
    store.message("second", "tool", "done", at=T + 12, tool_call_id="c")


def test_P3_a_store_of_schema_8_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = store_path(home)
    with StoreBuilder(path, columns=SCHEMA_8) as store:
        early(store)
        columns = {table: store.columns(table) for table in ("sessions", "messages")}
    before = path.read_bytes()
    with serving(home) as server:
        api = server.api()
        answer = api.ask(
            """{ conversations(filter: {archived: EXCLUDE}) { nodes {
                   id title archived workspace cost { usd status unknownSessions } usage { inputTokens }
                   tip { id cwd gitBranch gitRepoRoot modelConfig warnings }
                   messages { nodes { content state toolName toolCalls { name result { content } } warnings } }
                 } } profile { status schemaVersion health { missingColumns } } }"""
        )
        api.ask('{ session(id: "second") { systemPrompt usageByModel { model } descendants { totalCount } preview } }')
        changed = api.ask('mutation { archiveSession(input: {id: "first"}) { userErrors { code } } }')
    [found] = answer["conversations"]["nodes"]
    assert (found["id"], found["title"], found["archived"], found["workspace"]) == ("first", "Early #2", False, None)
    assert found["cost"] == {"usd": None, "status": "UNKNOWN", "unknownSessions": 2}
    assert found["usage"] == {"inputTokens": 5}
    tip = {"id": "second", "cwd": None, "gitBranch": None, "gitRepoRoot": None, "modelConfig": None, "warnings": []}
    assert found["tip"] == tip
    assert [node["state"] for node in found["messages"]["nodes"]] == ["LIVE"] * 3
    assert found["messages"]["nodes"][2]["toolName"] == "run"
    assert answer["profile"]["schemaVersion"] == 8
    assert "sessions.archived" in answer["profile"]["health"]["missingColumns"]
    assert changed["archiveSession"]["userErrors"] == [{"code": "UNSUPPORTED_STORE"}]
    assert path.read_bytes() == before
    with StoreBuilder(path) as store:
        assert {table: store.columns(table) for table in ("sessions", "messages")} == columns


def test_P3_a_store_of_schema_8_can_be_renamed_and_keeps_its_columns(server: Server) -> None:
    api = server.profile(early, columns=SCHEMA_8)
    with api.store() as store:
        columns = store.columns("sessions")
        answer = api.ask('mutation { renameSession(input: {id: "second", title: "New"}) { userErrors { code } } }')
        assert answer["renameSession"]["userErrors"] == []
        assert store.sql("SELECT title FROM sessions ORDER BY id") == [("Early",), ("New",)]
        assert store.columns("sessions") == columns


def rich(store: StoreBuilder) -> None:
    store.insert("system_prompts", {"hash": "h", "prompt": "You are kind."})
    store.session("a", system_prompt_hash="h", last_activity_at=T + 500, pinned=1, hidden=0)
    store.message("a", content="hidden words", at=T, display_kind="hidden")
    store.message("a", content="the summary of before", at=T + 1, _compressed_summary=1)
    store.message("a", content="shown words", at=T + 2)


def test_P4_a_store_of_schema_30_works(server: Server) -> None:
    api = server.profile(rich, schema30=True)
    found = api.ask(
        """{ session(id: "a") { systemPrompt lastActiveAt preview messages { edges {
               seam { kind } node { content isSummary } } } }
             profile { status schemaVersion health { missingColumns unknownColumns } } }"""
    )
    session = found["session"]
    assert (session["systemPrompt"], session["preview"]) == ("You are kind.", "shown words")
    assert session["lastActiveAt"] == "2025-06-15T15:15:00.000000Z"
    seams = [(edge["node"]["isSummary"], edge["seam"]) for edge in session["messages"]["edges"]]
    assert seams == [(False, None), (True, {"kind": "COMPACTION"}), (False, None)]
    assert found["profile"] == {
        "status": "READY",
        "schemaVersion": 30,
        "health": {"missingColumns": [], "unknownColumns": []},
    }


CHANGES: list[Callable[[str], str]] = [
    lambda id: f'renameSession(input: {{id: "{id}", title: "New"}}) {{ userErrors {{ code message }} }}',
    lambda id: f'archiveSession(input: {{id: "{id}"}}) {{ userErrors {{ code message }} }}',
    lambda id: f'deleteSession(input: {{id: "{id}"}}) {{ userErrors {{ code message }} }}',
]


@pytest.mark.parametrize("change", CHANGES)
def test_P4_a_store_of_schema_30_can_be_changed(server: Server, change: Callable[[str], str]) -> None:
    api = server.profile(rich, schema30=True)
    [payload] = api.ask(f"mutation {{ {change('a')} }}").values()
    assert payload["userErrors"] == []


def test_P4_columns_that_nobody_knows_are_ignored_and_named(server: Server) -> None:
    api = server.profile(
        lambda store: store.session("same"),
        lambda store: store.sql("ALTER TABLE sessions ADD COLUMN from_the_future TEXT"),
    )
    assert api.ask("{ sessions { nodes { id } } }")["sessions"]["nodes"] == [{"id": "same"}]
    health = api.ask("{ profile { health { unknownColumns } } }")["profile"]["health"]
    assert health["unknownColumns"] == ["sessions.from_the_future"]
