"""A transaction that sees one moment of a store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hermes_sessions.stores.database import Connection, LiveDatabase
from hermes_sessions.stores.postgres.backend import CONNECT_SECONDS, translating


@asynccontextmanager
async def snapshot(database: LiveDatabase) -> AsyncIterator[Connection]:
    """All statements see the store at the moment of the first one."""
    async with database.connection() as connection:
        with translating(CONNECT_SECONDS):
            async with connection.raw_connection.transaction(isolation="repeatable_read", readonly=True):
                yield connection
