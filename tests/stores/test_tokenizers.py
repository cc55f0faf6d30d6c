"""Rule 9: where a full-text table needs a tokenizer that we lack, messages stay and everything else works."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores import hermes_schema
from tests.builders import StoreBuilder
from tests.stores.opened import delete, opened, read_everything, refused, rows_of, texts


def with_foreign_tokenizer(path: Path, *, triggers: bool = True) -> None:
    """Adds what Hermes adds where its own tokenizer is there: a filled table that nobody else can write to."""
    with StoreBuilder(path) as store:
        _, insert, remove, update = hermes_schema.search_index("messages_fts_cjk")
        store.sql("CREATE VIRTUAL TABLE messages_fts_cjk USING fts5(content)")
        store.sql("INSERT INTO messages_fts_cjk(rowid, content) SELECT id, content FROM messages")
        for trigger in (insert, remove, update) if triggers else ():
            store.sql(trigger)
        store.sql("PRAGMA writable_schema = ON")
        store.sql(
            "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE messages_fts_cjk USING fts5(content,"
            " tokenize=''their_own'')' WHERE name = 'messages_fts_cjk'"
        )


async def test_deleting_is_refused_and_nothing_is_lost(filled: Path) -> None:
    with_foreign_tokenizer(filled)
    async with opened(filled) as store:
        for permanent in (False, True):
            with refused(ErrorCode.UNSUPPORTED_STORE, "messages_fts_cjk needs a tokenizer"):
                await delete(store, "ferry", permanent=permanent)
        assert len(await texts(store, "ferry")) == 4
        assert await store.bin(10) == []


async def test_restoring_is_refused_and_the_bin_keeps_its_entry(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "ferry")).bin_id or ""
        with_foreign_tokenizer(filled)
        with refused(ErrorCode.UNSUPPORTED_STORE, "needs a tokenizer"):
            await store.restore(entry, dry_run=False)
        assert [kept.bin_id for kept in await store.bin(10)] == [entry]


async def test_reading_renaming_and_archiving_work(filled: Path) -> None:
    with_foreign_tokenizer(filled)
    async with opened(filled) as store:
        await read_everything(store)
        await store.rename("ferry", "Boat", Scope.SESSION)
        await store.archive("ferry", True, Scope.SESSION)
        assert (await delete(store, "ferry", dry_run=True)).message_count == 4
    assert rows_of(filled, "SELECT title, archived FROM sessions WHERE id = 'ferry'") == [("Boat", 1)]


async def test_a_table_that_no_trigger_writes_is_no_obstacle(filled: Path) -> None:
    with_foreign_tokenizer(filled, triggers=False)
    async with opened(filled) as store:
        assert (await delete(store, "ferry")).message_count == 4


@pytest.mark.parametrize("schema30", [False, True])
async def test_the_tables_of_hermes_are_no_obstacle(path: Path, schema30: bool) -> None:
    with StoreBuilder(path, schema30=schema30) as builder:
        builder.session("s")
        builder.message("s", content="lighthouse")
    async with opened(path) as store:
        await delete(store, "s")
    assert rows_of(path, "SELECT rowid FROM messages_fts('lighthouse')") == []
