"""Sessions for tests in one line each, and the chain of sessions that many cases start from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.filters import FilterContext, Item
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Activity, Session, SessionKind
from hermes_sessions.model.usage import Cost, Usage, cost_of

T = 1750000000.0
AUTOMATION = frozenset({"cron", "api_server"})


def session(
    id: str,
    parent: str | None = None,
    *,
    source: str = "cli",
    start: float | None = T,
    end: float | None = None,
    reason: str | None = None,
    **columns: Any,
) -> Session:
    """A session that is open unless it has an end or an end reason."""
    return Session(
        id=id,
        source=source,
        parent_id=parent,
        started_at=start,
        ended_at=end,
        has_ended=end is not None or reason is not None,
        end_reason=reason,
        **columns,
    )


def tokens(input_tokens: int) -> Usage:
    return Usage(input_tokens=input_tokens)


def dollars(usd: float) -> Cost:
    return cost_of(None, usd, "estimated")


def messages(live: int, newest: float | None = None, compacted: int = 0, rewound: int = 0) -> Activity:
    return Activity(live, compacted, rewound, newest, live + compacted + rewound)


def plan_chain() -> list[Session]:
    """Case L1: three segments of one conversation, and a sibling that lost."""
    return [
        session(
            "d1", source="telegram", end=T + 100, reason="compression", title="Plan", usage=tokens(1000),
            cost=dollars(1.0),
        ),
        session(
            "d2", "d1", source="telegram", start=T + 100, end=T + 200, reason="compression", title="Plan #2",
            usage=tokens(2000), cost=dollars(2.0),
        ),
        session("d3", "d2", source="desktop", start=T + 200, title="Plan #3", usage=tokens(4000), cost=dollars(4.0)),
        session("d3s", "d2", start=T + 205, end=T + 210, reason="ws_orphan_reap", activity=messages(1, T + 206)),
    ]  # fmt: skip


def plan_subagents() -> list[Session]:
    """Case L2: subagents below the last and the middle segment of L1."""
    return [
        session("sub1", "d3", start=T + 220, delegate_from="d3", cost=dollars(0.5)),
        session("sub2", "d2", start=T + 120, delegate_from="d2", cost=dollars(0.7)),
    ]


def kinds_of(*sessions: Session) -> dict[str, str]:
    forest = Forest(sessions)
    return {each.id: forest.kind(each.id).value for each in sessions}


def ids(sessions: Iterable[Session]) -> list[str]:
    return [each.id for each in sessions]


def listed_ids(forest: Forest) -> list[str]:
    return sorted(each.id for each in forest.conversations.values() if each.is_listed)


def context(forest: Forest, now: float = T, previews: Mapping[str, str | None] | None = None) -> FilterContext:
    def kind(item: Item) -> SessionKind:
        return item.kind if isinstance(item, Conversation) else forest.kind(item.id)

    return FilterContext(now, AUTOMATION, kind, previews or {})
