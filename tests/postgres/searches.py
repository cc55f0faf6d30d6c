"""Questions to the search of a store in PostgreSQL, and rows that anybody writes into it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.search.words import words_of
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.postgres.test_change_tracking import connections
from tests.stores.search.asking import BOTH


def search(text: str, fields: frozenset[SearchField] = BOTH, **conditions: Any) -> MessageSearch:
    return MessageSearch(words_of(text), fields, **conditions)


def in_order(answer: SearchResult) -> list[Match]:
    assert answer.degraded == ()
    return sorted(answer.matches, key=lambda match: match.message_id)


@asynccontextmanager
async def store(url: str) -> AsyncIterator[tuple[Any, PostgresReading]]:
    """A connection of any program on an empty store, and the store."""
    async with connections(url) as [one]:
        reading = PostgresReading("team", Address.of("team", url), limit=5.0)
        await reading.open()
        try:
            yield one, reading
        finally:
            await reading.close()


async def insert(reading: PostgresReading, *rows: dict[str, Any]) -> None:
    async with reading._database.connection() as connection:
        await insert_rows(connection, reading._schema, "messages", [{"session_id": "s", **row} for row in rows])


async def found(reading: PostgresReading, text: str, **conditions: Any) -> list[int]:
    return [match.message_id for match in in_order(await reading.search(search(text, **conditions), 60))]
