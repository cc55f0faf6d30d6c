"""Whole rows that leave a store of SQLite and come into it."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.export.rows import Row, RowPage, Table
from hermes_sessions.stores.cells import InexactText, decoded_cells, encode_row, exact_select, insert_rows
from hermes_sessions.stores.exact import KEYS, exact_rows
from hermes_sessions.stores.names import quoted
from hermes_sessions.stores.sqlite.merging import merge_indexes
from hermes_sessions.stores.sqlite.rows.base import RowsBase
from hermes_sessions.stores.store_rows import Cells, Link

_IDS = "(SELECT value FROM json_each(:ids))"


class SqliteMovingRows(RowsBase):
    """See `MovingRows`."""

    _filled: dict[str, frozenset[str]] | None = None

    async def row_sizes(self, table: Table, session_ids: Sequence[str]) -> list[tuple[int, int]]:
        names = sorted(self._columns.of(table.value))
        if not names:
            return []
        size = " + ".join(f"coalesce(octet_length({name}), 0)" for name in map(quoted, names))
        rows = await self._connection.fetch_all(
            f'SELECT rowid AS number, {size} AS size FROM "{table.value}" WHERE {KEYS[table]} IN {_IDS} ORDER BY rowid',
            {"ids": json.dumps(list(session_ids))},
        )
        return [(row["number"], row["size"]) for row in rows]

    async def encoded_rows(self, table: Table, numbers: Sequence[int]) -> list[str]:
        names = sorted(self._columns.of(table.value))
        rows = await self._connection.fetch_all(
            f'SELECT {exact_select(names)} FROM "{table.value}" WHERE rowid IN {_IDS} ORDER BY rowid',
            {"ids": json.dumps(list(numbers))},
        )
        return [encode_row(row, names) for row in rows]

    async def remove(self, session_ids: Sequence[str], detached_ids: Sequence[str]) -> None:
        """Triggers take the rows out of the full-text tables."""
        gone, detached = {"ids": json.dumps(list(session_ids))}, {"ids": json.dumps(list(detached_ids))}
        await self._connection.execute("PRAGMA defer_foreign_keys = ON")
        await self._connection.execute(f"DELETE FROM messages WHERE session_id IN {_IDS}", gone)
        if self.has("session_model_usage", "session_id"):
            await self._connection.execute(f"DELETE FROM session_model_usage WHERE session_id IN {_IDS}", gone)
        await self._connection.execute(f"UPDATE sessions SET parent_session_id = NULL WHERE id IN {_IDS}", detached)
        await self._connection.execute(f"DELETE FROM sessions WHERE id IN {_IDS}", gone)

    async def forget_deleted_words(self) -> None:
        await merge_indexes(self._connection)

    async def fitting(self, table: Table, rows: Sequence[Row]) -> tuple[list[dict[str, Any]], Set[str]]:
        """Cells that are empty are left out where a column must not be: it has a default for what is not known."""
        known = self._columns.of(table.value)
        filled = (await self._filled_by_default()).get(table.value, frozenset())
        left_out = {f"{table.value}.{name}" for row in rows for name in row.keys() - known if row[name] is not None}
        if table is Table.SESSIONS:
            left_out |= await self._missing_prompts(rows)
        fitting = [
            {name: row[name] for name in row if name in known and not (row[name] is None and name in filled)}
            for row in rows
        ]
        return [decoded_cells(row) for row in fitting], left_out

    async def _missing_prompts(self, rows: Sequence[Row]) -> set[str]:
        """Later schemas keep system prompts in a table of their own, which no export holds."""
        hashes = {row["system_prompt_hash"] for row in rows if isinstance(row.get("system_prompt_hash"), str)}
        if not hashes or not self.has("system_prompts", "hash"):
            return set()
        found = await self._connection.fetch_all(
            f"SELECT hash FROM system_prompts WHERE hash IN {_IDS}", {"ids": json.dumps(sorted(hashes))}
        )
        return {"texts of shared system prompts"} if len(found) < len(hashes) else set()

    async def _filled_by_default(self) -> dict[str, frozenset[str]]:
        """By table: columns that must not be null and have a default for where nothing is known."""
        if self._filled is None:
            rows = await self._connection.fetch_all(
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
            self._filled = {name: frozenset(columns) for name, columns in found.items()}
        return self._filled

    async def insert_rows(self, table: Table, rows: Sequence[Cells]) -> None:
        """Without columns that the store has lost since, when a migration dropped them. Raises UNSUPPORTED_STORE where
        it has lost the table."""
        known = self._columns.of(table.value)
        if rows and not known:
            raise HermesSessionsError(
                ErrorCode.UNSUPPORTED_STORE,
                f"The store has no table {table.value} for what belongs there. Nothing was changed; let Hermes open it "
                "once.",
            )
        kept = [{name: value for name, value in row.items() if name in known} for row in rows]
        await insert_rows(self._connection, table.value, kept)

    async def relink(self, links: Sequence[Link], restored_ids: Sequence[str]) -> None:
        await self._connection.execute(
            f"""
            UPDATE sessions SET parent_session_id = NULL
            WHERE id IN (SELECT value FROM json_each(:sound)) AND id IN {_IDS}
              AND NOT EXISTS (SELECT 1 FROM sessions AS parent WHERE parent.id = sessions.parent_session_id)
            """,
            {"sound": json.dumps([link.child_id for link in links]), "ids": json.dumps(list(restored_ids))},
        )
        await self._connection.raw_connection.run_each(
            """
            UPDATE sessions SET parent_session_id = ?1
            WHERE id = ?2 AND parent_session_id IS NULL
              AND EXISTS (SELECT 1 FROM sessions AS parent WHERE parent.id = ?1)
            """,
            [(link.parent_id, link.child_id) for link in links],
        )

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        return await exact_rows(self._connection, self._columns, table, session_ids, after)

    async def count_messages(self, session_id: str) -> int:
        return int(
            await self._connection.fetch_val(
                "SELECT count(*) FROM messages WHERE messages.session_id = :id", {"id": session_id}
            )
        )

    async def present_ids(self, session_ids: Sequence[str]) -> set[str]:
        rows = await self._connection.fetch_all(
            "SELECT sessions.id AS id FROM json_each(:ids) AS wanted JOIN sessions ON sessions.id = wanted.value",
            {"ids": json.dumps(list(session_ids))},
        )
        return {row["id"] for row in rows}

    async def are_free(self, message_ids: Sequence[int]) -> bool:
        taken = await self._connection.fetch_one(
            f"SELECT 1 FROM messages WHERE id IN {_IDS} LIMIT 1", {"ids": json.dumps(list(message_ids))}
        )
        return taken is None

    async def change_row(self, table: Table, id: str | int, cells: Row) -> None:
        if not cells:
            return
        decoded = decoded_cells(cells)
        changes = ", ".join(
            f"{quoted(name)} = " + (f"CAST(:c{at} AS TEXT)" if isinstance(cell, InexactText) else f":c{at}")
            for at, (name, cell) in enumerate(decoded.items())
        )
        values = {
            f"c{at}": bytes(cell) if isinstance(cell, InexactText) else cell for at, cell in enumerate(decoded.values())
        }
        await self._connection.execute(f'UPDATE "{table.value}" SET {changes} WHERE id = :id', {**values, "id": id})

    async def delete_usage(self, session_id: str) -> None:
        await self._connection.execute("DELETE FROM session_model_usage WHERE session_id = :id", {"id": session_id})

    async def set_savepoint(self) -> None:
        await self._connection.execute("SAVEPOINT session")

    async def back_to_savepoint(self) -> None:
        await self._connection.execute("ROLLBACK TO session")

    async def release_savepoint(self) -> None:
        await self._connection.execute("RELEASE session")
