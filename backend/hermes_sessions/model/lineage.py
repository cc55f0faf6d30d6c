"""The forest of one store: parents, children, roots, trees and conversations.

A `Forest` is an immutable picture of all sessions of a store at one moment. What is derived from it is computed
once and kept with it, so every question here is a look-up or a walk over what is asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.ids import prefix_end
from hermes_sessions.model.kinds import Verdict, classify
from hermes_sessions.model.session import Session, SessionKind

MAX_DERIVED = 32
T = TypeVar("T")

HEADS = frozenset({SessionKind.ROOT, SessionKind.BRANCH, SessionKind.RESET, SessionKind.UNCLASSIFIED})
HANGERS_ON = frozenset({SessionKind.SUBAGENT, SessionKind.TOOL, SessionKind.SIDE})


class TreeNode(NamedTuple):
    """A session in a walk. `depth` is 0 for the start of the walk; `parent_id` is the node that it was reached from."""

    session: Session
    depth: int
    parent_id: str | None


class Tree(NamedTuple):
    """A walk with what was found on the way. `total` counts all nodes, also those beyond `truncated`."""

    nodes: list[TreeNode]
    total: int
    depth: int
    truncated: bool


class Forest:
    """All sessions of a store, by id, with the trees that their parent links form."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        self.sessions: dict[str, Session] = {session.id: session for session in sessions}
        self._classified = classify(self.sessions)
        self._derived: OrderedDict[Hashable, Any] = OrderedDict()
        self._made: dict[str, Conversation] = {}

    def __len__(self) -> int:
        return len(self.sessions)

    def get(self, session_id: str) -> Session | None:
        return self.sessions.get(session_id)

    def verdict(self, session_id: str) -> Verdict:
        return self._classified.verdicts[session_id]

    def kind(self, session_id: str) -> SessionKind:
        return self._classified.verdicts[session_id].kind

    def in_cycle(self, session_id: str) -> bool:
        return session_id in self._classified.in_cycle

    def derive(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, kept with this picture: the same list is asked for page by page."""
        if key not in self._derived:
            self._derived[key] = make()
            if len(self._derived) > MAX_DERIVED:
                self._derived.popitem(last=False)
        return cast("T", self._derived[key])

    def derived(self, key: Hashable) -> Any:
        """What is kept under this key, else None."""
        return self._derived.get(key)

    # Ids

    @cached_property
    def ids(self) -> list[str]:
        """All ids in ascending order."""
        return sorted(self.sessions)

    def starting_with(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` ids that start with the prefix, in ascending order."""
        end = prefix_end(prefix)
        low = bisect_left(self.ids, prefix)
        high = len(self.ids) if end is None else bisect_left(self.ids, end)
        return self.ids[low : min(high, low + limit)]

    # Parents and children

    @cached_property
    def _children(self) -> dict[str, list[Session]]:
        children: dict[str, list[Session]] = {}
        for session in sorted(self.sessions.values(), key=_by_start):
            if session.parent_id is not None:
                children.setdefault(session.parent_id, []).append(session)
        return children

    def children(self, session_id: str) -> Sequence[Session]:
        """By start, then id. The children of an id that does not exist are those whose parent link dangles at it."""
        return self._children.get(session_id, ())

    def successor(self, session_id: str) -> Session | None:
        """The continuation that a compressed session goes on in."""
        following = self._classified.successor.get(session_id)
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
        seen: set[str] = set()
        pending: deque[TreeNode] = deque([TreeNode(start, 0, None)])
        while pending:
            node = pending.popleft() if breadth_first else pending.pop()
            if node.session.id in seen:
                continue
            seen.add(node.session.id)
            yield node
            if max_depth is not None and node.depth >= max_depth:
                continue
            below = [TreeNode(child, node.depth + 1, node.session.id) for child in self.children(node.session.id)]
            pending.extend(below if breadth_first else reversed(below))

    def tree(self, root: Session, max_nodes: int) -> Tree:
        """The whole tree in depth-first order, cut after `max_nodes` nodes."""
        nodes = list(self.walk(root))
        return Tree(nodes[:max_nodes], len(nodes), max(node.depth for node in nodes), len(nodes) > max_nodes)

    def has_cycle(self, root: Session) -> bool:
        """Whether the tree of this root hangs on a cycle."""
        return self.in_cycle(root.id)

    # Conversations

    @cached_property
    def _head_of(self) -> dict[str, str]:
        """The head's id of the conversation that each session belongs to.

        A continuation belongs where its parent does; so do the rows that hang on a conversation. A subagent without
        a parent stands alone.
        """
        heads: dict[str, str] = {}
        for session_id in self.sessions:
            trail: list[str] = []
            here = session_id
            while here not in heads:
                trail.append(here)
                above = self._belongs_to(here)
                if above is None:
                    heads[here] = here
                else:
                    here = above
            head = heads[here]
            for step in trail:
                heads[step] = head
        return heads

    def _belongs_to(self, session_id: str) -> str | None:
        if self.kind(session_id) in HEADS:
            return None
        parent_id = self.sessions[session_id].parent_id
        return parent_id if parent_id in self.sessions else None

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        members: dict[str, list[str]] = {}
        for session_id, head_id in self._head_of.items():
            members.setdefault(head_id, []).append(session_id)
        return members

    @cached_property
    def conversations(self) -> Mapping[str, Conversation]:
        """Every conversation by its head's id, among them the hidden ones of subagents without a parent."""
        return {head_id: self._conversation(head_id) for head_id in self._members}

    def conversation_of(self, session_id: str) -> Conversation:
        return self._conversation(self._head_of[session_id])

    def prepare(self) -> None:
        """Derives what any single conversation is made from, for who will have no time for that later."""
        _ = self._children, self._members

    def head_id(self, session_id: str) -> str:
        return self._head_of[session_id]

    def _conversation(self, head_id: str) -> Conversation:
        """Made when it is first asked for: in a large store, one alone costs nothing next to all of them."""
        if head_id not in self._made:
            self._made[head_id] = self._make(head_id, self._members[head_id])
        return self._made[head_id]

    def _make(self, head_id: str, members: list[str]) -> Conversation:
        segments = [self.sessions[head_id]]
        while (following := self.successor(segments[-1].id)) is not None:
            segments.append(following)
        chain = {segment.id for segment in segments}
        others = [self.sessions[member] for member in members if member not in chain]
        return Conversation(
            kind=self.kind(head_id),
            segments=tuple(segments),
            subagents=tuple(session for session in others if self._is_subagent(session)),
            side_rows=tuple(session for session in others if not self._is_subagent(session)),
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


def _by_start(session: Session) -> tuple[float, str]:
    return (session.started_at if session.started_at is not None else 0.0, session.id)
