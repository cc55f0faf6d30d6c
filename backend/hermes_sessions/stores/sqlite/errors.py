"""SQLite's errors in words of the one error family."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.conflicts import Conflict

_NO_ROOM_TO_READ = frozenset({apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP})

LEAST_ROOM = 65_536
"""Bytes: SQLite's index of a log begins with half of that."""


def is_suspicious(error: Exception) -> bool:
    """Whether what SQLite keeps of the file and its log may be wrong, or the file is."""
    is_short = isinstance(error, apsw.IOError) and _extended(error) == apsw.SQLITE_IOERR_SHORT_READ
    return is_short or (isinstance(error, apsw.CorruptError | apsw.NotADBError) and not _is_of_index(error))


def _extended(error: apsw.Error) -> int:
    return int(getattr(error, "extendedresult", 0))


def _is_of_index(error: Exception) -> bool:
    """Whether a full-text index says that it is damaged, and not the file."""
    if isinstance(error, apsw.SQLError):
        return any(words in str(error) for words in ("invalid fts5 file format", "vtable constructor failed"))
    return isinstance(error, apsw.CorruptError) and _extended(error) == apsw.SQLITE_CORRUPT_VTAB


def _is_full(directory: Path) -> bool:
    try:
        return shutil.disk_usage(directory).free < LEAST_ROOM
    except OSError:
        return False


def busy(path: Path) -> HermesSessionsError:
    sentence = f"Another program or another change holds the write lock of {path.name}. Nothing was changed; try again."
    return HermesSessionsError(ErrorCode.STORE_BUSY, sentence)


def locked(path: Path) -> HermesSessionsError:
    sentence = (
        f"Another program has locked {path.name} whole, so that it cannot be read now. Nothing was changed; try again."
    )
    return HermesSessionsError(ErrorCode.STORE_BUSY, sentence)


def replaced(path: Path) -> HermesSessionsError:
    return Conflict(f"{path.name} or its log was replaced by another file meanwhile. Nothing was changed; try again.")


def translate(error: Exception, path: Path, limit: float, *, is_reading: bool = False) -> HermesSessionsError:
    """The error to show. Nothing of SQLite's own text is passed on: it may quote what is stored."""
    name = path.name
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return locked(path) if is_reading else busy(path)
    if isinstance(error, apsw.InterruptError):
        return HermesSessionsError(
            ErrorCode.TIMEOUT, f"A statement ran longer than {limit:g} s and was stopped. Ask for less, or try again."
        )
    if _is_of_index(error):
        return HermesSessionsError(
            ErrorCode.STORE_DAMAGED,
            f"A full-text index of {name} is damaged, so that messages cannot be changed. Nothing was changed; let "
            "Hermes repair it.",
        )
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return HermesSessionsError(
            ErrorCode.STORE_DAMAGED,
            f"{name} is damaged or no SQLite database. It was left as it is; restore it from a backup, or let Hermes "
            "repair it.",
        )
    if isinstance(error, apsw.FullError):
        return HermesSessionsError(
            ErrorCode.STORAGE_FULL, f"There is no space left to write {name}. Nothing was changed; free some space."
        )
    if isinstance(error, apsw.IOError) and _extended(error) in _NO_ROOM_TO_READ and _is_full(path.parent):
        return HermesSessionsError(
            ErrorCode.STORAGE_FULL,
            f"There is no space left for the files that SQLite needs beside {name} to read it. Free some space.",
        )
    if isinstance(error, apsw.ReadOnlyError):
        return HermesSessionsError(
            ErrorCode.READ_ONLY, f"{name} or its directory cannot be written by this user. Run as the file's owner."
        )
    if isinstance(error, apsw.CantOpenError | apsw.IOError | apsw.PermissionsError | apsw.AuthError | OSError):
        return HermesSessionsError(
            ErrorCode.STORE_UNREACHABLE,
            f"{name} could not be opened or read. Check that it exists, that this user may read it and its directory.",
        )
    if isinstance(error, apsw.ConstraintError):
        return HermesSessionsError(
            ErrorCode.UNSUPPORTED_STORE,
            f"{name} has a rule that this change would break, such as a table that refers to these sessions. "
            "Nothing was changed; use Hermes itself.",
        )
    if isinstance(error, apsw.SQLError) and "no such" in str(error):
        return HermesSessionsError(
            ErrorCode.UNSUPPORTED_STORE, f"{name} lacks a table or column that this needs. Let Hermes open it once."
        )
    return HermesSessionsError(ErrorCode.INTERNAL, "The database refused a statement.", {"cause": type(error).__name__})
