"""The file of the bin as the file system has it."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError


def make_file(path: Path) -> None:
    """By us and with its mode, since SQLite would make it readable for others. Never opened when it is there: closing
    it would drop the locks that other connections of this process hold on it.

    Raises STORAGE_FULL and STORE_UNREACHABLE.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise _refusal(error, path) from error


def is_there(path: Path) -> bool:
    """Whether anything was ever put into it. Raises STORE_UNREACHABLE where that cannot be told."""
    try:
        return os.stat(path).st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _refusal(error, path) from error


def _refusal(error: OSError, path: Path) -> HermesSessionsError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return HermesSessionsError(
            ErrorCode.STORAGE_FULL,
            f"There is no space left to write {path.name}. Nothing was changed; free some space.",
        )
    return HermesSessionsError(
        ErrorCode.STORE_UNREACHABLE,
        f"This user may not use the directory of {path.name}, where deleted sessions are kept. Nothing was changed; "
        "run as the directory's owner.",
    )
