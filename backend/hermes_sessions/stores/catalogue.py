"""The narrow columns of all sessions of a store, in memory, and kept true.

Rows of `sessions` are wide and kinds depend on siblings and on the newest messages, so no list could be answered
from SQL in a few milliseconds. Instead the store is read once, and what has changed is read again when
`PRAGMA data_version` of a connection that stays open says that somebody has committed.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import NO_ACTIVITY, Activity
from hermes_sessions.store_values import Freshness
from hermes_sessions.stores.columns import Columns, read_columns
from hermes_sessions.stores.database import Connection, LiveDatabase
from hermes_sessions.stores.own_changes import Mark, OwnChanges
from hermes_sessions.stores.rows import (
    Auxiliary,
    auxiliary_from_rows,
    with_auxiliary,
)
from hermes_sessions.stores.seen import AUXILIARY_COLUMNS, Differences, auxiliary_rows, differences
from hermes_sessions.stores.sqlite.at_once import at_once

MAX_AGE_SECONDS = 1.2
"""A change by another program is seen at the latest after this time and one reading."""
QUICK_SECONDS = 0.05
"""A reading that takes no longer is worth waiting for even where a picture is wanted promptly."""

Version = tuple[int, int]


@dataclass(frozen=True)
class Picture:
    """One consistent reading of a store. `version` is the generation and the data_version of the connection that is
    asked for them, from just before the reading, which began at the moment `read_at` and took so many `seconds`.
    `mark` is that of our own changes then."""

    version: Version
    mark: Mark
    columns: Columns
    forest: Forest
    read_at: float
    seconds: float


@dataclass(frozen=True)
class _Known:
    """What the latest picture was made from, and through which connection of the reader. `strays` is what messages say
    whose session has no row."""

    generation: int
    columns: Columns
    forest: Forest = field(default_factory=Forest)
    strays: Mapping[str, Activity] = field(default_factory=dict)
    auxiliary: Mapping[str, Auxiliary] = field(default_factory=dict)
    auxiliary_rows: Sequence[tuple[Any, ...]] = ()

    def activity(self, session_id: str) -> Activity:
        session = self.forest.get(session_id)
        return session.activity if session is not None else self.strays.get(session_id, NO_ACTIVITY)


class Catalogue:
    """The latest picture of one store, read again when the store has changed.

    A question says from which moment on its picture must have been read, if somebody has committed since. While a
    reading is cheap, every question sees the newest commit. Where it takes long and commits come fast, a picture that
    was read `MAX_AGE_SECONDS` ago is good enough, and the next one is read beside. After `forget`, here or in another
    process of ours, only what is read from then on is, so that a caller always sees its own writes.
    """

    def __init__(self, watcher: LiveDatabase, reader: LiveDatabase, own_changes: OwnChanges) -> None:
        self._watcher = watcher  # a data_version only compares within one connection, and this one is never busy
        self._reader = reader
        self._own_changes = own_changes
        self._picture: Picture | None = None
        self._known: _Known | None = None
        self._rested_at = float("-inf")
        self._reading: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
            self._reading = None  # also where it had not even begun

    @property
    def latest(self) -> Picture | None:
        """The picture that was read last, however old it is."""
        return self._picture

    def forget(self) -> None:
        self._own_changes.move()

    async def picture(self, freshness: Freshness = Freshness.USUAL) -> Picture:
        present = self._picture
        if present is not None and freshness is Freshness.PROMPT:
            if present.seconds > QUICK_SECONDS:
                return present
            freshness = Freshness.NOW
        return (await self.look(freshness))[0]

    async def look(self, freshness: Freshness = Freshness.USUAL) -> tuple[Picture, Version]:
        """A picture, and the version of the store at a moment of this question: the picture may be of an older one."""
        asked_at = time.monotonic()
        while True:
            version = await self._version()
            picture = self._picture
            if picture is not None and picture.version == version:
                return picture, version
            if picture is not None and self._is_good(picture, version, freshness, asked_at):
                if picture.seconds > QUICK_SECONDS and asked_at >= self._rested_at:
                    self._begin()
                return picture, version
            await asyncio.shield(self._begin())

    def _is_good(self, picture: Picture, version: Version, freshness: Freshness, asked_at: float) -> bool:
        """Whether a picture that a commit has made old is new enough for this question."""
        if picture.version[0] != version[0]:  # through another connection, and so perhaps of another file
            return False
        if freshness is Freshness.NOW:
            return picture.read_at >= asked_at
        is_new = picture.read_at >= asked_at - min(MAX_AGE_SECONDS, 4 * picture.seconds)
        return is_new and picture.mark == self._own_changes.mark()

    async def _version(self) -> Version:
        async with self._watcher.connection() as connection:
            worker = connection.raw_connection
            data_version = worker.data_version()
            if data_version is None:
                data_version = await connection.fetch_val("PRAGMA data_version")
            return (worker.generation, data_version)

    def _begin(self) -> asyncio.Task[None]:
        """The reading that runs, else a new one. It belongs to no question, so none that is cancelled breaks it off."""
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._run(), context=contextvars.Context())
            self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it
        return self._reading

    async def _run(self) -> None:
        try:
            await self._read()
        except BaseException:
            self._known = None  # what was seen has not become a picture
            raise
        finally:
            self._reading = None  # before anybody can meet a reading that is over, and would wait for it in vain

    async def _read(self) -> None:
        started = time.monotonic()
        mark = self._own_changes.mark()
        version = await self._version()
        async with self._reader.connection() as connection:
            known, count = await at_once(connection, lambda asked: _read_after(asked, self._known))
        self._known = known if len(known.forest) == count else None
        ended = time.monotonic()
        self._picture = Picture(version, mark, known.columns, known.forest, read_at=started, seconds=ended - started)
        self._rested_at = ended + (ended - started) / 2


async def _read_after(connection: Connection, before: _Known | None) -> tuple[_Known, int]:
    """What is known now, and how many rows of sessions there are."""
    await connection.execute("BEGIN")
    columns = await read_columns(connection)  # the first read fixes the snapshot of the transaction
    nothing = _Known(connection.raw_connection.generation, columns)
    if before is None or (before.generation, before.columns) != (nothing.generation, columns):
        before = nothing
    found = await differences(connection, columns, before.activity, from_nothing=before is nothing)
    auxiliary = await auxiliary_rows(connection, columns)
    await connection.execute("COMMIT")
    return _known_after(before, found, auxiliary), found.count


def _known_after(before: _Known, found: Differences, auxiliary_rows: Sequence[tuple[Any, ...]]) -> _Known:
    auxiliary = before.auxiliary
    if auxiliary_rows != before.auxiliary_rows:
        auxiliary = auxiliary_from_rows(dict(zip(AUXILIARY_COLUMNS, row, strict=True)) for row in auxiliary_rows)
    booked = {each for each, _ in auxiliary.items() ^ before.auxiliary.items()}

    present = before.forest.sessions
    changed = dict(found.sessions)
    counted = (found.activity.keys() | found.gone_activity) & present.keys() - found.gone_sessions
    for session_id in counted - changed.keys():
        changed[session_id] = replace(present[session_id], activity=found.activity.get(session_id, NO_ACTIVITY))
    for session_id in (booked & present.keys() - found.gone_sessions) | (auxiliary.keys() & changed.keys()):
        session = changed.get(session_id) or present[session_id]
        changed[session_id] = with_auxiliary(session, auxiliary.get(session_id))
    differing = [session for session_id, session in changed.items() if present.get(session_id) != session]
    # A commit that changes no session, as that of an agent's heartbeat, costs nothing of what was derived.
    has_changed = differing or found.gone_sessions
    forest = before.forest.after(differing, found.gone_sessions) if has_changed else before.forest
    strays = _strays_after(before, found, forest)
    return replace(before, forest=forest, strays=strays, auxiliary=auxiliary, auxiliary_rows=auxiliary_rows)


def _strays_after(before: _Known, found: Differences, forest: Forest) -> dict[str, Activity]:
    """A session whose row has gone may leave messages behind, and one whose row comes later may have some."""
    left = {session_id: before.activity(session_id) for session_id in found.gone_sessions}
    said = {**before.strays, **left, **found.activity}
    return {
        session_id: activity
        for session_id, activity in said.items()
        if activity.rows and session_id not in found.gone_activity and session_id not in forest.sessions
    }
