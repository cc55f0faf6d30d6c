"""The questions that a live SQLite store answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.message import Message
from hermes_sessions.model.usage import ModelUsage
from hermes_sessions.store_values import Details, Line, MessageQuery
from hermes_sessions.stores import details, exact, transcripts
from hermes_sessions.stores.sqlite_base import SqliteBase


class SqliteReading(SqliteBase):
    """Each answer comes from one connection, with the columns that the store has."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._previews: dict[str, tuple[tuple[float, ...], str | None]] = {}
        self._previews_of = 0

    async def details(self, session_ids: Sequence[str]) -> Mapping[str, Details]:
        async with self._reading() as (connection, columns):
            return await details.details(connection, columns, session_ids)

    async def usage_by_model(self, session_ids: Sequence[str]) -> Mapping[str, Sequence[ModelUsage]]:
        async with self._reading() as (connection, columns):
            return await details.usage_by_model(connection, columns, session_ids)

    async def all_usage(self) -> Mapping[str, Sequence[ModelUsage]]:
        picture = await self._picture()
        if picture is None:
            return {}
        async with self._readers.connection() as connection:
            return await details.all_usage(connection, picture.columns)

    async def previews(self, session_ids: Sequence[str]) -> Mapping[str, str | None]:
        """Kept until the session's messages change, or the store is another file."""
        picture = await self._picture()
        if picture is None:
            return {}
        if picture.version[0] != self._previews_of:
            self._previews, self._previews_of = {}, picture.version[0]
        known = self._previews  # of this picture, also when another question meets a new store meanwhile
        forest = picture.forest
        stamps = {name: forest.sessions[name].activity.stamp for name in session_ids if name in forest.sessions}
        stale = [name for name, stamp in stamps.items() if known.get(name, ((), None))[0] != stamp]
        if stale:
            async with self._reading() as (connection, columns):
                filled = [name for name in stale if forest.sessions[name].activity.live]
                fresh = await transcripts.previews(connection, columns, filled)
            known.update({name: (stamps[name], fresh.get(name)) for name in stale})
        return {name: known[name][1] for name in stamps}

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Sequence[Line]:
        async with self._reading() as (connection, columns):
            return await transcripts.transcript_lines(connection, columns, session_ids, query)

    async def messages(self, message_ids: Sequence[int]) -> Mapping[int, Message]:
        async with self._reading() as (connection, columns):
            return await transcripts.messages_by_id(connection, columns, message_ids)

    async def content(self, message_id: int, max_bytes: int) -> str | None:
        async with self._reading() as (connection, _):
            return await transcripts.whole_content(connection, message_id, max_bytes)

    async def tool_results(self, calls: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, int]]:
        async with self._reading() as (connection, _):
            return await transcripts.tool_results(connection, calls)

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        async with self._reading() as (connection, _):
            return await transcripts.tool_names(connection, results)

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        async with self._reading() as (connection, columns):
            return await exact.exact_rows(connection, columns, table, session_ids, after)
