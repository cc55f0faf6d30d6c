"""How soon a list shows what another program has written to PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hermes_sessions.bench.operations import CONVERSATIONS
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import Client
from hermes_sessions.bench.subjects import Subjects
from hermes_sessions.bench.timing import Times
from hermes_sessions.stores.database import LiveDatabase, postgres_database
from hermes_sessions.stores.postgres.address import Address

CHANGES = 40
STATEMENT_SECONDS = 60.0


async def change_row(url: str, client: Client, subjects: Subjects) -> Row:
    """The list just after a message was committed, in turn with the same list again. The message is taken away."""
    ask = CONVERSATIONS.ask(client, subjects)
    after, quiet = Times(), Times()
    address = Address.of("default", url)
    database = postgres_database(address, size=1, limit=STATEMENT_SECONDS)
    async with database:
        for turn in range(CHANGES):
            async with _message(database, address.schema, subjects.long_session):
                after.add(ask, turn)
                quiet.add(ask, turn)
            ask(turn)
    return Row(
        "postgres change",
        f"{CONVERSATIONS.name}, after another program wrote a message",
        after.median,
        p95=after.p95,
        against="nothing new",
        base=quiet.median,
        sessions=subjects.sessions,
    )


@asynccontextmanager
async def _message(database: LiveDatabase, schema: str, session: str) -> AsyncIterator[None]:
    """One that is there for this block alone."""
    async with database.connection() as connection:
        number = await connection.fetch_val(
            f"INSERT INTO {schema}.messages (session_id, role) VALUES (:session, 'user') RETURNING id",
            {"session": session},
        )
        try:
            yield
        finally:
            await connection.execute(
                f"DELETE FROM {schema}.messages WHERE session_id = :session AND id = :id",
                {"session": session, "id": number},
            )
