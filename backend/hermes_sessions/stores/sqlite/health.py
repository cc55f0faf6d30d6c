"""How a live SQLite store is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hermes_sessions.model.health.facts import Holders, Part, Place, RowFacts, SearchIndex, StoreHealth
from hermes_sessions.stores.health import facts as health
from hermes_sessions.stores.health.damages import damages
from hermes_sessions.stores.health.file_facts import holders_of, place_of
from hermes_sessions.stores.health.search_indexes import search_indexes
from hermes_sessions.stores.sqlite.base import SqliteBase

CHECK_SECONDS = 1800.0
SIZE_SECONDS = 5.0  # measuring reads the whole file: minutes from a slow disk


class SqliteHealth(SqliteBase):
    """Everything here only reads; an empty store has nothing to tell."""

    async def health(self) -> StoreHealth:
        picture = await self._picture()
        if picture is None:
            return StoreHealth(place=place_of(self._path))
        async with self._readers.connection() as connection:
            return await health.store_health(
                connection, picture.columns, place_of(self._path), is_still=self._mode == "still"
            )

    async def place(self) -> Place:
        return place_of(self._path)

    async def row_facts(self) -> RowFacts:
        picture = await self._picture()
        if picture is None:
            return RowFacts(0, 0, 0)
        async with self._readers.connection() as connection:
            return await health.row_facts(connection, picture.columns)

    async def parts(self, seconds: float | None) -> Sequence[Part]:
        if await self._picture() is None:
            return ()
        async with self._readers.connection() as connection:
            return await health.parts(connection, min(self._limit, SIZE_SECONDS) if seconds is None else seconds)

    async def search_indexes(self) -> Sequence[SearchIndex]:
        picture = await self._picture()
        if picture is None:
            return ()
        async with self._readers.connection() as connection:
            return await search_indexes(connection, picture.columns)

    async def holders(self) -> Holders | None:
        return await asyncio.to_thread(holders_of, self._path)

    async def damages(self) -> Sequence[str]:
        async with self._readers.connection() as connection:
            return await damages(connection, CHECK_SECONDS)
