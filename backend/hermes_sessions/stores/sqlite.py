"""A live Hermes store in SQLite."""

from __future__ import annotations

from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.store import StoreHealth, StoreState, StoreStatus
from hermes_sessions.stores.sqlite_changing import SqliteChanging
from hermes_sessions.stores.sqlite_reading import SqliteReading
from hermes_sessions.stores.sqlite_shaping import SqliteShaping
from hermes_sessions.stores.status import look_at, size_of

_STATUS_OF = {
    ErrorCode.STORE_BUSY: StoreStatus.BUSY,
    ErrorCode.TIMEOUT: StoreStatus.BUSY,
    ErrorCode.STORE_DAMAGED: StoreStatus.DAMAGED,
    ErrorCode.UNSUPPORTED_STORE: StoreStatus.UNSUPPORTED,
}


class SqliteStore(SqliteReading, SqliteChanging, SqliteShaping):
    """The whole Protocol; this part tells how the store is."""

    async def state(self) -> StoreState:
        state = look_at(self._path, read_only=self._read_only)
        if not state.is_readable:
            return state
        try:
            await self._catalogue.picture()
        except HermesSessionsError as error:
            return StoreState(_STATUS_OF.get(error.code, StoreStatus.UNREACHABLE), error.message, state.size_bytes)
        return state

    async def health(self) -> StoreHealth:
        picture = await self._picture()
        if picture is None:
            return StoreHealth()
        version = None
        if picture.columns.has("schema_version", "version"):
            async with self._readers.connection() as connection:
                version = await connection.fetch_val("SELECT max(schema_version.version) FROM schema_version")
        return StoreHealth(
            schema_version=version if isinstance(version, int) else None,
            wal_bytes=size_of(Path(f"{self._path}-wal")),
            missing_columns=picture.columns.missing(),
            unknown_columns=picture.columns.unknown(),
        )
