"""A backend for `databases` that reads and writes a SQLite file which another program is using.

Its rules, and what happens when one is broken, stand in docs/stores.md. In short: readers are opened with mode=ro
and stay open, a writer never checkpoints, no file of the store is opened but by SQLite, and a cancelled task
neither loses a connection nor leaves a statement running.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import apsw
from databases import DatabaseURL
from databases.interfaces import ConnectionBackend, DatabaseBackend, Record, TransactionBackend
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.elements import TextClause

from hermes_sessions.stores.sqlite_errors import translate

Mode = Literal["ro", "rw", "rwc"]
"""Read only; read and write an existing file; the same for a file of our own, made where it is missing."""

T = TypeVar("T")
Bindings = dict[str, Any]

BUSY_TIMEOUT_MS = 1000
IDLE_SECONDS = 300.0
_PROGRESS_STEPS = 5000  # virtual machine steps between two looks at the clock: well under a millisecond

statement_timeout: ContextVar[float | None] = ContextVar("statement_timeout", default=None)
"""Seconds that a statement of this task may run; None means the backend's default."""

Functions = Mapping[str, Callable[..., Any]]


WAL_BUG_FIXED_IN = (3, 51, 3)


def sqlite_version() -> str:
    return apsw.sqlite_lib_version()


def sqlite_warnings() -> list[str]:
    """A sentence where the library is one that can corrupt a WAL with several writers."""
    if tuple(map(int, sqlite_version().split("."))) >= WAL_BUG_FIXED_IN:
        return []
    return [f"SQLite {sqlite_version()} has a bug with several writers in WAL mode. Install apsw 3.54 or later."]


_OPEN_FLAGS = {
    "ro": apsw.SQLITE_OPEN_READONLY,
    "rw": apsw.SQLITE_OPEN_READWRITE,
    "rwc": apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE,
}
_OPENING_PRAGMAS = {
    "ro": "PRAGMA query_only = ON",
    "rw": "PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0",
    "rwc": "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
}


class Row(Record):
    """One row of an answer, by position or by column name."""

    __slots__ = ("_index", "_values")

    def __init__(self, index: dict[str, int], values: tuple[Any, ...]) -> None:
        self._index = index
        self._values = values

    @property
    def _mapping(self) -> dict[str, Any]:
        return dict(zip(self._index, self._values, strict=True))

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._index[key] if isinstance(key, str) else key]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)


