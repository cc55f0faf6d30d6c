"""What happens while a connection is opened, or waits for others to leave a lost log."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.database import commit, write_transaction
from hermes_sessions.stores.sqlite.files import Paths
from tests.stores.opened import connected, refused, rows_of
from tests.stores.test_lost_log import agent

COUNT = "SELECT count(*) FROM sessions"
BOAT = "UPDATE sessions SET title = 'Boat' WHERE id = 'ferry'"
TITLE = "SELECT title FROM sessions WHERE id = 'ferry'"


async def test_a_store_of_many_tables_is_opened(filled: Path) -> None:
    with agent(filled) as program:
        program.does("BEGIN")
        for number in range(1500):
            program.does(f"CREATE TABLE extra{number} (a, b)")
        program.does("COMMIT")
    async with connected(filled) as database:
        assert await database.fetch_val(COUNT) > 0
    async with write_transaction(filled, 5) as writer:
        await writer.execute(BOAT)
    assert rows_of(filled, TITLE) == [("Boat",)]


@pytest.mark.parametrize("error", [PermissionError, HermesSessionsError(ErrorCode.UNSUPPORTED_STORE, "A pipe.")])
async def test_a_change_may_not_be_there_where_nobody_can_tell_what_it_was_committed_to(
    filled: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def cannot_be_told(_: Paths) -> None:
        raise error

    with refused(ErrorCode.STORE_UNREACHABLE, "not known whether it was kept"):
        async with write_transaction(filled, 5) as writer:
            await writer.execute(BOAT)
            worker = writer.raw_connection
            is_lost = worker.is_lost

            def at_last() -> bool:
                monkeypatch.setattr(Paths, "identity", cannot_be_told)
                return bool(is_lost())

            monkeypatch.setattr(worker, "is_lost", at_last)
            await commit(writer)
