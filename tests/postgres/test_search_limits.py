"""What a search in PostgreSQL costs: within its rows and its time, once for all pages, by the right index."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from hermes_sessions.model.search.query import SearchResult
from hermes_sessions.stores.postgres import searching
from hermes_sessions.stores.postgres.reading import CONNECTIONS
from hermes_sessions.stores.postgres.searching import Searching
from hermes_sessions.stores.postgres.words import query_of
from hermes_sessions.stores.search.inquiry import MAX_ROWS
from tests.postgres.searches import found, in_order, insert, search, store
from tests.random_search import Chance


async def test_very_many_hits_are_capped_from_the_wanted_end(url: str) -> None:
    async with store(url) as (_, reading):
        await insert(reading, *({"id": n, "role": "user", "content": f"lighthouse, {n}"} for n in range(1, 1301)))
        for text in ("lighthouse", "lighthouse,"):
            for oldest_first, ids in ((False, range(301, 1301)), (True, range(1, 1001))):
                answer = await reading.search(search(text, oldest_first=oldest_first), 60)
                assert answer.is_capped
                assert sorted(match.message_id for match in answer.matches) == list(ids)
                assert len(ids) == MAX_ROWS
        assert not (await reading.search(search("1300"), 60)).is_capped


async def test_rows_that_may_hold_the_words_are_read_to_the_last(url: str) -> None:
    async with store(url) as (_, reading):
        rows = [{"id": n, "role": "user", "content": "light-house house-keeper light"} for n in range(2, 2500)]
        await insert(reading, {"id": 1, "role": "user", "content": "house-light"}, *rows)
        assert await found(reading, "house-light") == [1]


@pytest.mark.parametrize(("oldest_first", "words"), [(False, "back to 2030-03-17 17:"), (True, "up to 2030-03-17 17:")])
async def test_what_the_time_did_not_suffice_for_is_said_and_asked_anew(
    url: str, monkeypatch: pytest.MonkeyPatch, oldest_first: bool, words: str
) -> None:
    read = searching._how_held

    def slow(*arguments: Any) -> Any:
        time.sleep(0.25)
        return read(*arguments)

    asked = search("#lighthouse", oldest_first=oldest_first)
    async with store(url) as (_, reading):
        rows = ({"role": "user", "content": f"#lighthouse {n}", "timestamp": 1.9e9 + n} for n in range(900))
        await insert(reading, *({"id": n, **row} for n, row in enumerate(rows, 1)))
        with monkeypatch.context() as patch:
            patch.setattr(searching, "_how_held", slow)
            answer = await reading.search(asked, 0.4)
            assert answer.ran_out_of_time
            [told] = answer.degraded
            assert words in told
            assert 0 < len(answer.matches) < 900
            answer = await reading.search(asked, 1e-6)
            assert answer.degraded == ("Messages could be read only in part; narrow the search.",)
        answer = await reading.search(asked, 60)
        assert (len(answer.matches), answer.degraded, answer.ran_out_of_time) == (900, (), False)


async def test_a_statement_is_stopped_when_the_time_is_up(url: str) -> None:
    async with store(url) as (one, reading):
        await insert(reading, {"id": 1, "role": "user", "content": "lighthouse"})
        await one.execute("ALTER TABLE messages RENAME TO slow_messages")
        await one.execute(
            "CREATE VIEW messages AS SELECT slow_messages.* FROM slow_messages, LATERAL (SELECT pg_sleep(id * 20)) AS _"
        )
        began = time.monotonic()
        answer = await reading.search(search("lighthouse"), 0.3)
        assert answer.ran_out_of_time
        assert time.monotonic() - began < 5
        assert (
            await one.fetchval("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%@@%' AND state = 'active'")
            <= 1
        )


async def test_a_further_page_searches_only_when_the_store_has_changed(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[str] = []
    run = Searching.search

    async def noted(self: Searching) -> SearchResult:
        searches.append(self._asked.words.typed)
        return await run(self)

    monkeypatch.setattr(Searching, "search", noted)
    async with store(url) as (_, reading):
        await insert(reading, {"id": 1, "role": "user", "content": "lighthouse"})
        for _ in range(3):
            assert await found(reading, "lighthouse") == [1]
        assert len(searches) == 1
        await insert(reading, {"id": 2, "role": "user", "content": "lighthouse"})
        assert await found(reading, "lighthouse") == [1, 2]
        for number in range(20):
            await found(reading, f"word{number}")
        assert len(reading._searches) <= 8


async def test_plain_words_are_found_without_reading_a_message(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_how_held", None)
    async with store(url) as (_, reading):
        await insert(
            reading,
            {"id": 1, "role": "user", "content": "The Café, 今天讨论 😀"},
            {"id": 2, "role": "tool", "content": '{"found": "caf\\u00e9"}'},
        )
        for text, ids in (("cafe", [1, 2]), ("caf", [1, 2]), ("今天", [1]), ("讨", [1]), ("😀", [1]), ("afe", [])):
            assert await found(reading, text) == ids, text


@contextmanager
def noting_statements() -> Iterator[list[str]]:
    """Those of searches, in their order."""
    noted: list[str] = []
    fetch = Searching._fetch

    async def note(self: Searching, sql: str, *arguments: Any) -> list[Any]:
        noted.append(sql)
        return await fetch(self, sql, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Searching, "_fetch", note)
        yield noted


async def test_rare_words_are_looked_up_and_common_ones_are_met_on_a_walk_from_the_end(url: str) -> None:
    chance = Chance(1)
    async with store(url) as (one, reading):
        rows = [{"id": n, "role": "user", "content": f"the {chance.text()}"} for n in range(1, 5001)]
        await insert(reading, *rows, {"id": 6000, "role": "user", "content": "lighthouse"})
        await one.execute("VACUUM ANALYZE messages")
        plans: dict[str, str] = {}
        for text in ("lighthouse", "the"):
            asked = search(text)
            with noting_statements() as statements:
                await reading.search(asked, 60)
            [sql] = [sql for sql in statements if "@@" in sql]
            quoted = query_of(asked.words, asked.fields).replace("'", "''")
            plan = await one.fetch("EXPLAIN " + sql.replace(":words", f"'{quoted}'"))
            plans[text] = "\n".join(row[0] for row in plan)
        assert "Bitmap Index Scan on messages_words" in plans["lighthouse"]
        assert "Bitmap Index Scan on messages_unread" in plans["lighthouse"]
        assert "Index Scan Backward using messages_id" in plans["the"]
        assert "messages_words" not in plans["the"]


@pytest.mark.parametrize("oldest_first", [False, True])
async def test_where_a_walk_takes_too_long_the_rows_are_collected(
    url: str, monkeypatch: pytest.MonkeyPatch, oldest_first: bool
) -> None:
    monkeypatch.setattr(searching, "WALK_SECONDS", 1e-4)
    async with store(url) as (_, reading):
        await insert(reading, *({"id": n, "role": "user", "content": f"the {n % 3}"} for n in range(1, 4001)))
        with noting_statements() as statements:
            answer = await reading.search(search("the 2", oldest_first=oldest_first), 60)
        assert [sql for sql in statements if "ORDER BY messages.id + 0" in sql]
        wanted = [n for n in range(1, 4001) if n % 3 == 2]
        assert [match.message_id for match in in_order(answer)] == (wanted[:1000] if oldest_first else wanted[-1000:])


async def test_searches_that_are_cancelled_keep_no_connection(url: str) -> None:
    async with store(url) as (_, reading):
        await insert(reading, *({"id": n, "role": "user", "content": f"light-house {n} " * 50} for n in range(1, 301)))
        for number in range(40):
            task = asyncio.ensure_future(reading.search(search(f"light-house {number}"), 60))
            await asyncio.sleep(0.001 * (number % 7))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        asked = [search(f"light-house {number}") for number in range(100, 101 + CONNECTIONS)]
        answers = await asyncio.gather(*(reading.search(each, 60) for each in asked))
        assert all(answer.matches for answer in answers)
