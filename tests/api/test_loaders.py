"""Loaders: one question for all who want something at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from hermes_sessions.api.loaders import Loader, load_each


def in_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        asyncio.run(test())

    run.__name__ = test.__name__
    return run


class Squares:
    """A store that knows the squares of small numbers, and keeps what it was asked. It fails as often as it is told."""

    def __init__(self, failures: int = 0) -> None:
        self.asked: list[list[int]] = []
        self.asking = asyncio.Event()
        self._failures = failures

    async def read(self, keys: Sequence[int]) -> dict[int, int]:
        self.asked.append(list(keys))
        self.asking.set()
        await asyncio.sleep(0)
        if len(self.asked) <= self._failures:
            raise OSError("the store is away")
        return {key: key * key for key in keys if key < 10}


@in_a_loop
async def test_all_who_ask_in_one_turn_share_one_question() -> None:
    squares = Squares()
    loader = Loader(squares.read)
    assert await asyncio.gather(*map(loader.load, (2, 3, 2))) == [4, 9, 4]
    assert squares.asked == [[2, 3]]


@in_a_loop
async def test_many_keys_are_one_question_and_what_has_no_answer_is_none() -> None:
    squares = Squares()
    assert await Loader(squares.read).load_many([3, 99, 1, 3]) == [9, None, 1, 9]
    assert squares.asked == [[3, 99, 1]]


@in_a_loop
async def test_what_was_answered_is_not_asked_for_again_nor_what_has_no_answer() -> None:
    squares = Squares()
    loader = Loader(squares.read)
    await loader.load_many([2, 99])
    assert await loader.load_many([99, 2, 5]) == [None, 4, 25]
    assert await loader.load(2) == 4
    assert squares.asked == [[2, 99], [5]]


@in_a_loop
async def test_what_is_known_beforehand_is_not_asked_for() -> None:
    squares = Squares()
    loader = Loader(squares.read)
    loader.prime(7, 50)
    assert await loader.load_many([7]) == [50]
    assert squares.asked == []


@in_a_loop
async def test_several_loaders_are_asked_at_the_same_time_and_answers_keep_their_order() -> None:
    here, there = Squares(), Squares()
    one, other = Loader(here.read), Loader(there.read)
    assert await load_each([(one, 2), (other, 3), (one, 4), (other, 99)]) == [4, 9, 16, None]
    assert (here.asked, there.asked) == ([[2, 4]], [[3, 99]])


@in_a_loop
async def test_a_failure_reaches_all_who_asked_and_the_next_question_is_a_new_one() -> None:
    squares = Squares(failures=1)
    loader = Loader(squares.read)
    outcomes = await asyncio.gather(loader.load(2), loader.load(3), return_exceptions=True)
    assert list(map(type, outcomes)) == [OSError, OSError]
    assert await loader.load(2) == 4


@in_a_loop
async def test_who_gives_up_takes_nothing_from_the_others() -> None:
    squares = Squares()
    loader = Loader(squares.read)
    leaving, staying = asyncio.create_task(loader.load(2)), asyncio.create_task(loader.load(3))
    await squares.asking.wait()
    leaving.cancel()
    assert await staying == 9
    with pytest.raises(asyncio.CancelledError):
        await leaving
