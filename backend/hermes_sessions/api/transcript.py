"""A page of messages, of a session or across the segments of a conversation, with its seams."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from hermes_sessions.api.context import StoreView
from hermes_sessions.api.message import Message, MessageConnection, MessageEdge, Seam
from hermes_sessions.api.message_filter import MessageFilter, message_query
from hermes_sessions.api.paging import page_info, request_of
from hermes_sessions.api.scalars import moment
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.model import live
from hermes_sessions.model import message as message_model
from hermes_sessions.model import session as model
from hermes_sessions.model.lines import Line, Lines
from hermes_sessions.model.message import SeamKind, seam_between
from hermes_sessions.model.paging import CursorCodec, Key, Page, PageRequest, Place, slice_page

_IS_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}")


class Transcript:
    """The messages of some segments. `field` tells apart the cursors of sessions and conversations."""

    def __init__(self, view: StoreView, field: str, segments: Sequence[model.Session]) -> None:
        self._view = view
        self._field = field
        self._segments = segments
        self._places = {segment.id: place for place, segment in enumerate(segments)}

    async def page(
        self,
        first: int | None,
        after: str | None,
        last: int | None,
        before: str | None,
        around: str | None,
        filter: MessageFilter | None,
    ) -> MessageConnection:
        query = message_query(filter)
        cursors = CursorCodec(2, f"{self._field}.messages", self._view.profile, self._segments[0].id, query.binding())
        if around is not None and (after is not None or before is not None or last is not None):
            raise bad_input("`around` goes with `first` alone.")
        request = request_of(self._view.context, cursors, first, after, last, before)
        lines = await self._view.store.transcript(list(self._places), query)
        page = self._around(lines, around, request.limit) if around is not None else self._slice(lines, request)
        messages = await self._view.messages.load_many([line.id for line in page.items])
        start = bisect_left(lines, _place(page.items[0]), key=_place) if page.items else 0
        shown = [
            (start + at, line, Message(view=self._view, own=message))
            for at, (line, message) in enumerate(zip(page.items, messages, strict=True))
            if message is not None  # deleted by another program between the two statements
        ]

        def place(line: Line) -> Place:
            return Place(cursors, (self._segments[line.segment].id, line.id))

        def edges() -> list[MessageEdge]:
            return [
                MessageEdge(place=place(line), node=node, make_seam=partial(self._seam, lines, at, node.own))
                for at, line, node in shown
            ]

        ends = [place(line) for _, line, _ in (*shown[:1], *shown[-1:])]
        return MessageConnection(
            make_edges=edges,
            nodes=[node for _, _, node in shown],
            page_info=page_info(page.has_next, page.has_previous, ends),
            total_count=len(lines),
            start_position=start if shown else None,
            make_resume_cursor=partial(self._resume_cursor, lines),
        )

    async def _resume_cursor(self, lines: Lines) -> str | None:
        """Of these very lines: what is stored after they were read has a greater id than each of them."""
        tip = self._segments[-1]
        if self._view.forest.successor(tip.id) is not None:
            return None
        start = live.chain_start(self._view.forest, self._segments[0]).id
        tail = await self._view.store.tail(start, after=0, tip=None, limit=0)
        if tail is None:
            return None
        place = live.Place(tail.store, start, tip.id, max(lines.ids, default=0))
        return live.PlaceCursors(self._view.profile).encode(place)

    def _slice(self, lines: Lines, request: PageRequest) -> Page[Line]:
        placed = PageRequest(request.limit, request.backward, self._placed(request.after), self._placed(request.before))
        return slice_page(lines, placed, _place)

    def _placed(self, key: Key | None) -> Key | None:
        """The key of a cursor, with the segment's present number instead of its id."""
        if key is None:
            return None
        if key[0] not in self._places or not isinstance(key[1], int):
            raise HermesSessionsError(
                ErrorCode.INVALID_CURSOR,
                "The segment of this cursor is gone. Start again without `after` and `before`.",
            )
        return (self._places[key[0]], key[1])

    def _around(self, lines: Lines, around: str, limit: int) -> Page[Line]:
        """A page with the message near its middle."""
        at = lines.position(int(around)) if _IS_NUMBER.fullmatch(around) else None
        if at is None:
            raise HermesSessionsError(
                ErrorCode.NOT_FOUND, "The transcript has no such message under this filter; leave `around` out."
            )
        start = max(0, min(at - limit // 2, len(lines) - limit))
        stop = min(len(lines), start + limit)
        return Page(lines[start:stop], has_next=stop < len(lines), has_previous=start > 0)

    def _seam(self, lines: Lines, at: int, message: message_model.Message) -> Seam | None:
        before, line = lines[at - 1] if at > 0 else None, lines[at]
        segment = self._segments[line.segment]
        lost = self._view.forest.has_lost_parent(segment)
        kind = seam_between(before, line, is_summary=message.is_summary, follows_removed=lost)
        if kind is None:
            return None
        previous = self._segments[before.segment] if before is not None else None
        cut_at = message.timestamp if kind is SeamKind.COMPACTION else segment.started_at
        return self._make_seam(kind, previous, segment, cut_at)

    def _make_seam(self, kind: SeamKind, before: model.Session | None, after: model.Session, at: float | None) -> Seam:
        from_session: Session | None = session_of(self._view, before) if before is not None else None
        return Seam(kind=kind, from_session=from_session, to_session=session_of(self._view, after), at=moment(at))


def _place(line: Line) -> Key:
    return (line.segment, line.id)
