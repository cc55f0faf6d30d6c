"""Sessions that may come into a store, wherever they come from: a file, or another store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hermes_sessions.model.export.rows import ParentLink, Row

HELD_ROWS = 600
HELD_BYTES = 4_000_000
HELD_PAGES = 5


@dataclass(frozen=True)
class Incoming:
    """What a plan must know of a session. `parent` and `title` are cells as in `model/export/rows.py`.

    `parent_link`: the link dangled or stood in a circle where the session comes from, and shall do so again. `messages`
    and `usage` are numbers of rows, `size` is about the bytes of their text. `fault` says why it cannot be taken.
    `place` is for those who read it.
    """

    id: str
    parent: Any = None
    title: Any = None
    parent_link: ParentLink | None = None
    messages: int = 0
    usage: int = 0
    size: int = 0
    fault: str | None = None
    place: Any = None


class Sessions(Protocol):
    """Sessions with their rows, which are read when they are wanted."""

    @property
    def incoming(self) -> Sequence[Incoming]: ...

    async def session(self, incoming: Incoming) -> Row | None:
        """None where it is gone meanwhile."""

    async def usage(self, incoming: Incoming) -> Sequence[Row]: ...

    def messages(self, incoming: Incoming) -> AsyncIterator[Sequence[Row]]:
        """In their order, a few at a time."""


class Loaded:
    """The same sessions, those that are not large held in memory."""

    def __init__(self, sessions: Sessions, held: Mapping[str, _Held]) -> None:
        self.incoming = sessions.incoming
        self._sessions = sessions
        self._held = held

    @staticmethod
    async def of(sessions: Sessions, chosen: Sequence[Incoming]) -> Loaded:
        small = [each for each in chosen if each.messages <= HELD_ROWS and each.size <= HELD_BYTES]
        return Loaded(sessions, {each.id: await _held(sessions, each) for each in small})

    async def session(self, incoming: Incoming) -> Row | None:
        held = self._held.get(incoming.id)
        return held.row if held is not None else await self._sessions.session(incoming)

    async def usage(self, incoming: Incoming) -> Sequence[Row]:
        held = self._held.get(incoming.id)
        return held.usage if held is not None else await self._sessions.usage(incoming)

    async def messages(self, incoming: Incoming) -> AsyncIterator[Sequence[Row]]:
        held = self._held.get(incoming.id)
        if held is not None and held.pages is not None:
            for page in held.pages:
                yield page
        else:
            async for page in self._sessions.messages(incoming):
                yield page


@dataclass(frozen=True)
class _Held:
    """`pages` None where there turned out to be too many."""

    row: Row | None
    usage: Sequence[Row]
    pages: Sequence[Sequence[Row]] | None


async def _held(sessions: Sessions, incoming: Incoming) -> _Held:
    row, usage = await sessions.session(incoming), await sessions.usage(incoming)
    pages: list[Sequence[Row]] = []
    async for page in sessions.messages(incoming):
        pages.append(page)
        if len(pages) > HELD_PAGES:
            return _Held(row, usage, None)
    return _Held(row, usage, pages)
