"""A live Hermes store in SQLite."""

from __future__ import annotations

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.store_values import StoreState, StoreStatus
from hermes_sessions.stores.changing import Changing
from hermes_sessions.stores.shaping import Shaping
from hermes_sessions.stores.sqlite.health import SqliteHealth
from hermes_sessions.stores.sqlite.reading import SqliteReading
from hermes_sessions.stores.sqlite.watching import SqliteWatching

_STATUS_OF = {
    ErrorCode.STORE_BUSY: StoreStatus.BUSY,
    ErrorCode.TIMEOUT: StoreStatus.BUSY,
    ErrorCode.STORE_DAMAGED: StoreStatus.DAMAGED,
    ErrorCode.UNSUPPORTED_STORE: StoreStatus.UNSUPPORTED,
}


class SqliteStore(SqliteReading, SqliteWatching, SqliteHealth, Changing, Shaping):
    """The whole Protocol; this part tells how the store is."""

    async def state(self) -> StoreState:
        state = self._look()
        if not state.is_readable:
            return state
        try:
            await self._catalogue.picture()
        except HermesSessionsError as error:
            return StoreState(_STATUS_OF.get(error.code, StoreStatus.UNREACHABLE), error.message, state.size_bytes)
        return state
