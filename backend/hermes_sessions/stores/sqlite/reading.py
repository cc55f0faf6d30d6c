"""The questions that a live SQLite store answers."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence, Sized
from typing import Any, TypeVar

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.lines import Lines
from hermes_sessions.model.message import Message
from hermes_sessions.model.outline import Point
from hermes_sessions.model.resolving import not_found
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.usage import ModelUsage, UsageTable
from hermes_sessions.store_values import Details, Find, MessageQuery
from hermes_sessions.stores import contents, details, exact, lines, outlines, previews, tool_calls
from hermes_sessions.stores.catalogue import Version
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.kept import Kept
from hermes_sessions.stores.kept_previews import KeptPreviews
from hermes_sessions.stores.search.indexes import SearchIndexes, look_at_indexes
from hermes_sessions.stores.search.inquiry import Inquiry
from hermes_sessions.stores.search.searching import Searching
from hermes_sessions.stores.sqlite.base import SqliteBase
from hermes_sessions.stores.sqlite.worker import Worker, statement_timeout
from hermes_sessions.stores.usage_rows import UsageRows

KEPT_SEARCHES = 8

T = TypeVar("T", bound=Sized)


class SqliteReading(SqliteBase):
    """Each answer comes from one connection, with the columns that the store has."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._previews = KeptPreviews()
        self._lines: Kept[Lines] = Kept(answers=32, rows=1_000_000)
        self._near: Kept[tool_calls.Neighbours] = Kept(answers=32, rows=1_000_000)
        self._points: Kept[list[Point]] = Kept(answers=4, rows=50_000)
        self._usage: Kept[UsageTable] = Kept(answers=1, rows=1_000_000)
        self._usage_rows = UsageRows(self._usager)
        self._indexes: tuple[Version | None, SearchIndexes, ErrorCode | None] = (None, SearchIndexes(), None)
        self._searches: OrderedDict[tuple[Version, MessageSearch], SearchResult] = OrderedDict()

    async def details(self, session_ids: Sequence[str]) -> Mapping[str, Details]:
        async with self._reading() as (connection, columns):
            return await details.details(connection, columns, session_ids)

    async def usage_by_model(self, session_ids: Sequence[str]) -> Mapping[str, Sequence[ModelUsage]]:
        async with self._reading() as (connection, columns):
            return await details.usage_by_model(connection, columns, session_ids)

    async def all_usage(self) -> UsageTable:
        if not self._exists():
            return UsageTable()
        return await self._keeping(self._usage, None, lambda *_: self._usage_rows.read())

    async def previews(self, session_ids: Sequence[str]) -> Mapping[str, str | None]:
        """Kept until the session's messages change, or the store is another file."""
        picture = await self._picture()
        if picture is None:
            return {}

        async def read(filled: Sequence[str]) -> Mapping[str, str | None]:
            async with self._reading() as (connection, columns):
                return await previews.previews(connection, columns, filled)

        return await self._previews.of(picture.version[0], picture.forest, session_ids, read)

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Lines:
        return await self._keeping(
            self._lines,
            (tuple(session_ids), query),
            lambda connection, columns: lines.transcript_lines(connection, columns, session_ids, query),
        )

    async def outline(self, session_ids: Sequence[str], query: MessageQuery, find: Find | None) -> Sequence[Point]:
        return await self._keeping(
            self._points,
            (tuple(session_ids), query, find),
            lambda connection, columns: outlines.outline_points(connection, columns, session_ids, query, find),
        )

    async def _neighbours(self, places: Sequence[tool_calls.Place]) -> tool_calls.Neighbours:
        session_ids = sorted({session_id for session_id, _ in places})
        return await self._keeping(
            self._near,
            tuple(session_ids),
            lambda connection, _: tool_calls.neighbours(connection, session_ids),
        )

    async def _keeping(
        self,
        kept: Kept[T],
        question: Hashable,
        read: Callable[[Connection, Columns], Awaitable[T]],
    ) -> T:
        """The answer that is kept, else a new one: whoever committed last, both say the same."""
        if not self._exists():
            raise not_found()
        picture, version = await self._catalogue.look()
        found = kept.get(version, question)
        if found is None:
            async with self._readers.connection() as connection:
                found = await read(connection, picture.columns)
            if picture.version == version:  # an older one may know other columns
                kept.put(version, question, found)
        return found

    async def content_tails(self, wanted: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], str]:
        async with self._reading() as (connection, _):
            return await contents.content_tails(connection, wanted)

    async def messages(self, message_ids: Sequence[int]) -> Mapping[int, Message]:
        async with self._reading() as (connection, columns):
            return await contents.messages_by_id(connection, columns, message_ids)

    async def content(self, message_id: int, max_bytes: int) -> str | None:
        async with self._reading() as (connection, _):
            return await contents.whole_content(connection, message_id, max_bytes)

    async def tool_results(self, calls: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, int]]:
        near = await self._neighbours(calls)
        async with self._readers.connection() as connection:
            return await tool_calls.tool_results(connection, near, calls)

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        near = await self._neighbours(results)
        async with self._readers.connection() as connection:
            return await tool_calls.tool_names(connection, near, results)

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        async with self._reading() as (connection, columns):
            return await exact.exact_rows(connection, columns, table, session_ids, after)

    async def search(self, asked: MessageSearch, seconds: float) -> SearchResult:
        """Kept while the store stays as it is, for the further pages; what the time did not suffice for is not."""
        picture = await self._picture()
        if picture is None:
            return SearchResult()
        key = (picture.version, asked)
        if key in self._searches:
            return self._searches[key]
        give_up_at = time.monotonic() + seconds
        async with self._readers.connection() as connection:
            indexes, failed = await self._known_indexes(connection, picture.version, seconds)
            worker: Worker = connection.raw_connection
            result = await worker.together(
                lambda query: Searching(Inquiry(query, picture.columns, asked, give_up_at), indexes, failed).search()
            )
        if not result.ran_out_of_time:
            self._searches[key] = result
            if len(self._searches) > KEPT_SEARCHES:
                self._searches.popitem(last=False)
        return result

    async def _known_indexes(
        self, connection: Connection, version: Version, seconds: float
    ) -> tuple[SearchIndexes, ErrorCode | None]:
        """None of them, with the reason, where they cannot be looked at. Looked at again when the store has changed."""
        if self._indexes[0] != version:
            token = statement_timeout.set(seconds)
            try:
                self._indexes = (version, await look_at_indexes(connection), None)
            except HermesSessionsError as error:
                if error.code is ErrorCode.TIMEOUT:  # the next look may be faster
                    return SearchIndexes(), error.code
                if error.code not in (ErrorCode.STORE_DAMAGED, ErrorCode.UNSUPPORTED_STORE):
                    raise
                self._indexes = (version, SearchIndexes(), error.code)
            finally:
                statement_timeout.reset(token)
        return self._indexes[1:]
