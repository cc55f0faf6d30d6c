"""The questions that a store in PostgreSQL answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.lines import Lines
from hermes_sessions.model.message import Message
from hermes_sessions.model.usage import ModelUsage, UsageTable
from hermes_sessions.store_values import Details, Freshness, MessageQuery
from hermes_sessions.stores.database import LiveDatabase, postgres_database
from hermes_sessions.stores.postgres import contents, details, exact, lines, tool_calls
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.catalogue import Catalogue

CONNECTIONS = 6


class PostgresReading:
    """Each answer comes from one connection."""

    def __init__(self, profile: str, address: Address, *, limit: float) -> None:
        self.profile = profile
        self._schema = address.schema
        self._database: LiveDatabase = postgres_database(address, size=CONNECTIONS, limit=limit)
        self._catalogue = Catalogue(self._database, address.schema)

    async def open(self) -> None:
        await self._database.connect()

    async def close(self) -> None:
        await self._catalogue.close()
        await self._database.disconnect()

    async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
        """Always of now: who asks for less gets it as cheaply."""
        return (await self._catalogue.picture()).forest

    async def details(self, session_ids: Sequence[str]) -> Mapping[str, Details]:
        async with self._database.connection() as connection:
            return await details.details(connection, self._schema, session_ids)

    async def previews(self, session_ids: Sequence[str]) -> Mapping[str, str | None]:
        async with self._database.connection() as connection:
            return await details.previews(connection, self._schema, session_ids)

    async def usage_by_model(self, session_ids: Sequence[str]) -> Mapping[str, Sequence[ModelUsage]]:
        async with self._database.connection() as connection:
            return await details.usage_by_model(connection, self._schema, session_ids)

    async def all_usage(self) -> UsageTable:
        async with self._database.connection() as connection:
            return UsageTable(await details.all_usage(connection, self._schema))

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Lines:
        async with self._database.connection() as connection:
            return await lines.transcript_lines(connection, self._schema, session_ids, query)

    async def messages(self, message_ids: Sequence[int]) -> Mapping[int, Message]:
        async with self._database.connection() as connection:
            return await contents.messages_by_id(connection, self._schema, message_ids)

    async def content(self, message_id: int, max_bytes: int) -> str | None:
        async with self._database.connection() as connection:
            return await contents.whole_content(connection, self._schema, message_id, max_bytes)

    async def content_tails(self, wanted: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], str]:
        async with self._database.connection() as connection:
            return await contents.content_tails(connection, self._schema, wanted)

    async def tool_results(self, calls: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, int]]:
        async with self._database.connection() as connection:
            near = await tool_calls.neighbours(connection, self._schema, sorted({each for each, _ in calls}))
            return await tool_calls.tool_results(connection, self._schema, near, calls)

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        async with self._database.connection() as connection:
            near = await tool_calls.neighbours(connection, self._schema, sorted({each for each, _ in results}))
            return await tool_calls.tool_names(connection, self._schema, near, results)

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        async with self._database.connection() as connection:
            return await exact.exact_rows(connection, self._schema, table, session_ids, after)
