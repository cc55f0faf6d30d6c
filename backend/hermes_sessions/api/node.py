"""The interface of everything that a normalised cache can key on."""

from __future__ import annotations

import strawberry


@strawberry.interface(
    description="Everything that a normalised cache can key on: nodeId is opaque and unique over profiles."
)
class Node:
    @strawberry.field
    def node_id(self) -> strawberry.ID:
        raise NotImplementedError
