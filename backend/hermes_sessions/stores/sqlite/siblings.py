"""The connections of this process to one file.

What SQLite knows of a file's log is shared by all of them, and goes with the last. Where the log was lost, one that is
opened beside an old one would read the agent's new log by the old one's index, and, worse, write over what the agent
has committed there. Where the log was cut or could not be read, it would be told the same again.
"""

from __future__ import annotations

from threading import Lock
from typing import Protocol
from weakref import WeakSet

from hermes_sessions.stores.sqlite.files import Identity, Inode


class Sibling(Protocol):
    @property
    def is_suspect(self) -> bool:
        """Whether it was told so, and has not closed yet."""

    def is_on(self, file: Inode | None) -> bool:
        """Whether its connection, which may just be opening, is on this file."""

    def is_outdated(self, now: Identity) -> bool:
        """Whether that is on a log that is no longer there."""

    def suspect(self) -> None:
        """To be opened anew before it is used again, and closed soon unless it is in a transaction."""


_lock = Lock()  # they speak from the threads of their connections
_siblings: WeakSet[Sibling] = WeakSet()


def register(sibling: Sibling) -> None:
    with _lock:
        _siblings.add(sibling)


def suspect_all(file: Inode | None) -> None:
    for sibling in _on(file):
        sibling.suspect()


def are_outdated(now: Identity) -> bool:
    """Whether one is left on a lost log of this file. It is told, and will close."""
    outdated = [sibling for sibling in _on(now.file) if sibling.is_outdated(now)]
    for sibling in outdated:
        sibling.suspect()
    return bool(outdated)


def are_suspect(file: Inode | None) -> bool:
    return any(sibling.is_suspect for sibling in _on(file))


def _on(file: Inode | None) -> list[Sibling]:
    with _lock:
        return [sibling for sibling in _siblings if sibling.is_on(file)]
