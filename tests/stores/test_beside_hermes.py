"""The real Hermes and we at the same store: neither loses anything, and Hermes finds what we have done."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.writing.appending import NewMessage
from hermes_sessions.store_values import Deletion
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.hermes.process import HermesProcess
from tests.importing import moving
from tests.postgres.operations import Import
from tests.stores.opened import ANYTHING, delete, opened, read_everything, texts

MERGED_AT = 16
"""So many small additions to an index make FTS5 merge them."""


async def test_hermes_writes_at_speed_while_we_read_rename_and_archive(hermes: HermesProcess, path: Path) -> None:
    hermes.open(path)
    for session in ("busy", "other", "spare"):
        hermes.create_session(session)
        hermes.append_message(session, "user", f"hello {session}")
    hermes.end_session("other", "cli_close")
    hermes.start_appending("busy", per_second=200)
    rounds, seen = 0, 0
    async with opened(path) as store:
        until = time.monotonic() + 4
        while time.monotonic() < until:
            rounds += 1
            await store.rename("busy", f"Round {rounds}", Scope.SESSION)
            await store.archive("other", rounds % 2 == 1, Scope.SESSION)
            assert (await store.forest()).sessions["busy"].title == f"Round {rounds}"
            lines = await store.transcript(["busy"], ANYTHING)
            assert len(lines) >= seen
            seen = len(lines)
            await read_everything(store)
        appended = hermes.stop_appending()
        assert appended.errors == []
        assert (len(appended.written) > 50, rounds > 5) == (True, True)
        ids = [line.id for line in await store.transcript(["busy"], ANYTHING)]
        assert ids[1:] == appended.written
    assert [message["id"] for message in hermes.get_messages("busy")] == ids
    assert (hermes.get_session("busy") or {})["title"] == f"Round {rounds}"
    assert hermes.complaints() == []


async def test_hermes_sees_titles_and_archived_flags(hermes: HermesProcess, filled: Path) -> None:
    async with opened(filled) as store:
        await store.rename("d1", "Journey", Scope.CONVERSATION)
        await store.rename("ferry", None, Scope.SESSION)
        await store.archive("br1", True, Scope.CONVERSATION)
    hermes.open(filled)
    assert (hermes.get_session("d3") or {})["title"] == "Journey"
    assert (hermes.get_session("ferry") or {})["title"] is None
    assert (hermes.get_session("br1") or {})["archived"] == 1
    assert "br1" not in [session["id"] for session in hermes.list_sessions()]
    assert hermes.complaints() == []


async def test_hermes_finds_nothing_of_what_we_deleted(hermes: HermesProcess, filled: Path) -> None:
    hermes.open(filled)
    assert hermes.call("search_messages", "ferry")
    async with opened(filled) as store:
        await delete(store, "ferry")
        await delete(store, "d1")
        assert hermes.get_session("ferry") is None
        assert hermes.get_messages("d3s") == []
        assert [session["id"] for session in hermes.list_sessions()] == ["br1"]
        assert hermes.call("search_messages", "ferry") == []
        for table in ("messages", "session_model_usage", "messages_fts", "messages_fts_trigram"):
            assert hermes.sql(f"SELECT count(*) FROM {table}") == [[0]]
        assert hermes.sql("PRAGMA foreign_key_check") == []
        assert hermes.sql("PRAGMA integrity_check") == [["ok"]]
        for table in ("messages_fts", "messages_fts_trigram"):
            hermes.sql(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")


async def test_hermes_goes_on_with_what_we_restored(hermes: HermesProcess, filled: Path) -> None:
    hermes.open(filled)
    before = hermes.sql("SELECT * FROM sessions ORDER BY id"), hermes.get_messages("ferry")
    async with opened(filled) as store:
        for session in ("ferry", "d1"):
            await store.restore((await delete(store, session)).bin_id or "", dry_run=False)
        assert (hermes.sql("SELECT * FROM sessions ORDER BY id"), hermes.get_messages("ferry")) == before
        assert [hit["session_id"] for hit in hermes.call("search_messages", "ferry")][:1] == ["ferry"]
        number = hermes.append_message("ferry", "user", "and back")
        assert (await texts(store, "ferry"))[-1] == "and back"
        assert number > max(message["id"] for message in before[1])


async def test_a_conversation_that_hermes_compresses_is_followed(hermes: HermesProcess, path: Path) -> None:
    hermes.open(path)
    hermes.create_session("a", "telegram")
    hermes.append_message("a", "user", "hello")
    hermes.set_session_title("a", "Plan")
    async with opened(path) as store:
        assert (await store.forest()).conversation_of("a").tip.id == "a"
        hermes.compress("a", "b")
        hermes.append_message("b", "user", "more")
        await store.rename("a", "Plan", Scope.CONVERSATION)
        conversation = (await store.forest()).conversation_of("a")
        assert ([segment.id for segment in conversation.segments], conversation.title) == (["a", "b"], "Plan")
    assert (hermes.get_session("b") or {})["title"] == "Plan"
    assert (hermes.get_session("a") or {})["title"] is None


async def _restore(store: SqliteStore, deletion: Deletion, _: int) -> None:
    await store.restore(deletion.bin_id or "", dry_run=False)


async def _import(store: SqliteStore, _: Deletion, number: int) -> None:
    await Import([moving.session("gone", moving.message("zugzwang", id=number))], dry_run=False).on(store)


@pytest.mark.parametrize("bring_back", [_restore, _import])
async def test_no_words_stay_of_what_came_back_and_was_deleted_again(
    hermes: HermesProcess, path: Path, bring_back: Callable[[SqliteStore, Deletion, int], Awaitable[None]]
) -> None:
    """Our SQLite merges the deletion with what came back, and that of Hermes this with the next deletion.

    An index also merges a little after every 64 pages that were written to it: 200 messages keep clear of that.
    """
    hermes.open(path)
    hermes.create_session("long")
    for number in range(200):
        hermes.append_message("long", "user", f"first{number} second{number} third{number}")
    hermes.create_session("gone")
    gone = hermes.append_message("gone", "user", "zugzwang")
    hermes.call("optimize_fts")
    hermes.create_session("other")
    async with opened(path) as store:
        await bring_back(store, await delete(store, "gone", force=True), gone)
        assert [message["id"] for message in hermes.get_messages("gone")] == [gone]
        for number in range(MERGED_AT):
            await store.append("other", [NewMessage("user", f"ours {number}")], Scope.SESSION, force=True)
        await delete(store, "gone", force=True)
    for number in range(MERGED_AT):
        hermes.append_message("other", "user", f"theirs {number}")
    for table in ("messages_fts", "messages_fts_trigram"):
        hermes.sql(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
