"""Make a new store with Hermes' schema and fill it, before anyone else knows of it."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.stores import hermes_schema
from hermes_sessions.stores.names import quoted
from hermes_sessions.stores.sqlite.errors import translate

Cell = str | bytes | int | float | None


class NewStore:
    """A store that is being filled; `insert` is its only verb."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def insert(self, table: str, row: Mapping[str, Cell]) -> int:
        """Add one row, columns by name, and give its rowid."""
        columns = ", ".join(quoted(column) for column in row)
        places = ", ".join("?" * len(row))
        self._connection.execute(f"INSERT INTO {quoted(table)} ({columns}) VALUES ({places})", tuple(row.values()))
        return self._connection.last_insert_rowid()


@contextmanager
def new_store(path: Path, statements: Sequence[str] = hermes_schema.STATEMENTS) -> Iterator[NewStore]:
    """Make the store `path` and fill it in one transaction; when that fails, no store is left behind.

    The file is readable by its owner alone and fully checkpointed in the end. An existing file is refused with
    BAD_USER_INPUT.
    """
    _claim(path)
    try:
        connection = apsw.Connection(str(path.absolute()), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            with connection:
                for statement in statements:
                    connection.execute(statement)
                yield NewStore(connection)
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            connection.close()
    except BaseException:
        _discard(path)
        raise


def create_store(path: Path) -> None:
    """Make the empty store `path`; an existing file is refused with BAD_USER_INPUT."""
    with new_store(path):
        pass


def publish_store(path: Path) -> None:
    """Make an empty store in a directory that others use, too; one that they made meanwhile is left as it is.

    It is made under another name and gets its own when it is complete: a program that looked at a store in the
    making would see an empty file. It belongs to the owner of the directory also when root makes it.
    Raises STORAGE_FULL or STORE_UNREACHABLE where it cannot be made.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        create_store(draft)
        _give_to_owner(draft, path.parent)
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
            _sync(path.parent)
    except apsw.Error as error:
        raise translate(error, path, 0) from error
    except OSError as error:
        code = ErrorCode.STORAGE_FULL if error.errno == errno.ENOSPC else ErrorCode.STORE_UNREACHABLE
        raise HermesSessionsError(
            code, f"The store could not be made: {error.strerror}. Let Hermes make it, or mend the directory."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _sync(directory: Path) -> None:
    """Keeps the file's name through a power failure. Windows cannot open directories and has no need to."""
    if os.name == "posix":
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _give_to_owner(path: Path, directory: Path) -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = os.stat(directory)
        os.chown(path, owner.st_uid, owner.st_gid)


def _claim(path: Path) -> None:
    """Make an empty file that was not there before: SQLite alone cannot refuse an existing one without a race."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise bad_input(f"{path} exists already and is left as it is. Name a folder without a {path.name}.") from None


def _discard(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
