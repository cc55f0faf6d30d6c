"""Transactions: those that see one moment of a store, and those that change it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.stores.database import BUSY_SECONDS, Connection, LiveDatabase, committing
from hermes_sessions.stores.postgres.backend import CONNECT_SECONDS, statement_timeout, translating


@asynccontextmanager
async def snapshot(database: LiveDatabase) -> AsyncIterator[Connection]:
    """All statements see the store at the moment of the first one."""
    async with database.connection() as connection:
        with translating(CONNECT_SECONDS):
            async with connection.raw_connection.transaction(isolation="repeatable_read", readonly=True):
                yield connection


@asynccontextmanager
async def transaction(connection: Connection) -> AsyncIterator[None]:
    """All or nothing; inside of another one, too."""
    with translating(CONNECT_SECONDS):
        async with connection.raw_connection.transaction():
            yield


@asynccontextmanager
async def write_transaction(database: LiveDatabase, schema: str, lock_limit: float) -> AsyncIterator[Connection]:
    """The one transaction that changes the store at this time. Raises STORE_BUSY when another one takes more than
    `lock_limit` seconds, STORE_UNREACHABLE when the server is lost; where that happened while it committed, the error
    says that it is not known what was kept."""
    async with database.connection() as connection:
        running = connection.raw_connection.transaction(isolation="read_committed")
        with translating(BUSY_SECONDS):
            await running.start()
        try:
            await _take_turn(connection, schema, lock_limit)
            yield connection
        except BaseException:
            with suppress(HermesSessionsError), translating(BUSY_SECONDS):  # of a lost connection nothing is there
                await running.rollback()
            raise
        with committing(), translating(BUSY_SECONDS):
            await running.commit()


async def _take_turn(connection: Connection, schema: str, seconds: float) -> None:
    token = statement_timeout.set(seconds + BUSY_SECONDS)  # which would tell of a slow statement
    try:
        await connection.execute(
            f"""
            WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', :milliseconds, true))
            SELECT {schema}.change() FROM patience
            """,
            {"milliseconds": str(int(seconds * 1000))},
        )
    finally:
        statement_timeout.reset(token)
