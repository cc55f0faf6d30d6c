"""Orders of lists. Every order ends in the id and the profile, so that it is total and a cursor names one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.paging import Key
from hermes_sessions.model.session import Session


class OrderField(Enum):
    STARTED = "STARTED"
    LAST_ACTIVE = "LAST_ACTIVE"
    MESSAGES = "MESSAGES"
    TOKENS = "TOKENS"
    COST = "COST"
    TITLE = "TITLE"


class Direction(Enum):
    ASC = "ASC"
    DESC = "DESC"


@dataclass(frozen=True, slots=True)
class Order:
    field: OrderField
    direction: Direction = Direction.DESC


Measure = float | int | str | None

_MEASURES: dict[OrderField, Callable[[Session | Conversation], Measure]] = {
    OrderField.STARTED: lambda item: item.started_at,
    OrderField.LAST_ACTIVE: lambda item: item.last_active_at,
    OrderField.MESSAGES: lambda item: item.message_count,
    OrderField.TOKENS: lambda item: item.usage.total_tokens,
    OrderField.COST: lambda item: item.cost.usd,
    OrderField.TITLE: lambda item: item.title.casefold() if item.title else None,
}


def sort_key(item: Session | Conversation, field: OrderField, profile: str = "") -> Key:
    """(known, measure, id, profile): what has no measure sorts below everything that has one."""
    measure = _MEASURES[field](item)
    if measure is None:
        return (0, 0, item.id, profile)
    return (1, measure, item.id, profile)
