"""How long our own changes hold a store's write lock, measured in the server that runs in this process."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import pytest

from hermes_sessions.stores.bulk import Bulk
from hermes_sessions.stores.changing import Changing
from hermes_sessions.stores.database import Connection, write_transaction
from hermes_sessions.stores.shaping import Shaping
from hermes_sessions.stores.sqlite import base as sqlite_base

_change: ContextVar[str] = ContextVar("change", default="other changes")
NAMED = {
    "a chunk of many": (Bulk, "_chunk"),
    "restoring": (Changing, "restore"),
    "renaming": (Changing, "rename"),
    "forking": (Shaping, "fork"),
    "appending": (Shaping, "append"),
}


class Locks:
    """Seconds from BEGIN to the end of COMMIT, by the kind of change."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def tell(self) -> None:
        """Prints a line for each kind of change."""
        for change, held in sorted(self.seconds.items()):
            median, longest = statistics.median(held) * 1000, max(held) * 1000
            print(f"{change}: {len(held)} times, held the lock median {median:.0f} ms, max {longest:.0f} ms")


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch) -> Locks:
    """Filled by every change of a server that is started after this."""
    measured = Locks()

    @asynccontextmanager
    async def measuring(*arguments: Any, **options: Any) -> AsyncIterator[Connection]:
        async with write_transaction(*arguments, **options) as connection:
            started = time.monotonic()
            yield connection
        measured.seconds[_change.get()].append(time.monotonic() - started)

    monkeypatch.setattr(sqlite_base, "write_transaction", measuring)
    for name, (owner, method) in NAMED.items():
        monkeypatch.setattr(owner, method, _named(name, getattr(owner, method)))
    return measured


def _named(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    async def named(*arguments: Any, **options: Any) -> Any:
        token = _change.set(name)
        try:
            return await method(*arguments, **options)
        finally:
            _change.reset(token)

    return named
