"""What the connections to SQLite are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hermes_sessions.stores.sqlite.answer import Bindings
from hermes_sessions.stores.sqlite.worker import Worker


def overheard(patch: pytest.MonkeyPatch) -> list[str]:
    """The SQL of every statement from now on, in the order in which they run."""
    ran: list[str] = []
    overhear(patch, lambda sql, _: ran.append(sql))
    return ran


def overhear(patch: pytest.MonkeyPatch, hear: Callable[[str, float], None]) -> None:
    """Tells the SQL of every statement from now on, and the seconds that it may take."""
    query = Worker._query

    def listening(worker: Worker, sql: str, bindings: Bindings, limit: float) -> Any:
        hear(sql, limit)
        return query(worker, sql, bindings, limit)

    patch.setattr(Worker, "_query", listening)
