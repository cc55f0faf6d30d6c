"""Profiles in the schema: which there are, and in what state their stores are."""

import strawberry

from hermes_sessions.api.context import Context
from hermes_sessions.api.health import StoreHealth
from hermes_sessions.api.node import Node
from hermes_sessions.api.scalars import BigInt
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.health.facts import StoreHealth as StoredHealth
from hermes_sessions.model.health.facts import session_facts
from hermes_sessions.model.ids import encode_node_id
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.listing import Census, census, renew_census
from hermes_sessions.store import Store
from hermes_sessions.store_values import Engine, StoreState, StoreStatus


@strawberry.type(description="A profile: one Hermes store.")
class Profile(Node):
    context: strawberry.Private[Context]
    store: strawberry.Private[Store]

    @strawberry.field
    def node_id(self) -> strawberry.ID:
        return strawberry.ID(encode_node_id("Profile", self.store.profile))

    @strawberry.field
    def name(self) -> str:
        return self.store.profile

    @strawberry.field
    def is_default(self) -> bool:
        return self.store.profile == self.context.profiles.default_name

    @strawberry.field
    def engine(self) -> Engine:
        return self.store.engine

    @strawberry.field
    async def status(self) -> StoreStatus:
        return (await self._state()).status

    @strawberry.field(description="Why the status is not READY, and what to do.")
    async def status_reason(self) -> str | None:
        return (await self._state()).reason

    @strawberry.field(description="What the store's own schema_version says; columns decide, not this.")
    async def schema_version(self) -> int | None:
        return (await self._health()).schema_version

    @strawberry.field(description="Size of the database file, without its write-ahead log.")
    async def size_bytes(self) -> BigInt | None:
        size = (await self._state()).size_bytes
        return BigInt(size) if size is not None else None

    @strawberry.field(description="Null where the store cannot be read.")
    async def session_count(self) -> int | None:
        forest = await self._forest()
        return len(forest) if forest is not None else None

    @strawberry.field(description="Null where the store cannot be read.")
    async def conversation_count(self) -> int | None:
        forest = await self._forest()
        return _census(forest).conversations if forest is not None else None

    @strawberry.field(description="All stored messages, rewound ones included. Null where the store cannot be read.")
    async def message_count(self) -> int | None:
        forest = await self._forest()
        return _census(forest).messages if forest is not None else None

    @strawberry.field
    async def health(self) -> StoreHealth:
        forest = await self._forest() or Forest(())
        return StoreHealth(
            store=self.store,
            facts=await self._health(),
            sessions=forest.derive("health", lambda: session_facts(forest)),
        )

    async def _state(self) -> StoreState:
        return await self.store.state()

    async def _forest(self) -> Forest | None:
        try:
            return (await self.context.view(self.store.profile)).forest
        except HermesSessionsError:
            return None  # the status says why

    async def _health(self) -> StoredHealth:
        try:
            return await self.store.health()
        except HermesSessionsError:
            return StoredHealth(place=await self.store.place())


def _census(forest: Forest) -> Census:
    return forest.derive("census", lambda: census(forest), lambda before, change: renew_census(before, change, forest))
