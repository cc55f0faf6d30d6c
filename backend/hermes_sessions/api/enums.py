"""The enums of the schema: those of the inner layers, with descriptions."""

from __future__ import annotations

from enum import Enum

import strawberry

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.bulk import ErrorPolicy
from hermes_sessions.model.filters import ArchivedFilter, Audience
from hermes_sessions.model.message import MessageState, SeamKind
from hermes_sessions.model.orders import Direction, OrderField
from hermes_sessions.model.session import SessionKind
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.usage import CostStatus
from hermes_sessions.model.usage_report import UsageDimension
from hermes_sessions.store_values import Engine, StoreStatus


class TreeOrder(Enum):
    DEPTH_FIRST = "DEPTH_FIRST"
    BREADTH_FIRST = "BREADTH_FIRST"


class ConversationOrderField(Enum):
    """The same fields as for sessions; an enum of its own, since the contract names both."""

    STARTED = "STARTED"
    LAST_ACTIVE = "LAST_ACTIVE"
    MESSAGES = "MESSAGES"
    TOKENS = "TOKENS"
    COST = "COST"
    TITLE = "TITLE"


strawberry.enum(ErrorCode, description="In userErrors and, for top-level errors, in extensions.code.")
strawberry.enum(
    SessionKind,
    description="What a session is to its parent. `kindReason` says which columns prove it.",
)
strawberry.enum(ArchivedFilter, description="EXCLUDE archived ones, INCLUDE them, or show ONLY them.")
strawberry.enum(
    Audience,
    description="CHATS: what people had. AUTOMATION: sources such as cron (a setting). ALL: both.",
)
strawberry.enum(
    MessageState,
    description="LIVE: the agent still sees it. COMPACTED: summarised away. REWOUND: taken back by the user.",
)
strawberry.enum(
    SeamKind,
    description="CONTINUATION: a new segment begins. COMPACTION: a summary stands for what came before. "
    "REMOVED: what came before is no longer there.",
)
strawberry.enum(Direction)
strawberry.enum(
    ErrorPolicy, description="What happens when some of the sessions cannot be changed: all stay, or those stay."
)
strawberry.enum(OrderField, name="SessionOrderField")
strawberry.enum(ConversationOrderField)
strawberry.enum(
    Scope,
    description="CONVERSATION: the session with all segments that compression cut off it. SESSION: that row alone.",
)
strawberry.enum(
    CostStatus,
    description="ACTUAL: billed. ESTIMATED: computed from prices. MIXED: a sum of both. INCLUDED: part of a "
    "subscription, a true 0. UNKNOWN: no figure.",
)
strawberry.enum(
    UsageDimension,
    description="DAY and MONTH in the report's time zone; SOURCE and WORKSPACE of the session; MODEL and TASK of the "
    "calls.",
)
strawberry.enum(Engine)
strawberry.enum(
    StoreStatus,
    name="ProfileStatus",
    description="READY: read and write. EMPTY: no store yet. READ_ONLY, BUSY, DAMAGED, UNREACHABLE, UNSUPPORTED: "
    "`statusReason` says why.",
)
strawberry.enum(TreeOrder, description="DEPTH_FIRST: each child with all below it. BREADTH_FIRST: level by level.")
