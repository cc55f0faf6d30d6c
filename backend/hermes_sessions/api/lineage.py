"""Trees in the schema: a session's whole lineage, and its descendants page by page."""

import strawberry

from hermes_sessions.api.context import StoreView
from hermes_sessions.api.enums import TreeOrder
from hermes_sessions.api.paging import PageInfo, page_info, request_of
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.api.usage import Cost, Usage, cost_of, usage_of
from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.model import session as model
from hermes_sessions.model.lineage import TreeNode
from hermes_sessions.model.paging import CursorCodec, Key, Place
from hermes_sessions.model.usage import add_cost, add_usage

MAX_NODES = 20_000


@strawberry.type
class LineageNode:
    view: strawberry.Private[StoreView]
    own: strawberry.Private[TreeNode]
    focus_id: strawberry.Private[str]

    @strawberry.field
    def session(self) -> Session:
        return session_of(self.view, self.own.session)

    @strawberry.field(description="0 for the root.")
    def depth(self) -> int:
        return self.own.depth

    @strawberry.field(description="Null for the root, also where its parent is gone.")
    def parent_id(self) -> strawberry.ID | None:
        return strawberry.ID(self.own.parent_id) if self.own.parent_id is not None else None

    @strawberry.field
    def child_count(self) -> int:
        return len(self.view.forest.children(self.own.session.id))

    @strawberry.field(description="The session that the lineage was asked for.")
    def is_focus(self) -> bool:
        return self.own.session.id == self.focus_id


@strawberry.type(description="A tree, flat, parents before children.")
class Lineage:
    view: strawberry.Private[StoreView]
    tree: strawberry.Private[list[TreeNode]]
    focus_id: strawberry.Private[str]
    max_nodes: strawberry.Private[int]

    @strawberry.field
    def root(self) -> Session:
        return session_of(self.view, self.tree[0].session)

    @strawberry.field
    def nodes(self) -> list[LineageNode]:
        return [LineageNode(view=self.view, own=node, focus_id=self.focus_id) for node in self.tree[: self.max_nodes]]

    @strawberry.field(description="All nodes, also those beyond maxNodes.")
    def total_count(self) -> int:
        return len(self.tree)

    @strawberry.field(description="Of the deepest node; 0 for a root alone.")
    def depth(self) -> int:
        return max(node.depth for node in self.tree)

    @strawberry.field(description="True where maxNodes cut the list.")
    def truncated(self) -> bool:
        return len(self.tree) > self.max_nodes

    @strawberry.field(description="The stored parent links go in a circle.")
    def has_cycle(self) -> bool:
        return self.view.forest.has_cycle(self.tree[0].session)

    @strawberry.field(description="Of the whole tree, also beyond maxNodes.")
    def usage(self) -> Usage:
        return usage_of(add_usage(node.session.usage for node in self.tree))

    @strawberry.field(description="Of the whole tree, also beyond maxNodes.")
    def cost(self) -> Cost:
        return cost_of(add_cost(node.session.cost for node in self.tree))


@strawberry.type
class DescendantEdge:
    place: strawberry.Private[Place]
    node: Session
    depth: int = strawberry.field(description="1 for a child.")
    parent_id: strawberry.ID

    @strawberry.field
    def cursor(self) -> str:
        return self.place.cursor


@strawberry.type
class DescendantConnection:
    edges: list[DescendantEdge]
    nodes: list[Session]
    page_info: PageInfo
    total_count: int


def lineage_of(view: StoreView, focus: model.Session, max_nodes: int) -> Lineage:
    if not 1 <= max_nodes <= MAX_NODES:
        raise bad_input(f"`maxNodes` is {max_nodes}; it must be from 1 to {MAX_NODES}. `descendants` has pages.")
    tree = list(view.forest.walk(view.forest.root(focus)))
    return Lineage(view=view, tree=tree, focus_id=focus.id, max_nodes=max_nodes)


def descendants_of(
    view: StoreView,
    session: model.Session,
    first: int | None,
    after: str | None,
    max_depth: int | None,
    order: TreeOrder,
) -> DescendantConnection:
    if max_depth is not None and max_depth < 1:
        raise bad_input(f"`maxDepth` is {max_depth}; 1 gives the children.")
    cursors = CursorCodec(3, "descendants", view.profile, session.id, max_depth, order.value)
    request = request_of(view.context, cursors, first, after)
    breadth_first = order is TreeOrder.BREADTH_FIRST
    below = list(view.forest.walk(session, breadth_first=breadth_first, max_depth=max_depth))[1:]
    start = 0 if request.after is None else _place_after(below, request.after, breadth_first)
    page = below[start : start + request.limit]
    places = [Place(cursors, _key(node)) for node in page]
    return DescendantConnection(
        edges=[
            DescendantEdge(
                place=place,
                node=session_of(view, node.session),
                depth=node.depth,
                parent_id=strawberry.ID(node.parent_id or ""),
            )
            for place, node in zip(places, page, strict=True)
        ],
        nodes=[session_of(view, node.session) for node in page],
        page_info=page_info(start + len(page) < len(below), start > 0, places),
        total_count=len(below),
    )


def _key(node: TreeNode) -> Key:
    return (node.session.id, node.parent_id, node.session.started_at or 0.0)


def _place_after(nodes: list[TreeNode], key: Key, breadth_first: bool) -> int:
    """The index after the node of the key; where it is gone, after its elder siblings with what is below them."""
    session_id, parent_id, started_at = key
    if not isinstance(session_id, str) or not isinstance(started_at, int | float):
        raise _no_place()
    places = {node.session.id: at for at, node in enumerate(nodes)}
    if session_id in places:
        return places[session_id] + 1
    elder = [
        at
        for at, node in enumerate(nodes)
        if node.parent_id == parent_id and (node.session.started_at or 0.0, node.session.id) < (started_at, session_id)
    ]
    if elder:
        return elder[-1] + 1 if breadth_first else _end_of_subtree(nodes, elder[-1])
    if parent_id in places and not breadth_first:
        return places[parent_id] + 1
    younger = next((at for at, node in enumerate(nodes) if node.parent_id == parent_id), None)
    if younger is None:
        raise _no_place()
    return younger


def _end_of_subtree(nodes: list[TreeNode], at: int) -> int:
    depth = nodes[at].depth
    return next((end for end in range(at + 1, len(nodes)) if nodes[end].depth <= depth), len(nodes))


def _no_place() -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.INVALID_CURSOR, "The tree around this cursor is gone. Start again without `after`."
    )
