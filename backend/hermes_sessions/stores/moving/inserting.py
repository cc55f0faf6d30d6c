"""Rows written into a store as they come, with the columns that the store has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hermes_sessions.model.export.rows import Row, Table
from hermes_sessions.model.importing.incoming import Incoming, Sessions
from hermes_sessions.model.values import MAX_SAFE_INTEGER
from hermes_sessions.stores.store_rows import StoreRows

LEAST_ID = -MAX_SAFE_INTEGER - 1


class IdsTaken(Exception):
    """The ids of a session's messages cannot be kept. `were_given`: there are any."""

    def __init__(self, ids: Sequence[Any]) -> None:
        super().__init__()
        self.were_given = any(id is not None for id in ids)


class Inserter:
    """`left_out` collects the names of what the store has no place for, where there was any."""

    def __init__(self, rows: StoreRows) -> None:
        self._rows = rows
        self.left_out: set[str] = set()

    async def session(self, incoming: Incoming, row: Row) -> None:
        await self._insert(Table.SESSIONS, [_of(incoming, row)])

    async def usage(self, incoming: Incoming, rows: Sequence[Row]) -> None:
        if self._rows.has("session_model_usage", "session_id"):
            await self._insert(Table.USAGE, [{**row, "session_id": incoming.id} for row in rows])
        elif rows:
            self.left_out.add(Table.USAGE.value)

    async def messages(self, incoming: Incoming, sessions: Sessions, *, keep_ids: bool) -> int:
        """How many. Raises IdsTaken where ids shall be kept and cannot be; some rows are written then."""
        count = 0
        last = LEAST_ID if keep_ids else None
        async for page in sessions.messages(incoming):
            last = await self.add_messages(incoming.id, page, last)
            count += len(page)
        return count

    async def add_messages(self, session_id: str, rows: Sequence[Row], above: int | None) -> int | None:
        """With their ids, which must grow and be above the given one, or, for None, with new ones above all others.

        Gives the last id that was kept. Raises IdsTaken.
        """
        last = above if above is None else await self._checked(rows, above)
        await self._insert(
            Table.MESSAGES,
            [
                {name: cell for name, cell in row.items() if name != "id" or last is not None}
                | {"session_id": session_id}
                for row in rows
            ],
        )
        return last

    async def _checked(self, rows: Sequence[Row], last: int) -> int:
        """The last id of rows whose ids are free. Greater ones would leave the agent none to go on with."""
        ids = [row.get("id") for row in rows]
        for id in ids:
            if not isinstance(id, int) or not last < id <= MAX_SAFE_INTEGER:
                raise IdsTaken(ids)
            last = id
        if not await self._rows.are_free([id for id in ids if isinstance(id, int)]):
            raise IdsTaken(ids)
        return last

    async def _insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Raises UNSUPPORTED_STORE where a rule of the store forbids one."""
        fitting, left_out = await self._rows.fitting(table, rows)
        self.left_out |= left_out
        await self._rows.insert_rows(table, fitting)


def _of(incoming: Incoming, row: Row) -> dict[str, Any]:
    """The session's row with the parent and the title that the plan gives it."""
    own = {"id": incoming.id, "parent_session_id": incoming.parent, "title": incoming.title}
    return {**row, **{name: cell for name, cell in own.items() if name in row or cell is not None}}
