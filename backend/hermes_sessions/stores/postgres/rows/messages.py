"""Rows of `messages` and `session_model_usage` in PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.model.writing.forking import Turn, turn
from hermes_sessions.stores.cells import decoded_cells
from hermes_sessions.stores.postgres.affinities import added, as_stored
from hermes_sessions.stores.postgres.cells import (
    COLUMNS,
    OTHERS,
    STRUCTURED,
    all_cells,
    as_read,
    from_columns,
    to_columns,
    whole_row,
)
from hermes_sessions.stores.postgres.contents import size_of
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.rows.base import RowsBase
from hermes_sessions.stores.postgres.words import WORDS
from hermes_sessions.stores.store_rows import NOT_COPIED, Cells


class PostgresMessageRows(RowsBase):
    """See `MessageRows`."""

    async def refuse_messages(self) -> None:
        return

    async def live_turns(self, session_id: str) -> list[Turn]:
        rows = await self._connection.fetch_all(
            f"""
            SELECT id, role, tool_calls, tool_call_id, {OTHERS} FROM {self._schema}.messages
            WHERE session_id = :id AND coalesce(active, 1) <> 0 ORDER BY id
            """,
            {"id": session_id},
        )
        cells = (as_read(from_columns(row)) for row in rows)
        return [turn(row["id"], row["role"], row["tool_calls"], row["tool_call_id"]) for row in cells]

    async def copy_messages(self, message_ids: Sequence[int], session_id: str) -> None:
        chosen = f"{self._schema}.messages WHERE id = ANY(CAST(:ids AS bigint[]))"
        ids = {"ids": list(message_ids)}
        if await self._connection.fetch_one(f"SELECT 1 FROM {chosen} AND {OTHERS} IS NOT NULL LIMIT 1", ids):
            rows = await self._connection.fetch_all(f"SELECT {whole_row('messages')} FROM {chosen} ORDER BY id", ids)
            kept = [{n: cell for n, cell in all_cells("messages", row).items() if n not in NOT_COPIED} for row in rows]
            await insert_rows(
                self._connection, self._schema, "messages", [{**row, "session_id": session_id} for row in kept]
            )
            return
        names = ", ".join([*(name for name in COLUMNS["messages"] if name not in NOT_COPIED), STRUCTURED, WORDS])
        await self._connection.execute(
            f"""
            INSERT INTO {self._schema}.messages (session_id, {names})
            SELECT :session, {names} FROM {chosen} ORDER BY id
            """,
            ids | {"session": session_id},
        )

    async def known_messages(self, session_ids: Sequence[str], client_ids: Sequence[str]) -> dict[str, int]:
        rows = await self._connection.fetch_all(
            f"""
            SELECT id, platform_message_id AS client_id FROM {self._schema}.messages
            WHERE session_id = ANY(CAST(:chain AS text[])) AND platform_message_id = ANY(CAST(:client_ids AS text[]))
            ORDER BY id
            """,
            {"chain": list(session_ids), "client_ids": list(client_ids)},
        )
        return {row["client_id"]: row["id"] for row in rows}

    async def insert_messages(self, rows: Sequence[Cells]) -> list[int]:
        drawn = await self._connection.fetch_all(
            "SELECT nextval(CAST(:numbers AS regclass)) AS id FROM generate_series(1, CAST(:rows AS integer))",
            {"numbers": f"{self._schema}.messages_id_seq", "rows": len(rows)},
        )
        ids = sorted(row["id"] for row in drawn)
        numbered = [as_stored("messages", {**row, "id": id}) for row, id in zip(rows, ids, strict=True)]
        await insert_rows(self._connection, self._schema, "messages", numbered)
        return ids

    async def add_usage(self, keys: Cells, add: Mapping[str, float], put: Cells, at: float) -> None:
        table = "session_model_usage"
        number = await self._number_of_usage(keys)
        if number is None:
            row = {**keys, **add, **put, "first_seen": at, "last_seen": at}
            await insert_rows(self._connection, self._schema, table, [as_stored(table, row)])
            return
        before = await self._cells(table, number, tuple(add)) or {}
        sums = {name: added(cell, add[name]) for name, cell in before.items() if cell is not None}
        await self._put(table, number, as_stored(table, {**sums, **put, "last_seen": at}))

    async def _number_of_usage(self, keys: Cells) -> int | None:
        values = to_columns("session_model_usage", keys)
        values.pop(OTHERS, None)
        found = await self._connection.fetch_val(
            f"""
            SELECT number FROM {self._schema}.session_model_usage
            WHERE {" AND ".join(f"{name} = :{name}" for name in values)}
            """,
            values,
        )
        return None if found is None else int(found)

    async def measure(self, session_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        prefix = len(STRUCTURED_PREFIX.encode())
        rows = await self._connection.fetch_all(
            f"""
            SELECT session_id AS id, count(*) AS messages,
                   CAST(coalesce(sum(octet_length(content)), 0) + coalesce(sum(octet_length(tool_calls)), 0)
                        + {prefix} * count(*) FILTER (WHERE {STRUCTURED}) AS bigint) AS bytes,
                   array_agg({OTHERS}) FILTER (WHERE {OTHERS} IS NOT NULL) AS others
            FROM {self._schema}.messages WHERE session_id = ANY(CAST(:ids AS text[])) GROUP BY session_id
            """,
            {"ids": list(session_ids)},
        )
        return {row["id"]: (row["messages"], row["bytes"] + _size(row["others"] or ())) for row in rows}


def _size(others: Sequence[str]) -> int:
    """Bytes of the texts that their columns cannot hold."""
    rows = (decoded_cells(json.loads(cells)) for cells in others)
    return sum(size_of(row.get(name)) for row in rows for name in ("content", "tool_calls"))
