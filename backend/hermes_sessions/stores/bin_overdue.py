"""What is in the bin for too long is removed from it."""

from __future__ import annotations

import time

from hermes_sessions.stores.clock import DAY, earliest
from hermes_sessions.stores.database import Connection, begin_immediate, commit

_GIVE_UP = """
    UPDATE entry SET store = '' WHERE :kept = 0 OR deleted_at < (
        SELECT max(later.deleted_at) FROM entry AS later WHERE later.deleted_at <= :yesterday
    ) - :kept
    """
"""What was out of date a day ago already, when something else was deleted: a clock that is wrong for less than that
costs nothing. It is of no store any more, and so in no list, until it is gone."""

PIECE_ROWS, PIECE_BYTES = 200, 4_000_000
"""That go at once; a row may be larger than that."""

_REMOVE_SOME = """
    WITH next (bin_id, table_name, number, size) AS (
        SELECT bin_id, table_name, number, octet_length(cells)
        FROM stored_row JOIN entry USING (bin_id) WHERE store = '' LIMIT :rows
    ), counted AS (SELECT *, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS before FROM next)
    DELETE FROM stored_row WHERE (bin_id, table_name, number) IN (
        SELECT bin_id, table_name, number FROM counted WHERE before < :bytes
    )
    """

REMOVING_SECONDS = 1.0
"""For what is overdue; the next deletion goes on with the rest."""


async def remove_overdue(connection: Connection, days: int) -> None:
    """Piece by piece: it may be gigabytes, and others wait for the file."""
    give_up = time.monotonic() + REMOVING_SECONDS
    is_left = True
    while is_left:
        await begin_immediate(connection)
        await connection.execute(_GIVE_UP, {"kept": days * DAY, "yesterday": earliest() - DAY})
        await connection.execute(_REMOVE_SOME, {"rows": PIECE_ROWS, "bytes": PIECE_BYTES})
        is_left = bool(await connection.fetch_val("SELECT changes()"))
        if not is_left:
            await connection.execute("DELETE FROM entry WHERE store = ''")
        await commit(connection)
        is_left = is_left and time.monotonic() < give_up
