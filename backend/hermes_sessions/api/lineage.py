"""Trees in the schema: a session's whole lineage, and its descendants page by page."""

from __future__ import annotations

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
    session: Session
    depth: int = strawberry.field(description="0 for the root.")
    parent_id: strawberry.ID | None = strawberry.field(description="Null for the root, also where its parent is gone.")
    child_count: int
    is_focus: bool = strawberry.field(description="The session that the lineage was asked for.")


@strawberry.type(description="A tree, flat, parents before children.")
class Lineage:
    root: Session
    nodes: list[LineageNode]
    total_count: int = strawberry.field(description="All nodes, also those beyond maxNodes.")
    depth: int = strawberry.field(description="Of the deepest node; 0 for a root alone.")
    truncated: bool = strawberry.field(description="True where maxNodes cut the list.")
    has_cycle: bool = strawberry.field(description="The stored parent links go in a circle.")
    usage: Usage = strawberry.field(description="Of the whole tree, also beyond maxNodes.")
    cost: Cost = strawberry.field(description="Of the whole tree, also beyond maxNodes.")


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
    root = view.forest.root(focus)
    nodes = list(view.forest.walk(root))
    return Lineage(
        root=session_of(view, root),
        nodes=[_lineage_node(view, node, focus) for node in nodes[:max_nodes]],
        total_count=len(nodes),
        depth=max(node.depth for node in nodes),
        truncated=len(nodes) > max_nodes,
        has_cycle=view.forest.has_cycle(root),
        usage=usage_of(add_usage(node.session.usage for node in nodes)),
        cost=cost_of(add_cost(node.session.cost for node in nodes)),
    )


def _lineage_node(view: StoreView, node: TreeNode, focus: model.Session) -> LineageNode:
    return LineageNode(
        session=session_of(view, node.session),
        depth=node.depth,
        parent_id=strawberry.ID(node.parent_id) if node.parent_id is not None else None,
        child_count=len(view.forest.children(node.session.id)),
        is_focus=node.session.id == focus.id,
    )


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
