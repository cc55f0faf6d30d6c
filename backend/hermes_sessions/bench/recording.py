"""The API on a store in PostgreSQL, in this process, and every statement that it sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from hermes_sessions.api.context import Context, ServerFacts
from hermes_sessions.api.executor import Executor
from hermes_sessions.api.schema import build_schema
from hermes_sessions.bench.operations import Operation
from hermes_sessions.bench.subjects import Subjects
from hermes_sessions.feed import Feeds
from hermes_sessions.profiles import Profiles
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from hermes_sessions.stores.database import LiveDatabase
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.backend import PostgresBackend
from hermes_sessions.stores.postgres.store import PostgresStore


@dataclass(frozen=True)
class Sent:
    """One way to the server and back: SQL with $1, $2 ..., and their values."""

    sql: str
    values: tuple[Any, ...]


class RecordingBackend(PostgresBackend):
    """Tells what is sent from the second on that a connection is lent for."""

    def __init__(self, *options: Any, sent: list[Sent], **named: Any) -> None:
        super().__init__(*options, **named)
        self._sent = sent

    async def lend(self) -> Any:
        connection = await super().lend()
        connection.add_query_logger(self._note)
        return connection

    def _note(self, query: Any) -> None:
        self._sent.append(Sent(query.query, tuple(query.args or ())))


class RecordingDatabase(LiveDatabase):
    SUPPORTED_BACKENDS = {  # noqa: RUF012 - the hook of `databases` is this plain class attribute
        **LiveDatabase.SUPPORTED_BACKENDS,
        "postgresql+live": "hermes_sessions.bench.recording:RecordingBackend",
    }


class RecordedStore(PostgresStore):
    """`sent` grows with every statement."""

    def __init__(self, address: Address, settings: Settings) -> None:
        self.sent: list[Sent] = []
        limit = settings.statement_timeout
        super().__init__("default", address, read_only=True, limit=limit, days=settings.bin_days)

    def _database_at(self, address: Address, size: int, limit: float) -> LiveDatabase:
        return RecordingDatabase("postgresql+live://", address=address, size=size, limit=limit, sent=self.sent)


class Recorder:
    """Asks as the server does. Answers that are kept are those of this process."""

    def __init__(self, store: RecordedStore, executor: Executor) -> None:
        self._store = store
        self._executor = executor

    async def sent_for(self, operation: Operation, subjects: Subjects, turn: int) -> Sequence[Sent]:
        """What is sent for one question, in its order. Raises RuntimeError where it is not answered."""
        await self._sent()
        body = orjson.loads(operation.body(subjects, turn))
        answer = await self._executor.execute(
            body["query"], operation_name=None, variables=body["variables"], profile=None, request_id="bench"
        )
        if b'"errors"' in answer.body[:20]:
            raise RuntimeError(f"{operation.name}: the API answered with errors: {answer.body[:300]!r}")
        return await self._sent()

    async def _sent(self) -> list[Sent]:
        """Since the last time. The driver tells of a statement at the loop's next turn."""
        await asyncio.sleep(0)
        told, self._store.sent[:] = list(self._store.sent), []
        return told


@asynccontextmanager
async def recorder(address: Address) -> AsyncIterator[Recorder]:
    settings = Settings(read_only=True)
    store = RecordedStore(address, settings)
    await store.open()

    async def found() -> Store:
        return store

    profiles, feeds = Profiles(None, _no_home, {"default": found}), Feeds(settings.poll_interval)
    facts = ServerFacts("")
    try:
        yield Recorder(
            store, Executor(build_schema(), settings, lambda name: Context(profiles, feeds, settings, facts, name))
        )
    finally:
        await feeds.close()
        await store.close()


async def _no_home(profile: str, path: Path) -> Store:
    raise AssertionError(f"There is no home that {profile} could be in.")
