"""A session that was copied before and has changed since: it gets what is new, unless it went on here by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence, Set
from typing import Any

from hermes_sessions.model.export.rows import BEGINNING, Row, Table, pages_of
from hermes_sessions.model.importing.incoming import Incoming, Sessions
from hermes_sessions.stores.moving.inserting import LEAST_ID, IdsTaken, Inserter
from hermes_sessions.stores.store_rows import StoreRows

_FLAGS = frozenset({"active", "compacted"})
"""Of a message, these change after it was written."""
_OF_THE_COPY = frozenset({"id", "session_id", "parent_session_id", "title"})
"""A copy may have other ids of messages, no parent, and another title."""


async def outdated(rows: StoreRows, sessions: Sessions, incoming: Incoming) -> bool:
    """Whether the copy lacks anything: told by its row, its usage rows and the number of its messages."""
    theirs = await sessions.session(incoming)
    if theirs is None:
        return False
    [ours] = (await rows.exact_rows(Table.SESSIONS, [incoming.id], BEGINNING)).rows
    has_usage = rows.has("session_model_usage", "session_id")
    return bool(
        await rows.count_messages(incoming.id) != incoming.messages
        or _differences(ours, theirs)
        or (has_usage and await _usage_differs(rows, sessions, incoming))
    )


async def _usage_differs(rows: StoreRows, sessions: Sessions, incoming: Incoming) -> bool:
    """In the columns that both sides have."""
    ours = [row async for row in _all(rows, Table.USAGE, incoming.id)]
    theirs = await sessions.usage(incoming)
    common = {name for row in ours for name in row} & {name for row in theirs for name in row}
    return len(ours) != len(theirs) or _sorted(ours, common) != _sorted(theirs, common)


async def refresh(rows: StoreRows, inserter: Inserter, sessions: Sessions, incoming: Incoming) -> int | None:
    """The number of new messages; None where the copy holds messages that are not those of its beginning.

    None leaves the store half changed: the caller takes it back.
    """
    ours = _all(rows, Table.MESSAGES, incoming.id)
    added = 0
    last: int | None = LEAST_ID
    async for page in sessions.messages(incoming):
        fresh: list[Row] = []
        for theirs in page:
            own = None if added or fresh else await anext(ours, None)
            if own is None:
                fresh.append(theirs)
                continue
            differences = _differences(own, theirs)
            if not differences.keys() <= _FLAGS:
                return None
            await rows.change_row(Table.MESSAGES, own["id"], differences)
            last = own["id"] if last is not None and own["id"] == theirs["id"] else None
        last = await _append(inserter, incoming.id, fresh, last)
        added += len(fresh)
    if not added and await anext(ours, None) is not None:
        return None
    await _refresh_rows(rows, inserter, sessions, incoming)
    return added


async def _append(inserter: Inserter, session_id: str, fresh: Sequence[Row], last: int | None) -> int | None:
    """New messages keep their ids as long as those before them have theirs."""
    try:
        return await inserter.add_messages(session_id, fresh, last)
    except IdsTaken:
        return await inserter.add_messages(session_id, fresh, None)


async def _refresh_rows(rows: StoreRows, inserter: Inserter, sessions: Sessions, incoming: Incoming) -> None:
    """The session's own row and its usage rows become those of where it comes from."""
    theirs = await sessions.session(incoming)
    [ours] = (await rows.exact_rows(Table.SESSIONS, [incoming.id], BEGINNING)).rows
    await rows.change_row(Table.SESSIONS, incoming.id, _differences(ours, theirs or ours))
    if rows.has("session_model_usage", "session_id"):
        await rows.delete_usage(incoming.id)
        await inserter.usage(incoming, await sessions.usage(incoming))


async def _all(rows: StoreRows, table: Table, session_id: str) -> AsyncIterator[Row]:
    async for page in pages_of(rows.exact_rows, table, [session_id]):
        for row in page:
            yield row


def _differences(ours: Row, theirs: Row) -> dict[str, Any]:
    """Cells that the copy must get, in columns that it has."""
    common = (ours.keys() & theirs.keys()) - _OF_THE_COPY
    return {name: theirs[name] for name in common if theirs[name] != ours[name]}


def _sorted(rows: Sequence[Row], names: Set[str]) -> list[str]:
    return sorted(repr(sorted((name, row.get(name)) for name in names)) for row in rows)
