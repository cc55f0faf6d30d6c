"""What is taken of sessions that come in, and what is not: worked out before anything is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.bulk import Skipped
from hermes_sessions.model.export.rows import ParentLink, stored_text
from hermes_sessions.model.ids import session_id as checked_id
from hermes_sessions.model.importing.incoming import Incoming
from hermes_sessions.model.titles import MAX_TITLE_LENGTH

MAX_ID_LENGTH = 256


@dataclass(frozen=True)
class Taken:
    """What the target holds: the parent of each session (None for none), and the titles."""

    parents: Mapping[str, str | None]
    titles: Collection[str]


@dataclass(frozen=True)
class CutLink:
    """A parent link that is not taken over, and why."""

    child_id: str
    parent_id: str
    reason: str


@dataclass(frozen=True)
class ImportPlan:
    """`steps` are the sessions that come in, with the parents and titles that they get, parents before children.

    `skipped` and `cut_links` are in the order of the input. `retitled` holds one sentence for each changed title.
    """

    steps: tuple[Incoming, ...]
    skipped: tuple[Skipped, ...] = ()
    cut_links: tuple[CutLink, ...] = ()
    retitled: tuple[str, ...] = ()


def import_plan(incoming: Sequence[Incoming], taken: Taken) -> ImportPlan:
    steps, skipped = _free(incoming, taken)
    linked, cut_links = _linked(steps, taken)
    ordered = _parents_first(linked)
    titled, retitled = _titled(ordered, taken.titles)
    return ImportPlan(tuple(titled), tuple(skipped), tuple(cut_links), tuple(retitled))


def _free(incoming: Sequence[Incoming], taken: Taken) -> tuple[list[Incoming], list[Skipped]]:
    steps: dict[str, Incoming] = {}
    skipped: list[Skipped] = []
    for each in incoming:
        fault = each.fault or _fault_of_id(each.id)
        if fault is not None:
            skipped.append(Skipped(each.id, ErrorCode.BAD_USER_INPUT, fault))
        elif each.id in steps:
            skipped.append(Skipped(each.id, ErrorCode.BAD_USER_INPUT, "It came a second time; the first was taken."))
        elif each.id in taken.parents:
            skipped.append(
                Skipped(each.id, ErrorCode.ID_TAKEN, "A session with this id is there already.", fails=False)
            )
        else:
            steps[each.id] = each
    return list(steps.values()), skipped


def _fault_of_id(id: str) -> str | None:
    if len(id) > MAX_ID_LENGTH:
        return f"Its id is longer than {MAX_ID_LENGTH} characters."
    try:
        checked_id(id)
    except HermesSessionsError:
        return "Its id is blank or holds control characters."
    return None


def _linked(steps: Sequence[Incoming], taken: Taken) -> tuple[list[Incoming], list[CutLink]]:
    """Each with a parent that will be there, with an odd link that is kept, or with none."""
    here = {step.id for step in steps}
    closing = _closing(steps, taken)
    linked: list[Incoming] = []
    cut_links: list[CutLink] = []
    for step in steps:
        reason = None
        if step.id in closing:
            reason = "The link would close a circle."
        elif not _is_there(step, here, taken):
            reason = "The parent is neither among these sessions nor in the store."
        if reason is not None:
            cut_links.append(CutLink(step.id, str(stored_text(step.parent)), reason))
        linked.append(step if reason is None else replace(step, parent=None))
    return linked, cut_links


def _is_there(step: Incoming, here: set[str], taken: Taken) -> bool:
    if step.parent is None or step.parent_link is ParentLink.MISSING:
        return True
    return isinstance(step.parent, str) and (step.parent in here or step.parent in taken.parents)


def _closing(steps: Sequence[Incoming], taken: Taken) -> set[str]:
    """Of each circle of links, the session that comes last: without its link there is no circle.

    A circle that stood where all of its sessions come from is a fact that is kept.
    """
    places = {step.id: place for place, step in enumerate(steps) if step.parent_link is None}
    above = {**taken.parents, **{step.id: step.parent for step in steps if isinstance(step.parent, str)}}
    seen: dict[str, str] = {}
    closing: set[str] = set()
    for step in steps:
        trail: list[str] = []
        here: str | None = step.id
        while here is not None and here not in seen:
            seen[here] = step.id
            trail.append(here)
            here = above.get(here)
        if here is not None and seen[here] == step.id:
            circle = [member for member in trail[trail.index(here) :] if member in places]
            closing |= {max(circle, key=places.__getitem__)} if circle else set()
    return closing


def _parents_first(steps: Sequence[Incoming]) -> list[Incoming]:
    """Whatever is done of them, no child waits for its parent. Otherwise as they came."""
    left = {step.id: step for step in steps}
    ordered: list[Incoming] = []
    for step in steps:
        ordered += reversed(list(_up(step, left)))
    return ordered


def _up(step: Incoming, left: dict[str, Incoming]) -> Iterator[Incoming]:
    here = left.pop(step.id, None)
    while here is not None:
        yield here
        here = left.pop(here.parent, None) if isinstance(here.parent, str) else None


def _titled(steps: Sequence[Incoming], titles: Collection[str]) -> tuple[list[Incoming], list[str]]:
    """Titles are unique within a store: a taken one gets a number, though not as Hermes numbers continuations."""
    used = set(titles)
    numbers: dict[str, int] = {}
    titled: list[Incoming] = []
    retitled: list[str] = []
    for step in steps:
        title = step.title
        if isinstance(title, str):
            title = _free_title(title, used, numbers)
            used.add(title)
        if title != step.title:
            retitled.append(f"Session {step.id}: its title is taken; it is called {title!r} here.")
        titled.append(replace(step, title=title))
    return titled, retitled


def _free_title(title: str, used: set[str], numbers: dict[str, int]) -> str:
    """`numbers` tells how far was counted for a title, so that many of the same do not count again and again."""
    free = title
    while free in used:
        numbers[title] = numbers.get(title, 1) + 1
        ending = f" ({numbers[title]})"
        free = title[: MAX_TITLE_LENGTH - len(ending)] + ending
    return free
