"""What the parent links of a store's sessions say: their kinds, their children, and the conversation of each.

`families_of` works it out from nothing. An agent that writes changes a session or two of tens of thousands, so
`families_after` works out what follows from a change, and takes over the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hermes_sessions.model.kinds import Classification, classify, judge
from hermes_sessions.model.session import Session, SessionKind

HEADS = frozenset({SessionKind.ROOT, SessionKind.BRANCH, SessionKind.RESET, SessionKind.UNCLASSIFIED})


@dataclass(frozen=True, slots=True)
class Families:
    """`children` are sorted by start and id; those of an id that does not exist are the ones whose link dangles at it.

    A continuation belongs to the conversation of its parent, and so do the rows that hang on a conversation; a subagent
    without a parent stands alone. `heads` names the head of each session that is none itself, and `others` is its
    inverse: nearly every session is a conversation of its own, and needs no entry.
    """

    sessions: Mapping[str, Session]
    classified: Classification
    children: Mapping[str, list[Session]]
    heads: Mapping[str, str]
    others: Mapping[str, list[str]]

    def kind(self, session_id: str) -> SessionKind:
        return self.classified.verdicts[session_id].kind

    def belongs_to(self, session_id: str) -> str | None:
        """The session whose conversation it is part of; None for a head."""
        if self.kind(session_id) in HEADS:
            return None
        parent_id = self.sessions[session_id].parent_id
        return parent_id if parent_id in self.sessions else None

    def head_of(self, session_id: str) -> str:
        return self.heads.get(session_id, session_id)

    def is_head(self, session_id: str) -> bool:
        return session_id in self.sessions and session_id not in self.heads

    def below(self, session_ids: Iterable[str]) -> set[str]:
        """These and all that hang on them, at any depth."""
        found: set[str] = set()
        pending = list(session_ids)
        while pending:
            here = pending.pop()
            if here not in found:
                found.add(here)
                pending.extend(child.id for child in self.children.get(here, ()))
        return found


def families_of(sessions: Mapping[str, Session]) -> Families:
    children: dict[str, list[Session]] = {}
    for session in sorted(sessions.values(), key=by_start):
        if session.parent_id is not None:
            children.setdefault(session.parent_id, []).append(session)
    heads: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    families = Families(sessions, classify(sessions), children, heads, others)
    _find_heads(families, heads, sessions)
    for session_id, head_id in heads.items():
        others.setdefault(head_id, []).append(session_id)
    return families


def families_after(before: Families, changed: Mapping[str, Session], removed: Collection[str]) -> Families | None:
    """The families once some sessions are as given, or new, and others are gone. None where a cycle opens or closes:
    that changes what is far from it."""
    sessions = {**before.sessions, **changed}
    for session_id in removed:
        del sessions[session_id]
    touched = {*changed, *removed}
    if _may_change_cycles(before, sessions, touched):
        return None
    parents = _parents(before.sessions, touched) | _parents(sessions, touched) | touched
    children = _children_after(before.children, parents, changed, touched)
    judged = {child.id: child for parent in parents for child in children.get(parent, ())} | dict(changed)
    classified = _classified_after(before.classified, sessions, judged.values(), parents, removed)
    after = Families(sessions, classified, children, heads := dict(before.heads), others := dict(before.others))
    moved = after.below(each for each in judged if _has_moved(before, after, each))
    leaving = {*moved, *removed}
    left = {heads.pop(each) for each in leaving if each in heads}
    _find_heads(after, heads, moved)
    for head_id in left:
        staying = [each for each in others.pop(head_id) if each not in leaving]
        if staying:
            others[head_id] = staying
    arriving: dict[str, list[str]] = {}
    for session_id in moved & heads.keys():
        arriving.setdefault(heads[session_id], []).append(session_id)
    for head_id, own in arriving.items():
        others[head_id] = others.get(head_id, []) + own
    return after


def affected(before: Families, after: Families, touched: Collection[str]) -> tuple[set[str], set[str]]:
    """What may not be as it was once those sessions have changed: the sessions, of themselves or by their kind, and
    the conversations, by their heads. A conversation shows its members, and counts the branches that leave it."""
    near = {*touched, *_parents(before.sessions, touched), *_parents(after.sessions, touched)}
    below = {child.id for each in near for child in (*before.children.get(each, ()), *after.children.get(each, ()))}
    sessions = {*touched, *(each for each in below if _is_another(before, after, each))}
    near |= sessions
    return sessions, {
        families.head_of(each) for families in (before, after) for each in near & families.sessions.keys()
    }


def by_start(session: Session) -> tuple[float, str]:
    return (session.started_at if session.started_at is not None else 0.0, session.id)


def _find_heads(families: Families, heads: dict[str, str], asked: Iterable[str]) -> None:
    for session_id in asked:
        trail: list[str] = []
        here = session_id
        while here not in heads and (above := families.belongs_to(here)) is not None:
            trail.append(here)
            here = above
        for step in trail:
            heads[step] = heads.get(here, here)


def _parents(sessions: Mapping[str, Session], session_ids: Iterable[str]) -> set[str]:
    found = (sessions[each].parent_id for each in session_ids if each in sessions)
    return {parent_id for parent_id in found if parent_id is not None}


def _may_change_cycles(before: Families, sessions: Mapping[str, Session], touched: Iterable[str]) -> bool:
    """Whether a cycle is touched, or closes: the way up from a session with another parent comes back to it."""
    for session_id in touched:
        if session_id in before.classified.in_cycle:
            return True
        session, known = sessions.get(session_id), before.sessions.get(session_id)
        has_new_parent = session is not None and (known is None or known.parent_id != session.parent_id)
        if has_new_parent and session_id in _way_up(sessions, session_id):
            return True
    return False


def _way_up(sessions: Mapping[str, Session], session_id: str) -> set[str]:
    passed: set[str] = set()
    parent_id = sessions[session_id].parent_id
    while parent_id is not None and parent_id in sessions and parent_id not in passed:
        passed.add(parent_id)
        parent_id = sessions[parent_id].parent_id
    return passed


def _children_after(
    before: Mapping[str, list[Session]], parents: Iterable[str], changed: Mapping[str, Session], touched: set[str]
) -> dict[str, list[Session]]:
    children = dict(before)
    arriving: dict[str, list[Session]] = {}
    for session in changed.values():
        if session.parent_id is not None:
            arriving.setdefault(session.parent_id, []).append(session)
    for parent_id in parents:
        staying = [child for child in children.pop(parent_id, ()) if child.id not in touched]
        own = sorted(staying + arriving.get(parent_id, []), key=by_start)
        if own:
            children[parent_id] = own
    return children


def _classified_after(
    before: Classification,
    sessions: Mapping[str, Session],
    judged: Iterable[Session],
    parents: Iterable[str],
    removed: Iterable[str],
) -> Classification:
    found = judge(sessions, judged, before.in_cycle)
    verdicts, successor = dict(before.verdicts), dict(before.successor)
    for session_id in removed:
        del verdicts[session_id]
    for parent_id in parents:
        successor.pop(parent_id, None)
    verdicts.update(found.verdicts)
    successor.update(found.successor)
    return Classification(verdicts, successor, before.in_cycle)


def _is_another(before: Families, after: Families, session_id: str) -> bool:
    return (
        session_id not in after.sessions
        or _has_moved(before, after, session_id)
        or before.kind(session_id) is not after.kind(session_id)
    )


def _has_moved(before: Families, after: Families, session_id: str) -> bool:
    return session_id not in before.sessions or before.belongs_to(session_id) != after.belongs_to(session_id)
