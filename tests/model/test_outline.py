"""Where marks of an outline stand, and which of them are kept where there are too many."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.message import MessageState
from hermes_sessions.model.outline import Mark, Outline, OutlineKind, Point, outline_of, thinned
from hermes_sessions.model.session import Session

LIVE, COMPACTED = MessageState.LIVE, MessageState.COMPACTED
LEAD = Session("lead", "cli", started_at=1.0)


def sub(id: str, start: float | None, parent: str = "lead") -> Session:
    return Session(id, "cli", parent_id=parent, delegate_from=parent, started_at=start)


def outline(points: list[Point], *others: Session, segments: tuple[Session, ...] = (LEAD,), limit: int = 99) -> Outline:
    return outline_of(points, segments, Forest([*segments, *others]), limit)


def subagents_at(points: list[Point], *others: Session, segments: tuple[Session, ...] = (LEAD,)) -> dict[str, int]:
    marks = outline(points, *others, segments=segments).marks
    return {mark.session.id: mark.position for mark in marks if mark.kind is OutlineKind.SUBAGENT and mark.session}


def test_a_subagent_stands_at_the_last_message_that_is_not_younger_than_its_start() -> None:
    points = [Point(0, number, LIVE, 10.0 * number) for number in range(1, 5)]
    started = [sub("early", 1.0), sub("same", 20.0), sub("between", 39.9), sub("late", 99.0), sub("unknown", None)]
    assert subagents_at(points, *started) == {"early": 0, "same": 1, "between": 2, "late": 3, "unknown": 3}


def test_clocks_that_step_back_and_moments_that_are_missing_do_not_mislead_it() -> None:
    points = [Point(0, n, LIVE, at) for n, at in enumerate((10.0, None, 50.0, 30.0, None, 60.0))]
    assert subagents_at(points, sub("a", 35.0), sub("b", 55.0), sub("c", 20.0)) == {"a": 3, "b": 3, "c": 0}


def test_a_subagent_of_a_segment_that_shows_nothing_stands_at_its_neighbour() -> None:
    first, last = Session("a", "cli", end_reason="compression", has_ended=True), Session("b", "cli", parent_id="a")
    of_first, of_last = sub("of a", 5.0, "a"), sub("of b", 5.0, "b")
    in_last, in_first = Point(1, 7, LIVE, 9.0), Point(0, 3, LIVE, 9.0)
    assert subagents_at([in_last], of_first, segments=(first, last)) == {"of a": 0}
    assert subagents_at([in_first], of_last, segments=(first, last)) == {"of b": 0}
    assert subagents_at([], of_first, of_last, segments=(first, last)) == {}


def test_only_subagents_are_marked_and_each_by_its_own_parent() -> None:
    branch = Session("branch", "cli", parent_id="lead", branched_from="lead", started_at=5.0)
    below = sub("below", 5.0, "s")
    assert subagents_at([Point(0, 1, LIVE, 1.0)], sub("s", 5.0), branch, below) == {"s": 0}


def test_one_message_may_have_several_marks_in_the_order_of_the_kinds() -> None:
    point = Point(0, 2, LIVE, 9.0, is_summary=True, is_error=True, is_hit=True)
    marks = outline([Point(0, 1, COMPACTED, 1.0, is_prompt=True), point], sub("s", 9.0)).marks
    assert [(mark.position, mark.kind.value) for mark in marks] == [
        (0, "PROMPT"),
        (1, "SEAM"),
        (1, "SUMMARY"),
        (1, "ERROR"),
        (1, "SUBAGENT"),
        (1, "HIT"),
    ]


def many(**kinds: int) -> list[Mark]:
    marks = [
        Mark(number, OutlineKind[kind], Point(0, number, LIVE), None)
        for kind, count in kinds.items()
        for number in range(count)
    ]
    return sorted(marks, key=lambda mark: (mark.position, list(OutlineKind).index(mark.kind)))


def test_kinds_with_few_marks_keep_all_and_the_others_are_thinned_evenly() -> None:
    kept = thinned(many(SEAM=3, PROMPT=101, HIT=1001), 25)
    assert Counter(mark.kind.value for mark in kept) == {"SEAM": 3, "PROMPT": 11, "HIT": 11}
    assert [mark.position for mark in kept if mark.kind is OutlineKind.PROMPT] == list(range(0, 101, 10))
    assert [mark.position for mark in kept if mark.kind is OutlineKind.HIT] == list(range(0, 1001, 100))


def test_true_numbers_stay_known() -> None:
    found = outline([Point(0, number, LIVE, is_prompt=True) for number in range(50)], limit=10)
    assert (found.message_count, len(found.marks), found.is_thinned) == (50, 10, True)
    assert found.counts == {OutlineKind.PROMPT: 50}
    assert not outline([Point(0, number, LIVE, is_prompt=True) for number in range(10)], limit=10).is_thinned


@given(st.dictionaries(st.sampled_from([kind.name for kind in OutlineKind]), st.integers(0, 40)), st.integers(1, 60))
def test_never_more_marks_than_asked_for_and_none_wasted(kinds: dict[str, int], limit: int) -> None:
    marks = many(**kinds)
    kept = thinned(marks, limit)
    assert len(kept) == min(limit, len(marks))
    assert len({(mark.position, mark.kind) for mark in kept}) == len(kept)
    assert kept == [mark for mark in marks if mark in kept]
