"""What every statement of a change needs, and the one way to change cells of a row."""

from __future__ import annotations

import json
from typing import Any

from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.bin import PostgresBin
from hermes_sessions.stores.postgres.cells import COLUMNS, OTHERS, STRUCTURED, from_columns, to_columns
from hermes_sessions.stores.store_rows import Cells

NUMBERS = {"sessions": "id", "messages": "id", "session_model_usage": "number"}
"""By table: what names one row."""


class RowsBase:
    """A connection to one store. Its bin is in the same transaction.

    A cell that its column cannot hold stands in `cells` of its row, so cells are read and put back rather than
    computed by SQL: nobody else can change them meanwhile.
    """

    def __init__(self, connection: Connection, schema: str, bin: PostgresBin) -> None:
        self._connection = connection
        self._schema = schema
        self.bin = bin

    def has(self, table: str, column: str) -> bool:
        return column in COLUMNS.get(table, {})

    async def _cells(self, table: str, id: str | int, names: tuple[str, ...]) -> dict[str, Any] | None:
        """None where there is no such row."""
        record = await self._connection.fetch_one(
            f"SELECT {', '.join(names)}, {OTHERS} FROM {self._schema}.{table} WHERE {NUMBERS[table]} = :id",
            {"id": id},
        )
        return None if record is None else from_columns(record)

    async def _put(self, table: str, id: str | int, cells: Cells) -> None:
        if not cells:
            return
        values = to_columns(table, cells)
        if "content" in cells:
            values.setdefault(STRUCTURED, False)
        if OTHERS in values or not await self._update(table, id, values, f"AND {OTHERS} IS NULL"):
            await self._put_beside(table, id, cells, values)

    async def _put_beside(self, table: str, id: str | int, cells: Cells, values: dict[str, Any]) -> None:
        """Where the row has cells, or gets some, that its columns cannot hold."""
        others = json.loads(values.pop(OTHERS, "{}"))
        known = await self._connection.fetch_val(
            f"SELECT {OTHERS} FROM {self._schema}.{table} WHERE {NUMBERS[table]} = :id", {"id": id}
        )
        kept = {name: cell for name, cell in json.loads(known or "{}").items() if name not in cells} | others
        await self._update(table, id, values | {OTHERS: json.dumps(kept) if kept else None})

    async def _update(self, table: str, id: str | int, values: dict[str, Any], condition: str = "") -> bool:
        """Whether there was such a row."""
        sets = ", ".join(f"{name} = :{name}" for name in values)
        updated = await self._connection.fetch_all(
            f"UPDATE {self._schema}.{table} SET {sets} WHERE {NUMBERS[table]} = :row_named {condition} RETURNING 1",
            values | {"row_named": id},
        )
        return bool(updated)
