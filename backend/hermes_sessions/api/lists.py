"""Pages of sessions and of conversations, over one or several profiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from hermes_sessions.api.context import Context, StoreView
from hermes_sessions.api.conversation import (
    Conversation,
    ConversationConnection,
    ConversationEdge,
    Facets,
    FacetValue,
    HiddenCounts,
    ProfileFailure,
)
from hermes_sessions.api.paging import page_info, request_of
from hermes_sessions.api.session import SessionConnection, session_connection, session_of
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model import conversation as conversation_model
from hermes_sessions.model import listing
from hermes_sessions.model.filters import FilterContext, ListFilter
from hermes_sessions.model.lineage import Change
from hermes_sessions.model.listing import Entry, Hidden, Selection, entry_key
from hermes_sessions.model.orders import Direction, Order
from hermes_sessions.model.paging import (
    CursorCodec,
    Page,
    PageRequest,
    Place,
    merge_pages,
    slice_descending,
    slice_page,
)
from hermes_sessions.model.session import Session

MAX_FACET_VALUES = 200
T = TypeVar("T")


async def session_list(
    view: StoreView,
    filter: ListFilter,
    order: Order,
    first: int | None,
    after: str | None,
    last: int | None,
    before: str | None,
) -> SessionConnection:
    cursors = CursorCodec(4, "sessions", view.profile, order.field.value, order.direction.value, filter.binding())
    request = request_of(view.context, cursors, first, after, last, before)
    context = await view.filter_context(filter)
    selection = _kept(
        view,
        filter,
        ("sessions", order.field),
        lambda: listing.select_sessions(view.forest, filter, order.field, view.profile, context),
        lambda before, change: listing.renew_sessions(before, change, view.forest, filter, context),
    )
    entries = _page(selection, request, order)
    sessions = [entry.item for entry in entries.items if isinstance(entry.item, Session)]
    places = [Place(cursors, entry.key) for entry in entries.items]
    page = Page(sessions, entries.has_next, entries.has_previous)
    return session_connection([session_of(view, session) for session in sessions], places, page, len(selection.items))


async def conversation_list(
    context: Context,
    profiles: Sequence[str] | None,
    filter: ListFilter,
    order: Order,
    first: int | None,
    after: str | None,
    last: int | None,
    before: str | None,
) -> ConversationConnection:
    views, failed = await context.views(profiles)
    asked = sorted([view.profile for view in views] + [name for name, _ in failed])
    cursors = CursorCodec(4, "conversations", asked, order.field.value, order.direction.value, filter.binding())
    request = request_of(context, cursors, first, after, last, before)
    contexts = {view.profile: await view.filter_context(filter) for view in views}
    selections = {view.profile: _conversations(view, filter, order, contexts[view.profile]) for view in views}
    pages = [_page(selection, request, order) for selection in selections.values()]
    page = merge_pages(pages, request, entry_key, descending=order.direction is Direction.DESC)
    by_profile = {view.profile: view for view in views}
    edges = [
        ConversationEdge(place=Place(cursors, entry.key), node=_conversation(by_profile[entry.key[3]], entry))
        for entry in page.items
    ]

    async def make_facets() -> Facets:
        each = [_counted(view, filter, contexts[view.profile]) for view in views]
        return _facets(sum(each, listing.Facets()))

    return ConversationConnection(
        edges=edges,
        nodes=[edge.node for edge in edges],
        page_info=page_info(page.has_next, page.has_previous, [edge.place for edge in edges]),
        total_count=sum(len(selection.items) for selection in selections.values()),
        hidden=_hidden(sum((selection.hidden for selection in selections.values()), Hidden())),
        failures=[_failure(name, error) for name, error in failed],
        make_facets=make_facets,
    )


def _conversations(view: StoreView, filter: ListFilter, order: Order, context: FilterContext) -> Selection:
    return _kept(
        view,
        filter,
        ("conversations", order.field),
        lambda: listing.select_conversations(view.forest, filter, order.field, view.profile, context),
        lambda before, change: listing.renew_conversations(before, change, view.forest, filter, context),
    )


def _counted(view: StoreView, filter: ListFilter, context: FilterContext) -> listing.Facets:
    counts = _kept(
        view,
        filter,
        "facets",
        lambda: listing.facets(view.forest, filter, context),
        lambda before, change: listing.renew_facets(before, change, view.forest, filter, context),
    )
    return listing.with_folders_above(counts)


def _kept(
    view: StoreView, filter: ListFilter, what: object, make: Callable[[], T], renew: Callable[[T, Change], T]
) -> T:
    """What a filter gives is kept with the picture that it was made from, unless it depends on the time of day; and
    renewed when the store has changed, unless it depends on messages, whose beginnings no change tells."""
    if filter.live is not None:
        return make()
    return view.forest.derive((what, filter), make, renew if filter.text is None else None)


def _page(selection: Selection, request: PageRequest, order: Order) -> Page[Entry]:
    slice_of = slice_descending if order.direction is Direction.DESC else slice_page
    page = slice_of(selection.items, request, selection.key)
    return Page([Entry(selection.key(item), item) for item in page.items], page.has_next, page.has_previous)


def _conversation(view: StoreView, entry: Entry) -> Conversation:
    assert isinstance(entry.item, conversation_model.Conversation)
    return Conversation(view=view, own=entry.item)


def _hidden(hidden: Hidden) -> HiddenCounts:
    return HiddenCounts(
        archived=hidden.archived,
        automation=hidden.automation,
        empty=hidden.empty,
        subagents=hidden.subagents,
        side_rows=hidden.side_rows,
        other_filters=hidden.other_filters,
    )


def _failure(profile: str, error: HermesSessionsError) -> ProfileFailure:
    return ProfileFailure(profile=profile, code=error.code, message=error.message)


def _facets(counts: listing.Facets) -> Facets:
    return Facets(
        sources=_values(counts.sources),
        models=_values(counts.models),
        workspaces=_values(counts.workspaces),
        audiences=_values(counts.audiences),
        jobs=_values(counts.jobs),
    )


def _values(counts: Counter[str]) -> list[FacetValue]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [FacetValue(value=value, count=count) for value, count in ranked[:MAX_FACET_VALUES]]
