"""A real Hermes that works beside what is tested, and must not notice it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.builders import StoreBuilder
from tests.hermes.process import HermesProcess

SESSION = "agent"


@contextmanager
def appending(path: Path, folder: Path, *, per_second: float) -> Iterator[list[int]]:
    """It appends to a session of its own while the block runs. Gives the ids of what it wrote, which are known at the
    end. Fails where it met an error, or where something of it is not there."""
    written: list[int] = []
    with HermesProcess(folder) as hermes:
        hermes.open(path)
        hermes.create_session(SESSION, "telegram")
        hermes.start_appending(SESSION, per_second=per_second)
        yield written
        appended = hermes.stop_appending()
        assert (appended.errors, hermes.complaints()) == ([], [])
    written += appended.written
    assert written
    with StoreBuilder(path) as store:
        there = store.sql("SELECT id FROM messages WHERE session_id = ? ORDER BY id", (SESSION,))
    assert [id for (id,) in there] == written
