"""The kind of every session, why, and the successor that each compressed session was continued in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hermes_sessions.model.session import Session, SessionKind

COMPRESSION = "compression"
RESET_REASONS = frozenset({"session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired"})


class Verdict(NamedTuple):
    """A kind and the columns that prove it, in words."""

    kind: SessionKind
    reason: str


class Classification(NamedTuple):
    """`successor` maps a compressed session to its continuation; `in_cycle` holds the rows that stand in a cycle."""

    verdicts: dict[str, Verdict]
    successor: dict[str, str]
    in_cycle: frozenset[str]


def classify(sessions: Mapping[str, Session]) -> Classification:
    """Kinds of all sessions of one store, in time linear to their number."""
    return judge(sessions, sessions.values(), frozenset(_cycle_members(sessions)))


def judge(sessions: Mapping[str, Session], asked: Iterable[Session], in_cycle: frozenset[str]) -> Classification:
    """Kinds of some of the sessions of a store. Of siblings, all are asked for: one of them is chosen."""
    verdicts: dict[str, Verdict] = {}
    candidates: dict[str, list[Session]] = {}
    for session in asked:
        parent = sessions.get(session.parent_id) if session.parent_id is not None else None
        verdict = _CYCLE if session.id in in_cycle else _by_own_columns(session, parent)
        if verdict is not None:
            verdicts[session.id] = verdict
        elif parent is not None:
            candidates.setdefault(parent.id, []).append(session)
    successor: dict[str, str] = {}
    for parent_id, rivals in candidates.items():
        chosen = max(rivals, key=_succession_rank)
        successor[parent_id] = chosen.id
        for rival in rivals:
            verdicts[rival.id] = _CONTINUATION if rival is chosen else _side(chosen)
    return Classification(verdicts, successor, in_cycle)


_CYCLE = Verdict(SessionKind.UNCLASSIFIED, "its chain of parents comes back to itself")
_CONTINUATION = Verdict(
    SessionKind.CONTINUATION, "the parent's end_reason is compression and this is its chosen successor"
)
_ROOT = Verdict(SessionKind.ROOT, "no parent_session_id and no _delegate_from")


def _by_own_columns(session: Session, parent: Session | None) -> Verdict | None:
    """The verdict that needs no comparison with siblings; None for a candidate successor."""
    if session.parent_id is None:
        if session.delegate_from is None:
            return _ROOT
        return Verdict(SessionKind.SUBAGENT, "model_config has _delegate_from and the parent is gone")
    if session.branched_from == session.parent_id:
        return Verdict(SessionKind.BRANCH, "model_config._branched_from names the parent")
    if parent is not None and _is_legacy_branch(session, parent):
        return Verdict(SessionKind.BRANCH, "the parent's end_reason is branched and this started at or after its end")
    if session.delegate_from == session.parent_id:
        return Verdict(SessionKind.SUBAGENT, "model_config._delegate_from names the parent")
    if parent is None and session.delegate_from is not None:
        return Verdict(SessionKind.SUBAGENT, "model_config has _delegate_from and the parent is gone")
    if parent is not None and session.source == "tool":
        return Verdict(SessionKind.TOOL, "has a parent and its source is tool")
    if session.reset_from == session.parent_id:
        return Verdict(SessionKind.RESET, "model_config._reset_from names the parent")
    if parent is None:
        return Verdict(SessionKind.UNCLASSIFIED, "parent_session_id names a session that does not exist")
    if parent.end_reason in RESET_REASONS and session.session_key and session.session_key == parent.session_key:
        return Verdict(SessionKind.RESET, f"the parent ended by {parent.end_reason} and both have the same session_key")
    if parent.end_reason == COMPRESSION:
        return None
    return Verdict(SessionKind.UNCLASSIFIED, "has a parent, and no column says what it is to it")


def _is_legacy_branch(session: Session, parent: Session) -> bool:
    return (
        parent.end_reason == "branched"
        and session.started_at is not None
        and parent.ended_at is not None
        and session.started_at >= parent.ended_at
    )


def _side(chosen: Session) -> Verdict:
    return Verdict(SessionKind.SIDE, f"the parent's end_reason is compression, and {chosen.id} is its chosen successor")


def _succession_rank(session: Session) -> tuple[int, float, float, str]:
    """One that goes on, then one still open, then a closed one; then newest message, newest start, greatest id."""
    goes_on = 2 if session.end_reason == COMPRESSION else 1 if not session.has_ended else 0
    newest = session.activity.newest
    started = session.started_at
    return (goes_on, -1.0 if newest is None else newest, -1.0 if started is None else started, session.id)


def _cycle_members(sessions: Mapping[str, Session]) -> Iterator[str]:
    """Ids whose chain of parents returns to them. A tail that leads into a cycle does not stand in it."""
    settled: set[str] = set()
    for start in sessions:
        path: dict[str, None] = {}
        here: str | None = start
        while here is not None and here in sessions and here not in settled and here not in path:
            path[here] = None
            here = sessions[here].parent_id
        if here is not None and here in path:
            yield from _from(path, here)
        settled.update(path)


def _from(path: Iterable[str], start: str) -> Iterator[str]:
    found = False
    for step in path:
        found = found or step == start
        if found:
            yield step
