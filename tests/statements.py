"""What the connections to SQLite are asked."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_sessions.stores.sqlite.answer import Bindings
from hermes_sessions.stores.sqlite.worker import Worker


def overheard(patch: pytest.MonkeyPatch) -> list[str]:
    """The SQL of every statement from now on, in the order in which they run."""
    ran: list[str] = []
    query = Worker._query

    def listening(worker: Worker, sql: str, bindings: Bindings, limit: float) -> Any:
        ran.append(sql)
        return query(worker, sql, bindings, limit)

    patch.setattr(Worker, "_query", listening)
    return ran
