"""Things that several want, given to each in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairShare(Generic[T]):
    """What was given back last is taken first; who waits longest gets the next. A queue of asyncio lets whoever comes
    at the right moment pass all that wait, some of them for ever."""

    def __init__(self) -> None:
        self._free: list[T] = []
        self._waiting: deque[asyncio.Future[T]] = deque()

    def is_empty(self) -> bool:
        return not self._free

    @property
    def is_wanted(self) -> bool:
        return any(not turn.done() for turn in self._waiting)

    async def take(self) -> T:
        if self._free:
            return self._free.pop()
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given in the same moment
                self.give(turn.result())
            raise

    def give(self, thing: T) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(thing)
                return
        self._free.append(thing)
