"""One thread with one SQLite connection on a file that another program is using.

The rules of docs/stores.md about deadlines and broken text are kept here, those about opening in `handle.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import apsw

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.stores.sqlite.answer import Bindings, Row, rows_of, rows_with_broken_text
from hermes_sessions.stores.sqlite.blobs import content_piece
from hermes_sessions.stores.sqlite.errors import is_suspicious, translate
from hermes_sessions.stores.sqlite.files import Identity, Inode
from hermes_sessions.stores.sqlite.handle import BUSY_TIMEOUT_MS, Handle, Mode
from hermes_sessions.stores.sqlite.precedence import LogPages
from hermes_sessions.stores.sqlite.siblings import register, suspect_all

T = TypeVar("T")

_PROGRESS_STEPS = 5000  # virtual machine steps between two looks at the clock: well under a millisecond

statement_timeout: ContextVar[float | None] = ContextVar("statement_timeout", default=None)
"""Seconds that a statement of this task may run; None means the backend's default."""

Functions = Mapping[str, Callable[..., Any]]
Query = Callable[[str, Bindings, float], list[Row]]
"""Runs a statement within so many seconds, in the thread of a connection."""


WAL_BUG_FIXED_IN = (3, 51, 3)


def sqlite_version() -> str:
    return apsw.sqlite_lib_version()


def sqlite_warnings() -> list[str]:
    """A sentence where the library is one that can corrupt a WAL with several writers."""
    if tuple(map(int, sqlite_version().split("."))) >= WAL_BUG_FIXED_IN:
        return []
    return [f"SQLite {sqlite_version()} has a bug with several writers in WAL mode. Install apsw 3.54 or later."]


