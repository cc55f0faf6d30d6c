"""The outline of a transcript in the schema."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

import strawberry

from hermes_sessions.api.context import StoreView
from hermes_sessions.api.message_filter import MessageFilter, message_query
from hermes_sessions.api.previews import stand_in
from hermes_sessions.api.scalars import Moment, moment
from hermes_sessions.api.search_field import SearchField
from hermes_sessions.errors import bad_input
from hermes_sessions.model import outline as model
from hermes_sessions.model import session as session_model
from hermes_sessions.model.content import fold
from hermes_sessions.model.message import SeamKind
from hermes_sessions.model.outline import Mark, OutlineKind, Point
from hermes_sessions.model.search.fields import INDEXED_FIELDS, MESSAGE_FIELDS
from hermes_sessions.store_values import Find

MAX_MARKS = 20_000
LABEL_CHARACTERS = 80
DESCRIPTION = (
    "The whole transcript in one cheap answer, as a rail beside it shows it: how many messages there are, and where "
    "among them something stands. `filter` is that of `messages`. `find` is literal text: messages that "
    "`MessageFilter.text` would keep, by their content or tool calls, get a HIT; with `findFields` also or only those "
    "that hold it in their reasoning."
)

strawberry.enum(OutlineKind)


@strawberry.type(description="Something at one message. A message may have several marks, each of another kind.")
class OutlineMark:
    position: int = strawberry.field(
        description="From 0, in the order and under the filter of `messages`: divided by `messageCount` it is the "
        "place on the rail."
    )
    message: strawberry.ID = strawberry.field(description="The message's id: what `around` takes.")
    kind: OutlineKind
    seam: SeamKind | None = strawberry.field(description="What kind of seam; null for every other kind of mark.")
    label: str | None = strawberry.field(
        description="White space folded, at most 80 characters. PROMPT and SUMMARY: how it begins, `[image]` where it "
        "has images alone. SEAM: a few English words. ERROR: the tool's name. SUBAGENT: the session's displayTitle. "
        "Null for a HIT, and where there is nothing to show."
    )
    session: strawberry.ID | None = strawberry.field(
        description="What begins here. SUBAGENT: the id of the started session. SEAM: that of the segment after the "
        "seam. Null for every other kind."
    )
    timestamp: Moment | None = strawberry.field(
        description="The message's. SUBAGENT and the SEAMs before a segment: the start of `session`."
    )


@strawberry.type
class OutlineCount:
    kind: OutlineKind
    count: int = strawberry.field(description="All marks of this kind, also those that maxMarks left out.")


MarkMaker = Callable[[], Awaitable[list[OutlineMark]]]


@strawberry.type(description="What a transcript has where, without its contents.")
class Outline:
    message_count: int = strawberry.field(
        description="All messages under the filter: the same as `messages.totalCount`."
    )
    counts: list[OutlineCount] = strawberry.field(
        description="One for each kind that occurs, in the order of the kinds."
    )
    truncated: bool = strawberry.field(
        description="There are more marks than maxMarks. Kinds with few marks have all of them, the others equally "
        "many, evenly spread over the transcript; `counts` has the true numbers."
    )
    make_marks: strawberry.Private[MarkMaker]

    @strawberry.field(
        description="In the order of the transcript. A SUBAGENT stands at the last message of its parent session that "
        "is not younger than the subagent's start, the first one where all are: which call started it, Hermes does "
        "not store. Under a filter it stands at the nearest such message that is kept."
    )
    async def marks(self) -> list[OutlineMark]:
        return await self.make_marks()


_SEAM_WORDS = {
    SeamKind.CONTINUATION: "Compressed, and continued in the next session",
    SeamKind.COMPACTION: "Compacted in place",
    SeamKind.REMOVED: "What stood before is deleted",
}


async def outline_of(
    view: StoreView,
    segments: Sequence[session_model.Session],
    filter: MessageFilter | None,
    find: str | None,
    find_fields: list[SearchField] | None,
    max_marks: int,
) -> Outline:
    """Raises BAD_USER_INPUT, and what stands in the way of reading the store."""
    if not 1 <= max_marks <= MAX_MARKS:
        raise bad_input(f"`maxMarks` is {max_marks}; it must be from 1 to {MAX_MARKS}.")
    fields = INDEXED_FIELDS if find_fields is None else MESSAGE_FIELDS.intersection(find_fields)
    wanted = Find(find, fields) if find and fields else None
    points = await view.store.outline([segment.id for segment in segments], message_query(filter), wanted)
    found = model.outline_of(points, segments, view.forest, max_marks)

    async def marks() -> list[OutlineMark]:
        tools = await _tool_names(view, segments, found.marks)
        titles = await _titles(view, found.marks)
        return [_mark(mark, tools, titles) for mark in found.marks]

    return Outline(
        message_count=found.message_count,
        counts=[OutlineCount(kind=kind, count=found.counts[kind]) for kind in OutlineKind if found.counts[kind]],
        truncated=found.is_thinned,
        make_marks=marks,
    )


def _mark(mark: Mark, tools: Mapping[int, str], titles: Mapping[str, str]) -> OutlineMark:
    return OutlineMark(
        position=mark.position,
        message=strawberry.ID(str(mark.point.id)),
        kind=mark.kind,
        seam=mark.seam,
        label=_label(mark, tools, titles),
        session=strawberry.ID(mark.session.id) if mark.session is not None else None,
        timestamp=moment(mark.timestamp),
    )


def _label(mark: Mark, tools: Mapping[int, str], titles: Mapping[str, str]) -> str | None:
    words: str | None = None
    if mark.seam is not None:
        words = _SEAM_WORDS[mark.seam]
    elif mark.session is not None:
        words = titles[mark.session.id]
    elif mark.kind in (OutlineKind.PROMPT, OutlineKind.SUMMARY):
        words = mark.point.opening
    elif mark.kind is OutlineKind.ERROR:
        words = mark.point.tool_name or tools.get(mark.point.id)
    return fold(words or "", LABEL_CHARACTERS) or None


async def _tool_names(
    view: StoreView, segments: Sequence[session_model.Session], marks: Sequence[Mark]
) -> dict[int, str]:
    """Of failed results whose row does not name the tool, by message: the name is that of the call."""
    nameless = [mark.point for mark in marks if mark.kind is OutlineKind.ERROR and _is_nameless(mark.point)]
    if not nameless:
        return {}
    places = {(segments[point.segment].id, point.id): point for point in nameless}
    names = await view.tool_names.load_many(list(places))
    return {
        point.id: called[point.tool_call_id]
        for point, called in zip(places.values(), names, strict=True)
        if called and point.tool_call_id is not None and point.tool_call_id in called
    }


def _is_nameless(point: Point) -> bool:
    return point.tool_name is None and point.tool_call_id is not None


async def _titles(view: StoreView, marks: Sequence[Mark]) -> dict[str, str]:
    """Display titles of the subagents."""
    started = [mark.session for mark in marks if mark.kind is OutlineKind.SUBAGENT and mark.session is not None]
    previews = await view.previews.load_many([session.id for session in started if not session.title])
    named = zip([session.id for session in started if not session.title], previews, strict=True)
    found = {id: preview for id, preview in named if preview}
    return {session.id: session.title or found.get(session.id) or stand_in(session) for session in started}
