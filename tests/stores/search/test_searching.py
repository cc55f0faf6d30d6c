"""What a search costs: once for all pages, within its time, whatever a message's size; and what it leaves behind."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.search import searching
from hermes_sessions.stores.search.indexes import SearchIndexes
from hermes_sessions.stores.search.inquiry import MAX_ROWS, Inquiry
from hermes_sessions.stores.sqlite import reading
from hermes_sessions.stores.sqlite.base import READERS
from hermes_sessions.stores.sqlite.worker import Worker
from tests.builders import StoreBuilder, T
from tests.stores.opened import opened
from tests.stores.search.asking import ask, found


@pytest.fixture
def lighthouse(path: Path) -> Path:
    """A store with one message, of this word."""
    with StoreBuilder(path) as builder:
        builder.session("s")
        builder.message("s", content="lighthouse")
    return path


@pytest.fixture
def fetches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Statements of searches."""
    seen: list[str] = []
    fetch = Inquiry.fetch

    def noted(self: Inquiry, sql: str, *arguments: Any, **options: Any) -> Any:
        seen.append(sql)
        return fetch(self, sql, *arguments, **options)

    monkeypatch.setattr(Inquiry, "fetch", noted)
    return seen


async def test_a_further_page_searches_only_when_the_store_has_changed(lighthouse: Path, fetches: list[str]) -> None:
    async with opened(lighthouse) as store:
        assert len(await found(store, "lighthouse")) == 1
        first = len(fetches)
        assert len(await found(store, "lighthouse")) == 1
        assert len(fetches) == first > 0
        with StoreBuilder(lighthouse) as builder:
            builder.message("s", content="another lighthouse")
        await asyncio.sleep(1.1)  # a picture may be a second old
        assert len(await found(store, "lighthouse")) == 2


async def test_plain_words_in_plain_texts_are_found_without_reading_them(path: Path, fetches: list[str]) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        plain = builder.message("s", content="the old lighthouse, painted")
        builder.message("s", "tool", content='{"found": "an old lighthouse"}')
    async with opened(path) as store:
        assert len(await found(store, "old lighthouse")) == 2
        assert not any("holds_words" in sql for sql in fetches)
        [match] = (await ask(store, "lighthouse painted")).matches
        assert (match.message_id, match.phrase) == (plain, True)


async def test_a_plain_word_in_the_content_of_a_message_that_calls_tools_is_found_without_reading_it(
    path: Path, fetches: list[str]
) -> None:
    calls = json.dumps([{"id": "c1", "function": {"name": "lighthouse", "arguments": "{}"}}])
    with StoreBuilder(path) as builder:
        builder.session("s")
        certain = {
            builder.message("s", "assistant", text, tool_calls=calls) for text in ("Lighthouse", "an\nlighthouse")
        }
    async with opened(path) as store:
        assert await found(store, "Lighthouse") == certain
        assert not any("holds_words" in sql for sql in fetches)


async def test_where_words_stand_apart_they_are_no_phrase_also_beside_calls_of_tools(path: Path) -> None:
    calls = json.dumps([{"id": "c1", "function": {"name": "f", "arguments": json.dumps({"at": "of the old\nport"})}}])
    with StoreBuilder(path) as builder:
        builder.session("s")
        texts = ("the old port", "the old, port", "port, old", "no (old port)", "the bold port old")
        ids = [builder.message("s", "assistant", text, tool_calls="[]") for text in texts]
        ids.append(builder.message("s", "assistant", "port, old", tool_calls=calls))
        ids.append(builder.message("s", "assistant", "port, old"))
    async with opened(path) as store:
        phrases = {match.message_id: match.phrase for match in (await ask(store, "old port")).matches}
    assert [phrases[id] for id in ids] == [True, True, False, True, False, True, False]


async def test_a_search_that_is_cancelled_asks_for_nothing_more(
    lighthouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Event(), threading.Event()
    asked: list[str] = []
    query = Worker._query

    def waiting(self: Worker, sql: str, *arguments: Any) -> Any:
        answer = query(self, sql, *arguments)
        if "MATCH" in sql:
            asked.append(sql)
            begun.set()
            goes_on.wait(10)
        return answer

    async with opened(lighthouse) as store:
        with monkeypatch.context() as patch:
            patch.setattr(Worker, "_query", waiting)
            task = asyncio.ensure_future(ask(store, "lighthouse"))
            await asyncio.to_thread(begun.wait, 10)
            task.cancel()
            await asyncio.sleep(0.05)
            goes_on.set()
            await asyncio.gather(task, return_exceptions=True)
        assert len(asked) == 1
        assert task.cancelled()
        assert await found(store, "lighthouse")


async def test_words_that_only_stored_json_holds_are_not_found(path: Path, fetches: list[str]) -> None:
    call = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"where": "old lighthouse"}'}}]
    image = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,lighthouse+old"}}]
    with StoreBuilder(path) as builder:
        builder.session("s")
        called = builder.message("s", "assistant", content="", tool_calls=json.dumps(call))
        builder.message("s", content="\x00json:" + json.dumps(image))
        builder.message("s", "assistant", content="a malfunction", tool_calls='[{"type": "function"}]')
    async with opened(path) as store:
        assert await found(store, "function") == set()
        assert await found(store, "old lighthouse") == {called}
        assert any("holds_words" in sql for sql in fetches)