class Worker:
    """One thread and the SQLite connection that lives in it, opened when first used.

    `generation` grows with every opening: what was learned through an earlier connection may be about another file.
    """

    def __init__(self, path: Path, mode: Mode, limit: float, functions: Functions) -> None:
        self.generation = 0
        self._path = path
        self._mode: Mode = mode
        self._limit = limit
        self._functions = functions
        self._connection: apsw.Connection | None = None
        self._identity: tuple[Any, Any] = (None, None)
        self._deadline = 0.0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"sqlite-{mode}")

    async def call(self, work: Callable[[], T]) -> T:
        """Runs `work` in the thread. When the task is cancelled, the statement is interrupted."""
        future = self._thread.submit(work)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if not future.cancel():
                self.interrupt()
            raise

    def interrupt(self) -> None:
        connection = self._connection
        if connection is not None:
            with contextlib.suppress(apsw.ConnectionClosedError):
                connection.interrupt()

    async def query(self, sql: str, bindings: Bindings) -> list[Row]:
        limit = statement_timeout.get() or self._limit
        try:
            return await self.call(lambda: self._query(sql, bindings, limit))
        except (apsw.Error, OSError) as error:
            raise translate(error, self._path, limit) from error

    def _query(self, sql: str, bindings: Bindings, limit: float) -> list[Row]:
        connection = self._opened()
        self._deadline = time.monotonic() + limit
        try:
            return _rows(connection, sql, bindings)
        except UnicodeDecodeError:
            return _rows_with_broken_text(connection, sql, bindings)

    def _opened(self) -> apsw.Connection:
        """The connection, opened anew where the file or its WAL is not the one that it was opened on."""
        identity = (_identity(self._path), _identity(Path(f"{self._path}-wal")))
        if self._connection is not None and self._connection.in_transaction:
            return self._connection
        if self._connection is not None and not _is_replaced(self._identity, identity):
            self._identity = identity
            return self._connection
        self.close_connection()
        self._connection = self._open()
        self._identity = identity  # of before: what came meanwhile is noticed next time
        self.generation += 1
        return self._connection

    def _open(self) -> apsw.Connection:
        # as_uri() quotes what would end the path: an unquoted '#' would drop the mode and create a file.
        uri = f"{self._path.absolute().as_uri()}?mode={self._mode}"
        connection = apsw.Connection(uri, flags=_OPEN_FLAGS[self._mode] | apsw.SQLITE_OPEN_URI)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        for name, function in self._functions.items():
            connection.create_scalar_function(name, function, deterministic=True)
        connection.create_scalar_function("content_head", _content_head(connection), 2)
        connection.execute(_OPENING_PRAGMAS[self._mode]).fetchall()
        connection.set_progress_handler(lambda: time.monotonic() > self._deadline, _PROGRESS_STEPS)
        return connection

    def rollback(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def shut_down(self) -> None:
        await self.call(self.close_connection)
        self._thread.shutdown(wait=False)


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


async def _shut_down(workers: list[Worker]) -> None:
    for worker in workers:
        await worker.shut_down()


def _content_head(connection: apsw.Connection) -> Callable[..., bytes]:
    """SQL function content_head(id, n): the first n bytes of a message's content.

    Incremental I/O touches only the pages that hold them, where substr() would load a 20 MB value first.
    """

    def content_head(message_id: Any, size: Any) -> bytes:
        blob = connection.blob_open("main", "messages", "content", message_id, False)
        try:
            return bytes(blob.read(min(size, blob.length())))
        finally:
            blob.close()

    return content_head


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return (status.st_dev, status.st_ino)


def _is_replaced(then: tuple[Any, Any], now: tuple[Any, Any]) -> bool:
    """The file is another one, or its WAL is. A WAL that was not there and now is, is the agent's first write."""
    return then[0] != now[0] or (then[1] is not None and then[1] != now[1])


def _rows(connection: apsw.Connection, sql: str, bindings: Bindings) -> list[Row]:
    cursor = connection.execute(sql, bindings)
    try:
        index = {column[0]: at for at, column in enumerate(cursor.get_description())}
    except apsw.ExecutionCompleteError:
        return []
    return [Row(index, values) for values in cursor.fetchall()]


def _rows_with_broken_text(connection: apsw.Connection, sql: str, bindings: Bindings) -> list[Row]:
    """The same answer where a text is not UTF-8: read as bytes, and decoded with replacement."""
    names = [column[0] for column in connection.execute(sql, bindings).get_description()]
    columns = ", ".join(
        f'CASE typeof("{name}") WHEN \'text\' THEN CAST("{name}" AS BLOB) ELSE "{name}" END AS "{name}"'
        for name in names
    )
    rows = _rows(connection, f"SELECT {columns} FROM ({sql})", bindings)
    return [Row(row._index, tuple(map(_decoded, row))) for row in rows]


def _decoded(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


class LiveSqliteBackend(DatabaseBackend):
    """A fixed number of workers for one file. Nothing is opened before the first statement."""

    def __init__(
        self, url: DatabaseURL, *, path: Path, mode: Mode, size: int, limit: float, functions: Functions
    ) -> None:
        self._make_worker: Callable[[], Worker] = partial(Worker, path, mode, limit, functions)
        self._size = size
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self._workers: list[Worker] = []
        self._closers: dict[Worker, asyncio.TimerHandle] = {}

    async def connect(self) -> None:
        self._workers = [self._make_worker() for _ in range(self._size)]
        for worker in self._workers:
            self._idle.put_nowait(worker)

    async def disconnect(self) -> None:
        for closer in self._closers.values():
            closer.cancel()
        workers, self._workers = self._workers, []
        await finished(_shut_down(workers))

    def connection(self) -> ConnectionBackend:
        return LiveSqliteConnection(self)

    async def lend(self) -> Worker:
        worker = await self._idle.get()
        closer = self._closers.pop(worker, None)
        if closer is not None:
            closer.cancel()
        return worker

    async def take_back(self, worker: Worker) -> None:
        """Waits for what still runs in the thread and ends an open transaction before anyone else gets the worker."""
        try:
            await worker.call(worker.rollback)
        finally:
            loop = asyncio.get_running_loop()
            self._closers[worker] = loop.call_later(IDLE_SECONDS, self._close_idle, worker)
            self._idle.put_nowait(worker)

    def _close_idle(self, worker: Worker) -> None:
        self._closers.pop(worker, None)
        worker._thread.submit(worker.close_connection)


class LiveSqliteConnection(ConnectionBackend):
    """What `databases` calls for one task between acquire and release."""

    def __init__(self, backend: LiveSqliteBackend) -> None:
        self._backend = backend
        self._worker: Worker | None = None

    async def acquire(self) -> None:
        self._worker = await self._backend.lend()

    async def release(self) -> None:
        worker, self._worker = self._lent, None
        await finished(self._backend.take_back(worker))

    @property
    def _lent(self) -> Worker:
        if self._worker is None:
            raise RuntimeError("The connection is used outside `async with database.connection()`.")
        return self._worker

    async def fetch_all(self, query: ClauseElement) -> list[Record]:
        sql, bindings = _statement(query)
        return cast("list[Record]", await self._lent.query(sql, bindings))

    async def fetch_one(self, query: ClauseElement) -> Record | None:
        rows = await self.fetch_all(query)
        return rows[0] if rows else None

    async def fetch_val(self, query: ClauseElement, column: Any = 0) -> Any:
        row = await self.fetch_one(query)
        return None if row is None else row[column]

    async def execute(self, query: ClauseElement) -> None:
        """Runs the statement. For counts and new ids use RETURNING and fetch_all."""
        await self.fetch_all(query)

    async def execute_many(self, queries: Sequence[ClauseElement]) -> None:
        for query in queries:
            await self.fetch_all(query)

    def transaction(self) -> TransactionBackend:
        raise NotImplementedError("Use write_transaction: it begins IMMEDIATE and survives cancellation.")

    @property
    def raw_connection(self) -> Worker:
        return self._lent


def _statement(query: ClauseElement) -> tuple[str, Bindings]:
    """SQL and values of a text clause. SQLite knows `:name`, so nothing needs to be compiled."""
    if not isinstance(query, TextClause):
        raise NotImplementedError("This backend takes SQL text only.")
    return query.text, {name: parameter.value for name, parameter in query._bindparams.items()}
