"""A connection that is asked from within its own thread.

What is written as questions that are awaited one after the other runs through without a pause: no task waits for the
event loop between two statements of one read transaction, which would keep the connection, and the store's WAL, for as
long as the loop has other things to do.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from hermes_sessions.stores.database import Connection, Values
from hermes_sessions.stores.sqlite.worker import Query, Worker, statement_timeout

T = TypeVar("T")


async def at_once(connection: Connection, work: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
    """What `work` returns, which waits for nothing but the connection that it is given."""
    worker = connection.raw_connection
    limit = statement_timeout.get() or worker.limit
    result: T = await worker.together(lambda query: _run_through(work(AtOnce(worker, query, limit))))
    return result


class AtOnce:
    """A `Connection` for `Worker.together`; each statement may take `limit` seconds."""

    def __init__(self, worker: Worker, query: Query, limit: float) -> None:
        self.raw_connection = worker
        self._query = query
        self._limit = limit

    async def fetch_all(self, query: str, values: Values | None = None) -> list[Any]:
        return list(self._query(query, values or {}, self._limit))

    async def fetch_one(self, query: str, values: Values | None = None) -> Any:
        return next(iter(await self.fetch_all(query, values)), None)

    async def fetch_val(self, query: str, values: Values | None = None) -> Any:
        row = await self.fetch_one(query, values)
        return None if row is None else row[0]

    async def execute(self, query: str, values: Values | None = None) -> None:
        await self.fetch_all(query, values)


def _run_through(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that waits for nothing but such a connection."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    work.close()
    raise RuntimeError("This would have to wait for the event loop.")
