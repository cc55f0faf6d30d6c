"""Search over ids, titles and messages of one or several profiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import strawberry

from hermes_sessions.api.context import Context, StoreView
from hermes_sessions.api.conversation import Conversation, ProfileFailure
from hermes_sessions.api.message import Message as ShownMessage
from hermes_sessions.api.paging import PageInfo, page_info, request_of
from hermes_sessions.api.profile import Profile
from hermes_sessions.api.scalars import Moment
from hermes_sessions.api.search_field import SearchField
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.filters import ArchivedFilter, Audience, ListFilter
from hermes_sessions.model.message import Message
from hermes_sessions.model.paging import CursorCodec, Page, Place, merge_pages, slice_descending, slice_page
from hermes_sessions.model.resolving import resolve_conversation
from hermes_sessions.model.search import hits as model
from hermes_sessions.model.search.fields import MESSAGE_FIELDS, calls_text, content_field, content_texts
from hermes_sessions.model.search.hits import Found, Hit, SearchSort, found_key
from hermes_sessions.model.search.names import Names
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.search.snippets import Snippet, snippet_of, snippet_of_best
from hermes_sessions.model.search.words import Words, words_of
from hermes_sessions.model.session import SessionKind

T = TypeVar("T")

MAX_SNIPPET_SOURCE = 4_000_000
"""Bytes of a cut content that are read to show the place of a hit."""

strawberry.enum(
    SearchSort,
    description="RELEVANCE: where the words stand (id, title, content, tool, reasoning), then whether they stand there "
    "as typed, then the number of hits; the newest first among equals. NEWEST, OLDEST: by the moment of the hit.",
)


@strawberry.input(
    description="All given conditions must hold. Those on the conversation: archived, audience, sources, workspace."
)
class SearchFilter:
    kinds: list[SessionKind] | None = strawberry.field(
        default=None, description="Of the session that the hit stands in, such as SUBAGENT."
    )
    archived: ArchivedFilter = ArchivedFilter.INCLUDE
    audience: Audience = Audience.ALL
    sources: list[str] | None = None
    exclude_sources: list[str] | None = None
    roles: list[str] | None = strawberry.field(
        default=None, description="Of the message; hits in ids and titles are left out then."
    )
    workspace: str | None = strawberry.field(default=None, description="A folder and what lies below it.")
    after: Moment | None = strawberry.field(default=None, description="Moment of the hit, inclusive.")
    before: Moment | None = strawberry.field(default=None, description="Moment of the hit, exclusive.")
    fields: list[SearchField] | None = strawberry.field(
        default=None,
        description="Null: all but REASONING, which is in no index: it is read message by message when it is named.",
    )
    conversation: strawberry.ID | None = strawberry.field(
        default=None,
        description="Id or unique prefix of a session; an unknown one leaves no entry. Every hit is an entry then.",
    )


@strawberry.type(description="A part of a snippet: `start` inclusive, `end` exclusive, in characters (code points).")
class TextRange:
    start: int
    end: int


@strawberry.type(
    description="The best hit of a conversation. `highlights` are offsets in characters of `snippet`: the text itself "
    "carries no markup."
)
class SearchHit:
    view: strawberry.Private[StoreView]
    found: strawberry.Private[Found]
    shown: strawberry.Private[Snippet]

    field: SearchField = strawberry.field(description="Where the words stand that the snippet shows.")
    hits_in_conversation: int = strawberry.field(
        description="Messages, ids and titles in the conversation with its subagents that hold the words; a lower "
        "bound where totalIsCapped."
    )

    @strawberry.field
    def profile(self) -> Profile:
        return Profile(context=self.view.context, store=self.view.store)

    @strawberry.field(description="The conversation that the session belongs to; for a subagent, its parent's.")
    def conversation(self) -> Conversation:
        return Conversation(view=self.view, own=self.found.conversation)

    @strawberry.field(description="The segment, subagent or other session that the hit stands in.")
    def session(self) -> Session:
        return session_of(self.view, self.found.hit.session)

    @strawberry.field(description="Null for hits in ids and titles.")
    async def message(self) -> ShownMessage | None:
        if self.found.hit.message_id is None:
            return None
        own = await self.view.messages.load(self.found.hit.message_id)
        return ShownMessage(view=self.view, own=own) if own is not None else None

    @strawberry.field(description="About 200 characters around the first place, white space folded.")
    def snippet(self) -> str:
        return self.shown.text

    @strawberry.field(
        description="In order, none touching another. Empty where the place could not be shown, as behind the first "
        "4 MB of a message."
    )
    def highlights(self) -> list[TextRange]:
        return [TextRange(start=start, end=end) for start, end in self.shown.highlights]


@strawberry.type
class SearchEdge:
    place: strawberry.Private[Place]
    node: SearchHit

    @strawberry.field
    def cursor(self) -> str:
        return self.place.cursor


@strawberry.type(description="One entry per conversation, or per hit within one conversation.")
class SearchConnection:
    edges: list[SearchEdge]
    page_info: PageInfo
    total_count: int = strawberry.field(description="Entries on all pages.")
    total_is_capped: bool = strawberry.field(
        description="There may be more: of very many matching messages the newest 1,000 count (the oldest with "
        "OLDEST). `filter.before` and `filter.after` lead further."
    )
    degraded: str | None = strawberry.field(
        description="What could not be looked at, and why, in words; null when everything was."
    )
    unsearched: list[SearchField] = strawberry.field(
        description="Fields that the search left out: those that the filter does not name, REASONING unless it does."
    )
    failures: list[ProfileFailure] = strawberry.field(description="Profiles that failed; the others still answer.")


@dataclass(frozen=True)
class SearchQuestion:
    """A checked question, the same for every profile."""

    words: Words
    filter: model.SearchFilter
    sort: SearchSort


async def search(
    context: Context,
    text: str,
    profiles: Sequence[str] | None,
    first: int | None,
    after: str | None,
    filter: SearchFilter,
    sort: SearchSort,
) -> SearchConnection:
    question = SearchQuestion(words_of(text), _filter(filter), sort)
    views, failed = await context.views(profiles)
    asked = sorted([view.profile for view in views] + [name for name, _ in failed])
    cursors = CursorCodec(5, "search", asked, question.words.typed, sort.value, question.filter.binding())
    request = request_of(context, cursors, first, after)
    lists: list[list[Found]] = []
    results: list[SearchResult] = []
    for view in views:
        try:
            found, result = await _in_profile(view, question)
        except HermesSessionsError as error:
            failed.append((view.profile, error))
        else:
            lists.append(found)
            results.append(result)
    if views and not results:
        raise failed[-1][1]
    is_descending = sort is not SearchSort.OLDEST
    slice_of = slice_descending if is_descending else slice_page
    page = merge_pages([slice_of(found, request, found_key) for found in lists], request, found_key, is_descending)
    edges = await _edges({view.profile: view for view in views}, page, cursors, question)
    return SearchConnection(
        edges=edges,
        page_info=page_info(page.has_next, page.has_previous, [edge.place for edge in edges]),
        total_count=sum(map(len, lists)),
        total_is_capped=any(result.is_capped for result in results),
        degraded=" ".join(dict.fromkeys(part for result in results for part in result.degraded)) or None,
        unsearched=[field for field in SearchField if not _is_searched(field, question.filter)],
        failures=[ProfileFailure(profile=name, code=error.code, message=error.message) for name, error in failed],
    )


def _filter(given: SearchFilter) -> model.SearchFilter:
    return model.SearchFilter(
        conversations=ListFilter(
            archived=given.archived,
            audience=given.audience,
            sources=_set(given.sources),
            exclude_sources=_set(given.exclude_sources),
            workspace=given.workspace,
        ),
        conversation_id=given.conversation,
        kinds=_set(given.kinds),
        roles=_set(given.roles),
        after=given.after,
        before=given.before,
        fields=_set(given.fields),
    )


def _set(values: Sequence[T] | None) -> frozenset[T] | None:
    return frozenset(values) if values is not None else None


def _is_searched(field: SearchField, filter: model.SearchFilter) -> bool:
    if field in MESSAGE_FIELDS:
        return field in model.searched_fields(filter)
    return filter.roles is None and filter.looks_in(field)


async def _in_profile(view: StoreView, question: SearchQuestion) -> tuple[list[Found], SearchResult]:
    forest, filter = view.forest, question.filter
    if filter.conversation_id is not None:
        conversation = resolve_conversation(forest, filter.conversation_id)
        if conversation is None:
            return [], SearchResult()
        filter = replace(filter, conversation_id=conversation.id)
    allowed = model.allowed_sessions(forest, filter, await view.filter_context(filter.conversations))
    fields = model.searched_fields(filter)
    result = SearchResult()
    if fields and (allowed is None or allowed):
        message_search = MessageSearch(
            question.words,
            fields,
            frozenset(allowed) if allowed is not None else None,
            filter.roles,
            filter.after,
            filter.before,
            oldest_first=question.sort is SearchSort.OLDEST,
        )
        result = await view.store.search(message_search, view.context.settings.search_timeout)
    names = forest.derive("names", lambda: Names(list(forest.sessions.values())))
    hits = [
        *model.name_hits(names, allowed, question.words, filter),
        *(
            model.message_hit(match, forest.sessions[match.session_id])
            for match in result.matches
            if match.session_id in forest.sessions and filter.spans(match.moment)
        ),
    ]
    each = filter.conversation_id is not None
    return model.in_order(hits, forest.conversation_of, question.sort, view.profile, each=each), result


async def _edges(
    views: dict[str, StoreView], page: Page[Found], cursors: CursorCodec, question: SearchQuestion
) -> list[SearchEdge]:
    for view in views.values():
        own = [found.hit.message_id for found in page.items if found.key[4] == view.profile]
        await view.messages.load_many([number for number in own if number is not None])
    edges: list[SearchEdge] = []
    for found in page.items:
        view = views[found.key[4]]
        field, snippet = await _shown(view, found.hit, question)
        hit = SearchHit(view=view, found=found, shown=snippet, field=field, hits_in_conversation=found.hits)
        edges.append(SearchEdge(place=Place(cursors, found.key), node=hit))
    return edges


async def _shown(view: StoreView, hit: Hit, question: SearchQuestion) -> tuple[SearchField, Snippet]:
    words = question.words
    if hit.message_id is None:
        name = hit.session.title if hit.field is SearchField.TITLE else hit.session.id
        return hit.field, snippet_of(name or "", words)
    message = await view.messages.load(hit.message_id)
    if message is None:  # deleted by another program since it was found
        return hit.field, Snippet("", ())
    content = message.text
    if message.is_cut and not words.stand_in([content]):
        content = await view.store.content(message.id, MAX_SNIPPET_SOURCE) or content
    fields = model.searched_fields(question.filter)
    return snippet_of_best(_texts(message, content, fields), words)


def _texts(message: Message, content: str, fields: frozenset[SearchField]) -> Iterator[tuple[SearchField, str]]:
    """The texts of a message in these fields, each made when it is asked for."""
    field = content_field(message.role)
    if field in fields:
        yield from ((field, text) for text in content_texts(message.role, content))
    if SearchField.TOOL in fields:
        yield SearchField.TOOL, calls_text(message.tool_calls, message.tool_name)
    if SearchField.REASONING in fields:
        yield SearchField.REASONING, message.reasoning or ""
