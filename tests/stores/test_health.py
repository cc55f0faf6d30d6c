"""Facts about real stores, each made real: orphans, counters, indexes, locks, sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.health.facts import IndexState, LockKind, SearchIndex, session_facts
from hermes_sessions.stores import hermes_schema
from hermes_sessions.stores.sqlite.worker import Worker, statement_timeout
from tests.builders import SCHEMA_8, StoreBuilder, T
from tests.stores.opened import names_in, opened, refused, state_of
from tests.stores.test_tokenizers import with_foreign_tokenizer

Harm = Callable[[StoreBuilder], object]


async def indexes_of(path: Path) -> dict[str, SearchIndex]:
    async with opened(path) as store:
        return {index.name: index for index in await store.search_indexes()}


async def test_a_sound_store_has_its_rows_counted_and_nothing_else(filled: Path) -> None:
    with StoreBuilder(filled) as store:
        counts = [
            store.sql(f"SELECT count(*) FROM {table}")[0][0]
            for table in ("sessions", "messages", "session_model_usage")
        ]
    async with opened(filled) as store:
        rows = await store.row_facts()
        assert await store.damages() == []
    assert [rows.sessions, rows.messages, rows.usage] == counts
    assert (rows.orphan_messages, rows.orphan_usage, rows.orphan_session_ids) == (0, 0, [])


async def test_rows_of_sessions_that_are_gone_are_orphans(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.sql("DELETE FROM sessions WHERE id = 'ferry'")
        builder.usage("nobody")
    async with opened(filled) as store:
        rows = await store.row_facts()
    assert (rows.orphan_messages, rows.orphan_usage) == (4, 2)
    assert rows.orphan_session_ids == ["ferry", "nobody"]


async def test_links_and_counters_are_read_from_the_store(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.set("sessions", "d1", parent_session_id="gone")
        builder.set("sessions", "br1", parent_session_id="br1")
        builder.set("sessions", "ferry", message_count=2)
        builder.set("sessions", "d3s", message_count=0)
        builder.set("sessions", "leg", started_at="yesterday")
    async with opened(filled) as store:
        facts = session_facts(await store.forest())
    assert [(each.id, each.parent_id) for each in facts.dangling] == [("d1", "gone")]
    assert facts.cyclic_ids == ["br1"]
    assert [(each.id, each.counted, each.live) for each in facts.miscounts] == [("d3s", 0, 1), ("ferry", 2, 4)]
    assert [each.is_taken_for_empty for each in facts.miscounts] == [True, False]
    assert facts.warned_ids == ["leg"]


async def test_titles_double_where_their_index_is_gone(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.sql("DROP INDEX idx_sessions_title_unique")
        builder.set("sessions", "leg", title="Ferry")
    async with opened(filled) as store:
        [doubled] = session_facts(await store.forest()).doubled_titles
    assert (doubled.title, doubled.ids) == ("Ferry", ["ferry", "leg"])


def drop_triggers(store: StoreBuilder) -> None:
    store.sql("DROP TRIGGER messages_fts_delete")


def drop_index(store: StoreBuilder) -> None:
    for kind in ("insert", "delete", "update"):
        store.sql(f"DROP TRIGGER messages_fts_{kind}")
    store.sql("DROP TABLE messages_fts")


def lose_a_row(store: StoreBuilder) -> None:
    store.sql("DELETE FROM messages_fts WHERE rowid = 1")


def begin_filling(store: StoreBuilder) -> None:
    store.insert("state_meta", {"key": "fts_rebuild_high_water", "value": "5"})
    store.insert("state_meta", {"key": "fts_rebuild_progress", "value": "2"})


def give_up(store: StoreBuilder) -> None:
    store.insert("state_meta", {"key": "fts_stale", "value": "1"})


def break_structure(store: StoreBuilder) -> None:
    store.sql("UPDATE messages_fts_data SET block = x'deadbeefdeadbeefdeadbeef' WHERE id = 10")


def cut_structure(store: StoreBuilder) -> None:
    store.sql("UPDATE messages_fts_data SET block = x'00' WHERE id = 10")


def lose_averages(store: StoreBuilder) -> None:
    store.sql("DELETE FROM messages_fts_data WHERE id = 1")


def lose_shadow(store: StoreBuilder) -> None:
    store.sql("DELETE FROM messages_fts_config")


@pytest.mark.parametrize(
    ("harm", "state", "trigram"),
    [
        (lambda store: None, IndexState.OK, IndexState.OK),
        (drop_index, IndexState.NONE, IndexState.OK),
        (drop_triggers, IndexState.MISSING_TRIGGERS, IndexState.OK),
        (lose_a_row, IndexState.STALE, IndexState.OK),
        (give_up, IndexState.STALE, IndexState.OK),
        (begin_filling, IndexState.BUILDING, IndexState.BUILDING),
        (break_structure, IndexState.DAMAGED, IndexState.OK),
        (cut_structure, IndexState.DAMAGED, IndexState.OK),
        (lose_averages, IndexState.DAMAGED, IndexState.OK),
        (lose_shadow, IndexState.DAMAGED, IndexState.OK),
    ],
)
async def test_the_state_of_an_index(filled: Path, harm: Harm, state: IndexState, trigram: IndexState) -> None:
    with StoreBuilder(filled) as builder:
        harm(builder)
    found = await indexes_of(filled)
    assert (found["messages_fts"].state, found["messages_fts_trigram"].state) == (state, trigram)


async def test_an_index_says_how_many_of_the_messages_it_has(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        lose_a_row(builder)
        [(messages,)] = builder.sql("SELECT count(*) FROM messages")
    found = (await indexes_of(filled))["messages_fts"]
    assert (found.indexed_rows, found.expected_rows) == (messages - 1, messages)


async def test_a_message_that_comes_during_the_look_makes_no_index_stale(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Worker.query

    with StoreBuilder(filled) as agent:

        async def interrupted(self: Worker, sql: str, bindings: dict[str, Any]) -> Any:
            rows = await query(self, sql, bindings)
            if sql == "SELECT count(*) FROM messages":
                agent.message("ferry")
            return rows

        monkeypatch.setattr(Worker, "query", interrupted)
        assert {index.state for index in (await indexes_of(filled)).values()} == {IndexState.OK}


async def test_a_tokenizer_that_only_hermes_has_is_told_without_calling_the_index_damaged(filled: Path) -> None:
    with_foreign_tokenizer(filled)
    found = await indexes_of(filled)
    assert {name: index.state for name, index in found.items()} == {
        "messages_fts": IndexState.OK,
        "messages_fts_cjk": IndexState.UNKNOWN_TOKENIZER,
        "messages_fts_trigram": IndexState.OK,
    }
    async with opened(filled) as store:
        assert await store.damages() == []


async def test_beside_a_foreign_tokenizer_other_damage_is_still_found(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        lose_averages(builder)
    with_foreign_tokenizer(filled)
    async with opened(filled) as store:
        assert any("messages_fts" in damage for damage in await store.damages())


async def test_the_index_of_a_later_schema_may_leave_messages_out(path: Path) -> None:
    with StoreBuilder(path, schema30=True) as builder:
        builder.session("s")
        builder.message("s")
        builder.sql("CREATE VIEW said AS SELECT id, content FROM messages WHERE role <> 'tool'")
        builder.sql(
            "CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tokenize='trigram', content='said',"
            " content_rowid='id')"
        )
        for trigger in hermes_schema.search_index("messages_fts_trigram")[1:]:
            builder.sql(trigger)
    found = await indexes_of(path)
    assert found["messages_fts"] == SearchIndex("messages_fts", IndexState.OK, 1, 1)
    assert found["messages_fts_trigram"] == SearchIndex("messages_fts_trigram", IndexState.OK, 0, None)


async def test_an_early_schema_lacks_columns_and_tables_and_is_no_less_sound(path: Path) -> None:
    with StoreBuilder(path, columns=SCHEMA_8) as builder:
        builder.session("s")
        builder.message("s")
    async with opened(path) as store:
        health, rows = await store.health(), await store.row_facts()
        assert not session_facts(await store.forest()).miscounts
        assert await store.damages() == []
    assert health.schema_version == 8
    assert "sessions.archived" in health.missing_columns
    assert health.locks == []
    assert (rows.messages, rows.usage, rows.orphan_messages) == (1, 0, 0)
    assert {name: index.state for name, index in (await indexes_of(path)).items()} == {
        "messages_fts": IndexState.OK,
        "messages_fts_trigram": IndexState.NONE,
    }


async def test_locks_and_leases_of_agents_are_read_with_their_ends(path: Path) -> None:
    with StoreBuilder(path, schema30=True) as builder:
        builder.session("s")
        lock = {"holder": "host:7", "acquired_at": T, "expires_at": T + 60}
        builder.insert("compression_locks", {"session_id": "s", **lock})
        builder.insert("session_turn_leases", {"conversation_id": "c", **lock, "expires_at": "soon"})
    async with opened(path) as store:
        compression, turn = (await store.health()).locks
    assert (compression.kind, compression.subject, compression.holder) == (LockKind.COMPRESSION, "s", "host:7")
    assert compression.expires_at == T + 60
    assert compression.is_held(T + 59)
    assert not compression.is_held(T + 61)
    assert (turn.kind, turn.subject, turn.is_held(T)) == (LockKind.TURN, "c", False)


async def test_the_sizes_of_all_parts_and_free_pages_make_the_file(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.message("ferry", content="x" * 3_000_000)
        builder.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    async with opened(filled) as store:
        parts, health = await store.parts(None), await store.health()
    sizes = {part.name: part.size_bytes or 0 for part in parts}
    assert sizes["messages"] > 3_000_000
    assert [part.name for part in parts if part.is_index and part.name == "idx_messages_session"]
    schema_pages = 1 + sum(sizes.values()) // (health.page_bytes or 1)
    assert schema_pages <= (health.page_count or 0) - (health.free_pages or 0) <= schema_pages + 20
    assert health.place.file_bytes == state_of(filled).size


async def test_parts_that_take_too_long_are_left_unmeasured(filled: Path) -> None:
    async with opened(filled) as store:
        late = await store.parts(0.0)
        assert {part.size_bytes for part in late} == {None}
        assert {part.name for part in late} == {part.name for part in await store.parts(60.0)}


async def test_a_count_that_takes_too_long_is_refused_and_the_store_stays_usable(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        builder.sql(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
            " INSERT INTO messages (session_id, role, timestamp) SELECT 's' || i, 'user', 1 FROM n"
        )
    async with opened(path) as store:
        await store.forest()
        token = statement_timeout.set(1e-9)
        with refused(ErrorCode.TIMEOUT):
            await store.row_facts()
        statement_timeout.reset(token)
        assert (await store.row_facts()).orphan_messages == 100_000
        assert len((await store.row_facts()).orphan_session_ids) == 20


async def test_a_damaged_page_is_found_by_the_deep_check(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        [(page,)] = builder.sql("SELECT rootpage FROM sqlite_master WHERE name = 'idx_messages_platform_msg_id'")
        [(size,)] = builder.sql("PRAGMA page_size")
    with filled.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    async with opened(filled) as store:
        assert (await store.forest()).sessions
        assert await store.damages() != []


async def test_a_large_log_is_measured(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.sql("PRAGMA wal_autocheckpoint = 0")
        for _ in range(5):
            builder.message("ferry", content="x" * 1_000_000)
        async with opened(filled) as store:
            health = await store.health()
        assert (health.place.wal_bytes or 0) > 5_000_000
        assert health.place.wal_bytes == state_of(filled, "-wal").size
        assert health.journal_mode == "wal"


async def test_an_empty_store_answers_everything(path: Path) -> None:
    async with opened(path) as store:
        assert (await store.row_facts()).messages == 0
        assert list(await store.parts(None)) == list(await store.search_indexes()) == []
        assert (await store.health()).page_count is None
    assert names_in(path.parent) == []
