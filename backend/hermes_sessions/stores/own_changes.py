"""A mark that moves with each of our own changes to a store, for all processes of ours that serve it.

A server may run as several workers, and two servers with one state directory may serve one home: what was changed
through one is seen through the others at once. The mark is the modification time of an empty file beside the bin. It
is set to the nanosecond and only ever compared with itself, so neither the clock's steps nor its resolution matter.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

Mark = tuple[int, int]

_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Somebody may have put a link there, or a pipe that opens only when it is read."""


class OwnChanges:
    """The mark of one store. Where its file cannot be written it is that of this process alone."""

    def __init__(self, folder: Path, store: Path) -> None:
        name = hashlib.sha256(os.fsencode(store.resolve())).hexdigest()
        self._path = folder / f"{name[:32]}.changed"
        self._count = 0

    def mark(self) -> Mark:
        try:
            return self._count, os.stat(self._path).st_mtime_ns
        except OSError:
            return self._count, 0

    def move(self) -> None:
        """To be called before a change is acknowledged."""
        self._count += 1
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | _AS_IT_IS, 0o600)
            try:
                now = time.time_ns()
                os.utime(handle if os.utime in os.supports_fd else self._path, ns=(now, now))
            finally:
                os.close(handle)
        except OSError:
            return  # the change itself was made
