"""Whole rows that leave a store of PostgreSQL and come into it."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from typing import Any

from hermes_sessions.model.export.rows import Row, RowPage, Table
from hermes_sessions.stores.cells import decoded_cells
from hermes_sessions.stores.postgres.affinities import as_stored
from hermes_sessions.stores.postgres.cells import FILLED
from hermes_sessions.stores.postgres.exact import PLACES, exact_rows, rows_numbered, size_sql
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.rows.base import RowsBase
from hermes_sessions.stores.store_rows import Cells, Link


class PostgresMovingRows(RowsBase):
    """See `MovingRows`."""

    async def row_sizes(self, table: Table, session_ids: Sequence[str]) -> list[tuple[int, int]]:
        key, number = PLACES[table]
        rows = await self._connection.fetch_all(
            f"""
            SELECT {number} AS number, {size_sql(table)} AS size FROM {self._schema}.{table.value}
            WHERE {key} = ANY(CAST(:ids AS text[])) ORDER BY {number}
            """,
            {"ids": list(session_ids)},
        )
        return [(row["number"], row["size"]) for row in rows]

    async def encoded_rows(self, table: Table, numbers: Sequence[int]) -> list[str]:
        rows = await rows_numbered(self._connection, self._schema, table, numbers)
        return [json.dumps(row, ensure_ascii=False) for row in rows]

    async def remove(self, session_ids: Sequence[str], detached_ids: Sequence[str]) -> None:
        """Sessions first: nothing need be counted of what is gone."""
        await self._connection.execute(
            f"""
            UPDATE {self._schema}.sessions SET parent_session_id = NULL WHERE id = ANY(CAST(:ids AS text[]))
            """,
            {"ids": list(detached_ids)},
        )
        for table in (Table.SESSIONS, Table.MESSAGES, Table.USAGE):
            await self._connection.execute(
                f"DELETE FROM {self._schema}.{table.value} WHERE {PLACES[table][0]} = ANY(CAST(:ids AS text[]))",
                {"ids": list(session_ids)},
            )

    async def forget_deleted_words(self) -> None:
        """Nothing is left of them: words are a column of their message."""

    async def fitting(self, table: Table, rows: Sequence[Row]) -> tuple[list[dict[str, Any]], Set[str]]:
        """Everything fits. As in Hermes' tables, what must not be empty takes its default, and the type of a column
        has its say."""
        return [self._fitting(table, row) for row in rows], set()

    @staticmethod
    def _fitting(table: Table, row: Row) -> dict[str, Any]:
        filled = FILLED[table.value]
        kept = {name: cell for name, cell in row.items() if not (cell is None and name in filled)}
        return as_stored(table.value, decoded_cells(kept))

    async def insert_rows(self, table: Table, rows: Sequence[Cells]) -> None:
        await insert_rows(self._connection, self._schema, table.value, rows)

    async def relink(self, links: Sequence[Link], restored_ids: Sequence[str]) -> None:
        sessions = f"{self._schema}.sessions"
        children = [link.child_id for link in links]
        await self._connection.execute(
            f"""
            UPDATE {sessions} SET parent_session_id = NULL
            WHERE id = ANY(CAST(:sound AS text[])) AND id = ANY(CAST(:restored AS text[]))
              AND NOT EXISTS (SELECT 1 FROM {sessions} AS parent WHERE parent.id = sessions.parent_session_id)
            """,
            {"sound": children, "restored": list(restored_ids)},
        )
        await self._connection.execute(
            f"""
            UPDATE {sessions} SET parent_session_id = link.parent
            FROM unnest(CAST(:children AS text[]), CAST(:parents AS text[])) AS link (child, parent)
            WHERE sessions.id = link.child AND sessions.parent_session_id IS NULL
              AND EXISTS (SELECT 1 FROM {sessions} AS parent WHERE parent.id = link.parent)
            """,
            {"children": children, "parents": [link.parent_id for link in links]},
        )

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        return await exact_rows(self._connection, self._schema, table, session_ids, after)

    async def count_messages(self, session_id: str) -> int:
        return int(
            await self._connection.fetch_val(
                f"SELECT count(*) FROM {self._schema}.messages WHERE session_id = :id", {"id": session_id}
            )
        )

    async def present_ids(self, session_ids: Sequence[str]) -> set[str]:
        rows = await self._connection.fetch_all(
            f"SELECT id FROM {self._schema}.sessions WHERE id = ANY(CAST(:ids AS text[]))",
            {"ids": [each for each in session_ids if "\x00" not in each]},  # such a one is never there
        )
        return {row["id"] for row in rows}

    async def are_free(self, message_ids: Sequence[int]) -> bool:
        taken = await self._connection.fetch_one(
            f"SELECT 1 FROM {self._schema}.messages WHERE id = ANY(CAST(:ids AS bigint[])) LIMIT 1",
            {"ids": list(message_ids)},
        )
        return taken is None

    async def change_row(self, table: Table, id: str | int, cells: Row) -> None:
        await self._put(table.value, id, as_stored(table.value, decoded_cells(cells)))

    async def delete_usage(self, session_id: str) -> None:
        await self._connection.execute(
            f"DELETE FROM {self._schema}.session_model_usage WHERE session_id = :id", {"id": session_id}
        )

    async def set_savepoint(self) -> None:
        await self._connection.execute("SAVEPOINT session")

    async def back_to_savepoint(self) -> None:
        await self._connection.execute("ROLLBACK TO session")

    async def release_savepoint(self) -> None:
        await self._connection.execute("RELEASE session")
