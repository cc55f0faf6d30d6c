"""Search in PostgreSQL finds what it finds in SQLite, and what reading every row finds."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_sessions.model.search.fields import MESSAGE_FIELDS, SearchField
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.migrating import migrate
from hermes_sessions.stores.postgres.searching import Searching
from hermes_sessions.stores.search.reading import SEARCHED_CELLS, how_held
from tests.builders import StoreBuilder, T, store_path
from tests.postgres.conftest import new_database
from tests.postgres.searches import in_order, search
from tests.postgres.server import PostgresServer
from tests.postgres.twins import twins
from tests.random_search import PIECES, WORDS, fill_randomly, questions, rows_of
from tests.search_reference import hits
from tests.stores.search.asking import BOTH

FIELDS = [BOTH, MESSAGE_FIELDS, *(frozenset({field}) for field in MESSAGE_FIELDS)]
"""What may be asked for."""


def but_for_phrases(asked: MessageSearch, answer: SearchResult) -> list[Match]:
    """Of several words: Hermes' index takes the end of a content and the name of the tool for one text."""
    is_one = len(asked.words.each) == 1
    return [match if is_one else match._replace(phrase=False) for match in in_order(answer)]


@pytest.mark.parametrize("seed", range(3))
async def test_random_stores_answer_as_sqlite_does(tmp_path: Path, url: str, seed: int) -> None:
    path = tmp_path / "state.db"
    with StoreBuilder(path) as store:
        fill_randomly(store, seed)
    async with twins(path, url) as (original, twin):
        for text, fields in product([*WORDS[seed::3], *questions(seed, 20)], FIELDS):
            asked = search(text, fields)
            ours = but_for_phrases(asked, await twin.search(asked, 60))
            assert ours == but_for_phrases(asked, await original.search(asked, 60)), (text, fields)


@pytest.mark.parametrize("seed", range(10, 13))
async def test_random_stores_answer_as_if_every_row_was_read(tmp_path: Path, url: str, seed: int) -> None:
    path = tmp_path / "state.db"
    with StoreBuilder(path) as store:
        fill_randomly(store, seed, messages=100)
        rows = rows_of(store)
    async with twins(path, url) as (_, twin):
        for text in [*WORDS, *questions(seed, 40)]:
            for fields in (BOTH, frozenset({SearchField.TOOL}), frozenset({SearchField.CONTENT})):
                wanted = hits(rows, text, tool=SearchField.TOOL in fields, content=SearchField.CONTENT in fields)
                found = in_order(await twin.search(search(text, fields), 60))
                assert {match.message_id for match in found} == wanted, (text, fields)


@pytest.mark.parametrize("profile", ["default", "work"])
async def test_the_demo_is_searched_as_in_sqlite(demo_home: Path, url: str, profile: str) -> None:
    async with twins(store_path(demo_home, profile), url) as (original, twin):
        for text in (
            "the",
            "session",
            "the session",
            "部署",
            "error: ",
            "run tests",
            '"',
            "/",
            "a b c",
            "_id",
            "x" * 40,
        ):
            asked = search(text, MESSAGE_FIELDS)
            theirs = await original.search(asked, 60)
            if not theirs.is_capped:
                assert but_for_phrases(asked, await twin.search(asked, 60)) == but_for_phrases(asked, theirs), text


async def test_conditions_are_those_of_sqlite(tmp_path: Path, url: str) -> None:
    path = tmp_path / "state.db"
    with StoreBuilder(path) as store:
        fill_randomly(store, 5, messages=80)
    conditions: list[dict[str, Any]] = [
        {"session_ids": frozenset({"a1", "b", "gone"})},
        {"session_ids": frozenset()},
        {"roles": frozenset({"tool", "user"})},
        {"after": T + 50, "before": T + 240},
        {"roles": frozenset({"assistant"}), "session_ids": frozenset({"a1", "a2"}), "before": T + 250.0},
        {"oldest_first": True},
    ]
    found = 0
    async with twins(path, url) as (original, twin):
        for each in conditions:
            for text in ("ab", "cafe", "今天", "ab cafe", "#tag"):
                asked = search(text, **each)
                ours = but_for_phrases(asked, await twin.search(asked, 60))
                assert ours == but_for_phrases(asked, await original.search(asked, 60)), (text, each)
                found += len(ours)
    assert found > 50


