/** The lineage as a tree to draw: which lines pass a row, what its subtree adds up to, and what a click on it opens. */
import type { LineageTree_NodeFragment, SessionKind } from "../../graphql/generated/graphql";
import type { ViewChange } from "../../lib/useView";

export type LineageNode = LineageTree_NodeFragment;

export interface Total {
  sessions: number;
  tokens: number;
  /** The part of the cost that is known; null when nothing is. */
  usd: number | null;
  unknownSessions: number;
}

export interface TreeRow {
  node: LineageNode;
  depth: number;
  /** For each level above: whether a line goes on past this row to a later sibling. */
  lines: boolean[];
  isLast: boolean;
  position: number;
  siblings: number;
  /** The index of the row after the last one of its subtree. */
  end: number;
  subtree: Total;
}

/** Rows of a flat, depth-first lineage. */
export function toTreeRows(nodes: readonly LineageNode[]): TreeRow[] {
  const ends = subtreeEnds(nodes);
  const rows: TreeRow[] = [];
  const openLines: boolean[] = [];
  nodes.forEach((node, index) => {
    const { position, siblings } = placeAmongSiblings(nodes, ends, index);
    const isLast = position === siblings;
    openLines.length = node.depth;
    rows.push({
      node,
      depth: node.depth,
      lines: openLines.slice(0, Math.max(0, node.depth - 1)),
      isLast,
      position,
      siblings,
      end: ends[index] ?? index + 1,
      subtree: sum(nodes.slice(index, ends[index])),
    });
    if (node.depth > 0) openLines[node.depth - 1] = !isLast;
  });
  return rows;
}

function subtreeEnds(nodes: readonly LineageNode[]): number[] {
  const ends = nodes.map(() => nodes.length);
  const open: number[] = [];
  nodes.forEach(({ depth }, index) => {
    while (open.length > 0 && (nodes[open.at(-1) ?? 0]?.depth ?? 0) >= depth) ends[open.pop() ?? 0] = index;
    open.push(index);
  });
  return ends;
}

function placeAmongSiblings(nodes: readonly LineageNode[], ends: readonly number[], index: number) {
  const depth = nodes[index]?.depth ?? 0;
  let siblings = 1;
  for (let next = ends[index] ?? nodes.length; nodes[next]?.depth === depth; next = ends[next] ?? nodes.length) siblings += 1;
  let position = 1;
  for (let before = index - 1; before >= 0 && (nodes[before]?.depth ?? 0) >= depth; before -= 1) {
    if (nodes[before]?.depth === depth) position += 1;
  }
  return { position, siblings: siblings + position - 1 };
}

export function sum(nodes: readonly LineageNode[]): Total {
  const costs = nodes.map(({ session }) => session.cost);
  const known = costs.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return {
    sessions: nodes.length,
    tokens: nodes.reduce((total, { session }) => total + session.usage.totalTokens, 0),
    usd: known.length > 0 ? known.reduce((a, b) => a + b, 0) : null,
    unknownSessions: costs.reduce((total, { unknownSessions }) => total + unknownSessions, 0),
  };
}

/** Rows in sight when some are folded. */
export function visibleRows(rows: readonly TreeRow[], folded: ReadonlySet<string>): TreeRow[] {
  const visible: TreeRow[] = [];
  for (let index = 0; index < rows.length; ) {
    const row = rows[index];
    if (!row) break;
    visible.push(row);
    index = folded.has(row.node.session.nodeId) ? row.end : index + 1;
  }
  return visible;
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