class Worker:
    """One thread and the SQLite connection that lives in it, opened when first used.

    `limit` is how many seconds a statement may take where its task says nothing else.
    """

    def __init__(self, path: Path, mode: Mode, limit: float, functions: Functions, prepare: str = "") -> None:
        self.limit = limit
        self._path = path
        self._functions = functions
        self._make_temporary = prepare
        self._deadline = 0.0
        self._is_cancelled = Event()
        self._running: Future[Any] | None = None
        self._is_reading = mode in ("ro", "still")
        self._handle = Handle(path, mode, self._prepare, lambda: self._is_cancelled.is_set())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"sqlite-{mode}")
        if mode != "still":
            register(self)

    @property
    def generation(self) -> int:
        return self._handle.generation

    @property
    def file(self) -> Inode | None:
        """Device and inode of the file that the connection is on: another pair is another store."""
        return self._handle.identity.file

    @property
    def log_bytes(self) -> int:
        """Size of the WAL's file when it was last looked at: that of the longest log that there ever was in it."""
        return self._handle.identity.wal_size

    async def log_pages(self) -> LogPages:
        """Asks without doing anything; nothing of both for a store that keeps no log."""
        [row] = await self.query("PRAGMA wal_checkpoint(NOOP)", {})
        return max(0, row[1]), max(0, row[2])

    async def call(self, work: Callable[[], T]) -> T:
        """Runs `work` in the thread. When the task is cancelled, the statement is interrupted."""
        is_cancelled = Event()

        def begun() -> T:
            self._is_cancelled = is_cancelled
            return work()

        future = self._running = self._thread.submit(begun)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            is_cancelled.set()  # a statement that is about to begin would not notice that it is interrupted
            if not future.cancel():
                self.interrupt()
            raise

    def interrupt(self) -> None:
        connection = self._handle.connection
        if connection is not None:
            with contextlib.suppress(apsw.ConnectionClosedError):
                connection.interrupt()

    @property
    def is_at_rest(self) -> bool:
        """Nothing runs in the thread, and no transaction is open."""
        if self._running is not None and not self._running.done():
            return False
        try:
            connection = self._handle.connection
            return connection is None or not connection.in_transaction
        except (apsw.ConnectionClosedError, apsw.ThreadingViolationError):  # its thread closes it at this moment
            return True

    def data_version(self) -> int | None:
        """The number that grows with every commit by others, asked for in the caller's own thread: that takes
        microseconds, the way to another thread and back a hundred times as long. None where it would have to wait
        for anything; the question is then one for the thread."""
        connection = self._handle.connection
        if connection is None or not self.is_at_rest or not self._handle.is_good():
            return None
        self._deadline = time.monotonic() + self.limit
        try:
            connection.set_busy_timeout(0)
            try:
                return int(next(connection.execute("PRAGMA data_version"))[0])
            finally:
                connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        except apsw.Error:  # also where its thread has just closed it
            return None

    async def query(self, sql: str, bindings: Bindings) -> list[Row]:
        limit = statement_timeout.get() or self.limit
        try:
            return await self.call(lambda: self._query(sql, bindings, limit))
        except (apsw.Error, OSError) as error:
            raise self._failure(error, limit) from error

    async def together(self, work: Callable[[Query], T]) -> T:
        """Runs `work` in the thread, and the statements that it asks for: what asks for many small things, one after
        the other, waits for the thread only once. When the task is cancelled, no further statement begins."""
        is_cancelled = False

        def query(sql: str, bindings: Bindings, limit: float) -> list[Row]:
            try:
                if is_cancelled:
                    raise apsw.InterruptError
                return self._query(sql, bindings, limit)
            except (apsw.Error, OSError) as error:
                raise self._failure(error, limit) from error

        try:
            return await self.call(lambda: work(query))
        except asyncio.CancelledError:
            is_cancelled = True
            self.interrupt()  # once more: a statement may have begun since
            raise

    async def run_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Runs a statement that answers nothing once for each row of values, each under its own deadline."""
        limit = statement_timeout.get() or self.limit
        try:
            await self.call(lambda: self._run_each(sql, rows, limit))
        except (apsw.Error, OSError) as error:
            raise self._failure(error, limit) from error

    def _failure(self, error: Exception, limit: float) -> HermesSessionsError:
        if is_suspicious(error):
            suspect_all(self.file)
        return translate(error, self._path, limit, is_reading=self._is_reading)

    def _run_each(self, sql: str, rows: Sequence[Sequence[Any]], limit: float) -> None:
        connection = self._handle.opened()
        for row in rows:
            self._deadline = time.monotonic() + limit
            connection.execute(sql, row)

    def _query(self, sql: str, bindings: Bindings, limit: float) -> list[Row]:
        connection = self._handle.opened()
        self._deadline = time.monotonic() + limit
        try:
            return rows_of(connection, sql, bindings)
        except UnicodeDecodeError:
            return rows_with_broken_text(connection, sql, bindings)

    def _prepare(self, connection: apsw.Connection) -> None:
        connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)  # whatever is run by mistake, it reaches no other file
        for name, function in self._functions.items():
            connection.create_scalar_function(name, function, deterministic=True)
        connection.create_scalar_function("content_head", content_piece(connection, at_end=False), 2)
        connection.create_scalar_function("content_tail", content_piece(connection, at_end=True), 2)
        connection.execute(self._make_temporary).fetchall()
        self._deadline = time.monotonic() + self.limit  # for what is read to open it; the statement gets its own
        connection.set_progress_handler(self._must_end, _PROGRESS_STEPS)

    def _must_end(self) -> bool:
        return time.monotonic() > self._deadline or self._is_cancelled.is_set()

    @property
    def is_suspect(self) -> bool:
        return self._handle.is_suspect

    def is_on(self, file: Inode | None) -> bool:
        return self._handle.is_on(file)

    def is_outdated(self, now: Identity) -> bool:
        return self._handle.is_outdated(now)

    def is_lost(self) -> bool:
        """Whether the file or its log is another one since the connection was opened, or that cannot be told."""
        try:
            return self._handle.is_lost()
        except (HermesSessionsError, OSError):
            return True

    def rollback(self) -> None:
        connection = self._handle.connection
        if connection is not None and connection.in_transaction:
            connection.execute("ROLLBACK")
        self._handle.close_if_suspect()

    def suspect(self) -> None:
        self._handle.is_suspect = True
        with contextlib.suppress(RuntimeError):  # it is shut down already
            self._thread.submit(self._close_if_suspect)

    def _close_if_suspect(self) -> None:
        try:
            self._handle.close_if_suspect()
        except apsw.ThreadingViolationError:  # the event loop asks for its data_version at this moment
            self.suspect()

    def close_soon(self) -> None:
        self._running = self._thread.submit(self._handle.close)

    async def shut_down(self) -> None:
        await self.call(self._handle.close)
        self._thread.shutdown(wait=False)
