"""Live updates without any I/O: what changed between two pictures, which changes are still known, where a stream is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.paging import CursorCodec
from hermes_sessions.model.resolving import resolve_conversation
from hermes_sessions.model.session import Session, SessionKind


class ChangeKind(Enum):
    SYNCED = "SYNCED"
    CREATED = "CREATED"
    UPDATED = "UPDATED"
    DELETED = "DELETED"
    STORE_REPLACED = "STORE_REPLACED"


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """One entry of a change log. `session_id` is None where the change is about the whole store. `mark` is where the
    store's own changes stand, all of which were told by then; None where the store has no such marks."""

    number: int
    kind: ChangeKind
    session_id: str | None
    mark: str | None = None


def differences(before: Forest, after: Forest) -> Iterator[tuple[ChangeKind, str]]:
    """What happened to which session between two pictures of one store: each session at most once.

    A session is updated when its row, its messages or its kind have changed: a kind also depends on siblings.
    """
    change = after.since(before)
    asked = change.sessions if change is not None else {**before.sessions, **after.sessions}
    for session_id in asked:
        known, session = before.get(session_id), after.get(session_id)
        if session is None:
            if known is not None:
                yield ChangeKind.DELETED, session_id
        elif known is None:
            yield ChangeKind.CREATED, session_id
        elif (known is not session and known != session) or before.kind(session_id) is not after.kind(session_id):
            yield ChangeKind.UPDATED, session_id


class ChangeLog:
    """The latest changes of one store, numbered without gaps from 1, at most `size` of them.

    An update that a later change of the same session makes pointless is left out, so a burst costs one entry.
    """

    def __init__(self, size: int) -> None:
        self.last = 0
        self._size = size
        self._entries: dict[int, LoggedChange] = {}
        self._updates: dict[str, int] = {}
        self._forgotten = 0  # the greatest number that had to go for want of room

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, kind: ChangeKind, session_id: str | None = None, mark: str | None = None) -> None:
        self.last += 1
        if session_id is None:
            self._entries.clear()  # what happened to a store that is gone helps nobody
            self._updates.clear()
        else:
            self._entries.pop(self._updates.pop(session_id, 0), None)
            if kind is ChangeKind.UPDATED:
                self._updates[session_id] = self.last
        self._entries[self.last] = LoggedChange(self.last, kind, session_id, mark)
        if len(self._entries) > self._size:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        oldest = self._entries.pop(next(iter(self._entries)))
        self._forgotten = oldest.number
        if oldest.session_id is not None and self._updates.get(oldest.session_id) == oldest.number:
            del self._updates[oldest.session_id]

    def after(self, number: int) -> list[LoggedChange] | None:
        """The changes after that number, in order; None where some of them are no longer known."""
        if not self._forgotten <= number <= self.last:
            return None
        return [entry for entry in self._entries.values() if entry.number > number]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stream of messages stands: everything of its conversation up to the message `last` has been told.

    `store` names the database file, `start` the first segment, `tip` the last segment that was followed. Another
    process understands it, too.
    """

    store: str
    start: str
    tip: str
    last: int


class PlaceCursors:
    """Cursors of the message streams of one profile."""

    def __init__(self, profile: str) -> None:
        self._codec = CursorCodec(4, "messageStream", profile)

    def encode(self, place: Place) -> str:
        return self._codec.encode((place.store, place.start, place.tip, place.last))

    def decode(self, cursor: str) -> Place:
        """Raises INVALID_CURSOR for damaged text and for a cursor of another field or profile."""
        store, start, tip, last = self._codec.decode(cursor)
        if not (isinstance(store, str) and isinstance(start, str) and isinstance(tip, str) and type(last) is int):
            raise foreign_cursor()
        return Place(store, start, tip, last)


@dataclass(frozen=True, slots=True)
class LogPlace:
    """The run of a log and a number in it, and for other processes the mark of the store itself, where it has any."""

    run: str
    number: int
    mark: str | None = None


class LogCursors:
    """Cursors of the changes of one profile."""

    def __init__(self, profile: str) -> None:
        self._codec = CursorCodec(3, "sessionChanges", profile)

    def encode(self, place: LogPlace) -> str:
        return self._codec.encode((place.run, place.number, place.mark))

    def decode(self, cursor: str) -> LogPlace:
        """Raises INVALID_CURSOR for damaged text and for a cursor of another field or profile."""
        run, number, mark = self._codec.decode(cursor)
        if not isinstance(run, str) or type(number) is not int or not isinstance(mark, str | None):
            raise foreign_cursor()
        return LogPlace(run, number, mark)


def foreign_cursor() -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.INVALID_CURSOR,
        "This cursor belongs to another conversation or was not made by this server. Subscribe without `after`.",
    )


def first_followed(forest: Forest, text: str) -> Session | None:
    """The first segment of the chain that an id or prefix leads to; None where nothing has it.

    For a segment that is the head of its conversation. A subagent's, a tool's or a side row's chain is its own.
    Raises BAD_USER_INPUT or AMBIGUOUS_ID like `resolve_conversation`.
    """
    conversation = resolve_conversation(forest, text)
    if conversation is None:
        return None
    matches = [text] if forest.get(text) is not None else forest.starting_with(text, 2)
    return chain_start(forest, forest.sessions[matches[0]]) if len(matches) == 1 else conversation.head


def chain_start(forest: Forest, session: Session) -> Session:
    """The session that this one continues, over any number of compressions."""
    parent = forest.parent(session)
    while forest.kind(session.id) is SessionKind.CONTINUATION and parent is not None:
        session, parent = parent, forest.parent(parent)
    return session


def chain_from(forest: Forest, start: Session) -> list[Session]:
    """A session and the continuations that were chosen after it."""
    chain = [start]
    while (following := forest.successor(chain[-1].id)) is not None:
        chain.append(following)
    return chain
