"""Whether a store in PostgreSQL can be used, and a sentence where it cannot."""

from __future__ import annotations

from typing import Any

from hermes_sessions.store_values import StoreState, StoreStatus
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.catalogue import version_of
from hermes_sessions.stores.postgres.cells import COLUMNS
from hermes_sessions.stores.postgres.migrating import migrations

TABLES = frozenset({"store", "gone", "migrations", *COLUMNS})
SIZE = "CAST(coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) AS bigint)"
"""In SQL: bytes of the chosen tables, what their rows keep elsewhere and their indexes included."""


def of_schema(kinds: str) -> str:
    """SQL for the tables (r, p, m) or indexes (i) of `:schema`."""
    return f"""
        FROM pg_class WHERE pg_class.relkind = ANY(CAST('{{{kinds}}}' AS "char"[]))
        AND pg_class.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = :schema)
    """


async def store_state(connection: Connection, schema: str, *, read_only: bool) -> StoreState:
    """Raises what the server refuses."""
    found = await connection.fetch_one(
        f"""
        SELECT array_agg(CAST(pg_class.relname AS text)) AS tables, {SIZE} AS size_bytes,
               bool_or(pg_class.relname = 'store' AND has_table_privilege(pg_class.oid, 'UPDATE')) AS writes,
               pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS only_reads
        {of_schema("r,p,m")}
        """,
        {"schema": schema},
    )
    tables, size = set(found["tables"] or ()), found["size_bytes"]
    if "migrations" not in tables:
        return _unsupported("The database has no tables for this profile. Run `hermes-sessions migrate`.")
    missing = await missing_steps(connection, schema)
    if missing:
        return _unsupported(
            f"The store is of an earlier version and lacks {', '.join(missing)}. Run `hermes-sessions migrate`.", size
        )
    lost = sorted(TABLES - tables)
    if lost:
        return _unsupported(f"The store has lost its tables {', '.join(lost)}. Restore the database.", size)
    await version_of(connection, schema)
    reason = "The server runs with --read-only." if read_only else _why_not_written(found)
    return StoreState(StoreStatus.READY if reason is None else StoreStatus.READ_ONLY, reason, size)


async def missing_steps(connection: Connection, schema: str) -> list[str]:
    """Steps that this version knows and nobody has made. Those of a later version do no harm: while servers are
    replaced one by one, the tables are ahead of some of them."""
    rows = await connection.fetch_all(f"SELECT number FROM {schema}.migrations")
    made = {row["number"] for row in rows}
    return [f"step {step.number}, {step.name.replace('_', ' ')}" for step in migrations() if step.number not in made]


def _why_not_written(found: Any) -> str | None:
    if found["is_standby"]:
        return "The database server is a standby, which only reads; changes are refused until it takes over."
    if found["only_reads"]:
        return "The database is set to only read (default_transaction_read_only); changes are refused."
    if not found["writes"]:
        return "The database user may only read this store; changes are refused."
    return None


def _unsupported(reason: str, size: int | None = None) -> StoreState:
    return StoreState(StoreStatus.UNSUPPORTED, reason, size)
