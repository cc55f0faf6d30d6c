"""A session in the schema, and lists of sessions."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from hermes_sessions.api.batches import batch
from hermes_sessions.api.context import StoreView
from hermes_sessions.api.enums import TreeOrder
from hermes_sessions.api.message_filter import MessageFilter
from hermes_sessions.api.node import Node
from hermes_sessions.api.paging import PageInfo, page_info, request_of
from hermes_sessions.api.previews import session_previews, session_titles
from hermes_sessions.api.scalars import Json, Moment, moment
from hermes_sessions.api.search_field import SearchField
from hermes_sessions.api.usage import Cost, ModelUsage, Usage, cost_of, model_usage_of, usage_of
from hermes_sessions.model.ids import encode_node_id
from hermes_sessions.model.paging import CursorCodec, Page, Place, slice_page
from hermes_sessions.model.session import Session as StoredSession
from hermes_sessions.model.session import SessionKind

if TYPE_CHECKING:
    from hermes_sessions.api.conversation import Conversation
    from hermes_sessions.api.lineage import DescendantConnection, Lineage
    from hermes_sessions.api.message import Message, MessageConnection
    from hermes_sessions.api.outline import Outline
    from hermes_sessions.api.profile import Profile

    ProfileRef = Profile
    ConversationRef = Conversation
    LineageRef = Lineage
    DescendantsRef = DescendantConnection
    MessageRef = Message
    MessagesRef = MessageConnection
    OutlineRef = Outline
else:
    ProfileRef = Annotated["Profile", strawberry.lazy("hermes_sessions.api.profile")]
    ConversationRef = Annotated["Conversation", strawberry.lazy("hermes_sessions.api.conversation")]
    LineageRef = Annotated["Lineage", strawberry.lazy("hermes_sessions.api.lineage")]
    DescendantsRef = Annotated["DescendantConnection", strawberry.lazy("hermes_sessions.api.lineage")]
    MessageRef = Annotated["Message", strawberry.lazy("hermes_sessions.api.message")]
    MessagesRef = Annotated["MessageConnection", strawberry.lazy("hermes_sessions.api.message")]
    OutlineRef = Annotated["Outline", strawberry.lazy("hermes_sessions.api.outline")]


@strawberry.type(description="One session: a row of `sessions` with its messages.")
class Session(Node):
    view: strawberry.Private[StoreView]
    own: strawberry.Private[StoredSession]

    @strawberry.field
    def node_id(self) -> strawberry.ID:
        return strawberry.ID(encode_node_id("Session", self.view.profile, self.own.id))

    @strawberry.field
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.own.id)

    @strawberry.field
    def profile(self) -> ProfileRef:
        from hermes_sessions.api.profile import Profile

        return Profile(context=self.view.context, store=self.view.store)

    @strawberry.field
    def title(self) -> str | None:
        return self.own.title

    @strawberry.field(
        description="The title, else the preview, else source and start. Never empty.", metadata=batch(session_titles)
    )
    async def display_title(self) -> str:
        return (await session_titles([self]))[0]

    @strawberry.field(
        description="The first live user message with text, white space folded, at most 120 characters; "
        "`[image]` where there are only images.",
        metadata=batch(session_previews),
    )
    async def preview(self) -> str | None:
        return (await session_previews([self]))[0]

    @strawberry.field
    def kind(self) -> SessionKind:
        return self.view.forest.kind(self.own.id)

    @strawberry.field(description="The columns that prove the kind, in words.")
    def kind_reason(self) -> str:
        return self.view.forest.verdict(self.own.id).reason

    @strawberry.field(description="Where the session was held: cli, telegram, cron ...")
    def source(self) -> str:
        return self.own.source

    @strawberry.field
    def user_id(self) -> str | None:
        return self.own.user_id

    @strawberry.field
    def model(self) -> str | None:
        return self.own.model

    @strawberry.field(description="Null where the stored text is not JSON; `warnings` says so.")
    async def model_config(self) -> Json | None:
        details = await self.view.details.load(self.own.id)
        return Json(details.model_config) if details is not None and details.model_config is not None else None

    @strawberry.field
    async def system_prompt(self) -> str | None:
        details = await self.view.details.load(self.own.id)
        return details.system_prompt if details is not None else None

    @strawberry.field
    def cwd(self) -> str | None:
        return self.own.cwd

    @strawberry.field
    def git_branch(self) -> str | None:
        return self.own.git_branch

    @strawberry.field
    def git_repo_root(self) -> str | None:
        return self.own.git_repo_root

    @strawberry.field(description="The git repository's root where known, else the working directory.")
    def workspace(self) -> str | None:
        return self.own.workspace

    @strawberry.field
    def started_at(self) -> Moment | None:
        return moment(self.own.started_at)

    @strawberry.field
    def ended_at(self) -> Moment | None:
        return moment(self.own.ended_at)

    @strawberry.field
    def end_reason(self) -> str | None:
        return self.own.end_reason

    @strawberry.field(description="The newest plausible moment among its messages and its activity, else the start.")
    def last_active_at(self) -> Moment | None:
        return moment(self.own.last_active_at)

    @strawberry.field(description="Not ended, and active within the last five minutes.")
    def is_live(self) -> bool:
        return self.own.is_live(self.view.now)

    @strawberry.field
    def archived(self) -> bool:
        return self.own.archived

    @strawberry.field(description="Live and compacted messages, counted from the rows, carried copies included.")
    def message_count(self) -> int:
        return self.own.message_count

    @strawberry.field(description="As Hermes counted them.")
    def tool_call_count(self) -> int:
        return self.own.tool_call_count

    @strawberry.field(description="Of this session alone, its auxiliary calls included once.")
    def usage(self) -> Usage:
        return usage_of(self.own.usage)

    @strawberry.field(description="Of this session alone, its auxiliary calls included once.")
    def cost(self) -> Cost:
        return cost_of(self.own.cost)

    @strawberry.field
    async def usage_by_model(self) -> list[ModelUsage]:
        return [model_usage_of(row) for row in await self.view.model_usage.load(self.own.id) or ()]

    @strawberry.field(description="As stored, also where no such session exists.")
    def parent_id(self) -> strawberry.ID | None:
        return strawberry.ID(self.own.parent_id) if self.own.parent_id is not None else None

    @strawberry.field(description="Null for a root, and where the parent does not exist.")
    def parent(self) -> "Session | None":
        parent = self.view.forest.parent(self.own)
        return session_of(self.view, parent) if parent is not None else None

    @strawberry.field(description="The topmost ancestor; in a cycle the member with the smallest id.")
    def root(self) -> "Session":
        return session_of(self.view, self.view.forest.root(self.own))

    @strawberry.field(description="Root first, the session itself excluded.")
    def ancestors(self) -> "list[Session]":
        return [session_of(self.view, ancestor) for ancestor in self.view.forest.ancestors(self.own)]

    @strawberry.field
    def child_count(self) -> int:
        return len(self.view.forest.children(self.own.id))

    @strawberry.field(description="By start, then id.")
    def children(
        self, first: int | None = None, after: str | None = None, kinds: list[SessionKind] | None = None
    ) -> "SessionConnection":
        wanted = sorted(kind.value for kind in kinds) if kinds is not None else None
        children = [
            child
            for child in self.view.forest.children(self.own.id)
            if wanted is None or self.view.forest.kind(child.id).value in wanted
        ]
        cursors = CursorCodec(2, "children", self.view.profile, self.own.id, wanted)
        request = request_of(self.view.context, cursors, first, after)
        page = slice_page(children, request, lambda child: (child.started_at or 0.0, child.id))
        places = [Place(cursors, (child.started_at or 0.0, child.id)) for child in page.items]
        return session_connection([session_of(self.view, child) for child in page.items], places, page, len(children))

    @strawberry.field(description="Everything below, flat, in tree order: one request for any depth.")
    def descendants(
        self,
        first: int | None = None,
        after: str | None = None,
        max_depth: int | None = None,
        order: TreeOrder = TreeOrder.DEPTH_FIRST,
    ) -> DescendantsRef:
        from hermes_sessions.api.lineage import descendants_of

        return descendants_of(self.view, self.own, first, after, max_depth, order)

    @strawberry.field(
        description="The whole tree that this session stands in, from its root, flat, in depth-first order: "
        "one request for a tree of any depth."
    )
    def lineage(self, max_nodes: int = 2000) -> LineageRef:
        from hermes_sessions.api.lineage import lineage_of

        return lineage_of(self.view, self.own, max_nodes)

    @strawberry.field(description="The conversation that it is a segment of, or hangs on.")
    def conversation(self) -> ConversationRef:
        from hermes_sessions.api.conversation import Conversation

        return Conversation(view=self.view, own=self.view.forest.conversation_of(self.own.id))

    @strawberry.field(description="In the order of their ids. Rewound ones only by filter.")
    async def messages(
        self,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        around: strawberry.ID | None = None,
        filter: MessageFilter | None = None,
    ) -> MessagesRef | None:
        from hermes_sessions.api.transcript import Transcript

        transcript = Transcript(self.view, "session", (self.own,))
        return await transcript.page(first, after, last, before, around, filter)

    @strawberry.field(description="Like that of a conversation, of this session alone.")
    async def outline(
        self,
        filter: MessageFilter | None = None,
        find: str | None = None,
        find_fields: list[SearchField] | None = None,
        max_marks: int = 5000,
    ) -> OutlineRef:
        from hermes_sessions.api.outline import outline_of

        return await outline_of(self.view, (self.own,), filter, find, find_fields, max_marks)

    @strawberry.field(description="A message of this session; null where it has none with this id.")
    async def message(self, id: strawberry.ID) -> MessageRef | None:
        from hermes_sessions.api.message import message_in

        return await message_in(self.view, id, self.own.id)

    @strawberry.field(description="What could not be read as stored, in words; empty when all is well.")
    def warnings(self) -> list[str]:
        return list(self.own.warnings)


@strawberry.type
class SessionEdge:
    place: strawberry.Private[Place]
    node: Session

    @strawberry.field
    def cursor(self) -> str:
        return self.place.cursor


def _edges(self: "SessionConnection") -> list[SessionEdge]:
    return [SessionEdge(place=place, node=node) for place, node in zip(self.places, self.nodes, strict=True)]


@strawberry.type
class SessionConnection:
    places: strawberry.Private[list[Place]]
    edges: list[SessionEdge] = strawberry.field(resolver=_edges)
    nodes: list[Session]
    page_info: PageInfo
    total_count: int


def session_of(view: StoreView, session: StoredSession) -> Session:
    return Session(view=view, own=session)


def session_connection(
    sessions: list[Session], places: list[Place], page: Page[StoredSession], total: int
) -> SessionConnection:
    return SessionConnection(
        places=places,
        nodes=sessions,
        page_info=page_info(page.has_next, page.has_previous, places),
        total_count=total,
    )
