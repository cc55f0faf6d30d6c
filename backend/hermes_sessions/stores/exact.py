"""Rows without any loss, a page at a time: what exports are made of."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.stores.cells import encoded_cells, exact_select
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.names import quoted

PAGE_ROWS = 150
PAGE_BYTES = 1_000_000

KEYS = {Table.SESSIONS: "id", Table.USAGE: "session_id", Table.MESSAGES: "session_id"}


async def exact_rows(
    connection: Connection, columns: Columns, table: Table, session_ids: Sequence[str], after: int
) -> RowPage:
    """At most 150 rows, and at most 1 MB unless it is one row. A table that the store lacks has none."""
    names = sorted(columns.of(table.value))
    if not names:
        return RowPage((), None)
    numbers = await _numbers(connection, names, table, session_ids, after)
    rows = await connection.fetch_all(
        f'SELECT {exact_select(names)} FROM "{table.value}"'
        " WHERE rowid IN (SELECT value FROM json_each(:rows)) ORDER BY rowid",
        {"rows": json.dumps(numbers)},
    )
    return RowPage([encoded_cells(row, names) for row in rows], numbers[-1] if numbers else None)


async def _numbers(
    connection: Connection, names: Sequence[str], table: Table, session_ids: Sequence[str], after: int
) -> list[int]:
    """The rowids of the page. The unary plus keeps SQLite on the index of the sessions."""
    size = " + ".join(f"coalesce(octet_length({name}), 0)" for name in map(quoted, names))
    found = await connection.fetch_all(
        f"""
        SELECT rowid AS number, {size} AS size FROM "{table.value}" WHERE rowid IN (
            SELECT rowid FROM "{table.value}"
            WHERE {KEYS[table]} IN (SELECT value FROM json_each(:ids)) AND +rowid > :after
            ORDER BY +rowid LIMIT :rows
        ) ORDER BY rowid
        """,
        {"ids": json.dumps(list(session_ids)), "after": after, "rows": PAGE_ROWS},
    )
    numbers: list[int] = []
    held = 0
    for row in found:
        held += row["size"]
        if numbers and held > PAGE_BYTES:
            break
        numbers.append(row["number"])
    return numbers
