"""Which messages of a transcript are wanted."""

import strawberry

from hermes_sessions.model.message import MessageState
from hermes_sessions.store_values import MessageQuery


@strawberry.input(description="All given conditions must hold.")
class MessageFilter:
    roles: list[str] | None = None
    states: list[MessageState] | None = strawberry.field(
        default=None, description="Default: LIVE and COMPACTED, what a transcript shows."
    )
    text: str | None = strawberry.field(
        default=None, description="Literal text in the content or the tool calls, case folded."
    )
    tools: list[str] | None = strawberry.field(default=None, description="Calls of these tools and their results.")
    errors_only: bool | None = strawberry.field(default=None, description="Only tool results that say they failed.")


def message_query(filter: MessageFilter | None) -> MessageQuery:
    if filter is None:
        return MessageQuery()
    return MessageQuery(
        roles=frozenset(filter.roles) if filter.roles is not None else None,
        states=frozenset(filter.states) if filter.states is not None else None,
        text=filter.text or None,
        tools=frozenset(filter.tools) if filter.tools is not None else None,
        errors_only=bool(filter.errors_only),
    )
