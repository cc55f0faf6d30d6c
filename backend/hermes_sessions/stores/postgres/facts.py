"""The facts of `model/health/facts.py` as PostgreSQL tells them."""

from __future__ import annotations

from typing import Any

from hermes_sessions.model.health.facts import IndexState, Part, Place, RowFacts, SearchIndex, StoreHealth
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.health.facts import MOST_IDS
from hermes_sessions.stores.postgres.status import SIZE, of_schema


async def place(connection: Connection, schema: str) -> Place:
    size = await connection.fetch_val(f"SELECT {SIZE} AS size_bytes {of_schema('r,p,m')}", {"schema": schema})
    return Place(file_bytes=size)


async def store_health(connection: Connection, schema: str) -> StoreHealth:
    """The version is the number of the last step that was made."""
    version = await connection.fetch_val(f"SELECT max(number) FROM {schema}.migrations")
    where = await place(connection, schema)
    page_bytes = await connection.fetch_val("SELECT CAST(current_setting('block_size') AS integer)")
    return StoreHealth(
        schema_version=version,
        place=where,
        page_bytes=page_bytes,
        page_count=(where.file_bytes or 0) // page_bytes,
    )


async def row_facts(connection: Connection, schema: str) -> RowFacts:
    """Inside a transaction that sees one moment. Counted anew: what triggers keep is compared by `damages`."""
    counts = await connection.fetch_one(
        f"""
        SELECT (SELECT count(*) FROM {schema}.sessions) AS sessions,
               (SELECT count(*) FROM {schema}.messages) AS messages,
               (SELECT count(*) FROM {schema}.session_model_usage) AS usage
        """
    )
    orphans = await _orphans(connection, schema, "messages")
    orphan_usage = await _orphans(connection, schema, "session_model_usage")
    lost = sorted({row["session_id"] for row in [*orphans, *orphan_usage]})
    return RowFacts(
        sessions=counts["sessions"],
        messages=counts["messages"],
        usage=counts["usage"],
        orphan_messages=sum(row["row_count"] for row in orphans),
        orphan_usage=sum(row["row_count"] for row in orphan_usage),
        orphan_session_ids=lost[:MOST_IDS],
    )


async def _orphans(connection: Connection, schema: str, table: str) -> list[Any]:
    return await connection.fetch_all(
        f"""
        SELECT own.session_id AS session_id, count(*) AS row_count FROM {schema}.{table} AS own
        WHERE NOT EXISTS (SELECT 1 FROM {schema}.sessions WHERE sessions.id = own.session_id)
        GROUP BY own.session_id
        """
    )


async def parts(connection: Connection, schema: str) -> list[Part]:
    """Every table, with what its long rows keep elsewhere, and every index, largest first."""
    rows = await connection.fetch_all(
        f"""
        SELECT CAST(pg_class.relname AS text) AS name, pg_class.relkind = 'i' AS is_index,
               pg_table_size(pg_class.oid) AS size_bytes
        {of_schema("r,m,i")} ORDER BY size_bytes DESC, name
        """,
        {"schema": schema},
    )
    return [Part(row["name"], row["is_index"], row["size_bytes"]) for row in rows]


async def search_indexes(connection: Connection, schema: str) -> list[SearchIndex]:
    """Those for words and parts of words (GIN). PostgreSQL keeps an index complete from when it is valid."""
    rows = await connection.fetch_all(
        f"""
        SELECT CAST(pg_class.relname AS text) AS name,
               (SELECT indisvalid FROM pg_index WHERE indexrelid = pg_class.oid) AS is_valid
        {of_schema("i")} AND pg_class.relam = (SELECT oid FROM pg_am WHERE amname = 'gin') ORDER BY name
        """,
        {"schema": schema},
    )
    return [SearchIndex(row["name"], IndexState.OK if row["is_valid"] else IndexState.BUILDING) for row in rows]
