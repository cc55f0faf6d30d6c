"""Who goes first at a store: our changes leave room for the agent's between them, and our readers stand back for a
moment, for a change of ours and for the log.

A change holds the write lock, for which the agent waits too, through some dozen statements; between any two of them the
loop may have turned to all the readers that wait for it. And the write-ahead log begins anew only when no reader is on
an older part of it: readers that overlap all the time let it grow for as long as they come.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from hermes_sessions.stores.sqlite.errors import busy
from hermes_sessions.stores.sqlite.fair import FairShare

LONGEST_PAUSE = 0.1
"""Seconds. Between two changes of ours the write lock is free for as long as it was held, but no longer than that."""
PATIENCE = 0.25
"""Seconds that a reader stands back for at the longest."""
LONG_LOG = 4000
"""Pages: four times as many as make SQLite copy the log into the file, and about 16 MB."""
LONG_LOG_BYTES = LONG_LOG * 4096
REST = 1.0
"""Seconds between two times that readers stand back for the log; twice as long each time that it was of no use."""
LONGEST_REST = 64.0
LOOK = 0.01

LogPages = tuple[int, int]
"""Of the log, and how many of them are in the file as well."""


class Precedence:
    """Of the store at the path, in one process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._free = asyncio.Event()
        self._free.set()
        self._ahead = 0
        self._turns: FairShare[None] = FairShare()
        self._turns.give(None)
        self._held = 0.0
        self._rest = REST
        self._next_look = 0.0

    @asynccontextmanager
    async def turn(self, seconds: float) -> AsyncIterator[float]:
        """Changes of ours come one after the other; the lock would go from one to the next, and an agent that looks for
        it every tenth of a second would hardly ever find it free. Gives how many of the seconds are left to wait for
        the lock itself. Raises STORE_BUSY where none are."""
        give_up = time.monotonic() + seconds
        try:
            async with asyncio.timeout(seconds):
                await self._turns.take()
        except TimeoutError:
            raise busy(self._path) from None
        self._held = 0.0
        try:
            yield max(0.0, give_up - time.monotonic())
        finally:
            if self._turns.is_wanted:
                pause = min(self._held, LONGEST_PAUSE)
                asyncio.get_running_loop().call_later(pause, self._turns.give, None)
            else:
                self._turns.give(None)

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """While the block runs, which is for as long as a change holds the lock, readers stand back."""
        began = time.monotonic()
        with self._without_readers():
            try:
                yield
            finally:
                self._held = time.monotonic() - began

    @contextmanager
    def _without_readers(self) -> Iterator[None]:
        self._ahead += 1
        self._free.clear()
        try:
            yield
        finally:
            self._ahead -= 1
            if not self._ahead:
                self._free.set()

    async def stand_back(self) -> None:
        """What a reader does before it begins. It begins at last whatever takes so long."""
        if not self._free.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._free.wait()

    def wants_look(self, log_bytes: int) -> bool:
        """Whether it is time to look at the log: the size of its file tells only how long it ever was."""
        return log_bytes >= LONG_LOG_BYTES and time.monotonic() >= self._next_look

    def looked_at(self) -> None:
        self._next_look = time.monotonic() + self._rest

    async def relieve(self, pages: Callable[[], Awaitable[LogPages]]) -> None:
        """Lets readers stand back until a long log is in the file as a whole: the next writer begins it anew then."""
        length, copied = await pages()
        if length < LONG_LOG:
            self._rest = REST
            return
        with self._without_readers():
            give_up = time.monotonic() + PATIENCE
            while LONG_LOG <= length > copied and time.monotonic() < give_up:
                await asyncio.sleep(LOOK)
                length, copied = await pages()
        self._rest = REST if length < LONG_LOG or copied == length else min(2 * self._rest, LONGEST_REST)
