"""Answers that are kept for as long as nobody commits to the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sized
from typing import Generic, TypeVar

T = TypeVar("T", bound=Sized)


class Kept(Generic[T]):
    """The latest answers of one version of a store, up to so many and so many rows in all. A version is whatever
    differs after each commit.

    A version is asked for before the reading that it is kept under. When the store still is of that version later,
    nobody has committed since, so what was read between is of that version, too.
    """

    def __init__(self, *, answers: int, rows: int) -> None:
        self._most_answers = answers
        self._most_rows = rows
        self._version: Hashable = None
        self._answers: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, version: Hashable, question: Hashable) -> T | None:
        if version != self._version or question not in self._answers:
            return None
        self._answers.move_to_end(question)
        return self._answers[question]

    def put(self, version: Hashable, question: Hashable, answer: T) -> None:
        if version != self._version:
            self._version, self._answers = version, OrderedDict()
        self._answers[question] = answer
        while len(self._answers) > 1 and self._is_full():
            self._answers.popitem(last=False)

    def _is_full(self) -> bool:
        return len(self._answers) > self._most_answers or sum(map(len, self._answers.values())) > self._most_rows
