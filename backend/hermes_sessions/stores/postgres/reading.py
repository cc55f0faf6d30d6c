"""The questions that a store in PostgreSQL answers."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Mapping, Sequence, Sized
from typing import TypeVar

from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.lines import Lines
from hermes_sessions.model.live import ChangeKind
from hermes_sessions.model.message import Message
from hermes_sessions.model.outline import Point
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.usage import ModelUsage, UsageTable
from hermes_sessions.store_values import Details, Find, Freshness, MessageQuery, Pulse, Tail
from hermes_sessions.stores.database import Connection, LiveDatabase, postgres_database
from hermes_sessions.stores.kept import Kept
from hermes_sessions.stores.kept_previews import KeptPreviews
from hermes_sessions.stores.postgres import contents, details, exact, lines, outlines, tool_calls
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.catalogue import Catalogue, version_of
from hermes_sessions.stores.postgres.changes import changes_between
from hermes_sessions.stores.postgres.searching import Searching
from hermes_sessions.stores.postgres.tails import read_tail
from hermes_sessions.stores.postgres.transactions import snapshot
from hermes_sessions.stores.postgres.usage_rows import UsageRows
from hermes_sessions.stores.postgres.watching import pulses
from hermes_sessions.stores.tool_calls import Neighbours, Place

CONNECTIONS = 6
KEPT_SEARCHES = 8

T = TypeVar("T", bound=Sized)


class PostgresReading:
    """Each answer comes from one connection, of which there are at most so many."""

    def __init__(self, profile: str, address: Address, *, limit: float, connections: int = CONNECTIONS) -> None:
        self.profile = profile
        self._schema = address.schema
        self._database = self._database_at(address, connections, limit)
        self._catalogue = Catalogue(self._database, address.schema)
        self._lines: Kept[Lines] = Kept(answers=32, rows=1_000_000)
        self._near: Kept[Neighbours] = Kept(answers=32, rows=1_000_000)
        self._points: Kept[list[Point]] = Kept(answers=4, rows=50_000)
        self._usage: Kept[UsageTable] = Kept(answers=1, rows=1_000_000)
        self._searches: OrderedDict[tuple[tuple[str, int], MessageSearch], SearchResult] = OrderedDict()
        self._usage_rows = UsageRows(address.schema)
        self._previews = KeptPreviews()

    def _database_at(self, address: Address, size: int, limit: float) -> LiveDatabase:
        return postgres_database(address, size=size, limit=limit)

    async def open(self) -> None:
        await self._database.connect()

    async def close(self) -> None:
        await self._catalogue.close()
        await self._database.disconnect()

    async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
        """Always of now: who asks for less gets it as cheaply."""
        return (await self._catalogue.picture()).forest

    def mark(self, forest: Forest) -> str | None:
        return self._catalogue.mark(forest)

    async def changes_since(self, mark: str, forest: Forest) -> Sequence[tuple[ChangeKind, str]] | None:
        """Not known for a store that is another one, and for one that was set back."""
        then, here = mark.rpartition(":"), (self.mark(forest) or "").rpartition(":")
        if then[0] != here[0] or not then[2].isdecimal() or len(then[2]) > 18 or int(then[2]) > int(here[2]):
            return None
        async with snapshot(self._database) as connection:
            return await changes_between(connection, self._schema, int(then[2]), int(here[2]), forest)

    async def details(self, session_ids: Sequence[str]) -> Mapping[str, Details]:
        async with self._database.connection() as connection:
            return await details.details(connection, self._schema, session_ids)

    async def previews(self, session_ids: Sequence[str]) -> Mapping[str, str | None]:
        """Kept until the session's messages change, or the store is another one."""
        picture = await self._catalogue.picture()

        async def read(filled: Sequence[str]) -> Mapping[str, str | None]:
            async with self._database.connection() as connection:
                return await details.previews(connection, self._schema, filled)

        return await self._previews.of(picture.store, picture.forest, session_ids, read)

    async def usage_by_model(self, session_ids: Sequence[str]) -> Mapping[str, Sequence[ModelUsage]]:
        async with self._database.connection() as connection:
            return await details.usage_by_model(connection, self._schema, session_ids)

    async def all_usage(self) -> UsageTable:
        return await self._keeping(self._usage, None, self._usage_rows.read)

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Lines:
        return await self._keeping(
            self._lines,
            (tuple(session_ids), query),
            lambda connection: lines.transcript_lines(connection, self._schema, session_ids, query),
        )

    async def outline(self, session_ids: Sequence[str], query: MessageQuery, find: Find | None) -> Sequence[Point]:
        return await self._keeping(
            self._points,
            (tuple(session_ids), query, find),
            lambda connection: outlines.outline_points(connection, self._schema, session_ids, query, find),
        )

    async def _neighbours(self, places: Sequence[Place]) -> Neighbours:
        session_ids = sorted({session_id for session_id, _ in places})
        return await self._keeping(
            self._near,
            tuple(session_ids),
            lambda connection: tool_calls.neighbours(connection, self._schema, session_ids),
        )

    async def _keeping(self, kept: Kept[T], question: Hashable, read: Callable[[Connection], Awaitable[T]]) -> T:
        """The answer that is kept, else a new one, of the very moment whose version it is kept under."""
        async with self._database.connection() as connection:
            found = kept.get(await version_of(connection, self._schema), question)
        if found is None:
            async with snapshot(self._database) as connection:
                version = await version_of(connection, self._schema)
                found = await read(connection)
            kept.put(version, question, found)
        return found

    def watch(self, interval: float) -> AsyncGenerator[Pulse, None]:
        return pulses(self._database, self._schema, interval)

    async def tail(self, start: str, *, after: int, tip: str | None, limit: int) -> Tail | None:
        async with snapshot(self._database) as connection:
            return await read_tail(connection, self._schema, start, after, tip, limit)

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
        near = await self._neighbours(calls)
        async with self._database.connection() as connection:
            return await tool_calls.tool_results(connection, self._schema, near, calls)

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        near = await self._neighbours(results)
        async with self._database.connection() as connection:
            return await tool_calls.tool_names(connection, self._schema, near, results)

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        async with self._database.connection() as connection:
            return await exact.exact_rows(connection, self._schema, table, session_ids, after)

    async def search(self, asked: MessageSearch, seconds: float) -> SearchResult:
        """Kept while the store stays as it is, for the further pages; what the time did not suffice for is not."""
        give_up_at = time.monotonic() + seconds
        async with snapshot(self._database) as connection:
            key = (await version_of(connection, self._schema), asked)
            if key in self._searches:
                return self._searches[key]
            result = await Searching(connection, self._schema, asked, give_up_at).search()
        if not result.ran_out_of_time:
            self._searches[key] = result
            if len(self._searches) > KEPT_SEARCHES:
                self._searches.popitem(last=False)
        return result
