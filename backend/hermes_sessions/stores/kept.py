"""Answers that are kept for as long as nobody commits to the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sized
from typing import TypeVar

from hermes_sessions.stores.catalogue import Version

KEPT_ANSWERS = 32
KEPT_ROWS = 1_000_000

T = TypeVar("T", bound=Sized)


class Kept:
    """The latest answers of one version of a store, up to so many and so many rows in all.

    A version is asked for before the reading that it is kept under. When the store still is of that version later,
    nobody has committed since, so what was read between is of that version, too.
    """

    def __init__(self) -> None:
        self._version: Version | None = None
        self._answers: OrderedDict[Hashable, Sized] = OrderedDict()

    def get(self, version: Version, question: Hashable, kind: type[T]) -> T | None:
        if version != self._version:
            return None
        answer = self._answers.get(question)
        if not isinstance(answer, kind):
            return None
        self._answers.move_to_end(question)
        return answer

    def put(self, version: Version, question: Hashable, answer: Sized) -> None:
        if version != self._version:
            self._version, self._answers = version, OrderedDict()
        self._answers[question] = answer
        while len(self._answers) > 1 and self._is_full():
            self._answers.popitem(last=False)

    def _is_full(self) -> bool:
        return len(self._answers) > KEPT_ANSWERS or sum(map(len, self._answers.values())) > KEPT_ROWS
