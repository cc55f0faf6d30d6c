"""The words in the index are those of the row, whoever writes it, and however many they are."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from hermes_sessions.model.search.fields import MESSAGE_FIELDS
from hermes_sessions.model.search.query import MessageSearch
from hermes_sessions.model.search.words import words_of
from hermes_sessions.stores.postgres import searching
from hermes_sessions.stores.postgres.words import CUT, MAX_BYTES, are_certain, row_words
from tests.postgres.searches import found, insert, store

LONG = "x" * CUT
CERTAIN = {
    "a cafe": ["a", "ca", "cafe", "Café"],
    "项目": ["项", "目", "项目"],
    "a项目bcd": ["项", "目", "项目", "目b", "bc", "bcd"],
    "今天 讨论\u3000天": ["今天", "讨论", "天"],
    "(😀+": ["(", "😀", "+"],
    f"{LONG}yz": [LONG],
}
"""Texts, and words in them of which the index knows everything."""
READ = ["a.b", "#tag", "今天讨论", "项a目", f"{LONG}y", "++"]
NOT_THERE = {
    "a cafe": ["b", "afe", "cafes"],
    "a项目bcd": ["cd", "a项目c", "目项"],
    f"{LONG}yz": [f"{LONG}z", f"{LONG}yy"],
}


def row(number: int, content: str) -> dict[str, object]:
    return {"id": number, "role": "user", "content": content}


@pytest.mark.parametrize("text", CERTAIN)
async def test_words_of_which_the_index_knows_everything(url: str, text: str) -> None:
    async with store(url) as (_, reading):
        await insert(reading, row(1, "of it"), row(2, text))
        for word in CERTAIN[text]:
            assert await found(reading, word) == [2], word
        for word in NOT_THERE.get(text, []):
            assert await found(reading, word) == [], word


def test_only_what_is_one_lexeme_is_certain() -> None:
    known = {word: are_certain(words_of(word)) for words in CERTAIN.values() for word in words}
    assert known == dict.fromkeys(known, True) | {"目b": False}
    assert [word for word in READ if are_certain(words_of(word))] == []


@pytest.mark.parametrize("name", ["first_second", "first.second", "first/second", "x-first#second"])
async def test_a_name_is_looked_for_in_few_rows_however_many_have_its_parts(
    url: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    looked_at: list[int] = []
    how_held = searching._how_held

    def noted(asked: MessageSearch, rows: Sequence[Any]) -> dict[int, int]:
        looked_at.extend(record["id"] for record in rows)
        return how_held(asked, rows)

    monkeypatch.setattr(searching, "_how_held", noted)
    async with store(url) as (_, reading):
        parts = (row(number, f"x first second _ . / - # the {number}") for number in range(1, 301))
        await insert(reading, *parts, row(301, f"see {name}s"))
        assert await found(reading, name) == [301]
        assert looked_at == [301]


async def test_a_row_that_has_more_words_than_fit_is_found(url: str) -> None:
    many = " ".join(f"w{number:x}" for number in range(200_000))
    row = {"id": 1, "role": "user", "content": f"{many} lighthouse"}
    assert len(many) > MAX_BYTES
    assert row_words(row) is None
    async with store(url) as (one, reading):
        await insert(reading, row, {"id": 2, "role": "user", "content": "lighthouse"})
        assert await one.fetchval("SELECT array_agg(id) FROM messages WHERE words IS NULL") == [1]
        assert await found(reading, "lighthouse") == [1, 2]
        assert await found(reading, "w30d3f") == [1]
        assert await found(reading, "w30d40") == []


def test_a_row_takes_as_long_as_its_length_whatever_stands_in_it() -> None:
    began = time.process_time()
    for text in ("x", "x" * 99 + " ", "_", "x_", "目", "目_"):
        row_words(row(1, text * (1_000_000 // len(text))))
    assert time.process_time() - began < 20


async def test_as_many_words_as_just_fit_are_taken(url: str) -> None:
    words = [f"{number:06d}" for number in range((MAX_BYTES - 100) // 7)]
    async with store(url) as (one, reading):
        await insert(reading, {"id": 1, "role": "user", "content": " ".join(words)})
        assert await one.fetchval("SELECT length(words) FROM messages") == len(words)
        assert await found(reading, words[-1]) == [1]


async def test_what_other_programs_write_is_found_by_what_it_says_now(url: str) -> None:
    async with store(url) as (one, reading):
        await one.execute("INSERT INTO messages (session_id, role, content) VALUES ('s', 'user', 'old lighthouse')")
        await insert(reading, {"id": 2, "role": "user", "content": "another lighthouse"})
        assert await found(reading, "lighthouse") == [1, 2]
        assert await found(reading, "old lighthouse") == [1]
        await one.execute("UPDATE messages SET content = 'a harbour', reasoning = 'why' WHERE id = 2")
        assert await found(reading, "lighthouse") == [1]
        assert await found(reading, "harbour") == [2]
        assert await found(reading, "why", fields=MESSAGE_FIELDS) == [2]


@pytest.mark.parametrize(
    "change",
    [
        "role = 'tool'",
        "content = 'new'",
        "is_structured = true",
        "tool_name = 'new'",
        "tool_calls = '[]'",
        "reasoning = 'new'",
        "reasoning_content = 'new'",
        "reasoning_details = '{}'",
        """cells = '{"content": 7}'""",
    ],
)
async def test_words_are_forgotten_with_every_cell_that_they_are_made_of(url: str, change: str) -> None:
    async with store(url) as (one, reading):
        await insert(reading, {"id": 1, "role": "user", "content": "lighthouse"})
        await one.execute("UPDATE messages SET active = 1, content = content, role = role")
        assert await one.fetchval("SELECT words IS NOT NULL FROM messages")
        await one.execute(f"UPDATE messages SET {change}, words = array_to_tsvector('{{cnew}}')")
        assert await one.fetchval("SELECT words::text FROM messages") == "'cnew'"
        await one.execute(
            "UPDATE messages SET role = 'user', content = 'lighthouse', is_structured = false, cells = NULL"
        )
        await one.execute("UPDATE messages SET words = array_to_tsvector('{cnew}'), active = 2")
        await one.execute("UPDATE messages SET tool_name = NULL, tool_calls = NULL, words = array_to_tsvector('{c}')")
        await one.execute(
            "UPDATE messages SET reasoning = NULL, reasoning_content = NULL, words = array_to_tsvector('{d}')"
        )
        await one.execute("UPDATE messages SET reasoning_details = NULL, words = array_to_tsvector('{e}')")
        await one.execute(f"UPDATE messages SET {change}")
        assert await one.fetchval("SELECT words IS NULL FROM messages")
