"""Which files SQLite may open for a store: regular ones that no other path shares.

A link could lead out of the home, a hard link to somebody else's file, and opening a pipe may never end. SQLite itself
would follow them: it takes the files beside a store for its own.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError

SIDECARS = ("-wal", "-shm", "-journal")

Identity = tuple[int, int]


def identity(path: str) -> Identity | None:
    """Device and inode of a file that may be opened; None where there is none. Raises UNSUPPORTED_STORE for another."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
        return (found.st_dev, found.st_ino)
    what = "a hard link that other paths share" if stat.S_ISREG(found.st_mode) else "no regular file"
    raise HermesSessionsError(
        ErrorCode.UNSUPPORTED_STORE,
        f"{os.path.basename(path)} is {what}; nothing was opened. Move it away.",
    )


def check_sidecars(path: str) -> None:
    """Raises UNSUPPORTED_STORE for a file beside the store that SQLite must not open."""
    for suffix in SIDECARS:
        identity(f"{path}{suffix}")


def without_links(path: Path) -> Path:
    """The same file, its directory named without links: SQLite, which is to follow none that takes the file's place,
    refuses any in the path. Windows has no such rule, and would name a network drive by its server: no URI holds that.
    """
    return path.parent.resolve() / path.name if os.name == "posix" else path.absolute()
