"""The interface of everything that a normalised cache can key on."""

import strawberry


@strawberry.interface(
    description="Everything that a normalised cache can key on: nodeId is opaque and unique over profiles."
)
class Node:
    @strawberry.field
    def node_id(self) -> strawberry.ID:
        raise NotImplementedError
