"""The connections of this process to one file.

What SQLite knows of a file's log is shared by all of them, and goes with the last: where a log was lost or cut, or
could not be read, one that is opened anew beside an old one would be told the same again.
"""

from __future__ import annotations

from collections import defaultdict
from threading import Lock
from typing import Protocol
from weakref import WeakSet


class Sibling(Protocol):
    file_name: str

    def suspect(self) -> None:
        """To be opened anew before it is used again, and closed soon unless it is in a transaction."""


_lock = Lock()  # some speak from the thread of their connection
_siblings: defaultdict[str, WeakSet[Sibling]] = defaultdict(WeakSet)


def register(sibling: Sibling) -> None:
    """Not what must stay open beside another one."""
    with _lock:
        _siblings[sibling.file_name].add(sibling)


def suspect_all(file_name: str) -> None:
    with _lock:
        known = list(_siblings[file_name])
    for sibling in known:
        sibling.suspect()
