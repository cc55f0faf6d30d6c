"""The read-only connection that is open for as long as a writer of ours is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hermes_sessions.stores.sqlite.live import finished
from hermes_sessions.stores.sqlite.worker import Worker


@asynccontextmanager
async def anchored(path: Path, limit: float) -> AsyncIterator[None]:
    """It has read once, and stays open until the end of the block, whatever becomes of others. It is no reader of the
    store: changes that wait for a lock take none from anybody."""
    worker = Worker(path, "ro", limit, {})
    try:
        await worker.query("SELECT count(*) FROM sqlite_master", {})
        yield
    finally:
        await finished(worker.shut_down())
