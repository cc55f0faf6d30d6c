"""A reading of the whole store that finds what is damaged: rows that contradict each other."""

from __future__ import annotations

from hermes_sessions.stores.database import Connection

MOST_NAMED = 5

_COUNTS = ("row_count", "live", "compacted", "last_id")
_COUNTS_DIFFER = " OR ".join(f"sessions.{name} <> coalesce(said.{name}, 0)" for name in _COUNTS)

# Each gives the names of what is wrong, for a sentence about their number. Sums of floats depend on their order.
_CHECKS = (
    (
        f"""
        SELECT sessions.id AS name FROM {{schema}}.sessions
        LEFT JOIN {{schema}}.activity AS said ON said.session_id = sessions.id
        WHERE {_COUNTS_DIFFER} OR sessions.newest IS DISTINCT FROM said.newest
           OR abs(sessions.live_ids - coalesce(said.live_ids, 0)) > 1e-9 * abs(sessions.live_ids)
        """,
        "Sessions that do not have the counts of their messages: {}.",
    ),
    (
        """
        SELECT sessions.id AS name FROM {schema}.sessions, {schema}.store
        WHERE greatest(sessions.revision, sessions.usage_revision) > store.revision
        """,
        "Sessions of a later revision than the store, whose next changes would go unseen: {}.",
    ),
    (
        "SELECT CAST(id AS text) AS name FROM {schema}.messages GROUP BY id HAVING count(*) > 1",
        "Ids that several messages have: {}.",
    ),
    *(
        (
            f"""
            SELECT DISTINCT own.session_id AS name FROM {{schema}}.{table} AS own
            WHERE NOT EXISTS (SELECT 1 FROM {{schema}}.sessions WHERE sessions.id = own.session_id)
            """,
            f"Sessions that do not exist and have {what}: {{}}.",
        )
        for table, what in (("messages", "messages"), ("session_model_usage", "usage rows"))
    ),
    (
        """
        SELECT CAST(pg_class.relname AS text) || '.' || tgname AS name FROM pg_trigger
        JOIN pg_class ON pg_class.oid = pg_trigger.tgrelid
        WHERE pg_class.relnamespace = CAST('{schema}' AS regnamespace) AND NOT tgisinternal AND tgenabled = 'D'
        """,
        "Triggers that are switched off, so that changes are not counted: {}.",
    ),
)


async def damages(connection: Connection, schema: str) -> list[str]:
    """A sentence for each sort of damage; empty when the store is sound. Each check sees one moment.

    Raises TIMEOUT when the connection's limit is over.
    """
    found: list[str] = []
    for sql, words in _CHECKS:
        row = await connection.fetch_one(
            f"""
            SELECT count(*) AS number, (array_agg(wrong.name ORDER BY wrong.name))[1:{MOST_NAMED}] AS names
            FROM ({sql.format(schema=schema)}) AS wrong
            """
        )
        if row["number"]:
            found.append(words.format(_listed(row["names"], row["number"])))
    return found


def _listed(names: list[str], number: int) -> str:
    more = number - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")
