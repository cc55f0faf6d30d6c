"""Rows without any loss, a page at a time: what exports are made of."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_sessions.model.export.rows import Row, RowPage, Table
from hermes_sessions.stores.cells import encoded_cell
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.exact import PAGE_BYTES, PAGE_ROWS
from hermes_sessions.stores.postgres.cells import COLUMNS, OTHERS, Kind, all_cells, whole_row

PLACES = {
    Table.SESSIONS: ("id", "number"),
    Table.USAGE: ("session_id", "number"),
    Table.MESSAGES: ("session_id", "id"),
}
"""By table: the column that names the session, and the number that rows are told apart and ordered by."""


async def exact_rows(
    connection: Connection, schema: str, table: Table, session_ids: Sequence[str], after: int
) -> RowPage:
    """At most 150 rows, and at most 1 MB unless it is one row."""
    key, number = PLACES[table]
    chosen = f"{schema}.{table.value} WHERE {key} = ANY(CAST(:ids AS text[])) AND {number} > :after"
    sizes = await connection.fetch_all(
        f"SELECT {number} AS number, {size_sql(table)} AS size FROM {chosen} ORDER BY {number} LIMIT {PAGE_ROWS}",
        {"ids": list(session_ids), "after": after},
    )
    numbers: list[int] = []
    held = 0
    for row in sizes:
        held += row["size"]
        if numbers and held > PAGE_BYTES:
            break
        numbers.append(row["number"])
    return RowPage(
        await rows_numbered(connection, schema, table, numbers) if numbers else (), numbers[-1] if numbers else None
    )


async def rows_numbered(connection: Connection, schema: str, table: Table, numbers: Sequence[int]) -> list[Row]:
    """In the order of their numbers."""
    number = PLACES[table][1]
    rows = await connection.fetch_all(
        f"""
        SELECT {whole_row(table.value)} FROM {schema}.{table.value}
        WHERE {number} = ANY(CAST(:numbers AS bigint[])) ORDER BY {number}
        """,
        {"numbers": list(numbers)},
    )
    return [{name: encoded_cell(cell) for name, cell in sorted(all_cells(table.value, row).items())} for row in rows]


def size_sql(table: Table) -> str:
    texts = [name for name, kind in COLUMNS[table.value].items() if kind is Kind.TEXT]
    return " + ".join(f"coalesce(octet_length({name}), 0)" for name in (*texts, OTHERS))
