"""What a store in PostgreSQL tells those who wait for changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from hermes_sessions.errors import BROKEN, HermesSessionsError
from hermes_sessions.store_values import Pulse
from hermes_sessions.stores.database import LiveDatabase
from hermes_sessions.stores.postgres.catalogue import version_of

_Beat = tuple[str | None, int]
_UNREADABLE: _Beat = (None, -1)


async def pulses(database: LiveDatabase, schema: str, interval: float) -> AsyncGenerator[Pulse, None]:
    """The store is asked for its revision again and again, which works behind a pooler and on a standby, too. No
    connection is held between two questions."""
    last: _Beat | None = None
    while True:
        beat = await _beat(database, schema)
        if beat is not None and beat != last:
            last = beat
            yield Pulse(beat[0])
        await asyncio.sleep(interval)


async def _beat(database: LiveDatabase, schema: str) -> _Beat | None:
    """Something that differs after each commit; None where the store cannot be asked just now."""
    try:
        async with database.connection() as connection:
            return await version_of(connection, schema)
    except HermesSessionsError as error:
        return _UNREADABLE if error.code in BROKEN else None
