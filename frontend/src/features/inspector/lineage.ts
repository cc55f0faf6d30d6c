/** The lineage as a tree to draw: which lines pass a row, what lies below it adds up to, and what a click on it opens. */
import type { LineageTree_SessionFragment, SessionKind } from "../../graphql/generated/graphql";
import type { ViewChange } from "../../lib/useView";

export interface LineageNode {
  session: LineageTree_SessionFragment;
  depth: number;
  parentId: string | null;
}

export interface TreeRow {
  node: LineageNode;
  depth: number;
  /** The column that it is drawn in: a continuation stays in its predecessor's, anything else moves one to the right. */
  lane: number;
  /** For each lane to the left: whether a line goes on past this row to something later. */
  lines: readonly boolean[];
  /** In the lane of its parent. */
  isStraight: boolean;
  isLast: boolean;
  position: number;
  siblings: number;
  hasChildren: boolean;
  /** Children that the store has and the answer left out. */
  missing: number;
  /** The index of its parent's row; null where there is none. */
  parent: number | null;
  /** The index of the row after the last one of its subtree. */
  end: number;
}

/** Lanes after which the drawing goes no further to the right; levels go on. */
const MOST_LANES = 24;

/** Rows in the order of the drawing: parents before children, and what goes straight on after what forks off. */
export function toTreeRows(nodes: readonly LineageNode[]): TreeRow[] {
  const { tops, below, linked } = byParent(nodes);
  const rows: TreeRow[] = [];
  const pending: Place[] = [];
  const postpone = (children: readonly LineageNode[], parent: number | null) => {
    for (let index = children.length - 1; index >= 0; index -= 1) {
      pending.push({ node: children[index] as LineageNode, parent, position: index + 1, siblings: children.length });
    }
  };
  postpone(tops, null);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const children = below.get(next.node.session.id) ?? [];
    postpone(children, rows.length);
    const { id, childCount } = next.node.session;
    const missing = Math.max(0, childCount - (linked.get(id) ?? 0));
    rows.push({ ...placeRow(next, rows), hasChildren: children.length > 0, missing });
  }
  markEnds(rows);
  return rows;
}

interface Place {
  node: LineageNode;
  parent: number | null;
  position: number;
  siblings: number;
}

function placeRow({ node, parent, position, siblings }: Place, rows: readonly TreeRow[]): Omit<TreeRow, "hasChildren" | "missing"> {
  const above = parent === null ? undefined : rows[parent];
  const isLast = position === siblings;
  const isStraight = above !== undefined && ((node.session.kind === "CONTINUATION" && isLast) || above.lane >= MOST_LANES);
  const lane = above ? above.lane + (isStraight ? 0 : 1) : 0;
  return {
    node,
    depth: above ? above.depth + 1 : 0,
    lane,
    lines: above ? (isStraight ? above.lines : [...above.lines, !isLast]) : [],
    isStraight,
    isLast,
    position,
    siblings,
    parent,
    end: rows.length + 1,
  };
}

/**
 * The children of each node, the continuation last; `tops` are those whose parent is not among the nodes, and
 * `linked` counts who names a node as parent, also where a circle was cut.
 */
function byParent(nodes: readonly LineageNode[]) {
  const ids = new Set(nodes.map(({ session }) => session.id));
  const tops: LineageNode[] = [];
  const below = new Map<string, LineageNode[]>();
  const linked = new Map<string, number>();
  for (const node of nodes) {
    const stored = node.session.parentId ?? "";
    linked.set(stored, (linked.get(stored) ?? 0) + 1);
    const siblings = node.parentId !== null && ids.has(node.parentId) ? below.get(node.parentId) : tops;
    if (siblings) siblings.push(node);
    else below.set(node.parentId ?? "", [node]);
  }
  const order = ({ session }: LineageNode) => Number(session.kind === "CONTINUATION");
  for (const [id, children] of below) below.set(id, children.toSorted((a, b) => order(a) - order(b)));
  return { tops, below, linked };
}

function markEnds(rows: TreeRow[]): void {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index];
    const above = row && row.parent !== null ? rows[row.parent] : undefined;
    if (row && above) above.end = Math.max(above.end, row.end);
  }
}

/** Rows in sight when some are folded. */
export function visibleRows(rows: readonly TreeRow[], folded: ReadonlySet<string>): TreeRow[] {
  const visible: TreeRow[] = [];
  for (let index = 0; index < rows.length; ) {
    const row = rows[index];
    if (!row) break;
    visible.push(row);
    index = folded.has(row.node.session.id) ? row.end : index + 1;
  }
  return visible;
}

/** A node and all above it, the topmost first; a circle of parents is walked once. */
export function pathTo(id: string, nodes: readonly LineageNode[]): LineageNode[] {
  const byId = new Map(nodes.map((node) => [node.session.id, node]));
  const path = new Set<LineageNode>();
  let node = byId.get(id);
  while (node && !path.has(node)) {
    path.add(node);
    node = node.parentId === null ? undefined : byId.get(node.parentId);
  }
  return [...path].toReversed();
}

/** The next row whose title begins with what was typed, from a row on and around. */
export function findByTitle(rows: readonly TreeRow[], typed: string, from: number): number | null {
  const wanted = typed.toLocaleLowerCase();
  for (let step = 0; step < rows.length; step += 1) {
    const index = (from + step) % rows.length;
    if (rows[index]?.node.session.displayTitle.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return null;
}

const HEADS: ReadonlySet<SessionKind> = new Set(["ROOT", "BRANCH", "RESET", "UNCLASSIFIED"]);

/**
 * What opens exactly this node: a segment opens its whole conversation at its own first message,
 * any other session opens alone, since no conversation starts with it.
 */
export function opens(node: LineageNode, nodes: readonly LineageNode[], profile: string): NonNullable<ViewChange["open"]> {
  const { id } = node.session;
  const head = headOf(node, new Map(nodes.map((each) => [each.session.id, each])));
  if (head === null) return { type: "session", profile, id };
  return { type: "conversation", profile, id: head, segment: head === id ? null : id };
}

function headOf(node: LineageNode, byId: ReadonlyMap<string, LineageNode>): string | null {
  const seen = new Set<string>();
  let current: LineageNode | undefined = node;
  while (current && !seen.has(current.session.id)) {
    if (HEADS.has(current.session.kind)) return current.session.id;
    if (current.session.kind !== "CONTINUATION") return null;
    seen.add(current.session.id);
    current = current.parentId === null ? undefined : byId.get(current.parentId);
  }
  return null;
}
