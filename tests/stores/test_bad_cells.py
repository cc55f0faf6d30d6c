"""Rule 7: a cell that cannot be read costs one field and a warning, never a page."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import MessageQuery, StoreStatus
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import SCHEMA_8, StoreBuilder, T
from tests.stores.opened import (
    ANYTHING,
    delete,
    fill,
    fingerprint,
    opened,
    read_everything,
    refused,
    rows_of,
    state_of,
    texts,
)

BROKEN = "CAST(x'ff41c328' AS TEXT)"
SHOWN = "\ufffdA\ufffd("
NUMBERS = {"2^63-1": 2**63 - 1, "infinity": float("inf"), "-2^63": -(2**63), "text": "many", "bytes": b"\xff"}


def columns(table: str, kind: str) -> list[str]:
    """The columns of a Hermes store with this type; keys have tests of their own."""
    with TemporaryDirectory() as folder, StoreBuilder(Path(folder) / "state.db") as store:
        rows = store.sql(f"SELECT name, type FROM pragma_table_info('{table}')")
    return [name for name, declared in rows if declared == kind and name not in ("id", "session_id")]


@pytest.mark.parametrize("stored", [5.49e246, "yesterday", -1, 0, T * 1000, float("inf"), b"\x00"])
async def test_b1_an_implausible_moment_is_null_with_a_warning(path: Path, stored: Any) -> None:
    with StoreBuilder(path) as builder:
        builder.session("bad", start=stored, end=stored)
        builder.session("good", start=T)
        number = builder.message("bad", at=stored)
        builder.message("bad", at=T + 5)
    async with opened(path) as store:
        forest = await store.forest()
        assert set(forest.sessions) == {"bad", "good"}
        bad = forest.sessions["bad"]
        assert (bad.started_at, bad.ended_at, bad.last_active_at) == (None, None, T + 5)
        assert [warning.split(":")[0] for warning in bad.warnings] == ["started_at", "ended_at"]
        message = (await store.messages([number]))[number]
        assert message.timestamp is None
        assert message.warnings[0].startswith("timestamp: ")
        await read_everything(store)


async def test_b2_text_that_is_no_utf_8_is_shown_with_replacements(path: Path) -> None:
    """One session and one message for each TEXT column, all in one store: the lists of all of them work."""
    with StoreBuilder(path) as builder:
        for name in columns("sessions", "TEXT"):
            builder.session(f"s-{name}", title=f"title of {name}")
            builder.sql(f"UPDATE sessions SET \"{name}\" = {BROKEN} WHERE id = 's-{name}'")
        builder.session("m")
        messages = {name: builder.message("m", content=name) for name in columns("messages", "TEXT")}
        for name, number in messages.items():
            builder.sql(f'UPDATE messages SET "{name}" = {BROKEN} WHERE id = {number}')
        usage_columns = columns("session_model_usage", "TEXT")
        for name in usage_columns:
            builder.usage("m", model=f"model of {name}")
            builder.sql(f"UPDATE session_model_usage SET \"{name}\" = {BROKEN} WHERE model = 'model of {name}'")
    async with opened(path) as store:
        answers = await read_everything(store)
        sessions = answers["forest"].sessions
        assert {name: getattr(sessions[f"s-{name}"], name) for name in ("title", "model", "cwd", "source")} == {
            "title": SHOWN, "model": SHOWN, "cwd": SHOWN, "source": SHOWN
        }  # fmt: skip
        assert sessions["s-parent_session_id"].parent_id == SHOWN
        assert sessions["s-model_config"].warnings == ("model_config: the stored text is not JSON",)
        assert answers["details"]["s-system_prompt"].system_prompt == SHOWN
        assert len(answers["lines"]) == len(messages)
        read = answers["messages"]
        assert read[messages["content"]].text == SHOWN
        assert read[messages["tool_name"]].tool_name == SHOWN
        assert read[messages["role"]].role == SHOWN
        assert read[messages["reasoning"]].reasoning == SHOWN
        assert read[messages["tool_calls"]].tool_calls[0].arguments_text == SHOWN
        assert await store.content(messages["content"], 100) == SHOWN
        models = [usage.model for usage in answers["usage"]["m"]]
        assert models == [SHOWN if name == "model" else f"model of {name}" for name in usage_columns]


@pytest.mark.parametrize("stored", NUMBERS.values(), ids=NUMBERS.keys())
async def test_b2_a_number_out_of_range_is_null_with_a_warning(path: Path, stored: Any) -> None:
    numbers = {kind: columns("sessions", kind) for kind in ("INTEGER", "REAL")}
    with StoreBuilder(path) as builder:
        for name in (*numbers["INTEGER"], *numbers["REAL"]):
            builder.session(name)
            builder.set("sessions", name, **{name: stored})
        builder.session("m")
        message_columns = [*columns("messages", "INTEGER"), *columns("messages", "REAL")]
        messages = {name: builder.message("m") for name in message_columns}
        for name, number in messages.items():
            builder.set("messages", number, **{name: stored})
        builder.usage("m", model="all", **dict.fromkeys(columns("session_model_usage", "INTEGER"), stored))
    async with opened(path) as store:
        answers = await read_everything(store)
        sessions = answers["forest"].sessions
        for name in ("input_tokens", "estimated_cost_usd", "actual_cost_usd", "ended_at", "message_count"):
            assert [warning.split(":")[0] for warning in sessions[name].warnings] == [name]
        assert sessions["input_tokens"].usage.input_tokens == 0
        assert sessions["estimated_cost_usd"].cost.usd is None
        assert sessions["user_id" if "user_id" in sessions else "archived"].started_at == T
        assert len(sessions) == len(numbers["INTEGER"]) + len(numbers["REAL"]) + 1
        assert answers["messages"][messages["token_count"]].token_count is None
        assert answers["messages"][messages["timestamp"]].timestamp is None
        assert [usage.usage.input_tokens for usage in answers["usage"]["m"]] == [0]


async def test_b2_ids_that_are_no_utf_8_keep_nothing_else_from_being_read(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("good", title="Good")
        builder.message("good", content="hello")
        builder.sql(f"INSERT INTO sessions (id, source, started_at) VALUES ({BROKEN}, 'cli', {T})")
        builder.sql(f"INSERT INTO messages (session_id, role, timestamp) VALUES ({BROKEN}, 'user', {T})")
    async with opened(path) as store:
        answers = await read_everything(store)
        assert set(answers["forest"].sessions) == {"good", SHOWN}
        assert answers["previews"]["good"] == "hello"
        await store.rename("good", "Better", Scope.SESSION)
        assert (await delete(store, "good")).message_count == 1


async def test_a_long_text_that_is_no_utf_8_is_cut_and_shown_with_replacements(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s")
        broken = b"\xff" + b"x" * 300_000
        builder.sql("UPDATE messages SET content = CAST(? AS TEXT) WHERE id = ?", (broken, number))
        whole = builder.message("s", content=b"\xffblob")
    async with opened(path) as store:
        messages = await store.messages([number, whole])
        assert messages[number].text.startswith("\ufffdxxx")
        assert messages[number].is_cut
        assert messages[whole].text == "\ufffdblob"
        assert (await store.content(number, 400_000) or "").startswith("\ufffdxxx")


async def test_a_cut_between_the_bytes_of_a_character_drops_it(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s", content="a" + "日" * 100_000)
    async with opened(path) as store:
        text = (await store.messages([number]))[number].text
        assert set(text) == {"a", "日"}
        assert await store.content(number, 9) == "a日日"


CONFIGS = ["{bad json", "[1,2]", '"str"', '{"_branched_from": null}', '{"_delegate_from": ""}']


@pytest.mark.parametrize("config", CONFIGS)
async def test_l11_a_broken_model_config_keeps_no_list_from_being_read(path: Path, config: str) -> None:
    with StoreBuilder(path) as builder:
        builder.session("root")
        builder.session("s", parent="root", model_config=config)
    async with opened(path) as store:
        session = (await store.forest()).sessions["s"]
        assert (session.branched_from, session.delegate_from, session.reset_from) == (None, None, None)
        details = await store.details(["s"])
        assert bool(session.warnings) is bool(details["s"].warnings) is (config == "{bad json")


async def test_conditions_on_broken_cells_hold_for_the_others(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        for cell in ("not json", "{", "[1, 2]", '{"function": 3}', "null"):
            builder.message("s", "assistant", content="x", tool_calls=cell)
        found = builder.message(
            "s", "assistant", "the needle", tool_calls='[{"id": "c", "function": {"name": "grep", "arguments": "{}"}}]'
        )
        broken = builder.message("s", "tool", "x")
        builder.sql(f"UPDATE messages SET content = {BROKEN} WHERE id = {broken}")
    async with opened(path) as store:
        assert await ids(store, MessageQuery(tools=frozenset({"grep"}))) == [found]
        assert await ids(store, MessageQuery(text="needle")) == [found]
        assert await ids(store, MessageQuery(errors_only=True)) == []


async def ids(store: SqliteStore, query: MessageQuery) -> list[int]:
    return [line.id for line in await store.transcript(["s"], query)]


async def test_p3_a_store_of_schema_8_is_read_and_not_migrated(path: Path) -> None:
    with StoreBuilder(path, columns=SCHEMA_8) as builder:
        builder.session("old", title="Old", input=7)
        builder.message("old", content="hello")
    before = (fingerprint(path), state_of(path))
    async with opened(path) as store:
        session = (await read_everything(store))["forest"].sessions["old"]
        assert (session.archived, session.cwd, session.cost.usd, session.message_count) == (False, None, None, 1)
        assert (await store.state()).status is StoreStatus.READY
        assert (await store.health()).schema_version == 8
        assert "sessions.archived" in (await store.health()).missing_columns
        assert await texts(store, "old") == ["hello"]
        with refused(ErrorCode.UNSUPPORTED_STORE, "cannot archive"):
            await store.archive("old", True, Scope.SESSION)
    assert (fingerprint(path), state_of(path)) == before


async def test_p3_a_store_of_schema_8_can_be_changed(path: Path) -> None:
    with StoreBuilder(path, columns=SCHEMA_8) as builder:
        builder.session("old")
        builder.message("old", content="hello")
    async with opened(path) as store:
        await store.rename("old", "Renamed", Scope.SESSION)
        entry = (await delete(store, "old")).bin_id
        assert (await store.restore(entry or "", dry_run=False)).restored_ids == ["old"]
    assert rows_of(path, "SELECT sessions.title, messages.content FROM sessions JOIN messages") == [
        ("Renamed", "hello")
    ]


async def test_p4_a_store_of_schema_30_works(path: Path) -> None:
    with StoreBuilder(path, schema30=True) as builder:
        fill(builder)
        builder.sql("INSERT INTO system_prompts VALUES ('h', 'You are Hermes.')")
        builder.set("sessions", "ferry", system_prompt_hash="h")
    async with opened(path) as store:
        answers = await read_everything(store)
        assert answers["details"]["ferry"].system_prompt == "You are Hermes."
        assert answers["health"].missing_columns == []
        assert answers["health"].unknown_columns == []
        entry = (await delete(store, "ferry")).bin_id
        await store.restore(entry or "", dry_run=False)
        assert (await store.details(["ferry"]))["ferry"].system_prompt == "You are Hermes."
        assert len(await store.transcript(["ferry"], ANYTHING)) == 4
