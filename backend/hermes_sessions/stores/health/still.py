"""Looking at a store without leaving anything beside it.

A read-only connection to a store in WAL mode makes the `-wal` and `-shm` files where they are missing, and never takes
them away again. Where nobody has the store open, they are missing. It can then be read without locks and without
sidecars, and what was read is true when the files are the same afterwards: somebody who writes changes them. Only a
program that looks once and leaves, as `doctor`, does that; see rule 1 of docs/stores.md for those that stay.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.sqlite.files import SIDECARS

_FileState = tuple[int, int, int]


@dataclass(frozen=True)
class Witness:
    """The files of a store as they were before a look."""

    path: Path
    files: tuple[_FileState | None, ...]

    @staticmethod
    def of(path: Path) -> Witness:
        return Witness(path, tuple(_state(Path(f"{path}{suffix}")) for suffix in ("", *SIDECARS)))

    @property
    def mode(self) -> Literal["ro", "still"]:
        """How the store can be read without making a file.

        Raises STORE_UNREACHABLE for a log with content whose index is missing: only a writer should make that again.
        """
        store, log, log_index, journal = self.files
        if log is not None and log_index is not None:
            return "ro"
        if log is not None and log[1] > 0 and store is not None and store[1] > 0:
            raise HermesSessionsError(
                ErrorCode.STORE_UNREACHABLE,
                "The store's -wal file holds changes and its -shm file is missing, so it cannot be read without making "
                "a file. Start Hermes once, or serve the home.",
            )
        return "ro" if journal is not None and journal[1] > 0 else "still"

    def holds(self) -> bool:
        """Whether nothing has changed since."""
        return Witness.of(self.path) == self


def _state(path: Path) -> _FileState | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns)
