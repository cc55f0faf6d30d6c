"""The outline of a transcript: where, among all of its messages, something stands that a reader looks for."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.message import MessageState, SeamKind, seam_between
from hermes_sessions.model.session import Session, SessionKind


class OutlineKind(Enum):
    """Marks of one message stand in this order."""

    SEAM = "SEAM"
    SUMMARY = "SUMMARY"
    PROMPT = "PROMPT"
    ERROR = "ERROR"
    SUBAGENT = "SUBAGENT"
    HIT = "HIT"


class Point(NamedTuple):
    """A message of a transcript, as narrow as an outline needs it. `opening` is the beginning of its text, `segment`
    the number of its session in the transcript, `timestamp` in seconds since 1970."""

    segment: int
    id: int
    state: MessageState
    timestamp: float | None = None
    opening: str | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    is_summary: bool = False
    is_prompt: bool = False
    is_error: bool = False
    is_hit: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """`session` is what begins here: the segment of a seam, the session of a subagent."""

    position: int
    kind: OutlineKind
    point: Point
    timestamp: float | None
    seam: SeamKind | None = None
    session: Session | None = None


@dataclass(frozen=True)
class Outline:
    """`counts` are of all marks, also of those that were thinned out of `marks`."""

    message_count: int
    marks: list[Mark]
    counts: Mapping[OutlineKind, int]

    @property
    def is_thinned(self) -> bool:
        return len(self.marks) < sum(self.counts.values())


_ORDER = {kind: place for place, kind in enumerate(OutlineKind)}


def outline_of(points: Sequence[Point], segments: Sequence[Session], forest: Forest, limit: int) -> Outline:
    """`points` are in the order of the transcript, whose sessions are `segments`."""
    marks = [*_own_marks(points, segments, forest), *_subagents(points, segments, forest)]
    marks.sort(key=lambda mark: (mark.position, _ORDER[mark.kind]))
    return Outline(len(points), thinned(marks, limit), Counter(mark.kind for mark in marks))


def _own_marks(points: Sequence[Point], segments: Sequence[Session], forest: Forest) -> Iterator[Mark]:
    before: Point | None = None
    lost = [forest.has_lost_parent(segment) for segment in segments]
    for position, point in enumerate(points):
        seam = seam_between(before, point, is_summary=point.is_summary, follows_removed=lost[point.segment])
        if seam is not None:
            segment = segments[point.segment]
            at = point.timestamp if seam is SeamKind.COMPACTION else segment.started_at
            yield Mark(position, OutlineKind.SEAM, point, at, seam, segment)
        if point.is_summary:
            yield Mark(position, OutlineKind.SUMMARY, point, point.timestamp)
        if point.is_prompt:
            yield Mark(position, OutlineKind.PROMPT, point, point.timestamp)
        if point.is_error:
            yield Mark(position, OutlineKind.ERROR, point, point.timestamp)
        if point.is_hit:
            yield Mark(position, OutlineKind.HIT, point, point.timestamp)
        before = point


def _subagents(points: Sequence[Point], segments: Sequence[Session], forest: Forest) -> Iterator[Mark]:
    """Each at the last message of its parent that is not younger than its start: results of `delegate_task` do not
    tell which session they are of, so the moment is all that a store knows."""
    for number, segment in enumerate(segments):
        started = [child for child in forest.children(segment.id) if forest.kind(child.id) is SessionKind.SUBAGENT]
        if not started or not points:
            continue
        begin = bisect_left(points, number, key=lambda point: point.segment)
        end = bisect_left(points, number + 1, key=lambda point: point.segment)
        earliest = _earliest_from(points[begin:end])
        for child in started:
            moment = child.started_at if child.started_at is not None else math.inf
            # Where the segment has no message in the list, the one that follows it stands for it, else the last one.
            position = min(max(begin, begin + bisect_right(earliest, moment) - 1), len(points) - 1)
            yield Mark(position, OutlineKind.SUBAGENT, points[position], child.started_at, session=child)


def _earliest_from(points: Sequence[Point]) -> list[float]:
    """For each point the earliest moment from there on, in ascending order also where clocks stepped back: the last
    one up to a moment belongs to the last point up to it."""
    moments = (point.timestamp if point.timestamp is not None else math.inf for point in reversed(points))
    return list(accumulate(moments, min))[::-1]


def thinned(marks: Sequence[Mark], limit: int) -> list[Mark]:
    """At most `limit` marks. Kinds with few of them keep all; the others keep equally many, evenly spread."""
    if len(marks) <= limit:
        return list(marks)
    by_kind: dict[OutlineKind, list[Mark]] = {}
    for mark in marks:
        by_kind.setdefault(mark.kind, []).append(mark)
    kept: list[Mark] = []
    for number, own in enumerate(sorted(by_kind.values(), key=len)):
        kept.extend(_spread(own, (limit - len(kept)) // (len(by_kind) - number)))
    return sorted(kept, key=lambda mark: (mark.position, _ORDER[mark.kind]))


def _spread(marks: Sequence[Mark], count: int) -> Iterable[Mark]:
    """Evenly over the list, the first and the last one among them."""
    if count >= len(marks):
        return marks
    if count == 1:
        return marks[:1]
    return [marks[number * (len(marks) - 1) // (count - 1)] for number in range(count)]
