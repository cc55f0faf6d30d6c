"""Every usage row of a store, followed from commit to commit: a change of a row has touched its session."""

from __future__ import annotations

from hermes_sessions.model.usage import UsageTable
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres import details
from hermes_sessions.stores.postgres.catalogue import version_of


class UsageRows:
    """The latest table, and the version of the store that it is of."""

    def __init__(self, schema: str) -> None:
        self._schema = schema
        self._version = ("", -1)
        self._table = UsageTable()

    async def read(self, connection: Connection) -> UsageTable:
        """Inside a transaction that sees one moment: the table as it is then, the same one where nothing has changed in
        it. Rows that a session left behind when it was deleted may still be there once they are gone, too."""
        known, before = self._version, self._table
        version = await version_of(connection, self._schema)
        if version[0] == known[0] and version[1] >= known[1]:
            table = await _followed(connection, self._schema, known[1], before)
        else:
            table = UsageTable(await details.all_usage(connection, self._schema))
        self._version, self._table = version, table
        return table


async def _followed(connection: Connection, schema: str, revision: int, before: UsageTable) -> UsageTable:
    rows = await connection.fetch_all(
        f"""
        SELECT id FROM {schema}.sessions WHERE revision > :revision AND usage_revision > :revision
        UNION SELECT session_id FROM {schema}.gone WHERE revision > :revision
        """,
        {"revision": revision},
    )
    touched = {row["id"] for row in rows}
    if not touched:
        return before
    table = before.without(touched)
    table.update(await details.usage_by_model(connection, schema, sorted(touched)))
    return table
