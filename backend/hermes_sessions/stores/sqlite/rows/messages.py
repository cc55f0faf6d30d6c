"""Rows of `messages` and `session_model_usage` in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.writing.forking import Turn, turn
from hermes_sessions.stores.cells import insert_row
from hermes_sessions.stores.columns import KNOWN_MESSAGE_COLUMNS
from hermes_sessions.stores.names import quoted
from hermes_sessions.stores.sqlite.merging import written_indexes
from hermes_sessions.stores.sqlite.rows.base import RowsBase
from hermes_sessions.stores.store_rows import NOT_COPIED, Cells

ROWS_AT_ONCE = 10
"""Fewer statements hold the write lock for a shorter time, as long as binding their values costs less than they do."""


class SqliteMessageRows(RowsBase):
    """See `MessageRows`."""

    async def refuse_messages(self) -> None:
        """Raises UNSUPPORTED_STORE where a trigger would write to a full-text table that this SQLite cannot open."""
        for name in await written_indexes(self._connection):
            try:
                # Only a search makes SQLite look for the tokenizer.
                index = quoted(name)
                await self._connection.fetch_one(f"SELECT rowid FROM {index} WHERE {index} MATCH 'a' LIMIT 1")
            except HermesSessionsError as error:
                if error.code is not ErrorCode.UNSUPPORTED_STORE:
                    raise
                raise HermesSessionsError(
                    ErrorCode.UNSUPPORTED_STORE,
                    f"The store's full-text table {name} needs a tokenizer that this server does not have, so "
                    "messages cannot be changed. Renaming and archiving work; for the rest use Hermes itself.",
                ) from None

    async def live_turns(self, session_id: str) -> list[Turn]:
        live = "(messages.active IS NULL OR messages.active <> 0)" if self.has("messages", "active") else "1"
        names = ("id", "role", "tool_calls", "tool_call_id")
        rows = await self._connection.fetch_all(
            f"""
            SELECT {self._columns.select("messages", names)} FROM messages
            WHERE messages.session_id = :id AND {live} ORDER BY messages.id
            """,
            {"id": session_id},
        )
        return [turn(row["id"], row["role"], row["tool_calls"], row["tool_call_id"]) for row in rows]

    async def copy_messages(self, message_ids: Sequence[int], session_id: str) -> None:
        names = sorted((self._columns.of("messages") & KNOWN_MESSAGE_COLUMNS) - NOT_COPIED)
        selected = ", ".join(f'messages."{name}"' for name in names)
        await self._connection.execute(
            f"""
            INSERT INTO messages (session_id, {", ".join(f'"{name}"' for name in names)})
            SELECT :session, {selected} FROM messages
            WHERE messages.id IN (SELECT value FROM json_each(:ids)) ORDER BY messages.id
            """,
            {"session": session_id, "ids": json.dumps(list(message_ids))},
        )

    async def known_messages(self, session_ids: Sequence[str], client_ids: Sequence[str]) -> dict[str, int]:
        rows = await self._connection.fetch_all(
            """
            SELECT messages.id AS id, messages.platform_message_id AS client_id
            FROM json_each(:chain) AS chain JOIN messages ON messages.session_id = chain.value
            WHERE messages.platform_message_id IN (SELECT value FROM json_each(:client_ids)) ORDER BY messages.id
            """,
            {"chain": json.dumps(list(session_ids)), "client_ids": json.dumps(list(client_ids))},
        )
        return {row["client_id"]: row["id"] for row in rows}

    async def insert_messages(self, rows: Sequence[Cells]) -> list[int]:
        names = self._present("messages", rows[0]) if rows else []
        numbers: list[int] = []
        for start in range(0, len(rows), ROWS_AT_ONCE):
            batch = rows[start : start + ROWS_AT_ONCE]
            places = ", ".join(f"({', '.join(f':{name}_{at}' for name in names)})" for at in range(len(batch)))
            inserted = await self._connection.fetch_all(
                f"INSERT INTO messages ({', '.join(names)}) VALUES {places} RETURNING id",
                {f"{name}_{at}": row[name] for at, row in enumerate(batch) for name in names},
            )
            numbers += sorted(row["id"] for row in inserted)
        return numbers

    async def add_usage(self, keys: Cells, add: Mapping[str, float], put: Cells, at: float) -> None:
        table = "session_model_usage"
        keys, add, put = ({name: part[name] for name in self._present(table, part)} for part in (keys, add, put))
        seen = dict.fromkeys(self._present(table, ("first_seen", "last_seen")), at)
        changes = [f"{name} = {name} + :{name}" for name in add]
        changes += [f"{name} = :{name}" for name in (*put, *seen) if name != "first_seen"]
        found = await self._connection.fetch_all(
            f"UPDATE {table} SET {', '.join(changes)}"
            f" WHERE {' AND '.join(f'{name} = :{name}' for name in keys)} RETURNING session_id",
            {name: value for name, value in {**keys, **add, **put, **seen}.items() if name != "first_seen"},
        )
        if not found:
            await insert_row(self._connection, table, {**keys, **add, **put, **seen})

    async def measure(self, session_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        rows = await self._connection.fetch_all(
            """
            SELECT chosen.value AS id, count(*) AS messages,
                   coalesce(sum(octet_length(messages.content)), 0)
                   + coalesce(sum(octet_length(messages.tool_calls)), 0) AS bytes
            FROM json_each(:ids) AS chosen JOIN messages ON messages.session_id = chosen.value GROUP BY chosen.value
            """,
            {"ids": json.dumps(list(session_ids))},
        )
        return {row["id"]: (row["messages"], row["bytes"]) for row in rows}
