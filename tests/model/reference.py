"""The rules of lineage written down a second time: slow, literal, one sentence of the design a function."""

from __future__ import annotations

from collections.abc import Callable

from hermes_sessions.model.session import Session, SessionKind

Rows = dict[str, Session]
Rank = float | str

RESETS = ("session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired")
HEADS = (SessionKind.ROOT, SessionKind.BRANCH, SessionKind.RESET, SessionKind.UNCLASSIFIED)


def rows_of(sessions: list[Session]) -> Rows:
    return {each.id: each for each in sessions}


def parent(rows: Rows, row: Session) -> Session | None:
    return None if row.parent_id is None else rows.get(row.parent_id)


def climb(rows: Rows, row: Session) -> list[Session]:
    """The row, its parent, and so on; the last one has no parent, or its parent is already among them."""
    chain = [row]
    while (above := parent(rows, chain[-1])) is not None and above not in chain:
        chain.append(above)
    return chain


def in_cycle(rows: Rows, row: Session) -> bool:
    here = parent(rows, row)
    for _ in rows:
        if here is None:
            return False
        if here.id == row.id:
            return True
        here = parent(rows, here)
    return False


def ancestors(rows: Rows, row: Session) -> list[str]:
    return [each.id for each in climb(rows, row)[1:]][::-1]


def root(rows: Rows, row: Session) -> str:
    chain = climb(rows, row)
    cycle = [each.id for each in chain if in_cycle(rows, each)]
    return min(cycle) if cycle else chain[-1].id


def children(rows: Rows, id: str) -> list[Session]:
    below = [each for each in rows.values() if each.parent_id == id]
    return sorted(below, key=lambda each: (each.started_at or 0.0, each.id))


def descendants(rows: Rows, row: Session) -> list[str]:
    """The row and all below it, depth first."""
    found: list[str] = []

    def visit(id: str) -> None:
        if id not in found:
            found.append(id)
            for child in children(rows, id):
                visit(child.id)

    visit(row.id)
    return found


def kind(rows: Rows, row: Session) -> SessionKind:
    found = kind_by_own_rules(rows, row)
    if found is not None:
        return found
    return SessionKind.CONTINUATION if chosen_successor(rows, row.parent_id) == row.id else SessionKind.SIDE


def kind_by_own_rules(rows: Rows, row: Session) -> SessionKind | None:
    """None for a child of a compressed parent that is neither branch, subagent, tool nor reset."""
    above = parent(rows, row)
    rules: list[tuple[SessionKind | None, bool]] = [
        (SessionKind.UNCLASSIFIED, in_cycle(rows, row)),
        (SessionKind.ROOT, row.parent_id is None and row.delegate_from is None),
        (SessionKind.BRANCH, row.parent_id is not None and row.branched_from == row.parent_id),
        (SessionKind.BRANCH, above is not None and above.end_reason == "branched" and started_at_its_end(row, above)),
        (SessionKind.SUBAGENT, row.parent_id is not None and row.delegate_from == row.parent_id),
        (SessionKind.SUBAGENT, above is None and row.delegate_from is not None),
        (SessionKind.TOOL, above is not None and row.source == "tool"),
        (SessionKind.RESET, row.parent_id is not None and row.reset_from == row.parent_id),
        (SessionKind.RESET, above is not None and above.end_reason in RESETS and same_key(row, above)),
        (None, above is not None and above.end_reason == "compression"),
        (SessionKind.UNCLASSIFIED, True),
    ]
    return next(found for found, fits in rules if fits)


def started_at_its_end(row: Session, above: Session) -> bool:
    return row.started_at is not None and above.ended_at is not None and above.ended_at <= row.started_at


def same_key(row: Session, above: Session) -> bool:
    return row.session_key not in (None, "") and row.session_key == above.session_key


def chosen_successor(rows: Rows, id: str | None) -> str | None:
    """Of a parent's candidates: one that goes on, else an open one, else a closed one; the newest of those."""
    rivals = [each for each in rows.values() if each.parent_id == id and kind_by_own_rules(rows, each) is None]
    going_on = [each for each in rivals if each.end_reason == "compression"]
    still_open = [each for each in rivals if not each.has_ended]
    rivals = going_on or still_open or rivals
    ranks: list[Callable[[Session], Rank]] = [
        lambda each: each.activity.newest or 0.0,
        lambda each: each.started_at or 0.0,
        lambda each: each.id,
    ]
    for rank in ranks:
        rivals = [each for each in rivals if rank(each) == max(map(rank, rivals))]
    return rivals[0].id if rivals else None


def head(rows: Rows, row: Session) -> Session:
    above = parent(rows, row)
    return row if kind(rows, row) in HEADS or above is None else head(rows, above)


def segments(rows: Rows, start: Session) -> list[str]:
    chain = [start.id]
    while (following := chosen_successor(rows, chain[-1])) is not None:
        chain.append(following)
    return chain


def conversations(rows: Rows) -> dict[str, list[str]]:
    """The segments of every conversation, by its head's id."""
    heads = {head(rows, row).id for row in rows.values()}
    return {id: segments(rows, rows[id]) for id in heads}


def subagents_below(rows: Rows, head_id: str) -> list[str]:
    """Every SUBAGENT row that belongs to the conversation, apart from its head."""
    return [
        row.id
        for row in rows.values()
        if row.id != head_id and head(rows, row).id == head_id and kind(rows, row) is SessionKind.SUBAGENT
    ]
