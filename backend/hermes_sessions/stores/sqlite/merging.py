"""Full-text indexes of FTS5 in which nothing is left of deleted messages.

A deletion adds a mark to an index, and merging takes the mark and the words away. A message that comes back under its
id adds its words behind the mark. SQLite from 3.44 on keeps of both, when it merges them, the words alone; before, it
kept a mark with them, and took words without one for the first of their id. So when the message is deleted again and
such an SQLite, as many a Hermes has, merges that, it drops the new mark, and the oldest words stay for ever:
FTS5's integrity-check fails. Where no mark is left when a message comes back, both agree.
"""

from __future__ import annotations

import math

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.names import quoted
from hermes_sessions.stores.sqlite.worker import statement_timeout

MOST_PAGES = 10_000
"""Of an index that is merged: 40 MB, which takes less than a second. Hermes itself merges indexes of any size after
every 1,000 of its writes."""
MERGE_SECONDS = 60.0
"""For one on the slowest disk. What is stopped before takes the whole restoration with it."""


async def written_indexes(connection: Connection) -> list[str]:
    """Names of the full-text tables that triggers of `messages` write to."""
    rows = await connection.fetch_all(
        """
        SELECT DISTINCT fts.name AS name FROM sqlite_master AS fts JOIN sqlite_master AS trigger
          ON trigger.type = 'trigger' AND trigger.tbl_name = 'messages' AND instr(trigger.sql, fts.name) > 0
        WHERE fts.type = 'table' AND fts.sql LIKE 'CREATE VIRTUAL TABLE%'
        """
    )
    return [row["name"] for row in rows]


async def merge_indexes(connection: Connection) -> None:
    """Great ones are left alone, since it would take too long, and damaged ones, since it cannot be done."""
    token = statement_timeout.set(MERGE_SECONDS)
    try:
        await _merge(connection)
    finally:
        statement_timeout.reset(token)


async def _merge(connection: Connection) -> None:
    for name in await written_indexes(connection):
        try:
            if await _pages(connection, name) <= MOST_PAGES:
                await connection.execute(f"INSERT INTO {quoted(name)} ({quoted(name)}) VALUES ('optimize')")
        except HermesSessionsError as error:
            if error.code is not ErrorCode.STORE_DAMAGED:
                raise


async def _pages(connection: Connection, index: str) -> float:
    """By the table that FTS5 has beside its own; without one the index is no such, or not whole."""
    list_of_pages = f"{index}_idx"
    found = await connection.fetch_val("SELECT 1 FROM sqlite_master WHERE name = :name", {"name": list_of_pages})
    return float(await connection.fetch_val(f"SELECT count(*) FROM {quoted(list_of_pages)}")) if found else math.inf
