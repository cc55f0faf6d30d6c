"""What a backend of `databases` is handed: SQL text with `:name` in it, wrapped by SQLAlchemy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from databases.interfaces import ConnectionBackend, Record
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.elements import TextClause

Bindings = dict[str, Any]


class TextConnection(ConnectionBackend):
    """What all connections do alike: everything is fetched."""

    async def fetch_one(self, query: ClauseElement) -> Record | None:
        rows = await self.fetch_all(query)
        return rows[0] if rows else None

    async def fetch_val(self, query: ClauseElement, column: Any = 0) -> Any:
        row = await self.fetch_one(query)
        return None if row is None else row[column]

    async def execute(self, query: ClauseElement) -> None:
        """Runs the statement. For counts and new ids use RETURNING and fetch_all."""
        await self.fetch_all(query)

    async def execute_many(self, queries: Sequence[ClauseElement]) -> None:
        for query in queries:
            await self.fetch_all(query)


def plain_statement(query: ClauseElement) -> tuple[str, Bindings]:
    """The text and its values by name. Nothing is compiled: that takes longer than most statements."""
    if not isinstance(query, TextClause):
        raise NotImplementedError("The backends of this project take SQL text only.")
    return query.text, {name: parameter.value for name, parameter in query._bindparams.items()}
