"""Rows written into a live store as they come, with the columns that the store has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes_sessions.model.export.rows import Row, Table
from hermes_sessions.model.importing.incoming import Incoming, Sessions
from hermes_sessions.model.values import MAX_SAFE_INTEGER
from hermes_sessions.stores.cells import decoded_cells, insert_rows
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection

LEAST_ID = -MAX_SAFE_INTEGER - 1


class IdsTaken(Exception):
    """The ids of a session's messages cannot be kept. `were_given`: there are any."""

    def __init__(self, ids: Sequence[Any]) -> None:
        super().__init__()
        self.were_given = any(id is not None for id in ids)


class Inserter:
    """`left_out` collects the names of columns that the store does not have, where they held anything."""

    def __init__(self, connection: Connection, columns: Columns, filled: Mapping[str, frozenset[str]]) -> None:
        self._connection = connection
        self._columns = columns
        self._filled = filled
        self.left_out: set[str] = set()

    @staticmethod
    async def on(connection: Connection, columns: Columns) -> Inserter:
        return Inserter(connection, columns, await _filled_by_default(connection))

    async def session(self, incoming: Incoming, row: Row) -> None:
        await self.rows(Table.SESSIONS, [_of(incoming, row)])
        if isinstance(row.get("system_prompt_hash"), str):
            await self._check_prompt(row["system_prompt_hash"])

    async def _check_prompt(self, hash: str) -> None:
        """Later schemas keep system prompts in a table of their own, which no export holds."""
        if self._columns.has("system_prompts", "hash"):
            found = await self._connection.fetch_one("SELECT 1 FROM system_prompts WHERE hash = :hash", {"hash": hash})
            if found is None:
                self.left_out.add("texts of shared system prompts")

    async def usage(self, incoming: Incoming, rows: Sequence[Row]) -> None:
        if self._columns.of(Table.USAGE.value):
            await self.rows(Table.USAGE, [{**row, "session_id": incoming.id} for row in rows])
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
        await self.rows(
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
        taken = await self._connection.fetch_one(
            "SELECT 1 FROM messages WHERE id IN (SELECT value FROM json_each(:ids)) LIMIT 1", {"ids": json.dumps(ids)}
        )
        if taken is not None:
            raise IdsTaken(ids)
        return last

    async def rows(self, table: Table, rows: Iterable[Row]) -> None:
        """Raises UNSUPPORTED_STORE where a rule of the store forbids one."""
        await insert_rows(self._connection, table.value, [self._storable(table, row) for row in rows])

    def _storable(self, table: Table, row: Row) -> dict[str, Any]:
        known = self._columns.of(table.value)
        self.left_out |= {f"{table.value}.{name}" for name in row.keys() - known if row[name] is not None}
        filled = self._filled.get(table.value, frozenset())
        return decoded_cells(
            {name: row[name] for name in row if name in known and not (row[name] is None and name in filled)}
        )


def _of(incoming: Incoming, row: Row) -> dict[str, Any]:
    """The session's row with the parent and the title that the plan gives it."""
    own = {"id": incoming.id, "parent_session_id": incoming.parent, "title": incoming.title}
    return {**row, **{name: cell for name, cell in own.items() if name in row or cell is not None}}


async def _filled_by_default(connection: Connection) -> dict[str, frozenset[str]]:
    """By table: columns that must not be null and have a default for where nothing is known."""
    rows = await connection.fetch_all(
        """
        SELECT tables.value AS table_name, columns.name AS column_name
        FROM json_each(:tables) AS tables JOIN pragma_table_info(tables.value) AS columns
        WHERE columns."notnull" AND columns.dflt_value IS NOT NULL
        """,
        {"tables": json.dumps([table.value for table in Table])},
    )
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["table_name"], set()).add(row["column_name"])
    return {name: frozenset(columns) for name, columns in found.items()}
