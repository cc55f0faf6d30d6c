"""What happens in the stores, told to any number of subscribers by one watcher a store, and none without subscribers.

Nothing is queued for anybody: a subscriber reads from the store or from the one bounded log when it is ready for more,
so a slow one costs no memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Sequence

from hermes_sessions.errors import BROKEN, ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import ChangeKind, ChangeLog, LogPlace, differences
from hermes_sessions.store import Store
from hermes_sessions.store_values import Freshness, Pulse

LOG_SIZE = 2000
KEPT_SECONDS = 300.0
"""For so long after the last subscriber left, changes can be told to one that comes back."""
REST = 4
"""After a look at the sessions comes a rest that is this many times as long: looking takes a fifth of the time."""
LONGEST_REST = 2.0


class Feed:
    """One store's. `beats` counts the commits that were noticed; `log` holds what they did to sessions.

    Messages are followed beat by beat. Sessions are compared picture by picture, and reading one takes long in a big
    store, so that happens beside the beats and less often.
    """

    def __init__(self, store: Store, interval: float) -> None:
        self.beats = 0
        self.store = store
        self._interval = interval
        self._subscribers = 0
        self._watcher: asyncio.Task[None] | None = None
        self._forgetting: asyncio.TimerHandle | None = None
        self._bell = asyncio.Event()
        self._dirty = asyncio.Event()
        self._has_looked = False
        self._forget()

    def _forget(self) -> None:
        self.run = secrets.token_hex(6)
        self.log = ChangeLog(LOG_SIZE)
        self._forest: Forest | None = None
        self._place: str | None = None
        self._is_replaced = False
        self._is_broken = False

    @property
    def is_watching(self) -> bool:
        return self._watcher is not None

    @contextlib.asynccontextmanager
    async def joined(self) -> AsyncIterator[None]:
        """The store is watched for as long as anybody is in the block."""
        self._subscribers += 1
        if self._watcher is None or self._watcher.done():
            self._start()
        try:
            yield
        finally:
            self._subscribers -= 1
            if not self._subscribers:
                await self.stop()

    def _start(self) -> None:
        if self._forgetting is not None:
            self._forgetting.cancel()
        self._has_looked = False
        self._watcher = asyncio.create_task(self._watch())
        self._watcher.add_done_callback(lambda _: self._ring())

    async def stop(self) -> None:
        watcher, self._watcher = self._watcher, None
        if watcher is None:
            return
        if self._forgetting is not None:
            self._forgetting.cancel()
        self._forgetting = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._forget_unless_watching)
        watcher.cancel()
        await asyncio.wait([watcher])

    def _forget_unless_watching(self) -> None:
        if self._watcher is None:
            self._forget()

    # For subscribers

    async def beat_after(self, beat: int) -> int:
        """Waits until there were more beats than that."""
        while self.beats <= beat:
            await self._change()
        return self.beats

    async def log_after(self, number: int) -> None:
        """Waits until the log has an entry after that one."""
        while self.log.last <= number:
            await self._change()

    async def first_look(self) -> None:
        """Waits until the log counts from a picture that was taken since watching began."""
        while not self._has_looked:
            await self._change()

    @property
    def forest(self) -> Forest:
        """The sessions as the log leaves them."""
        return self._forest or Forest(())

    @property
    def mark(self) -> str | None:
        """Where the sessions stand among the changes of the store."""
        return self.store.mark(self.forest)

    @property
    def place(self) -> LogPlace:
        """The end of the log."""
        return LogPlace(self.run, self.log.last, self.mark)

    async def resumed(self, asked: LogPlace | None) -> tuple[LogPlace, Sequence[tuple[ChangeKind, str]] | None]:
        """From which place of the log a subscriber goes on that knows everything up to `asked`, or that begins, and
        what to tell it before; None where something may be missing."""
        here = self.place
        if asked is None:
            return here, ()
        if asked.run == self.run and self.log.after(asked.number) is not None:
            return asked, ()
        if asked.mark is None:
            return here, None
        return here, await self.store.changes_since(asked.mark, self.forest)

    async def _change(self) -> None:
        """Raises what ended the watcher: nobody would ring the bell any more."""
        watcher = self._watcher
        if watcher is not None and watcher.done() and not watcher.cancelled():
            watcher.result()
        await self._bell.wait()

    def _ring(self) -> None:
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()

    # The watcher

    async def _watch(self) -> None:
        tasks = [asyncio.create_task(self._keep_beating()), asyncio.create_task(self._keep_looking())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _keep_beating(self) -> None:
        async with contextlib.aclosing(self.store.watch(self._interval)) as pulses:
            async for pulse in pulses:
                self._note(pulse)

    def _note(self, pulse: Pulse) -> None:
        if pulse.store is not None or self.mark is None:
            if pulse.store != self._place and self._place is not None:
                self._forest, self._is_replaced = None, True
            self._place = pulse.store
        self.beats += 1
        self._dirty.set()
        self._ring()

    async def _keep_looking(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            started, place = time.monotonic(), self._place
            try:
                forest = await self.store.forest(Freshness.NOW)
            except HermesSessionsError as error:
                self._dirty.set()
                if error.code in BROKEN and not self._can_be_told_later(error):
                    self._lose()
            else:
                self._is_broken = False
                if place == self._place:  # else it may be a picture of the store that was there before
                    self._compare(forest)
            await asyncio.sleep(max(self._interval, min(REST * (time.monotonic() - started), LONGEST_REST)))

    def _can_be_told_later(self, error: HermesSessionsError) -> bool:
        """Where a store counts its changes, none is missed because its server is gone for a while."""
        return error.code is ErrorCode.STORE_UNREACHABLE and self.mark is not None

    def _lose(self) -> None:
        """Told once: what subscribers show is no longer to be had. When the store is sound again they are told anew."""
        if self._is_broken or (self._forest is None and not self._is_replaced):
            return
        self._forest, self._is_broken, self._is_replaced = None, True, True
        self.log.add(ChangeKind.STORE_REPLACED)
        self._ring()

    def _compare(self, forest: Forest) -> None:
        """A first picture tells nothing by itself; that of another store tells that it is another one."""
        before, self._forest = self._forest, forest
        if self._is_replaced:
            self._is_replaced = False
            self.log.add(ChangeKind.STORE_REPLACED)
        elif before is not None and before is not forest:
            # A mark covers all that led to its picture: until the last of it is told, the one before holds.
            told, known = list(differences(before, forest)), self.store.mark(before)
            for at, (kind, session_id) in enumerate(told, start=1):
                self.log.add(kind, session_id, self.mark if at == len(told) else known)
        self._has_looked = True
        self._ring()


class Feeds:
    """The feeds of all profiles, by profile. `interval` is in seconds."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._feeds: dict[str, Feed] = {}

    def of(self, store: Store) -> Feed:
        """One that is of a store which was opened before and is closed now has no subscribers any more."""
        feed = self._feeds.get(store.profile)
        if feed is None or feed.store is not store:
            feed = self._feeds[store.profile] = Feed(store, self._interval)
        return feed

    @property
    def watched(self) -> list[str]:
        """The profiles whose stores are watched just now."""
        return [profile for profile, feed in self._feeds.items() if feed.is_watching]

    async def close(self) -> None:
        for feed in self._feeds.values():
            await feed.stop()
