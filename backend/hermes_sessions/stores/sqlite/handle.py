"""One SQLite connection on a file that another program is using, and that may be another file at any moment.

The rules of docs/stores.md about opening and replaced files are kept here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import apsw

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.stores.sqlite.errors import replaced
from hermes_sessions.stores.sqlite.files import (
    NOTHING,
    Identity,
    Inode,
    Paths,
    is_completed,
    is_other,
    is_replaced,
    without_links,
)
from hermes_sessions.stores.sqlite.siblings import are_outdated, are_suspect, suspect_all

Mode = Literal["ro", "rw", "rwc", "still"]
"""Read only; read and write an existing file; the same for a file of our own, made where it is missing.

Still: read only, without locks and without making sidecars. What it reads is only true while nobody writes, see
`still.py`: nothing else may use it.
"""

_OPEN_FLAGS = {
    "ro": apsw.SQLITE_OPEN_READONLY,
    "rw": apsw.SQLITE_OPEN_READWRITE,
    "rwc": apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE,
    "still": apsw.SQLITE_OPEN_READONLY,
}
_URI_MODES = {"still": "ro&immutable=1"}
_OPENING_PRAGMAS = {
    "ro": "PRAGMA query_only = ON",
    "rw": "PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0",
    "rwc": "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    "still": "PRAGMA query_only = ON",
}
_READ_ONCE = "SELECT 1 FROM sqlite_master LIMIT 1"
"""Before it, a connection has opened neither the log nor its index."""

BUSY_TIMEOUT_MS = 1000

PATIENCE = 5.0
"""Seconds that one that is opened anew waits for others to leave a lost log, which end a statement first."""
DOUBT = 0.25
"""For those that are no longer believed, but are on the same log: beside them it may be told the same again."""
LOOK = 0.01


class Handle:
    """Opened when it is first used. Its connection belongs to one thread; others may ask what it is on.

    `generation` grows with every opening: what was learned through an earlier connection may be about another file.
    `prepare` is called with each new connection, before it may no longer make temporary tables. `is_cancelled` ends the
    waiting for others.
    """

    def __init__(
        self, path: Path, mode: Mode, prepare: Callable[[apsw.Connection], None], is_cancelled: Callable[[], bool]
    ) -> None:
        self.generation = 0
        self.connection: apsw.Connection | None = None
        self.identity: Identity = NOTHING
        self.is_suspect = False
        self._path = path
        self._paths = Paths.of(path)
        self._mode: Mode = mode
        self._prepare = prepare
        self._is_cancelled = is_cancelled
        self._is_open = False  # from before it opens until after it has closed
        self._is_over = False  # closed amid its transaction
        self._anchor: apsw.Connection | None = None

    def is_on(self, file: Inode | None) -> bool:
        return self._is_open and self.identity.file == file

    def is_outdated(self, now: Identity) -> bool:
        return self._is_open and not self._is_same(self.identity, now)

    def is_good(self) -> bool:
        """Whether the connection is open, on what is there now. Asked from other threads, too."""
        if self.connection is None or self.is_suspect:
            return False
        try:
            identity = self._paths.identity()
        except (HermesSessionsError, OSError):
            return False
        if is_replaced(self.identity, identity):
            return False
        self.identity = identity
        return True

    def is_lost(self) -> bool:
        """Whether what is written would not be found: the file or its log is another one since the opening."""
        return is_other(self.identity, self._paths.identity())

    def opened(self) -> apsw.Connection:
        """The connection, opened anew where the file or its log is not the one that it was opened on. In a transaction
        it stays what it is; one that writes then raises that the file was replaced."""
        if self._is_over:
            raise replaced(self._path)
        connection = self.connection
        if connection is not None and connection.in_transaction:
            if self._mode == "rw" and self.is_lost():
                raise replaced(self._path)
            return connection
        if connection is not None and not self.is_suspect:
            identity = self._paths.identity()
            if not is_replaced(self.identity, identity):
                self.identity = identity
                return connection
            suspect_all(self.identity.file)
        self.close()
        return self._open_anew()

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None
        if self._anchor is not None:
            self._anchor.close()
            self._anchor = None
        self._is_open = self.is_suspect = False

    def close_if_suspect(self) -> None:
        """A change that has lost its log is not kept, whatever comes: others, and it itself, wait until it leaves."""
        if not self.is_suspect:
            return
        if self.connection is not None and self.connection.in_transaction:
            if self._mode != "rw" or not self.is_lost():
                return
            self._is_over = True
        self.close()

    def _open_anew(self) -> apsw.Connection:
        """What is there is looked at before the siblings are, and once more afterwards. So none is on another log than
        the one that SQLite has opened here, and whoever comes later sees this one, which tells where it is before it
        opens."""
        began = time.monotonic()
        while True:
            identity = self._paths.identity()
            if self._mode == "still" or not self._must_wait(identity, time.monotonic() - began):
                self.identity, self._is_open = identity, True
                connection = self._opened_on(identity)
                if connection is not None:
                    self.generation += 1
                    return connection
            else:
                time.sleep(LOOK)
            if time.monotonic() - began > PATIENCE:
                raise replaced(self._path)
            if self._is_cancelled():
                raise apsw.InterruptError

    def _must_wait(self, identity: Identity, waited: float) -> bool:
        return are_outdated(identity) or (waited < DOUBT and are_suspect(identity.file))

    def _opened_on(self, identity: Identity) -> apsw.Connection | None:
        """None where it may be another file or log: it was lost meanwhile, or made by this very opening, and then that
        may be lost already."""
        try:
            connection = self._open()
        except apsw.Error:
            if is_completed(identity, self._paths.identity()):
                raise
            return None  # it may have read the one by the index of the other
        self.identity = self._paths.identity()
        if self._mode == "still" or self._is_same(identity, self.identity):
            return connection
        self.close()
        return None

    def _is_same(self, then: Identity, now: Identity) -> bool:
        """The log of our own file goes with its last connection, and nobody takes it away."""
        return is_completed(then, now) if self._mode == "rwc" else not is_other(then, now)

    def _open(self) -> apsw.Connection:
        """Raises what forbids it, with nothing left open."""
        try:
            if self._mode == "rw":
                # Closing the last connection of a file would delete the log under an agent that lost its locks. This
                # one cannot write, and closes after the writer, whatever becomes of the readers.
                self._anchor = self._connect("ro")
                self._anchor.execute(_READ_ONCE).fetchall()
            self.connection = connection = self._connect(self._mode)
            self._prepare(connection)
            connection.execute(_OPENING_PRAGMAS[self._mode]).fetchall()
            connection.execute(_READ_ONCE).fetchall()
            self._paths.identity()  # once more: nothing is read of what was put there meanwhile
        except BaseException:
            self.close()
            raise
        return connection

    def _connect(self, mode: Mode) -> apsw.Connection:
        # as_uri() quotes what would end the path: an unquoted '#' would drop the mode and create a file.
        uri = f"{without_links(self._path).as_uri()}?mode={_URI_MODES.get(mode, mode)}"
        flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOFOLLOW
        connection = apsw.Connection(uri, flags=_OPEN_FLAGS[mode] | flags)
        try:
            self._paths.identity()
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        except BaseException:
            connection.close()
            raise
        return connection
