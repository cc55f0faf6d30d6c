"""A session that was copied before and has changed since: it gets what is new, unless it went on here by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from hermes_sessions.model.export.rows import BEGINNING, Row, Table
from hermes_sessions.model.importing.incoming import Incoming, Sessions
from hermes_sessions.stores.cells import InexactText, decoded_cells
from hermes_sessions.stores.columns import Columns, read_columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.exact import exact_rows
from hermes_sessions.stores.moving.inserting import LEAST_ID, IdsTaken, Inserter

_FLAGS = frozenset({"active", "compacted"})
"""Of a message, these change after it was written."""
_OF_THE_COPY = frozenset({"id", "session_id", "parent_session_id", "title"})
"""A copy may have other ids of messages, no parent, and another title."""


async def outdated(connection: Connection, sessions: Sessions, incoming: Incoming) -> bool:
    """Whether the copy lacks anything: told by its row, its usage rows and the number of its messages."""
    columns = await read_columns(connection)
    theirs = await sessions.session(incoming)
    if theirs is None:
        return False
    [ours] = (await exact_rows(connection, columns, Table.SESSIONS, [incoming.id], BEGINNING)).rows
    usage = await _all(connection, columns, Table.USAGE, incoming.id)
    count = await connection.fetch_val(
        "SELECT count(*) FROM messages WHERE messages.session_id = :id", {"id": incoming.id}
    )
    known = columns.of(Table.USAGE.value)
    return bool(
        count != incoming.messages
        or _differences(ours, theirs)
        or (known and _sorted(usage) != _sorted([_within(row, known) for row in await sessions.usage(incoming)]))
    )


async def refresh(connection: Connection, inserter: Inserter, sessions: Sessions, incoming: Incoming) -> int | None:
    """The number of new messages; None where the copy holds messages that are not those of its beginning.

    None leaves the store half changed: the caller takes it back.
    """
    columns = await read_columns(connection)
    ours = _messages(connection, columns, incoming.id)
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
            await _update(connection, Table.MESSAGES, own["id"], differences)
            last = own["id"] if last is not None and own["id"] == theirs["id"] else None
        last = await _append(inserter, incoming.id, fresh, last)
        added += len(fresh)
    if not added and await anext(ours, None) is not None:
        return None
    await _refresh_rows(connection, columns, inserter, sessions, incoming)
    return added


async def _append(inserter: Inserter, session_id: str, rows: Sequence[Row], last: int | None) -> int | None:
    """New messages keep their ids as long as those before them have theirs."""
    try:
        return await inserter.add_messages(session_id, rows, last)
    except IdsTaken:
        return await inserter.add_messages(session_id, rows, None)


async def _refresh_rows(
    connection: Connection, columns: Columns, inserter: Inserter, sessions: Sessions, incoming: Incoming
) -> None:
    """The session's own row and its usage rows become those of where it comes from."""
    theirs = await sessions.session(incoming)
    [ours] = (await exact_rows(connection, columns, Table.SESSIONS, [incoming.id], BEGINNING)).rows
    await _update(connection, Table.SESSIONS, incoming.id, _differences(ours, theirs or ours))
    if columns.of(Table.USAGE.value):
        await connection.execute("DELETE FROM session_model_usage WHERE session_id = :id", {"id": incoming.id})
        await inserter.usage(incoming, await sessions.usage(incoming))


async def _messages(connection: Connection, columns: Columns, session_id: str) -> AsyncIterator[Row]:
    after: int | None = BEGINNING
    while after is not None:
        page = await exact_rows(connection, columns, Table.MESSAGES, [session_id], after)
        for row in page.rows:
            yield row
        after = page.after


async def _all(connection: Connection, columns: Columns, table: Table, session_id: str) -> list[Row]:
    found: list[Row] = []
    after: int | None = BEGINNING
    while after is not None:
        page = await exact_rows(connection, columns, table, [session_id], after)
        found += page.rows
        after = page.after
    return found


def _differences(ours: Row, theirs: Row) -> dict[str, Any]:
    """Cells that the copy must get, in columns that it has."""
    common = (ours.keys() & theirs.keys()) - _OF_THE_COPY
    return {name: theirs[name] for name in common if theirs[name] != ours[name]}


def _within(row: Row, columns: frozenset[str]) -> Row:
    return {name: cell for name, cell in row.items() if name in columns}


def _sorted(rows: list[Row]) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in rows)


async def _update(connection: Connection, table: Table, id: str | int, cells: Mapping[str, Any]) -> None:
    if not cells:
        return
    decoded = decoded_cells(cells)
    changes = ", ".join(
        f'"{name}" = ' + (f"CAST(:c{at} AS TEXT)" if isinstance(cell, InexactText) else f":c{at}")
        for at, (name, cell) in enumerate(decoded.items())
    )
    values = {
        f"c{at}": bytes(cell) if isinstance(cell, InexactText) else cell for at, cell in enumerate(decoded.values())
    }
    await connection.execute(f'UPDATE "{table.value}" SET {changes} WHERE id = :id', {**values, "id": id})
