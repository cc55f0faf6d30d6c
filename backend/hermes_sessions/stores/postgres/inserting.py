"""Rows into the tables, many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.backend import translating
from hermes_sessions.stores.postgres.cells import to_columns
from hermes_sessions.stores.postgres.words import WORDS, row_words

COPY_SECONDS = 60.0


async def insert_rows(connection: Connection, schema: str, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """In their order, each with its cells as SQLite has them. A statement for those that follow each other and have the
    same columns: PostgreSQL copies them about ten times as fast as it inserts them one by one."""
    raw = connection.raw_connection
    for names, records in await asyncio.to_thread(_records, table, rows):
        with translating(COPY_SECONDS):
            await raw.copy_records_to_table(
                table, schema_name=schema, columns=names, records=records, timeout=COPY_SECONDS
            )


def _records(table: str, rows: Iterable[Mapping[str, Any]]) -> list[tuple[list[str], list[tuple[Any, ...]]]]:
    """Names of columns, and the rows after each other that have them."""
    groups = groupby((_values(table, row) for row in rows), key=list)
    return [(names, [tuple(values.values()) for values in alike]) for names, alike in groups]


def _values(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    values = to_columns(table, row)
    if table == "messages":
        values[WORDS] = row_words(row)
    return values
