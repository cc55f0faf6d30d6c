"""One reader's way through a conversation: what to tell next, and when the story is over."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import Place, PlaceCursors, chain_start, first_followed, foreign_cursor
from hermes_sessions.model.message import Message
from hermes_sessions.model.resolving import not_found
from hermes_sessions.store import Store
from hermes_sessions.store_values import Freshness, Tail

BATCH = 20
"""Messages read at once: so many are held for a reader that takes them slowly."""
ATTEMPTS = 5


@dataclass(frozen=True)
class Told:
    """One event. `message` is None where only the tip or `complete` is news."""

    message: Message | None
    tip: str
    cursor: str
    complete: bool = True


class Follower:
    """Reads on from its place when its reader is ready: nothing is queued, whatever happens meanwhile."""

    def __init__(self, store: Store, start: str, asked: Place | None) -> None:
        self.has_more = False
        self._store = store
        self._start = start
        self._asked = asked
        self._cursors = PlaceCursors(store.profile)
        self._place: Place | None = None  # None before the first event
        self._tip = ""  # as last told

    @staticmethod
    async def of(store: Store, id: str, after: str | None) -> Follower:
        """Raises NOT_FOUND or AMBIGUOUS_ID for the id, INVALID_CURSOR for a cursor of another conversation."""
        asked = PlaceCursors(store.profile).decode(after) if after is not None else None
        forest = await store.forest()
        start = first_followed(forest, id)
        if start is None:
            forest = await store.forest(Freshness.NOW)  # as when the agent has just begun it
            start = first_followed(forest, id)
        if start is None:
            raise not_found("conversation")
        known = forest.get(asked.start) if asked is not None else None
        if known is not None and chain_start(forest, known) is not start:
            raise foreign_cursor()
        return Follower(store, start.id, asked)

    async def read(self) -> tuple[list[Told], Forest]:
        """The next events, and the sessions that they name. Raises what ends the stream."""
        before = self._place, self._tip
        for _ in range(ATTEMPTS):
            self._place, self._tip = before
            told = await self._next()
            forest = await self._store.forest(Freshness.PROMPT)
            if not all(_names(forest, each) for each in told):
                forest = await self._store.forest(Freshness.NOW)
            if all(_names(forest, each) for each in told):
                break  # else a session was deleted after its tail had been read
        return [each for each in told if _names(forest, each)], forest

    async def _next(self) -> list[Told]:
        place = self._place
        tail = await self._tail(place)
        self.has_more = place is None or len(tail.messages) == BATCH
        return [self._begin(tail)] if place is None else self._go_on(place, tail)

    async def _tail(self, place: Place | None) -> Tail:
        after, tip, limit = (place.last, place.tip, BATCH) if place is not None else (0, None, 0)
        tail = await self._store.tail(self._start, after=after, tip=tip, limit=limit)
        if tail is None:
            self._start = await self._new_start()
            tail = await self._store.tail(self._start, after=after, tip=tip, limit=limit)
        if tail is None:
            raise _gone()
        if place is not None and tail.store != place.store:
            raise _replaced()
        return tail

    async def _new_start(self) -> str:
        """Where the first segment alone was deleted, the chain begins with what is left of it."""
        forest = await self._store.forest(Freshness.NOW)
        tip = forest.get(self._tip)
        if tip is None:
            raise _gone()
        return chain_start(forest, tip).id

    def _begin(self, tail: Tail) -> Told:
        """The state, and the place to go on from: the asked one where it is of this store, else here."""
        self._tip = tail.segments[-1]
        self._place = Place(tail.store, self._start, self._tip, tail.newest)
        asked = self._asked
        if asked is not None and asked.store == tail.store:
            self._place = replace(self._place, tip=asked.tip, last=min(asked.last, tail.newest))
        return self._told(None, complete=asked is None or asked.store == tail.store)

    def _go_on(self, place: Place, tail: Tail) -> list[Told]:
        tip = tail.segments[-1]
        is_news = tip != self._tip or tail.skipped
        self._tip = tip
        # Ids are not used twice, so nothing can lie between the newest message and a later one that was deleted.
        place = self._place = replace(place, start=self._start, tip=tip, last=min(place.last, tail.newest))
        told = [self._told(None, complete=not tail.skipped)] if is_news else []
        for message in tail.messages:
            self._place = replace(place, last=message.id)
            told.append(self._told(message))
        return told

    def _told(self, message: Message | None, *, complete: bool = True) -> Told:
        assert self._place is not None
        return Told(message, self._tip, self._cursors.encode(self._place), complete)


def _names(forest: Forest, told: Told) -> bool:
    known = told.tip in forest.sessions
    return known and (told.message is None or told.message.session_id in forest.sessions)


def _gone() -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.NOT_FOUND, "The conversation has been deleted.")


def _replaced() -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.INVALID_CURSOR,
        "The profile's database has been replaced by another one. Read the conversation again and subscribe anew.",
        {"reason": "STORE_REPLACED"},
    )
