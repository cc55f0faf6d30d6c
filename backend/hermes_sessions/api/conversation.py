"""A logical conversation in the schema, and lists of conversations."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import strawberry

from hermes_sessions.api.batches import batch
from hermes_sessions.api.context import StoreView
from hermes_sessions.api.lineage import Lineage, lineage_of
from hermes_sessions.api.message import MessageConnection
from hermes_sessions.api.message_filter import MessageFilter
from hermes_sessions.api.node import Node
from hermes_sessions.api.outline import DESCRIPTION as OUTLINE
from hermes_sessions.api.outline import Outline, outline_of
from hermes_sessions.api.paging import PageInfo
from hermes_sessions.api.previews import conversation_previews, conversation_titles
from hermes_sessions.api.scalars import Moment, moment
from hermes_sessions.api.search_field import SearchField
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.api.transcript import Transcript
from hermes_sessions.api.usage import Cost, Usage, cost_of, usage_of
from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.conversation import Conversation as StoredConversation
from hermes_sessions.model.ids import encode_node_id
from hermes_sessions.model.paging import Place
from hermes_sessions.model.session import SessionKind

if TYPE_CHECKING:
    from hermes_sessions.api.profile import Profile

    ProfileRef = Profile
else:
    ProfileRef = Annotated["Profile", strawberry.lazy("hermes_sessions.api.profile")]


@strawberry.type(
    description="One conversation as a person had it: a head, and the continuations that compression cut it into."
)
class Conversation(Node):
    view: strawberry.Private[StoreView]
    own: strawberry.Private[StoredConversation]

    @strawberry.field
    def node_id(self) -> strawberry.ID:
        return strawberry.ID(encode_node_id("Conversation", self.view.profile, self.own.id))

    @strawberry.field(description="The head's id.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.own.id)

    @strawberry.field
    def profile(self) -> ProfileRef:
        from hermes_sessions.api.profile import Profile

        return Profile(context=self.view.context, store=self.view.store)

    @strawberry.field
    def head(self) -> Session:
        return session_of(self.view, self.own.head)

    @strawberry.field
    def tip(self) -> Session:
        return session_of(self.view, self.own.tip)

    @strawberry.field(description="From head to tip.")
    def segments(self) -> list[Session]:
        return [session_of(self.view, segment) for segment in self.own.segments]

    @strawberry.field(description="The tip's, else that of the nearest earlier segment.")
    def title(self) -> str | None:
        return self.own.title

    @strawberry.field(
        description="The title, else the preview, else source and start. Never empty.",
        metadata=batch(conversation_titles),
    )
    async def display_title(self) -> str:
        return (await conversation_titles([self]))[0]

    @strawberry.field(description="That of the first segment that has one.", metadata=batch(conversation_previews))
    async def preview(self) -> str | None:
        return (await conversation_previews([self]))[0]

    @strawberry.field(description="The head's.")
    def kind(self) -> SessionKind:
        return self.own.kind

    @strawberry.field(description="The head's.")
    def source(self) -> str:
        return self.own.source

    @strawberry.field(
        description="The id of the scheduled job that this is a run of: Hermes names such sessions "
        "`cron_JOB_YYYYMMDD_HHMMSS`, and their source is `cron`. Null for everything else."
    )
    def job(self) -> str | None:
        return self.own.job

    @strawberry.field(description="The tip's.")
    def model(self) -> str | None:
        return self.own.tip.model

    @strawberry.field(description="The tip's: the git repository's root where known, else the working directory.")
    def workspace(self) -> str | None:
        return self.own.tip.workspace

    @strawberry.field(description="The head's.")
    def started_at(self) -> Moment | None:
        return moment(self.own.started_at)

    @strawberry.field(description="The newest plausible moment of all segments, else the start.")
    def last_active_at(self) -> Moment | None:
        return moment(self.own.last_active_at)

    @strawberry.field(description="The tip's. Null for a live one, and for one that was never closed.")
    def ended_at(self) -> Moment | None:
        return moment(self.own.tip.ended_at)

    @strawberry.field(description="The tip has not ended and was active within the last five minutes.")
    def is_live(self) -> bool:
        return self.own.is_live(self.view.now)

    @strawberry.field(description="The tip's flag.")
    def archived(self) -> bool:
        return self.own.archived

    @strawberry.field(description="True where the segments' flags disagree.")
    def archived_mixed(self) -> bool:
        return self.own.archived_mixed

    @strawberry.field(description="Over all segments: live and compacted messages, carried copies included.")
    def message_count(self) -> int:
        return self.own.message_count

    @strawberry.field(description="Branches that leave from any segment; each is a conversation of its own.")
    def branch_count(self) -> int:
        return self.own.branch_count

    @strawberry.field(description="Subagent sessions below any segment, at any depth.")
    def subagent_count(self) -> int:
        return len(self.own.subagents)

    @strawberry.field(description="Over all segments.")
    def usage(self) -> Usage:
        return usage_of(self.own.usage)

    @strawberry.field(description="Over all segments.")
    def cost(self) -> Cost:
        return cost_of(self.own.cost)

    @strawberry.field(description="Over all segments and every subagent below, each once.")
    def usage_with_subagents(self) -> Usage:
        return usage_of(self.own.usage_with_subagents)

    @strawberry.field(description="Over all segments and every subagent below, each once.")
    def cost_with_subagents(self) -> Cost:
        return cost_of(self.own.cost_with_subagents)

    @strawberry.field(description="One transcript across all segments.")
    async def messages(
        self,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        around: strawberry.ID | None = None,
        filter: MessageFilter | None = None,
    ) -> MessageConnection | None:
        transcript = Transcript(self.view, "conversation", self.own.segments)
        return await transcript.page(first, after, last, before, around, filter)

    @strawberry.field(description=OUTLINE)
    async def outline(
        self,
        filter: MessageFilter | None = None,
        find: str | None = None,
        find_fields: list[SearchField] | None = None,
        max_marks: int = 5000,
    ) -> Outline:
        return await outline_of(self.view, self.own.segments, filter, find, find_fields, max_marks)

    @strawberry.field(description="The whole tree that the conversation stands in, with its head in focus.")
    def lineage(self, max_nodes: int = 2000) -> Lineage:
        return lineage_of(self.view, self.own.head, max_nodes)


@strawberry.type
class ConversationEdge:
    place: strawberry.Private[Place]
    node: Conversation

    @strawberry.field
    def cursor(self) -> str:
        return self.place.cursor


@strawberry.type(
    description="How many conversations the list left out, each under the first reason that applies, in this order."
)
class HiddenCounts:
    archived: int = strawberry.field(description="Archived ones, while those are excluded.")
    automation: int = strawberry.field(description="Those of automation sources, while only chats are shown.")
    empty: int = strawberry.field(description="Those without any message, while minMessages is given.")
    subagents: int = strawberry.field(description="Subagent and tool sessions; they are never listed.")
    side_rows: int = strawberry.field(description="Stale siblings of continuations; they are never listed.")
    other_filters: int = strawberry.field(description="Left out by any other condition.")


@strawberry.type
class ProfileFailure:
    profile: str
    code: ErrorCode
    message: str


@strawberry.type
class FacetValue:
    value: str
    count: int


@strawberry.type(
    description="Values to filter by, most frequent first, each with the number of conversations that the list would "
    "have with it, all other conditions unchanged."
)
class Facets:
    sources: list[FacetValue]
    models: list[FacetValue]
    workspaces: list[FacetValue]
    audiences: list[FacetValue]
    jobs: list[FacetValue] = strawberry.field(
        description="Ids of scheduled jobs, each with the number of its runs. At most the 200 most frequent."
    )


FacetMaker = Callable[[], Awaitable[Facets]]


@strawberry.type
class ConversationConnection:
    edges: list[ConversationEdge]
    nodes: list[Conversation]
    page_info: PageInfo
    total_count: int
    hidden: HiddenCounts
    failures: list[ProfileFailure] = strawberry.field(
        description="A profile that failed is listed here; the others still answer."
    )
    make_facets: strawberry.Private[FacetMaker]

    @strawberry.field
    async def facets(self) -> Facets:
        return await self.make_facets()
