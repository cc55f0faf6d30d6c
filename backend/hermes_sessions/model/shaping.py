"""What a rename, an archiving or a deletion touches, worked out before anything is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import HANGERS_ON, Forest
from hermes_sessions.model.session import Session, SessionKind
from hermes_sessions.model.usage import Cost, add_cost


class Scope(Enum):
    """CONVERSATION: the session with all segments that compression cut off it. SESSION: that row alone."""

    CONVERSATION = "CONVERSATION"
    SESSION = "SESSION"


class TitleTaken(HermesSessionsError):
    """Another session, which is no predecessor in the same conversation, has the title."""

    def __init__(self, holder: Session) -> None:
        archived = ", archived" if holder.archived else ""
        super().__init__(
            ErrorCode.TITLE_TAKEN,
            f"The title belongs to session {holder.id} ({holder.source}{archived}). Choose another, or rename that.",
            {"holder": holder.id, "source": holder.source, "archived": holder.archived},
        )
        self.holder = holder


@dataclass(frozen=True)
class DeletionPlan:
    """`goes` is every session that is removed; `detached` those that stay and lose their parent link."""

    goes: tuple[Session, ...]
    detached: tuple[Session, ...]

    @property
    def ids(self) -> list[str]:
        return [session.id for session in self.goes]

    @property
    def cost(self) -> Cost:
        return add_cost(session.cost for session in self.goes)


def chain_of(forest: Forest, session: Session) -> tuple[Session, ...]:
    """The session with what it was continued from and in: a conversation's segments, or a subagent's own."""
    first = session
    while forest.kind(first.id) is SessionKind.CONTINUATION:
        first = forest.sessions[first.parent_id or ""]
    chain = [first]
    while (following := forest.successor(chain[-1].id)) is not None:
        chain.append(following)
    return tuple(chain)


def in_scope(forest: Forest, session: Session, scope: Scope) -> tuple[Session, ...]:
    return chain_of(forest, session) if scope is Scope.CONVERSATION else (session,)


def deletion_plan(forest: Forest, session: Session, scope: Scope) -> DeletionPlan:
    """Subagents, tool sessions and stale siblings go with what they hang on; every other child stays."""
    goes: dict[str, Session] = {}
    start = in_scope(forest, session, scope)
    own = {member.id for member in start}
    pending = list(start)
    while pending:
        current = pending.pop(0)
        if current.id in goes:
            continue
        goes[current.id] = current
        pending.extend(child for child in forest.children(current.id) if _goes_along(forest, child, own))
    detached = [child for gone in goes for child in forest.children(gone) if child.id not in goes]
    return DeletionPlan(tuple(goes.values()), tuple(detached))


def _goes_along(forest: Forest, child: Session, chosen: set[str]) -> bool:
    kind = forest.kind(child.id)
    if kind is SessionKind.CONTINUATION:
        return child.parent_id not in chosen  # what a subagent was continued in; a chosen row's own is chosen or stays
    return kind in HANGERS_ON


def title_giver(forest: Forest, session: Session, title: str, holders: Iterable[str]) -> Session | None:
    """The predecessor that must give the title up, None when nobody has it.

    Raises TITLE_TAKEN when a session that is no predecessor in the same conversation has it.
    """
    for holder_id in holders:
        if holder_id == session.id:
            continue
        holder = forest.sessions[holder_id]
        chain = [member.id for member in chain_of(forest, session)]
        if holder_id not in chain[: chain.index(session.id)]:
            raise TitleTaken(holder)
        return holder
    return None
