"""The bin of a store in PostgreSQL, in tables beside those that it keeps rows of."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from hermes_sessions.store_values import BinEntry
from hermes_sessions.stores.clock import DAY, earliest, latest
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.transactions import transaction
from hermes_sessions.stores.store_rows import Link

Connect = Callable[[], AbstractAsyncContextManager[Connection]]


class PostgresBin:
    """See `Bin`. `connect` gives a connection of its own, or that of the transaction that the bin is used in."""

    is_in_store = True

    def __init__(self, connect: Connect, schema: str, profile: str, days: int) -> None:
        self.days = days
        self._connect = connect
        self._schema = schema
        self._profile = profile

    def on(self, connection: Connection) -> PostgresBin:
        """The same bin, in a transaction."""

        @asynccontextmanager
        async def same() -> AsyncIterator[Connection]:
            yield connection

        return PostgresBin(same, self._schema, self._profile, self.days)

    def _oldest(self) -> float:
        return earliest() - self.days * DAY

    async def _remove_overdue(self, connection: Connection) -> None:
        """What was out of date a day ago already, when something else was deleted: a clock that is wrong for less than
        that costs nothing."""
        await connection.execute(
            f"""
            DELETE FROM {self._schema}.bin_entry WHERE CAST(:days AS integer) = 0 OR deleted_at < (
                SELECT max(later.deleted_at) FROM {self._schema}.bin_entry AS later WHERE later.deleted_at <= :yesterday
            ) - CAST(:days AS integer) * {DAY}
            """,
            {"days": self.days, "yesterday": earliest() - DAY},
        )

    async def until_free(self) -> None:
        """Nobody locks it as a whole."""

    @asynccontextmanager
    async def new_entry(
        self, title: str | None, session_ids: Sequence[str], size_bytes: int
    ) -> AsyncIterator[NewPostgresEntry]:
        async with self._connect() as connection, transaction(connection):
            entry = NewPostgresEntry(connection, self._schema, secrets.token_urlsafe(12))
            await connection.execute(
                f"""
                INSERT INTO {self._schema}.bin_entry (bin_id, title, session_ids, size_bytes, deleted_at)
                VALUES (:id, :title, :session_ids, :size, :now)
                """,
                {
                    "id": entry.bin_id,
                    "title": title,
                    "session_ids": list(session_ids),
                    "size": size_bytes,
                    "now": latest(),
                },
            )
            yield entry
            await connection.execute(
                f"UPDATE {self._schema}.bin_entry SET message_count = :messages WHERE bin_id = :id",
                {"id": entry.bin_id, "messages": entry.messages},
            )

    @asynccontextmanager
    async def deleting(self, bin_id: str | None, session_ids: Sequence[str]) -> AsyncIterator[None]:
        """Where the deletion fails, all of its transaction is taken back, with what is written here."""
        async with self._connect() as connection:
            await self._remove_overdue(connection)
            await connection.execute(
                f"""
                INSERT INTO {self._schema}.deleted_id SELECT id, :now FROM unnest(CAST(:ids AS text[])) AS gone (id)
                ON CONFLICT (session_id) DO UPDATE SET deleted_at = excluded.deleted_at
                """,
                {"now": latest(), "ids": list(session_ids)},
            )
        yield

    @asynccontextmanager
    async def kept_open(self) -> AsyncIterator[None]:
        """It always is: its questions go through the transaction that changes the store."""
        yield

    async def was_deleted(self, session_id: str) -> bool:
        return bool(await self.deleted_among([session_id]))

    async def deleted_among(self, session_ids: Sequence[str]) -> set[str]:
        if not session_ids:
            return set()
        rows = await self._all(
            f"SELECT session_id FROM {self._schema}.deleted_id WHERE session_id = ANY(CAST(:ids AS text[]))",
            ids=list(session_ids),
        )
        return {row["session_id"] for row in rows}

    async def holds(self, session_id: str) -> bool:
        found = await self._all(
            f"""
            SELECT 1 FROM {self._schema}.bin_entry
            WHERE deleted_at >= :oldest AND :id = ANY(session_ids) LIMIT 1
            """,
            oldest=self._oldest(),
            id=session_id,
        )
        return bool(found)

    async def entries(self, limit: int, bin_id: str | None = None) -> list[BinEntry]:
        rows = await self._all(
            f"""
            SELECT * FROM {self._schema}.bin_entry
            WHERE (CAST(:id AS text) IS NULL OR bin_id = :id) AND deleted_at >= :oldest
            ORDER BY deleted_at DESC, bin_id LIMIT :limit
            """,
            id=bin_id,
            oldest=self._oldest(),
            limit=limit,
        )
        return [self._entry(row) for row in rows]

    def _entry(self, row: Any) -> BinEntry:
        return BinEntry(
            bin_id=row["bin_id"],
            profile=self._profile,
            title=row["title"],
            session_ids=row["session_ids"],
            message_count=row["message_count"],
            size_bytes=row["size_bytes"],
            deleted_at=row["deleted_at"],
            expires_at=row["deleted_at"] + self.days * DAY,
        )

    async def count_messages(self, bin_id: str, session_ids: Sequence[str]) -> int:
        """PostgreSQL reads no JSON with a NUL, which other cells than the one that is asked for may have."""
        [row] = await self._all(
            f"""
            SELECT count(*) AS messages FROM {self._schema}.bin_row
            WHERE bin_id = :id AND table_name = 'messages'
              AND CAST(replace(cells, '\\u0000', '\\u0020') AS json) ->> 'session_id' = ANY(CAST(:ids AS text[]))
            """,
            id=bin_id,
            ids=list(session_ids),
        )
        return int(row["messages"])

    async def sizes(self, bin_id: str, table: str) -> list[tuple[int, int]]:
        rows = await self._all(
            f"""
            SELECT number, octet_length(cells) AS size FROM {self._schema}.bin_row
            WHERE bin_id = :id AND table_name = :table ORDER BY number
            """,
            id=bin_id,
            table=table,
        )
        return [(row["number"], row["size"]) for row in rows]

    async def rows(self, bin_id: str, table: str, numbers: Sequence[int]) -> list[str]:
        rows = await self._all(
            f"""
            SELECT cells FROM {self._schema}.bin_row
            WHERE bin_id = :id AND table_name = :table AND number = ANY(CAST(:numbers AS bigint[])) ORDER BY number
            """,
            id=bin_id,
            table=table,
            numbers=list(numbers),
        )
        return [row["cells"] for row in rows]

    async def links(self, bin_id: str) -> list[Link]:
        rows = await self._all(
            f"SELECT child_id, parent_id FROM {self._schema}.bin_link WHERE bin_id = :id ORDER BY child_id", id=bin_id
        )
        return [Link(row["child_id"], row["parent_id"]) for row in rows]

    async def forget(self, bin_id: str | None, restored_ids: Sequence[str]) -> None:
        async with self._connect() as connection, transaction(connection):
            await connection.execute(f"DELETE FROM {self._schema}.bin_entry WHERE bin_id = :id", {"id": bin_id})
            await connection.execute(
                f"DELETE FROM {self._schema}.deleted_id WHERE session_id = ANY(CAST(:ids AS text[]))",
                {"ids": list(restored_ids)},
            )

    async def _all(self, sql: str, **values: Any) -> list[Any]:
        async with self._connect() as connection:
            return await connection.fetch_all(sql, values)


class NewPostgresEntry:
    """An entry being filled."""

    def __init__(self, connection: Connection, schema: str, bin_id: str) -> None:
        self.bin_id = bin_id
        self.messages = 0
        self._connection = connection
        self._schema = schema
        self._number = 0

    async def add_rows(self, table: str, cells: Sequence[str]) -> None:
        await self._connection.execute(
            f"""
            INSERT INTO {self._schema}.bin_row (bin_id, number, table_name, cells)
            SELECT :id, :before + row.number, :table, row.cells
            FROM unnest(CAST(:cells AS text[])) WITH ORDINALITY AS row (cells, number)
            """,
            {"id": self.bin_id, "before": self._number, "table": table, "cells": list(cells)},
        )
        self._number += len(cells)
        self.messages += len(cells) if table == "messages" else 0

    async def add_links(self, links: Sequence[Link]) -> None:
        await self._connection.execute(
            f"""
            INSERT INTO {self._schema}.bin_link (bin_id, child_id, parent_id)
            SELECT :id, link.child, link.parent
            FROM unnest(CAST(:children AS text[]), CAST(:parents AS text[])) AS link (child, parent)
            """,
            {
                "id": self.bin_id,
                "children": [link.child_id for link in links],
                "parents": [link.parent_id for link in links],
            },
        )
