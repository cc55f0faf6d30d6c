"""What happens while a connection is opened, or waits for others to leave a lost log."""

from __future__ import annotations

from pathlib import Path

from hermes_sessions.stores.database import write_transaction
from tests.stores.opened import connected, rows_of
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
