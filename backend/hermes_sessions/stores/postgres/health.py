"""How a live store in PostgreSQL is."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.health.facts import Holders, Part, Place, RowFacts, SearchIndex, StoreHealth
from hermes_sessions.store_values import StoreState, StoreStatus
from hermes_sessions.stores.database import opened, postgres_database
from hermes_sessions.stores.postgres import facts
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.damages import damages
from hermes_sessions.stores.postgres.reading import CONNECTIONS, PostgresReading
from hermes_sessions.stores.postgres.status import store_state
from hermes_sessions.stores.postgres.transactions import snapshot

CHECK_SECONDS = 1800.0
_STATUS_OF = {
    ErrorCode.STORE_BUSY: StoreStatus.BUSY,
    ErrorCode.TIMEOUT: StoreStatus.BUSY,
    ErrorCode.UNSUPPORTED_STORE: StoreStatus.UNSUPPORTED,
}


class PostgresHealth(PostgresReading):
    """Everything here only reads. Nothing that is told holds a part of the store's URL."""

    def __init__(
        self,
        profile: str,
        address: Address,
        *,
        limit: float,
        connections: int = CONNECTIONS,
        read_only: bool = False,
    ) -> None:
        super().__init__(profile, address, limit=limit, connections=connections)
        self._address = address
        self._read_only = read_only

    async def state(self) -> StoreState:
        """Never EMPTY: tables come from `migrate` and from nothing else, and with them a store without sessions is as
        ready as any."""
        try:
            async with self._database.connection() as connection:
                return await store_state(connection, self._schema, read_only=self._read_only)
        except HermesSessionsError as error:
            return StoreState(_STATUS_OF.get(error.code, StoreStatus.UNREACHABLE), error.message)

    async def health(self) -> StoreHealth:
        async with snapshot(self._database) as connection:
            return await facts.store_health(connection, self._schema)

    async def place(self) -> Place:
        """The size alone: which files these are, the server keeps to itself."""
        try:
            async with self._database.connection() as connection:
                return await facts.place(connection, self._schema)
        except HermesSessionsError:
            return Place()

    async def row_facts(self) -> RowFacts:
        async with snapshot(self._database) as connection:
            return await facts.row_facts(connection, self._schema)

    async def parts(self, seconds: float | None) -> Sequence[Part]:
        """The server knows the sizes of its files, so no time is needed."""
        async with self._database.connection() as connection:
            return await facts.parts(connection, self._schema)

    async def search_indexes(self) -> Sequence[SearchIndex]:
        async with self._database.connection() as connection:
            return await facts.search_indexes(connection, self._schema)

    async def holders(self) -> Holders | None:
        """The server knows its own processes, one for each connection, and not the programs at their other ends."""
        return None

    async def damages(self) -> Sequence[str]:
        async with opened(postgres_database(self._address, size=1, limit=CHECK_SECONDS)) as connection:
            return await damages(connection, self._schema)
