"""The forest of one store: parents, children, roots, trees and conversations.

A `Forest` is an immutable picture of all sessions of a store at one moment. What is derived from it is computed
once and kept with it, so every question here is a look-up or a walk over what is asked for.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast
from weakref import ReferenceType, ref

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.families import Families, affected, by_start, families_after, families_of
from hermes_sessions.model.ids import prefix_end
from hermes_sessions.model.kinds import Verdict
from hermes_sessions.model.session import Session, SessionKind

MAX_DERIVED = 32
MAX_RENEWED = 2000
"""When more has changed than so many sessions and conversations, what is derived is made anew."""

MAX_BEFORE = 8
"""A forest knows what has changed since so many that came before it."""

T = TypeVar("T")

HANGERS_ON = frozenset({SessionKind.SUBAGENT, SessionKind.TOOL, SessionKind.SIDE})


class TreeNode(NamedTuple):
    """A session in a walk. `depth` is 0 for the start of the walk; `parent_id` is the node that it was reached from."""

    session: Session
    depth: int
    parent_id: str | None


@dataclass(frozen=True)
class Change:
    """What has changed from one forest to a later one, as it was before: None for what was not there. Sessions stand in
    the order in which they came."""

    sessions: Mapping[str, Session | None]
    conversations: Mapping[str, Conversation | None]

    def then(self, later: Change) -> Change:
        """Both changes as one."""
        sessions, conversations = dict(self.sessions), dict(self.conversations)
        for session_id, session in later.sessions.items():
            sessions.setdefault(session_id, session)
        for head_id, conversation in later.conversations.items():
            conversations.setdefault(head_id, conversation)
        return Change(sessions, conversations)

    def __len__(self) -> int:
        return len(self.sessions) + len(self.conversations)


class _Derived(NamedTuple):
    value: Any
    is_renewable: bool


class Forest:
    """All sessions of a store, by id, with the trees that their parent links form."""

    def __init__(self, sessions: Iterable[Session] = ()) -> None:
        self._begin(families_of({session.id: session for session in sessions}), {}, {}, ())

    def _begin(
        self,
        families: Families,
        conversations: dict[str, Conversation],
        inherited: dict[Hashable, tuple[Any, Change]],
        before: Sequence[tuple[ReferenceType[Forest], Change]],
    ) -> None:
        self._families = families
        self._conversations = conversations
        self._inherited = inherited
        self._before = before
        self._derived: dict[Hashable, _Derived] = {}
        self.sessions = families.sessions

    def after(self, changed: Iterable[Session], removed: Iterable[str] = ()) -> Forest:
        """The forest once these sessions are as given, and those are gone. What the change leaves as it was is taken
        over: it costs what has changed, not what is there."""
        if not self.sessions:
            return Forest(changed)
        given = {session.id: session for session in changed}
        gone = {*removed} - given.keys()
        families = families_after(self._families, given, gone)
        if families is None:
            return Forest(session for id, session in {**self.sessions, **given}.items() if id not in gone)
        touched, heads = affected(self._families, families, given.keys() | gone)
        change = Change(
            {each: self.sessions.get(each) for each in (*given, *sorted(touched - given.keys()))},
            {head: self.conversation(head) for head in heads},
        )
        conversations = dict(self._conversations)
        for head in heads:
            conversations.pop(head, None)
        forest = Forest.__new__(Forest)
        before = [(then, earlier.then(change)) for then, earlier in self._before[: MAX_BEFORE - 1]]
        forest._begin(families, conversations, self._left_to(change), [(ref(self), change), *before])
        return forest

    def since(self, earlier: Forest) -> Change | None:
        """What has changed from that forest to this one; None where this one does not follow from it, or long ago."""
        return next((change for then, change in self._before if then() is earlier), None)

    def _left_to(self, change: Change) -> dict[Hashable, tuple[Any, Change]]:
        """What was derived and can be renewed, with all that has changed since it was right: what nobody asked for of
        this forest comes first, and is the first that goes where it is too much."""
        left = {key: (value, earlier.then(change)) for key, (value, earlier) in list(self._inherited.items())}
        left |= {key: (kept.value, change) for key, kept in list(self._derived.items()) if kept.is_renewable}
        renewable = [(key, (value, since)) for key, (value, since) in left.items() if len(since) <= MAX_RENEWED]
        return dict(renewable[-MAX_DERIVED:])

    def __len__(self) -> int:
        return len(self.sessions)

    def get(self, session_id: str) -> Session | None:
        return self.sessions.get(session_id)

    def verdict(self, session_id: str) -> Verdict:
        return self._families.classified.verdicts[session_id]

    def kind(self, session_id: str) -> SessionKind:
        return self._families.kind(session_id)

    def in_cycle(self, session_id: str) -> bool:
        return session_id in self._families.classified.in_cycle

    # What is derived

    def derive(self, key: Hashable, make: Callable[[], T], renew: Callable[[T, Change], T] | None = None) -> T:
        """What `make` gives, kept with this picture: the same list is asked for page by page.

        With `renew`, it is made only once: after a change, `renew` makes the new value out of the one before.
        """
        if self.derived(key, renew) is None and key not in self._derived:
            self.keep(key, make(), is_renewable=renew is not None)
        return cast("T", self._derived[key].value)

    def derived(self, key: Hashable, renew: Callable[[T, Change], T] | None = None) -> T | None:
        """What is kept under this key, or can be renewed, else None."""
        if key not in self._derived and renew is not None and key in self._inherited:
            self.keep(key, renew(*self._inherited.pop(key)), is_renewable=True)
        kept = self._derived.get(key)
        return kept.value if kept is not None else None

    def keep(self, key: Hashable, value: Any, *, is_renewable: bool) -> None:
        """Keeps a value that `derive` would make, or a newer one in place of it."""
        self._derived[key] = _Derived(value, is_renewable)
        if len(self._derived) > MAX_DERIVED:
            self._derived.pop(next(iter(self._derived)))

    # Ids

    @property
    def ids(self) -> list[str]:
        """All ids in ascending order."""
        return self.derive("ids", lambda: sorted(self.sessions), self._renewed_ids)

    def _renewed_ids(self, before: list[str], change: Change) -> list[str]:
        ids = list(before)
        for session_id, was in change.sessions.items():
            if was is None and session_id in self.sessions:
                insort(ids, session_id)
            elif was is not None and session_id not in self.sessions:
                del ids[bisect_left(ids, session_id)]
        return ids

    def starting_with(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` ids that start with the prefix, in ascending order."""
        ids, end = self.ids, prefix_end(prefix)
        low = bisect_left(ids, prefix)
        high = len(ids) if end is None else bisect_left(ids, end)
        return ids[low : min(high, low + limit)]

    # Parents and children

    def children(self, session_id: str) -> Sequence[Session]:
        """By start, then id. The children of an id that does not exist are those whose parent link dangles at it."""
        return self._families.children.get(session_id, ())

    def successor(self, session_id: str) -> Session | None:
        """The continuation that a compressed session goes on in."""
        following = self._families.classified.successor.get(session_id)
        return self.sessions[following] if following is not None else None

    def parent(self, session: Session) -> Session | None:
        return self.sessions.get(session.parent_id) if session.parent_id is not None else None

    def has_lost_parent(self, session: Session) -> bool:
        """Whether its parent link names a session that does not exist: something was there before, and is gone."""
        return session.parent_id is not None and session.parent_id not in self.sessions

    def ancestors(self, session: Session) -> list[Session]:
        """Root first, the session itself excluded. In a cycle: every other member once, nearest last."""
        seen = {session.id}
        chain: list[Session] = []
        parent = self.parent(session)
        while parent is not None and parent.id not in seen:
            seen.add(parent.id)
            chain.append(parent)
            parent = self.parent(parent)
        return chain[::-1]

    def root(self, session: Session) -> Session:
        """The topmost ancestor; for a tree that hangs on a cycle, the cycle's smallest id, the same for all of it."""
        top = next(iter(self.ancestors(session)), session)
        if not self.in_cycle(top.id):
            return top
        members = [top, *self.ancestors(top)]
        return min((member for member in members if self.in_cycle(member.id)), key=lambda member: member.id)

    # Trees

    def walk(self, start: Session, *, breadth_first: bool = False, max_depth: int | None = None) -> Iterator[TreeNode]:
        """The start and everything below it, each session once, parents before children."""
        children = self._families.children
        seen: set[str] = set()
        pending: deque[TreeNode] = deque([TreeNode(start, 0, None)])
        following = pending.popleft if breadth_first else pending.pop
        while pending:
            node = following()
            session_id, depth = node.session.id, node.depth
            if session_id in seen:
                continue
            seen.add(session_id)
            yield node
            if session_id in children and depth != max_depth:
                below = children[session_id]
                in_turn = below if breadth_first else reversed(below)
                pending.extend([TreeNode(child, depth + 1, session_id) for child in in_turn])

    def has_cycle(self, root: Session) -> bool:
        """Whether the tree of this root hangs on a cycle."""
        return self.in_cycle(root.id)

    # Conversations

    @property
    def conversations(self) -> Mapping[str, Conversation]:
        """Every conversation by its head's id, among them the hidden ones of subagents without a parent."""
        if len(self._conversations) < len(self.sessions) - len(self._families.heads):
            for session_id in self.sessions:
                if self._families.is_head(session_id):
                    self._conversation(session_id)
        return self._conversations

    def conversation(self, head_id: str) -> Conversation | None:
        """The conversation of this head, if it is one."""
        return self._conversation(head_id) if self._families.is_head(head_id) else None

    def conversation_of(self, session_id: str) -> Conversation:
        return self._conversation(self.head_id(session_id))

    def head_id(self, session_id: str) -> str:
        return self._families.head_of(session_id)

    def _conversation(self, head_id: str) -> Conversation:
        """Made when it is first asked for: in a large store, one alone costs nothing next to all of them."""
        made = self._conversations.get(head_id)
        if made is None:
            made = self._conversations[head_id] = self._make(head_id)
        return made

    def _make(self, head_id: str) -> Conversation:
        segments = [self.sessions[head_id]]
        while (following := self.successor(segments[-1].id)) is not None:
            segments.append(following)
        chain = {segment.id for segment in segments}
        hanging = (each for each in self._families.others.get(head_id, ()) if each not in chain)
        others = sorted((self.sessions[each] for each in hanging), key=by_start)
        return Conversation(
            kind=self.kind(head_id),
            segments=tuple(segments),
            subagents=tuple(session for session in others if self._is_subagent(session)),
            side_rows=tuple(session for session in others if not self._is_subagent(session)),
            tool_count=sum(self.kind(session.id) is SessionKind.TOOL for session in others),
            branch_count=sum(
                self.kind(child.id) is SessionKind.BRANCH for segment in segments for child in self.children(segment.id)
            ),
        )

    def _is_subagent(self, session: Session) -> bool:
        """A subagent, or what a subagent was continued in: its work is paid for with the subagent's."""
        here = session
        while self.kind(here.id) is SessionKind.CONTINUATION:
            here = self.sessions[here.parent_id or ""]
        return self.kind(here.id) is SessionKind.SUBAGENT
