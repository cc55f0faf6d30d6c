"""Which sessions an export holds, in which order, and what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.export.rows import ParentLink
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.resolving import not_found, resolve_session
from hermes_sessions.model.session import Session, SessionKind
from hermes_sessions.model.shaping import chain_of

MAX_NAME = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class ExportScope(Enum):
    """SESSION: that row alone. CONVERSATION: with all segments that compression cut off it. LINEAGE: the whole tree."""

    SESSION = "session"
    CONVERSATION = "conversation"
    LINEAGE = "lineage"


@dataclass(frozen=True, slots=True)
class Entry:
    """`parent_link` where the link to the parent is no sound one."""

    session: Session
    kind: SessionKind
    parent_link: ParentLink | None = None


@dataclass(frozen=True)
class Outline:
    """The sessions of one export."""

    profile: str
    entries: tuple[Entry, ...]

    @property
    def title(self) -> str:
        titles = [entry.session.title for entry in self.entries if entry.session.title]
        return titles[0] if titles else f"Session {self.entries[0].session.id}"

    @property
    def row_count(self) -> int:
        """Messages at the time of the outline; more may be written meanwhile."""
        return sum(entry.session.activity.rows for entry in self.entries)


def outline_of(profile: str, forest: Forest, id_or_prefix: str, scope: ExportScope) -> Outline:
    """Raises NOT_FOUND, AMBIGUOUS_ID, and BAD_USER_INPUT for what is no id."""
    session = resolve_session(forest, id_or_prefix)
    if session is None:
        raise not_found()
    if scope is ExportScope.SESSION:
        return _outline(profile, forest, [session])
    if scope is ExportScope.CONVERSATION:
        return _outline(profile, forest, chain_of(forest, session))
    return _outline(profile, forest, (node.session for node in forest.walk(forest.root(session))))


def whole_conversation(profile: str, forest: Forest, conversation: Conversation) -> Outline:
    """A conversation with its subagents and side rows: together, all conversations hold every session once."""
    hangers_on = sorted(
        (*conversation.subagents, *conversation.side_rows), key=lambda each: (each.started_at or 0.0, each.id)
    )  # not as the store has them: an import may have written them in another order
    return _outline(profile, forest, [*conversation.segments, *hangers_on])


def _outline(profile: str, forest: Forest, sessions: Iterable[Session]) -> Outline:
    return Outline(profile, tuple(_entry(forest, session) for session in sessions))


def _entry(forest: Forest, session: Session) -> Entry:
    return Entry(session, forest.kind(session.id), odd_link(forest, session))


def odd_link(forest: Forest, session: Session) -> ParentLink | None:
    if session.parent_id is not None and session.parent_id not in forest.sessions:
        return ParentLink.MISSING
    return ParentLink.CIRCLE if forest.in_cycle(session.id) else None


def file_name(session_id: str, ending: str) -> str:
    """ASCII letters, digits, dots, dashes and underscores only; never hidden, never a path."""
    stem = _UNSAFE.sub("_", session_id)[:MAX_NAME].strip(".") or "session"
    return f"hermes-{stem}.{ending}"
