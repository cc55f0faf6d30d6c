"""The read-only connection that is open for as long as any of our writers is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hermes_sessions.stores.sqlite.worker import Worker


class Anchor:
    """One for all changes of a store that are under way: those that wait for a lock take no reader from anybody."""

    def __init__(self, path: Path, limit: float) -> None:
        self._worker = Worker(path, "ro", limit, {})
        self._changes = 0

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """The connection is open and has read, and stays open until the end of the block."""
        self._changes += 1
        try:
            await self._worker.query("SELECT count(*) FROM sqlite_master", {})
            yield
        finally:
            self._changes -= 1
            if not self._changes:
                self._worker.close_soon()

    async def close(self) -> None:
        await self._worker.shut_down()
