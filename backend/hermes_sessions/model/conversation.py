"""A logical conversation: a head, the continuations that compression cut it into, and what hangs on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, TypeVar, overload

from hermes_sessions.model.jobs import job_of
from hermes_sessions.model.lazy import lazy
from hermes_sessions.model.session import Session, SessionKind
from hermes_sessions.model.usage import Cost, Usage, add_cost, add_usage

T = TypeVar("T")


class joint(lazy[T]):
    """A lazy value that only conversations of several sessions keep. That of a single one is its own, or nearly: of the
    tens of thousands that a store has, what each would keep is a good part of the memory that it takes."""

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        kept: dict[str, T] | None = instance.kept
        if kept is None:
            return self._compute(instance)
        if self._name not in kept:
            kept[self._name] = self._compute(instance)
        return kept[self._name]


@dataclass(frozen=True, slots=True)
class Conversation:
    """`segments` go from head to tip. `subagents` are all subagent sessions below them, at any depth, each once;
    `side_rows` are the stale siblings and tool sessions, of which there are `tool_count`. Moments are seconds since
    1970."""

    kind: SessionKind
    segments: tuple[Session, ...]
    subagents: tuple[Session, ...] = ()
    side_rows: tuple[Session, ...] = ()
    branch_count: int = 0
    tool_count: int = 0
    kept: dict[str, Any] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        is_single = len(self.segments) == 1 and not self.subagents
        object.__setattr__(self, "kept", None if is_single else {})

    @property
    def id(self) -> str:
        return self.segments[0].id

    @property
    def head(self) -> Session:
        return self.segments[0]

    @property
    def tip(self) -> Session:
        return self.segments[-1]

    @property
    def members(self) -> tuple[Session, ...]:
        """Every session that belongs to the conversation."""
        return self.segments + self.subagents + self.side_rows

    @property
    def is_listed(self) -> bool:
        """False for a subagent whose parent is gone: it belongs to no conversation that anybody had."""
        return self.kind is not SessionKind.SUBAGENT

    @joint
    def title(self) -> str | None:
        """The tip's, else the nearest earlier segment's."""
        for segment in reversed(self.segments):
            if segment.title:
                return segment.title
        return None

    @property
    def source(self) -> str:
        return self.head.source

    @property
    def job(self) -> str | None:
        """The scheduled job that the head is a run of."""
        return job_of(self.head)

    @property
    def started_at(self) -> float | None:
        return self.head.started_at

    @joint
    def last_active_at(self) -> float | None:
        """The newest plausible moment of all segments, else the start."""
        if len(self.segments) == 1:
            return self.head.last_active_at
        moments = [at for segment in self.segments for at in (segment.activity.newest, segment.last_activity_at)]
        known = [at for at in moments if at is not None]
        return max(known) if known else self.head.started_at

    def is_live(self, now: float) -> bool:
        return self.tip.is_live(now)

    @property
    def archived(self) -> bool:
        return self.tip.archived

    @joint
    def archived_mixed(self) -> bool:
        """True where the segments disagree, as when another program archived one of them alone."""
        return len({segment.archived for segment in self.segments}) > 1

    @joint
    def message_count(self) -> int:
        return sum(segment.message_count for segment in self.segments)

    @joint
    def is_empty(self) -> bool:
        """No row of `messages` at all, also no rewound one, in any segment."""
        return not any(segment.activity.rows or segment.counted_messages for segment in self.segments)

    @joint
    def usage(self) -> Usage:
        return _usage_of(self.segments)

    @joint
    def cost(self) -> Cost:
        return _cost_of(self.segments)

    @joint
    def usage_with_subagents(self) -> Usage:
        return _usage_of(self.segments + self.subagents)

    @joint
    def cost_with_subagents(self) -> Cost:
        return _cost_of(self.segments + self.subagents)


def _usage_of(sessions: tuple[Session, ...]) -> Usage:
    return sessions[0].usage if len(sessions) == 1 else add_usage(session.usage for session in sessions)


def _cost_of(sessions: tuple[Session, ...]) -> Cost:
    return add_cost(session.cost for session in sessions)
