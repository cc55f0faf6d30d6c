"""A store opened as the server opens it, everything that can be asked of it, and its files seen from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import Deletion, MessageQuery
from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.database import LiveDatabase, sqlite_database
from hermes_sessions.stores.sqlite.handle import Mode
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder, T, full_plan

ANYTHING = MessageQuery()


def fill(store: StoreBuilder) -> None:
    """The plan of cases L1, L2, L3 and L6, and the conversation `ferry` with a tool call and its usage."""
    full_plan(store)
    store.session("ferry", "telegram", start=T + 300, end=T + 400, end_reason="cli_close", title="Ferry")
    store.message("ferry", "user", "book the ferry", at=T + 301)
    call = {"id": "c1", "type": "function", "function": {"name": "booking", "arguments": '{"to": "Porto"}'}}
    store.message("ferry", "assistant", None, at=T + 302, tool_calls=[call])
    store.message("ferry", "tool", '{"ok": true}', at=T + 303, tool_call_id="c1")
    store.message("ferry", "assistant", [{"type": "text", "text": "booked"}], at=T + 304)
    store.usage("ferry", task="compression", cost=0.01)


async def as_if_reading_took(seconds: float, store: SqliteStore) -> None:
    """As if the store were so big that it takes that long to read its picture."""
    picture = await store._catalogue.picture()
    store._catalogue._picture = replace(picture, seconds=seconds, read_at=time.monotonic())
    store._catalogue._rested_at = time.monotonic() + seconds


def bin_of(path: Path, *, days: int = 30) -> FileBin:
    """The bin of a store, apart from its home."""
    return FileBin(bin_path(path), path, "default", days, 5.0)


def bin_path(path: Path) -> Path:
    return path.parent.parent / "our-state" / "bin.db"


@asynccontextmanager
async def opened(
    path: Path, *, read_only: bool = False, limit: float = 5.0, lock_limit: float = 5.0, days: int = 30
) -> AsyncIterator[SqliteStore]:
    """The store, closed at the end of the block as the server closes it at shutdown."""
    bin = bin_of(path, days=days)
    store = SqliteStore("default", path, bin, read_only=read_only, limit=limit, lock_limit=lock_limit)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def connected(
    path: Path, mode: Mode = "ro", *, limit: float = 5.0, prepare: str = ""
) -> AsyncIterator[LiveDatabase]:
    """One connection to a file, without the store around it."""
    database = sqlite_database(path, mode, size=1, limit=limit, prepare=prepare)
    async with database:
        yield database


async def read_everything(store: SqliteStore) -> dict[str, Any]:
    """One answer of each question that does not change anything."""
    forest = await store.forest()
    ids = list(forest.sessions)
    lines = await store.transcript(ids, ANYTHING)
    messages = await store.messages([line.id for line in lines])
    places = [(message.session_id, message.id) for message in messages.values()]
    return {
        "state": await store.state(),
        "health": await store.health(),
        "rows": await store.row_facts(),
        "parts": await store.parts(None),
        "indexes": await store.search_indexes(),
        "holders": await store.holders(),
        "damages": await store.damages(),
        "forest": forest,
        "details": await store.details(ids),
        "usage": await store.usage_by_model(ids),
        "previews": await store.previews(ids),
        "lines": lines,
        "messages": messages,
        "content": [await store.content(line.id, 1000) for line in lines[:3]],
        "results": await store.tool_results(places),
        "names": await store.tool_names(places),
        "bin": await store.bin(10),
    }


async def texts(store: SqliteStore, *session_ids: str) -> list[str]:
    """What the messages of these sessions say, in the order of the transcript."""
    lines = await store.transcript(session_ids, ANYTHING)
    messages = await store.messages([line.id for line in lines])
    return [messages[line.id].text for line in lines]


async def delete(store: SqliteStore, session_id: str, scope: Scope = Scope.CONVERSATION, **changes: bool) -> Deletion:
    """Deletes by full id; `permanent`, `force`, `dry_run` and `exact` as named."""
    flags = {"exact": True, "permanent": False, "force": False, "dry_run": False} | changes
    return await store.delete(session_id, scope, **flags)


@contextmanager
def refused(code: ErrorCode, words: str | None = None) -> Iterator[None]:
    """The block raises our error with this code, and with these words in its sentence."""
    with pytest.raises(HermesSessionsError, match=words) as caught:
        yield
    assert caught.value.code is code


class FileState(NamedTuple):
    """What a file's directory entry tells."""

    inode: int
    size: int
    changed_at: int


def state_of(path: Path, suffix: str = "") -> FileState:
    found = os.stat(f"{path}{suffix}")
    return FileState(found.st_ino, found.st_size, found.st_mtime_ns)


def fingerprint(path: Path) -> str:
    """A digest of the file's bytes, taken by another process: a plain open in ours would drop SQLite's locks."""
    script = "import hashlib, pathlib, sys; print(hashlib.sha256(pathlib.Path(sys.argv[1]).read_bytes()).hexdigest())"
    return subprocess.run([sys.executable, "-IS", "-c", script, path], capture_output=True, check=True).stdout.decode()


def names_in(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def remove(path: Path, *suffixes: str) -> None:
    """Takes files of the store away, as far as they are there; '' is the database itself."""
    for suffix in suffixes:
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def rows_of(path: Path, statement: str) -> list[tuple[Any, ...]]:
    """What a program that opens the store anew finds."""
    with StoreBuilder(path) as store:
        return store.sql(statement)
