"""The messages of a transcript in their order, kept in nine bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from hermes_sessions.model.message import MessageState

_STATES = tuple(MessageState)
_CODES = {state: code for code, state in enumerate(_STATES)}


class Line(NamedTuple):
    """A message's place in a transcript: the number of its segment, its id, its state."""

    segment: int
    id: int
    state: MessageState


@dataclass(frozen=True, slots=True)
class Lines(Sequence[Line]):
    """By segment, then by id. `starts` are the positions at which the segments begin."""

    ids: array[int]
    states: bytes
    starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Line: ...
    @overload
    def __getitem__(self, at: slice) -> list[Line]: ...
    def __getitem__(self, at: int | slice) -> Line | list[Line]:
        if isinstance(at, slice):
            segments = map(self._segment, range(len(self.ids))[at])
            states = map(_STATES.__getitem__, self.states[at])
            return list(map(Line, segments, self.ids[at], states))
        position = range(len(self.ids))[at]
        return Line(self._segment(position), self.ids[position], _STATES[self.states[position]])

    def _segment(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1

    def position(self, message_id: int) -> int | None:
        """Where this message stands."""
        for start, end in zip(self.starts, (*self.starts[1:], len(self.ids)), strict=True):
            at = bisect_left(self.ids, message_id, start, end)
            if at < end and self.ids[at] == message_id:
                return at
        return None


def lines_of(segments: int, found: Iterable[tuple[int, MessageState, Sequence[int]]]) -> Lines:
    """From the number of a segment, a state, and the ids in any order that have it there. A message has one state."""
    by_segment: list[list[tuple[Sequence[int], int]]] = [[] for _ in range(segments)]
    for segment, state, ids in found:
        if ids:
            by_segment[segment].append((ids, _CODES[state]))
    all_ids, states, starts = array("q"), bytearray(), []
    for parts in by_segment:
        starts.append(len(all_ids))
        if len(parts) == 1:  # the usual case, and the long one
            [(ids, code)] = parts
            all_ids.extend(sorted(ids))
            states += bytes((code,)) * len(ids)
        else:
            for id, code in sorted((id, code) for ids, code in parts for id in ids):
                all_ids.append(id)
                states.append(code)
    return Lines(all_ids, bytes(states), tuple(starts))
