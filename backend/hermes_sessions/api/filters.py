"""Filters and orders as inputs."""

from typing import Any

import strawberry

from hermes_sessions.api.enums import ConversationOrderField
from hermes_sessions.api.scalars import Moment
from hermes_sessions.errors import bad_input
from hermes_sessions.model.filters import ArchivedFilter, Audience, ListFilter
from hermes_sessions.model.orders import Direction, Order, OrderField
from hermes_sessions.model.session import SessionKind


@strawberry.input(
    description="All given conditions must hold. text: literal part of id, title or preview, case folded. "
    "workspace: a folder and what lies below it, compared by path parts."
)
class SessionFilter:
    ids: list[strawberry.ID] | None = None
    kinds: list[SessionKind] | None = None
    archived: ArchivedFilter = ArchivedFilter.INCLUDE
    sources: list[str] | None = None
    exclude_sources: list[str] | None = None
    models: list[str] | None = None
    workspace: str | None = None
    text: str | None = None
    started_after: Moment | None = strawberry.field(default=None, description="Inclusive.")
    started_before: Moment | None = strawberry.field(default=None, description="Exclusive.")
    active_after: Moment | None = strawberry.field(default=None, description="Inclusive.")
    active_before: Moment | None = strawberry.field(default=None, description="Exclusive.")
    min_messages: int | None = None
    max_messages: int | None = None
    min_cost_usd: float | None = strawberry.field(default=None, description="Unknown costs do not pass.")
    live: bool | None = None
    end_reasons: list[str] | None = None


@strawberry.input(
    description="The same over conversations: message counts and costs are those of the whole conversation."
)
class ConversationFilter:
    ids: list[strawberry.ID] | None = strawberry.field(default=None, description="Ids of any of its segments.")
    kinds: list[SessionKind] | None = strawberry.field(default=None, description="Of the head.")
    archived: ArchivedFilter = ArchivedFilter.EXCLUDE
    audience: Audience = Audience.ALL
    sources: list[str] | None = None
    exclude_sources: list[str] | None = None
    models: list[str] | None = None
    workspace: str | None = None
    text: str | None = None
    started_after: Moment | None = strawberry.field(default=None, description="Inclusive.")
    started_before: Moment | None = strawberry.field(default=None, description="Exclusive.")
    active_after: Moment | None = strawberry.field(default=None, description="Inclusive.")
    active_before: Moment | None = strawberry.field(default=None, description="Exclusive.")
    min_messages: int | None = None
    max_messages: int | None = None
    min_cost_usd: float | None = strawberry.field(default=None, description="Unknown costs do not pass.")
    live: bool | None = None
    end_reasons: list[str] | None = None
    job: str | None = strawberry.field(
        default=None,
        description="All runs of one scheduled job, by its id, compared exactly: see `Conversation.job`. An empty one "
        "is the id of no job.",
    )


@strawberry.input(description="Every order ends in the id. What has no value stands last when descending.")
class SessionOrder:
    field: OrderField = OrderField.STARTED
    direction: Direction = Direction.DESC


@strawberry.input(description="Every order ends in the id. What has no value stands last when descending.")
class ConversationOrder:
    field: ConversationOrderField = ConversationOrderField.LAST_ACTIVE
    direction: Direction = Direction.DESC


_SETS = ("ids", "kinds", "sources", "exclude_sources", "models", "end_reasons")
_PLAIN = (
    "workspace",
    "started_after",
    "started_before",
    "active_after",
    "active_before",
    "min_messages",
    "max_messages",
    "min_cost_usd",
    "live",
)


def list_filter(given: SessionFilter | ConversationFilter) -> ListFilter:
    """The model's filter. Raises BAD_USER_INPUT for a text that can match nothing by mistake."""
    if given.text is not None and "\x00" in given.text:
        raise bad_input("`text` holds a NUL character, which no text of a store can hold.")
    values: dict[str, Any] = {name: getattr(given, name) for name in _PLAIN}
    values |= {name: _set(getattr(given, name)) for name in _SETS}
    audience = given.audience if isinstance(given, ConversationFilter) else Audience.ALL
    values["job"] = given.job if isinstance(given, ConversationFilter) else None
    return ListFilter(archived=given.archived, audience=audience, text=given.text or None, **values)


def session_order(given: SessionOrder | None) -> Order:
    order = given or SessionOrder()
    return Order(order.field, order.direction)


def conversation_order(given: ConversationOrder | None) -> Order:
    order = given or ConversationOrder()
    return Order(OrderField(order.field.value), order.direction)


def _set(values: list[Any] | None) -> frozenset[Any] | None:
    return frozenset(values) if values is not None else None
