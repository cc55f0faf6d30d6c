"""A backend for `databases` that reads and writes a SQLite file which another program is using.

Its rules, and what happens when one is broken, stand in docs/stores.md. In short: readers are opened with mode=ro
and stay open, a writer never checkpoints, no file of the store is opened but by SQLite, and a cancelled task
neither loses a connection nor leaves a statement running.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, cast

from databases import DatabaseURL
from databases.interfaces import ConnectionBackend, DatabaseBackend, Record, TransactionBackend
from sqlalchemy.sql import ClauseElement

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.stores.sqlite.fair import FairShare
from hermes_sessions.stores.sqlite.handle import Mode
from hermes_sessions.stores.sqlite.precedence import Precedence
from hermes_sessions.stores.sqlite.worker import Functions, Worker
from hermes_sessions.stores.statements import TextConnection, plain_statement

IDLE_SECONDS = 300.0


async def finished(work: Coroutine[Any, Any, None]) -> None:
    """Waits until the work is done, however often this task is cancelled meanwhile; only then the task is."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled


class LiveSqliteBackend(DatabaseBackend):
    """A fixed number of workers for one file. Nothing is opened before the first statement."""

    def __init__(
        self,
        url: DatabaseURL,
        *,
        path: Path,
        mode: Mode,
        size: int,
        limit: float,
        functions: Functions,
        prepare: str,
        precedence: Precedence | None,
    ) -> None:
        self._make_worker: Callable[[], Worker] = partial(Worker, path, mode, limit, functions, prepare)
        self._size = size
        self._idle: FairShare[Worker] = FairShare()
        self._workers: list[Worker] = []
        self._closers: dict[Worker, asyncio.TimerHandle] = {}
        self._precedence = precedence
        self._relief: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        self._workers = [self._make_worker() for _ in range(self._size)]
        for worker in self._workers:
            self._idle.give(worker)

    async def disconnect(self) -> None:
        for closer in self._closers.values():
            closer.cancel()
        workers, self._workers = self._workers, []
        await finished(self._shut_down(workers))

    async def _shut_down(self, workers: list[Worker]) -> None:
        if self._relief is not None:
            self._relief.cancel()
            await asyncio.wait([self._relief])
        for worker in workers:
            await worker.shut_down()

    def connection(self) -> ConnectionBackend:
        return LiveSqliteConnection(self)

    async def lend(self) -> Worker:
        if self._precedence is not None:
            await self._precedence.stand_back()
        return await self._take()

    async def _take(self) -> Worker:
        worker = await self._idle.take()
        closer = self._closers.pop(worker, None)
        if closer is not None:
            closer.cancel()
        return worker

    async def take_back(self, worker: Worker) -> None:
        """Waits for what still runs in the thread and ends an open transaction before anyone else gets the worker."""
        try:
            if not worker.is_at_rest:
                await worker.call(worker.rollback)
        except BaseException:
            worker.close_soon()  # nobody else may get into what is left of that transaction
            raise
        finally:
            self.put_back(worker)

    def put_back(self, worker: Worker) -> None:
        if worker not in self._workers:  # it is given back after the end, and shut down
            return
        loop = asyncio.get_running_loop()
        self._closers[worker] = loop.call_later(IDLE_SECONDS, self._close_idle, worker)
        self._idle.give(worker)
        is_relieved = self._relief is None or self._relief.done()
        if self._precedence is not None and is_relieved and self._precedence.wants_look(worker.log_bytes):
            self._precedence.looked_at()
            self._relief = asyncio.get_running_loop().create_task(
                self._relieve(self._precedence), context=contextvars.Context()
            )

    async def _relieve(self, precedence: Precedence) -> None:
        worker = await self._take()
        try:
            with contextlib.suppress(HermesSessionsError):  # whoever reads next is told
                await precedence.relieve(worker.log_pages)
        finally:
            await finished(self.take_back(worker))
            precedence.looked_at()

    def _close_idle(self, worker: Worker) -> None:
        self._closers.pop(worker, None)
        worker.close_soon()


class LiveSqliteConnection(TextConnection):
    """What `databases` calls for one task between acquire and release."""

    def __init__(self, backend: LiveSqliteBackend) -> None:
        self._backend = backend
        self._worker: Worker | None = None

    async def acquire(self) -> None:
        self._worker = await self._backend.lend()

    async def release(self) -> None:
        worker, self._worker = self._lent, None
        if worker.is_at_rest:  # as after most questions: nothing to wait for
            self._backend.put_back(worker)
        else:
            await finished(self._backend.take_back(worker))

    @property
    def _lent(self) -> Worker:
        if self._worker is None:
            raise RuntimeError("The connection is used outside `async with database.connection()`.")
        return self._worker

    async def fetch_all(self, query: ClauseElement) -> list[Record]:
        sql, bindings = plain_statement(query)
        return cast("list[Record]", await self._lent.query(sql, bindings))

    def transaction(self) -> TransactionBackend:
        raise NotImplementedError("Use write_transaction: it begins IMMEDIATE and survives cancellation.")

    @property
    def raw_connection(self) -> Worker:
        return self._lent
