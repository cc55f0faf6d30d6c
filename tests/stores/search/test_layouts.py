"""Whatever indexes a store has, search finds the same as reading every row, or says in words what it may lack."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import StoreBuilder
from tests.random_search import WORDS, fill_randomly, questions, rows_of
from tests.search_layouts import BROKEN, LAYOUTS
from tests.search_reference import hits
from tests.stores.opened import opened
from tests.stores.search.asking import ask, found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("layout", LAYOUTS)
async def test_every_layout_answers_as_if_every_row_was_read(path: Path, layout: str, seed: int) -> None:
    LAYOUTS[layout](path, lambda store: fill_randomly(store, seed))
    with StoreBuilder(path) as store:
        rows = rows_of(store)
    async with opened(path) as reader:
        for text in [*WORDS[seed::3], *questions(seed, 20)]:
            assert await found(reader, text) == hits(rows, text), text


@pytest.mark.parametrize("layout", BROKEN)
async def test_a_broken_index_is_named_and_nothing_is_missing(path: Path, layout: str) -> None:
    BROKEN[layout](path, lambda store: fill_randomly(store, 1))
    with StoreBuilder(path.with_name("sound.db")) as store:
        fill_randomly(store, 1)
        rows = rows_of(store)
    async with opened(path) as reader:
        for text in ("cafe", "今天", "讨论 ab", "run.py", "absent"):
            answer = await ask(reader, text)
            assert {match.message_id for match in answer.matches} == hits(rows, text)
        named = " ".join((await ask(reader, "今天 讨论")).degraded)
        assert "full-text index" in named


@pytest.mark.parametrize(
    ("layout", "words"),
    [("half_built", "is not complete"), ("stale", "does not keep"), ("without_any", "no full-text index")],
)
async def test_an_index_that_lacks_something_is_named(path: Path, layout: str, words: str) -> None:
    LAYOUTS[layout](path, lambda store: fill_randomly(store, 1))
    async with opened(path) as reader:
        assert words in " ".join((await ask(reader, "cafe")).degraded)


@pytest.mark.parametrize("layout", ["whole", "over_views", "only_contents"])
async def test_a_whole_index_is_no_reason_for_words(path: Path, layout: str) -> None:
    LAYOUTS[layout](path, lambda store: fill_randomly(store, 1))
    async with opened(path) as reader:
        assert (await ask(reader, "cafe")).degraded == ()
