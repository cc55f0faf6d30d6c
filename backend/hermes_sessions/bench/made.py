"""Stores of the benchmark's own, in temporary folders: a tree of a thousand sessions, and copies of homes."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw

from hermes_sessions.stores.create import new_store

TREE_NODES = 1_000
TREE_ROOT = "made-0"
CHILDREN = 4
START = 1_750_000_000.0


@contextlib.contextmanager
def tree_home() -> Iterator[Path]:
    """A home with one tree: a session that delegated, whose subagents delegated again, four each."""
    with _folder() as home, contextlib.ExitStack() as filling:
        store = filling.enter_context(new_store(home / "state.db"))
        for number in range(TREE_NODES):
            parent = f"made-{(number - 1) // CHILDREN}" if number else None
            row = {
                "id": f"made-{number}",
                "source": "cli" if parent is None else "subagent",
                "model": "made/model",
                "title": f"Session {number}",
                "parent_session_id": parent,
                "model_config": json.dumps({"_delegate_from": parent}) if parent is not None else None,
                "started_at": START + number,
                "message_count": 1,
                "estimated_cost_usd": 0.01,
            }
            store.insert("sessions", row)
            message = {"session_id": row["id"], "role": "user", "content": "hello", "timestamp": START + number}
            store.insert("messages", message)
        filling.close()
        yield home


@contextlib.contextmanager
def copy_of(home: Path) -> Iterator[Path]:
    """A home with a copy of the default profile's store, for those who write. The store itself is only read, and may be
    written to meanwhile."""
    with _folder() as folder:
        uri = f"{(home / 'state.db').absolute().as_uri()}?mode=ro"
        source = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        target = apsw.Connection(str(folder / "state.db"))
        try:
            with target.backup("main", source, "main") as backup:
                backup.step()
            target.execute("PRAGMA journal_mode = WAL")
        finally:
            target.close()
            source.close()
        yield folder


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hermes-sessions-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
