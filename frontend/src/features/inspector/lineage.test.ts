import { describe, expect, it } from "vitest";
import { aCost, aSession } from "../../test/builders";
import { findByTitle, type LineageNode, opens, pathTo, toTreeRows, visibleRows } from "./lineage";
import { costFigure, costWords, subtreeTotals, type Total } from "./totals";

function node(id: string, depth: number, parentId: string | null, kind = "ROOT", usd: number | null = 1, change: object = {}): LineageNode {
  const cost = aCost({ usd, status: usd === null ? "UNKNOWN" : "ESTIMATED", unknownSessions: usd === null ? 1 : 0 });
  return { depth, parentId, session: aSession(id, { kind, cost, parentId, childCount: 0, ...change }) } as unknown as LineageNode;
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
const totals = subtreeTotals(rows);
const total = (id: string) => totals.get(id) as Total;
const row = (id: string) => rows.find(({ node: each }) => each.session.id === id);
const open = (id: string) => opens(row(id)?.node as LineageNode, lineage, "work");
const ids = (some: readonly { node: LineageNode }[]) => some.map(({ node: each }) => each.session.id);

describe("the numbers of a lineage", () => {
  it("add up what lies below each node, and count what is unknown", () => {
    expect(totals.get("d2")).toMatchObject({ sessions: 5, usd: 6.5, tokens: 7500, unknownSessions: 1 });
    expect(totals.get("d1")).toMatchObject({ sessions: 7, usd: 7.5, messages: 14 });
  });

  it("never turn an unknown cost into zero", () => {
    expect(totals.get("d3s")?.usd).toBeNull();
    expect(costFigure(total("d3s"))).toBe("no price");
    expect(costFigure(total("leg"))).toBe("≈ $0");
  });

  it("say what is missing from a sum", () => {
    expect(costWords(total("d2"))).toBe("≥ $6.50, 1 without a price");
    expect(costWords(total("d3"))).toBe("≈ $4.50");
  });

  it("are at least what is drawn where children were left out", () => {
    const cut = toTreeRows([node("a", 0, null, "ROOT", 1, { childCount: 3 }), node("b", 1, "a", "SUBAGENT")]);
    expect(cut.map(({ missing }) => missing)).toEqual([2, 0]);
    expect(costWords(subtreeTotals(cut).get("a") as Total)).toBe("≥ $2.00, without what is not drawn");
  });
});

describe("the tree of a lineage", () => {
  it("draws what forks off before what goes straight on", () => {
    expect(ids(rows)).toEqual(["d1", "leg", "d2", "d3s", "br1", "d3", "sub1"]);
  });

  it("keeps a continuation in the lane of its predecessor, and its level all the same", () => {
    expect(["d1", "d2", "d3", "sub1", "leg"].map((id) => [row(id)?.lane, row(id)?.depth])).toEqual([[0, 0], [0, 1], [0, 2], [1, 3], [1, 1]]);
  });

  it("knows each node's place among its siblings", () => {
    expect(["leg", "d2", "d3s", "br1", "d3"].map((id) => [row(id)?.position, row(id)?.siblings])).toEqual([[1, 2], [2, 2], [1, 3], [2, 3], [3, 3]]);
  });

  it("draws on the line of a lane while a sibling is still to come", () => {
    expect(row("br1")?.lines).toEqual([true]);
    expect(row("sub1")?.lines).toEqual([false]);
  });

  it("hides the whole subtree of a folded node", () => {
    expect(ids(visibleRows(rows, new Set(["d2"])))).toEqual(["d1", "leg", "d2"]);
  });

  it("leads from a node to the root", () => {
    expect(pathTo("sub1", lineage).map(({ session }) => session.id)).toEqual(["d1", "d2", "d3", "sub1"]);
  });

  it("draws each session of a circle once, and misses none", () => {
    const circle = toTreeRows([node("a", 0, null, "UNCLASSIFIED", 1, { parentId: "b", childCount: 1 }), node("b", 1, "a", "UNCLASSIFIED", 1, { childCount: 1 })]);
    expect(circle.map(({ missing }) => missing)).toEqual([0, 0]);
  });

  it("bears a chain of ten thousand, and a nesting of a thousand", () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => node(`c${index}`, index, index ? `c${index - 1}` : null, "CONTINUATION"));
    expect(toTreeRows(chain).at(-1)).toMatchObject({ depth: 9_999, lane: 0 });
    const nested = Array.from({ length: 1_000 }, (_, index) => node(`n${index}`, index, index ? `n${index - 1}` : null, "SUBAGENT"));
    const last = toTreeRows(nested).at(-1);
    expect(last?.depth).toBe(999);
    expect(last?.lane).toBeLessThan(40);
  });

  it("finds a title by how it begins, from a row on and around", () => {
    expect(findByTitle(rows, "session d3", 0)).toBe(3);
    expect(findByTitle(rows, "session d3", 4)).toBe(5);
    expect(findByTitle(rows, "session d1", 4)).toBe(0);
    expect(findByTitle(rows, "nothing", 0)).toBeNull();
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