async def test_a_name_is_found_with_its_colon_as_json_is_shown(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        result = builder.message("s", "tool", content=json.dumps({"error": None, "output": "a\nb"}))
    async with opened(path) as store:
        assert await found(store, "error:") == {result}


async def test_taken_back_messages_are_never_found_and_copies_once(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        shown = builder.message("s", content="lighthouse one", at=T)
        builder.message("s", content="lighthouse one", at=T, active=0, compacted=1)
        builder.message("s", content="lighthouse two", at=T, active=0, compacted=0)
        alike = builder.message("s", content="lighthouse six", at=T, active=0, compacted=1)
        builder.message("s", content="lighthouse old", at=T + 1, active=0, compacted=1)
        newest = builder.message("s", content="lighthouse old", at=T + 1, active=0, compacted=1)
    async with opened(path) as store:
        assert await found(store, "lighthouse") == {shown, alike, newest}


async def test_what_the_time_did_not_suffice_for_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        for number in range(450):
            builder.message("s", content=f"#lighthouse {number}", at=T + number)  # a sign: it has to be read
    looked = Inquiry.fetch

    def slow(self: Inquiry, *arguments: Any, **options: Any) -> Any:
        time.sleep(0.2)
        return looked(self, *arguments, **options)

    monkeypatch.setattr(Inquiry, "fetch", slow)
    async with opened(path) as store:
        for seconds in (0.01, 0.7):
            answer = await ask(store, "#lighthouse", seconds=seconds)
            assert "narrow the search" in " ".join(answer.degraded)
            store._searches.clear()
        whole = await ask(store, "lighthouse")
        assert (len(whole.matches), whole.degraded) == (450, ())


async def test_what_ran_out_of_time_is_searched_anew_when_it_is_asked_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        builder.message("s", content="#lighthouse")
    looked = Inquiry.fetch

    def slow(self: Inquiry, *arguments: Any, **options: Any) -> Any:
        time.sleep(0.2)
        return looked(self, *arguments, **options)

    async with opened(path) as store:
        with monkeypatch.context() as patch:
            patch.setattr(Inquiry, "fetch", slow)
            assert (await ask(store, "#lighthouse", seconds=0.1)).ran_out_of_time
        answer = await ask(store, "#lighthouse")
        assert (len(answer.matches), answer.degraded, answer.ran_out_of_time) == (1, (), False)


async def test_indexes_that_take_too_long_to_look_at_are_spoken_of(
    lighthouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_long(_: Connection) -> SearchIndexes:
        raise HermesSessionsError(ErrorCode.TIMEOUT, "A statement ran longer than 2 s.")

    async with opened(lighthouse) as store:
        with monkeypatch.context() as patch:
            patch.setattr(reading, "look_at_indexes", too_long)
            answer = await ask(store, "lighthouse")
            assert len(answer.matches) == 1  # read, since there was time left
            assert "did not answer in time" in " ".join(answer.degraded)
        assert (await ask(store, "lighthouse")).degraded == ()


async def test_very_many_hits_are_capped_from_the_wanted_end(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        builder.sql(
            f"""
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4300)
            INSERT INTO messages(session_id, role, content, timestamp) SELECT 's', 'user', 'lighthouse', {T} + i FROM n
            """
        )
    async with opened(path) as store:
        for oldest_first, end in ((False, 4300), (True, 1)):
            answer = await ask(store, "lighthouse", oldest_first=oldest_first)
            ids = {match.message_id for match in answer.matches}
            assert answer.is_capped
            assert MAX_ROWS <= len(ids) < 4300
            assert end in ids


async def test_a_message_of_20_megabytes_is_found_to_its_end(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s", "tool", "x" * 20_000_000 + " lighthouse")
    async with opened(path) as store:
        started = time.monotonic()
        assert await found(store, "lighthouse") == {number}
        print(f"20 MB in {time.monotonic() - started:.2f} s")


async def test_cancelled_searches_keep_no_connection(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        for number in range(300):
            builder.message("s", content=f"lighthouse {number}" * 50)
    async with opened(path) as store:
        for number in range(40):
            task = asyncio.ensure_future(ask(store, f"lighthouse {number}"))
            await asyncio.sleep(0.001 * (number % 7))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        answers = await asyncio.gather(*(ask(store, f"lighthouse {number + 100}") for number in range(READERS + 1)))
        assert all(answer.matches for answer in answers)


async def test_reasoning_is_read_when_it_is_asked_for(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s", "assistant", "x", reasoning="lighthouse")
    async with opened(path) as store:
        assert await found(store, "lighthouse") == set()
        assert await found(store, "lighthouse", SearchField.REASONING) == {number}


async def test_messages_changed_while_no_trigger_was_there_are_spoken_of(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s", content="before")
        for event in ("insert", "update", "delete"):
            builder.sql(f"DROP TRIGGER messages_fts_{event}")
        builder.set("messages", number, content="lighthouse")
    async with opened(path) as store:
        answer = await ask(store, "lighthouse")
        assert searching.STALE_INDEX in answer.degraded


async def test_a_role_that_is_no_utf_8_is_read(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s", content="灯台")
        builder.sql("UPDATE messages SET role = CAST(x'ff41' AS TEXT)")
    async with opened(path) as store:
        assert await found(store, "灯") == {number}
