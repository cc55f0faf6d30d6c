"""The questions of the schema."""

from typing import Annotated

import strawberry

from hermes_sessions.api.bin import BinEntry, bin_entry_of
from hermes_sessions.api.context import Info
from hermes_sessions.api.conversation import Conversation, ConversationConnection
from hermes_sessions.api.filters import (
    ConversationFilter,
    ConversationOrder,
    SessionFilter,
    SessionOrder,
    conversation_order,
    list_filter,
    session_order,
)
from hermes_sessions.api.lists import conversation_list, session_list
from hermes_sessions.api.message import message_in
from hermes_sessions.api.node import Node
from hermes_sessions.api.profile import Profile
from hermes_sessions.api.scalars import Moment
from hermes_sessions.api.search import SearchConnection, SearchFilter, search
from hermes_sessions.api.server import Server, server_of
from hermes_sessions.api.session import Session, SessionConnection, session_of
from hermes_sessions.api.usage_report import UsageQuestion, UsageReport, usage_report
from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.model.filters import ListFilter
from hermes_sessions.model.ids import decode_node_id
from hermes_sessions.model.resolving import resolve_conversation, resolve_session
from hermes_sessions.model.search.hits import SearchSort
from hermes_sessions.model.usage_report import Period, UsageDimension


@strawberry.type
class Query:
    @strawberry.field(description="Anything by its nodeId; null where it is no longer there.")
    async def node(self, info: Info, node_id: strawberry.ID) -> Node | None:
        kind, parts = decode_node_id(node_id)
        if kind == "Profile" and len(parts) == 1:
            return await _profile(info, parts[0])
        if len(parts) != 2:
            raise bad_input("This nodeId was not made by this server: take it from a `nodeId` field.")
        if kind == "Message":
            return await message_in(await info.context.view(parts[0]), parts[1])
        found = await info.context.find(parts[0], lambda forest: forest.get(parts[1]))
        if found is None:
            return None
        view, session = found
        if kind == "Session":
            return session_of(view, session)
        return Conversation(view=view, own=view.forest.conversation_of(session.id))

    @strawberry.field
    def server(self, info: Info) -> Server:
        return server_of(info.context)

    @strawberry.field(description="`default` first, then by name.")
    async def profiles(self, info: Info) -> list[Profile]:
        context = info.context
        return [Profile(context=context, store=await context.store(name)) for name in context.profiles.names()]

    @strawberry.field(description="Default: the request's profile. Unknown: null.")
    async def profile(self, info: Info, name: str | None = None) -> Profile | None:
        return await _profile(info, name)

    @strawberry.field(description="By id or unique prefix. Unknown: null.")
    async def session(self, info: Info, id: strawberry.ID, profile: str | None = None) -> Session | None:
        found = await info.context.find(profile, lambda forest: resolve_session(forest, id))
        return session_of(*found) if found is not None else None

    @strawberry.field(description="All sessions of a profile, segments and subagents included.")
    async def sessions(
        self,
        info: Info,
        profile: str | None = None,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        filter: SessionFilter | None = None,
        order_by: SessionOrder | None = None,
    ) -> SessionConnection | None:
        view = await info.context.view(profile)
        chosen = list_filter(filter or SessionFilter())
        return await session_list(view, chosen, session_order(order_by), first, after, last, before)

    @strawberry.field(description="By the id or unique prefix of any of its sessions. Unknown: null.")
    async def conversation(self, info: Info, id: strawberry.ID, profile: str | None = None) -> Conversation | None:
        found = await info.context.find(profile, lambda forest: resolve_conversation(forest, id))
        return Conversation(view=found[0], own=found[1]) if found is not None else None

    @strawberry.field(
        description="One entry per logical conversation, over one or several profiles "
        "(default: the request's profile; [] = all)."
    )
    async def conversations(
        self,
        info: Info,
        profiles: list[str] | None = None,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        filter: ConversationFilter | None = None,
        order_by: ConversationOrder | None = None,
    ) -> ConversationConnection | None:
        chosen = list_filter(filter or ConversationFilter())
        order = conversation_order(order_by)
        return await conversation_list(info.context, profiles, chosen, order, first, after, last, before)

    @strawberry.field(
        description="Conversations that hold all words of `text`, over one or several profiles (default: the request's "
        "profile; [] = all). Every input is literal text, never a syntax error: words are told apart by white space "
        "alone. A word is found from its start, in scripts without spaces (CJK, Thai) anywhere; case and Latin accents "
        "do not count. Looked at are ids (any part from 6 characters on), titles, message "
        "texts, tool calls and results; never messages that were taken back. BAD_USER_INPUT for a blank text, a NUL, "
        "more than 1000 characters or 32 words."
    )
    async def search(
        self,
        info: Info,
        text: str,
        profiles: list[str] | None = None,
        first: int | None = None,
        after: str | None = None,
        filter: SearchFilter | None = None,
        sort: SearchSort = SearchSort.RELEVANCE,
    ) -> SearchConnection | None:
        return await search(info.context, text, profiles, first, after, filter or SearchFilter(), sort)

    @strawberry.field(
        description="Tokens and costs, grouped by any set of dimensions, over one or several profiles (default: the "
        "request's profile; [] = all). Auxiliary calls count once. `from` (inclusive) and `to` (exclusive) bound the "
        "moment that usage is booked to. `filter` applies to the conversation that a session belongs to, so that "
        "subagents count with theirs; without a filter everything counts, archived conversations included."
    )
    async def usage(
        self,
        info: Info,
        by: list[UsageDimension],
        profiles: list[str] | None = None,
        start: Annotated[Moment | None, strawberry.argument(name="from")] = None,
        end: Annotated[Moment | None, strawberry.argument(name="to")] = None,
        time_zone: str = "UTC",
        filter: ConversationFilter | None = None,
    ) -> UsageReport | None:
        chosen = list_filter(filter) if filter is not None else ListFilter()
        return await usage_report(
            info.context, profiles, UsageQuestion(tuple(by), time_zone, Period(start, end), chosen)
        )

    @strawberry.field(description="What restoreSessions can bring back, newest first.")
    async def bin(self, info: Info, profile: str | None = None, first: int = 50) -> list[BinEntry]:
        limit = info.context.settings.max_page_size
        if not 0 <= first <= limit:
            raise bad_input(f"`first` is {first}; it must be from 0 to {limit}.")
        store = await info.context.store(profile)
        return [bin_entry_of(entry) for entry in await store.bin(first)]


async def _profile(info: Info, name: str | None) -> Profile | None:
    try:
        return Profile(context=info.context, store=await info.context.store(name))
    except HermesSessionsError as error:
        if error.code is ErrorCode.PROFILE_NOT_FOUND:
            return None
        raise
