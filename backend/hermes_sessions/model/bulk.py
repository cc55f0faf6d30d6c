"""What a change of many sessions touches, worked out before anything is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.filters import ArchivedFilter, FilterContext, ListFilter
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.listing import select_conversations
from hermes_sessions.model.orders import OrderField
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import DeletionPlan, Scope, deletion_plan, in_scope

DAY_SECONDS = 86_400.0


class ErrorPolicy(Enum):
    REJECT_ALL = "REJECT_ALL"
    SKIP_FAILED = "SKIP_FAILED"


@dataclass(frozen=True)
class Skipped:
    """An id that nothing is done about. `fails` is False where there is nothing left to do: it was deleted before."""

    id: str
    code: ErrorCode
    reason: str
    fails: bool = True


@dataclass(frozen=True)
class Step:
    """What one id of the input stands for. `sessions` change, and none of them stands in an earlier step."""

    id: str
    sessions: tuple[Session, ...]
    detached: tuple[Session, ...] = ()


@dataclass(frozen=True)
class BulkPlan:
    """Steps and skipped ids, both in the order of the input. A step that would change nothing is left out."""

    steps: tuple[Step, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def fails(self) -> bool:
        return any(skipped.fails for skipped in self.skipped)

    @property
    def deletion(self) -> DeletionPlan:
        """All steps as one."""
        goes = {session.id: session for step in self.steps for session in step.sessions}
        stays = {session.id: session for step in self.steps for session in step.detached if session.id not in goes}
        return DeletionPlan(tuple(goes.values()), tuple(stays.values()))


def archiving_plan(
    forest: Forest, ids: Sequence[str], deleted: Collection[str], scope: Scope, archived: bool
) -> BulkPlan:
    """`deleted` are ids that were deleted here before."""
    steps: list[Step] = []
    skipped: list[Skipped] = []
    for id, session in _named(forest, ids):
        if session is None:
            skipped.append(_absent(id, deleted))
        else:
            changing = [each for each in in_scope(forest, session, scope) if each.archived is not archived]
            steps.append(Step(id, tuple(changing)))
    return BulkPlan(_each_once(steps), tuple(skipped))


def deletions_plan(
    forest: Forest,
    ids: Sequence[str],
    deleted: Collection[str],
    scope: Scope,
    busy: Mapping[str, str] | None = None,
    idle_since: float | None = None,
) -> BulkPlan:
    """The union of the plans of the single ids, without those that hold a busy session.

    `busy` tells why a session must not go. Conversations that were active at `idle_since` or later are spared, too.
    """
    steps: list[Step] = []
    skipped: list[Skipped] = []
    for id, session in _named(forest, ids):
        if session is None:
            skipped.append(_absent(id, deleted))
            continue
        plan = deletion_plan(forest, session, scope)
        why = next((f"Session {each} {busy[each]}." for each in plan.ids if busy and each in busy), None)
        if why is None and idle_since is not None and not _idle(forest, id, idle_since):
            why = f"The conversation of session {id} has become active again."
        if why is not None:
            skipped.append(Skipped(id, ErrorCode.SESSION_BUSY, why))
        else:
            steps.append(Step(id, plan.goes, plan.detached))
    return BulkPlan(_each_once(steps), tuple(skipped))


def _named(forest: Forest, ids: Sequence[str]) -> Iterator[tuple[str, Session | None]]:
    return ((id, forest.get(id)) for id in dict.fromkeys(ids))


def _absent(id: str, deleted: Collection[str]) -> Skipped:
    if id in deleted:
        return Skipped(id, ErrorCode.NOT_FOUND, "It was deleted before.", fails=False)
    return Skipped(id, ErrorCode.NOT_FOUND, "There is no session with this id. Prefixes are not taken here.")


def _idle(forest: Forest, id: str, since: float) -> bool:
    at = forest.conversation_of(id).last_active_at
    return at is not None and at < since


def _each_once(steps: Sequence[Step]) -> tuple[Step, ...]:
    seen: set[str] = set()
    kept: list[Step] = []
    for step in steps:
        sessions = tuple(session for session in step.sessions if session.id not in seen)
        seen.update(session.id for session in sessions)
        if sessions:
            kept.append(replace(step, sessions=sessions))
    return tuple(kept)


def chosen(forest: Forest, filter: ListFilter, context: FilterContext, profile: str) -> list[str]:
    """Heads of the conversations that a filter keeps, the last active first.

    A conversation whose messages were all taken back is not empty: an upper limit of messages does not choose it.
    """
    items = select_conversations(forest, filter, OrderField.LAST_ACTIVE, profile, context).items
    heads = [forest.conversations[item.id] for item in reversed(items)]
    return [head.id for head in heads if filter.max_messages is None or head.message_count > 0 or head.is_empty]


def older_than(filter: ListFilter, moment: float, include_archived: bool) -> ListFilter:
    """The filter, for conversations that were last active before the moment."""
    before = moment if filter.active_before is None else min(moment, filter.active_before)
    widened = include_archived and filter.archived is ArchivedFilter.EXCLUDE
    return replace(filter, active_before=before, archived=ArchivedFilter.INCLUDE if widened else filter.archived)
