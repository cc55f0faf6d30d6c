"""Every usage row of a store, followed from commit to commit: as in `seen.py`, SQLite finds what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hermes_sessions.model.usage import UsageTable
from hermes_sessions.model.values import text
from hermes_sessions.stores.columns import Columns, read_columns
from hermes_sessions.stores.database import Connection, LiveDatabase
from hermes_sessions.stores.details import USAGE_COLUMNS, model_usage_from_row
from hermes_sessions.stores.seen import in_parts
from hermes_sessions.stores.sqlite.at_once import at_once

PREPARE = f"""
    PRAGMA temp_store = MEMORY;
    CREATE TEMP TABLE seen_usage (row INTEGER PRIMARY KEY, {", ".join(USAGE_COLUMNS)});
    CREATE TEMP TABLE fresh_usage (row INTEGER PRIMARY KEY, {", ".join(USAGE_COLUMNS)});
    CREATE TEMP TABLE gone_usage (row INTEGER PRIMARY KEY);
    CREATE TEMP TABLE touched (session_id);
"""
# A row may go over to another session: both are touched.
_TOUCH = """
    INSERT INTO gone_usage SELECT seen.row FROM seen_usage AS seen
        LEFT JOIN session_model_usage AS now ON now.rowid = seen.row WHERE now.session_id IS NULL;
    INSERT INTO touched
        SELECT session_id FROM fresh_usage
        UNION SELECT session_id FROM seen_usage WHERE row IN (SELECT row FROM fresh_usage)
        UNION SELECT session_id FROM seen_usage WHERE row IN (SELECT row FROM gone_usage)
"""
_REMEMBER = """
    DELETE FROM seen_usage WHERE row IN (SELECT row FROM gone_usage);
    INSERT OR REPLACE INTO seen_usage SELECT * FROM fresh_usage;
    DELETE FROM gone_usage;
    DELETE FROM fresh_usage
"""


class UsageRows:
    """The latest table, and what the one connection of `reader` remembers of it, in its temporary tables."""

    def __init__(self, reader: LiveDatabase) -> None:
        self._reader = reader
        self._known: tuple[int, Columns] | None = None
        self._table = UsageTable()

    async def read(self) -> UsageTable:
        """The table as it is now: the same one, where nothing has changed in it."""
        async with self._reader.connection() as connection:
            return await at_once(connection, self._read)

    async def _read(self, connection: Connection) -> UsageTable:
        await connection.execute("BEGIN")
        columns = await read_columns(connection)  # the first read fixes the snapshot of the transaction
        now = (connection.raw_connection.generation, columns)
        if not columns.has("session_model_usage", "session_id"):
            return UsageTable()
        known, self._known = self._known, None  # what was seen by a reading that fails, nobody knows
        if known == now:
            self._table = await _followed(connection, columns, self._table)
        else:
            self._table = await _read_anew(connection, columns)
        await connection.execute("COMMIT")
        self._known = now
        return self._table


async def _read_anew(connection: Connection, columns: Columns) -> UsageTable:
    await connection.execute(
        f"PRAGMA query_only = OFF; DELETE FROM seen_usage; INSERT INTO seen_usage {_rows_sql(columns)}"
    )
    table = UsageTable()
    await in_parts(connection, "SELECT * FROM seen_usage ORDER BY row", lambda rows: _add(table, rows))
    return table


async def _followed(connection: Connection, columns: Columns, before: UsageTable) -> UsageTable:
    present = [name for name in USAGE_COLUMNS if columns.has("session_model_usage", name)]
    differs = " OR ".join(f"now.{name} COLLATE BINARY IS NOT seen.{name}" for name in present)
    fresh = f"""
        SELECT now.* FROM ({_rows_sql(columns)}) AS now LEFT JOIN seen_usage AS seen ON seen.row = now.row
        WHERE seen.row IS NULL OR {differs}
    """
    await connection.execute(f"PRAGMA query_only = OFF; INSERT INTO fresh_usage {fresh}; {_TOUCH}")
    touched = {text(row["session_id"]) or "" for row in await connection.fetch_all("SELECT session_id FROM touched")}
    if not touched:
        return before
    await connection.execute(_REMEMBER)
    table = before.without(touched)
    theirs = "SELECT * FROM seen_usage WHERE session_id IN (SELECT session_id FROM touched) ORDER BY row"
    await in_parts(connection, theirs, lambda rows: _add(table, rows))
    await connection.execute("DELETE FROM touched")
    return table


def _rows_sql(columns: Columns) -> str:
    return f"""
        SELECT session_model_usage.rowid AS row, {columns.select("session_model_usage", USAGE_COLUMNS)}
        FROM session_model_usage WHERE session_model_usage.session_id IS NOT NULL
    """


def _add(table: UsageTable, rows: Sequence[Any]) -> None:
    for row in rows:
        table.setdefault(text(row["session_id"]) or "", []).append(model_usage_from_row(row))
