"""A reading of the whole store that finds what is damaged."""

from __future__ import annotations

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.values import text
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.health.search_indexes import has_known_tokenizer
from hermes_sessions.stores.sqlite.worker import statement_timeout

MOST_DAMAGES = 20


async def damages(connection: Connection, seconds: float) -> list[str]:
    """What is damaged, in SQLite's words, at most 20 sentences; empty when the store is sound.

    Raises TIMEOUT when `seconds` are over.
    """
    token = statement_timeout.set(seconds)
    try:
        return await _checked(connection, f"PRAGMA quick_check({MOST_DAMAGES})")
    except HermesSessionsError as error:
        if error.code not in (ErrorCode.UNSUPPORTED_STORE, ErrorCode.INTERNAL):
            raise
        return await _by_table(connection)  # one of them cannot be opened, and ended the check of all
    finally:
        statement_timeout.reset(token)


async def _by_table(connection: Connection) -> list[str]:
    """Leaves out the index whose tokenizer only Hermes has: its tables are among those that are read."""
    tables = await connection.fetch_all(
        "SELECT entries.name AS name, entries.sql AS sql FROM sqlite_master AS entries WHERE entries.type = 'table'"
    )
    found: list[str] = []
    for row in tables:
        if has_known_tokenizer(text(row["sql"]) or ""):
            quoted = row["name"].replace("'", "''")
            try:
                found += await _checked(connection, f"PRAGMA quick_check('{quoted}')")
            except HermesSessionsError as error:
                if error.code not in (ErrorCode.UNSUPPORTED_STORE, ErrorCode.INTERNAL):
                    raise
                found.append(f"{row['name']} cannot be opened.")
    return found[:MOST_DAMAGES]


async def _checked(connection: Connection, check: str) -> list[str]:
    try:
        rows = await connection.fetch_all(check)
    except HermesSessionsError as error:
        if error.code is not ErrorCode.STORE_DAMAGED:
            raise
        return [error.message]
    return [text(row[0]) or "" for row in rows if row[0] != "ok"]
