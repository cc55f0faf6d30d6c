"""Which files SQLite may open for a store, regular ones that no other path shares, and which it has open.

A link could lead out of the home, a hard link to somebody else's file, and opening a pipe may never end. SQLite itself
would follow them: it takes the files beside a store for its own.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from hermes_sessions.errors import ErrorCode, HermesSessionsError

SIDECARS = ("-wal", "-shm", "-journal")

Inode = tuple[int, int]
"""Device and number: another pair is another file."""


class Identity(NamedTuple):
    """Which file a connection is on, told from outside, and its size and that of its WAL in bytes."""

    file: Inode | None
    wal: Inode | None
    shm: Inode | None
    """What SQLite knows of the WAL, shared by all who have it open."""
    size: int
    wal_size: int


NOTHING = Identity(None, None, None, 0, 0)


class Paths(NamedTuple):
    """Of a store and what lies beside it. They are looked at with every question."""

    file: str
    wal: str
    shm: str
    journal: str

    @classmethod
    def of(cls, path: Path) -> Paths:
        return cls(str(path), *(f"{path}{suffix}" for suffix in SIDECARS))

    def identity(self) -> Identity:
        """As it is now. Raises UNSUPPORTED_STORE where SQLite must not open one of the four, OSError where it cannot
        be told."""
        allowed(self.journal)
        found, wal, shm = allowed(self.file), allowed(self.wal), allowed(self.shm)
        return Identity(_inode(found), _inode(wal), _inode(shm), _size(found), _size(wal))


def is_other(then: Identity, now: Identity) -> bool:
    """The file is another one, or its log, or the index of that. Each may have become shorter."""
    return then[:3] != now[:3]


def is_replaced(then: Identity, now: Identity) -> bool:
    """It is another one, or was cut."""
    return is_other(then, now) or then.size > now.size


def is_completed(then: Identity, now: Identity) -> bool:
    """Nothing but what was not there is another one: SQLite makes the log and its index where they are missing."""
    return all(before is None or before == after for before, after in zip(then[:3], now[:3], strict=True))


def allowed(path: str) -> os.stat_result | None:
    """A file that may be opened; None where there is none. Raises UNSUPPORTED_STORE for another."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
        return found
    what = "a hard link that other paths share" if stat.S_ISREG(found.st_mode) else "no regular file"
    raise HermesSessionsError(
        ErrorCode.UNSUPPORTED_STORE,
        f"{os.path.basename(path)} is {what}; nothing was opened. Move it away.",
    )


def _inode(found: os.stat_result | None) -> Inode | None:
    return (found.st_dev, found.st_ino) if found is not None else None


def _size(found: os.stat_result | None) -> int:
    return found.st_size if found is not None else 0


def without_links(path: Path) -> Path:
    """The same file, its directory named without links: SQLite, which is to follow none that takes the file's place,
    refuses any in the path. Windows has no such rule, and would name a network drive by its server: no URI holds that.
    """
    return path.parent.resolve() / path.name if os.name == "posix" else path.absolute()