PIECE = st.sampled_from(
    [*PIECES, "\\", "'", "':*", "&", "|", "!", "(", "x" * 23, "x" * 24, "x" * 25, "Σ", "İ", "ß", "㎏"]
)
LETTER = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
TEXT = st.lists(st.one_of(PIECE, st.sampled_from([" ", "\n", "", "\u3000"]), LETTER), max_size=8).map("".join)
QUERY = TEXT.filter(lambda text: bool(text.split()))
ROW = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "tool", None, 7]),
        "content": st.one_of(
            st.none(),
            TEXT,
            TEXT.map(lambda text: json.dumps({"output": text})),
            TEXT.map(lambda text: "\x00json:" + json.dumps([{"type": "text", "text": text}])),
            TEXT.map(str.encode),
        ),
        "tool_name": st.none() | TEXT,
        "tool_calls": st.none() | TEXT | st.tuples(TEXT, TEXT, st.booleans()).map(lambda parts: as_calls(*parts)),
        "reasoning": st.none() | TEXT,
        "reasoning_content": st.none() | TEXT,
        "reasoning_details": st.none() | TEXT.map(lambda text: json.dumps([{"text": text}])),
    }
)


def as_calls(name: str, value: str, is_escaped: bool) -> str:
    arguments = json.dumps({name: value}, ensure_ascii=is_escaped)
    return json.dumps([{"id": "c1", "function": {"name": name, "arguments": arguments}}], ensure_ascii=is_escaped)


def within(row: dict[str, Any]) -> list[str]:
    """Words that the row may hold: parts of its texts."""
    texts = [cell if isinstance(cell, str) else "" for cell in row.values()]
    return [text[at : at + size] for text in texts for at in range(len(text)) for size in (1, 2, 3, 26)]


def test_the_index_misses_nothing_and_what_is_found_holds_the_words(server: PostgresServer) -> None:
    async def check(rows: list[dict[str, Any]], queries: Sequence[str]) -> None:
        await database.execute(f"TRUNCATE {address.schema}.messages")
        numbered = [{"session_id": "s", "id": number, **row} for number, row in enumerate(rows)]
        async with database.connection() as connection:
            await insert_rows(connection, address.schema, "messages", numbered)
            for text in queries:
                for fields in FIELDS:
                    asked = search(text, fields)
                    answer = await Searching(connection, address.schema, asked, time.monotonic() + 60).search()
                    wanted = {row["id"]: held(asked, row) for row in numbered if held(asked, row)}
                    assert {match.message_id: 1 + match.phrase for match in answer.matches} == wanted, (text, fields)

    def held(asked: MessageSearch, row: dict[str, Any]) -> int:
        return how_held(asked.words, asked.fields, row["role"], [row[name] for name in SEARCHED_CELLS])

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(ROW, min_size=1, max_size=6), st.lists(QUERY, min_size=1, max_size=3), st.randoms())
    def run(rows: list[dict[str, Any]], queries: list[str], chance: Any) -> None:
        parts = [part for part in within(chance.choice(rows)) if part.split() and "\x00" not in part]
        runner.run(check(rows, [*queries, *chance.sample(parts, min(4, len(parts)))]))

    with asyncio.Runner() as runner:
        address = Address.of("team", runner.run(new_database(server)))
        database = postgres_database(address, size=1, limit=30)
        runner.run(database.connect())
        runner.run(migrate(database, address))
        run()
        runner.run(database.disconnect())
