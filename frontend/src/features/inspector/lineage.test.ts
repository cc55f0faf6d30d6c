import { describe, expect, it } from "vitest";
import { aCost, aSession } from "../../test/builders";
import { type LineageNode, opens, toTreeRows, visibleRows } from "./lineage";

function node(id: string, depth: number, parentId: string | null, kind = "ROOT", usd: number | null = 1): LineageNode {
  const cost = aCost({ usd, unknownSessions: usd === null ? 1 : 0 });
  return { depth, parentId, childCount: 0, session: aSession(id, { kind, cost }) } as unknown as LineageNode;
}

/** Case L1 with its subagents, side rows and branch, depth first. */
const lineage = [
  node("d1", 0, null),
  node("d2", 1, "d1", "CONTINUATION", 2),
  node("d3", 2, "d2", "CONTINUATION", 4),
  node("sub1", 3, "d3", "SUBAGENT", 0.5),
  node("d3s", 2, "d2", "SIDE", null),
  node("br1", 2, "d2", "BRANCH", 0),
  node("leg", 1, "d1", "SIDE", 0),
];
const rows = toTreeRows(lineage);
const row = (id: string) => rows.find(({ node: each }) => each.session.id === id);
const open = (id: string) => opens(row(id)?.node as LineageNode, lineage, "work");

describe("the tree of a lineage", () => {
  it("adds up what lies below each node, and counts what is unknown", () => {
    expect(row("d2")?.subtree).toMatchObject({ sessions: 5, usd: 6.5, unknownSessions: 1 });
    expect(row("d1")?.subtree).toMatchObject({ sessions: 7, usd: 7.5 });
  });

  it("never turns an unknown cost into zero", () => {
    expect(row("d3s")?.subtree.usd).toBeNull();
  });

  it("knows each node's place among its siblings", () => {
    expect(["d2", "leg", "d3", "d3s", "br1"].map((id) => [row(id)?.position, row(id)?.siblings])).toEqual([[1, 2], [2, 2], [1, 3], [2, 3], [3, 3]]);
  });

  it("draws on the line of a level while a sibling is still to come", () => {
    expect(row("sub1")?.lines).toEqual([true, true]);
    expect(row("br1")?.lines).toEqual([true]);
    expect(row("br1")?.isLast).toBe(true);
  });

  it("hides the whole subtree of a folded node", () => {
    const visible = visibleRows(rows, new Set([row("d2")?.node.session.nodeId ?? ""]));
    expect(visible.map(({ node: each }) => each.session.id)).toEqual(["d1", "d2", "leg"]);
  });
});

describe("a click on a node", () => {
  it("opens the conversation of a head", () => {
    expect(open("d1")).toEqual({ type: "conversation", profile: "work", id: "d1", segment: null });
    expect(open("br1")).toEqual({ type: "conversation", profile: "work", id: "br1", segment: null });
  });

  it("opens a segment inside its whole conversation", () => {
    expect(open("d3")).toEqual({ type: "conversation", profile: "work", id: "d1", segment: "d3" });
  });

  it("opens a subagent or a side row alone, never its parent", () => {
    expect(open("sub1")).toEqual({ type: "session", profile: "work", id: "sub1" });
    expect(open("leg")).toEqual({ type: "session", profile: "work", id: "leg" });
  });

  it("opens what goes on after a subagent alone as well", () => {
    const nodes = [node("a", 0, null), node("s", 1, "a", "SUBAGENT"), node("s2", 2, "s", "CONTINUATION")];
    expect(opens(nodes[2] as LineageNode, nodes, "work")).toEqual({ type: "session", profile: "work", id: "s2" });
  });
});
