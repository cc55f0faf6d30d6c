import { describe, expect, it } from "vitest";
import { DEFAULT_LIST, type ListView } from "../../lib/view";
import { type ListRow, toRows, toSections } from "./rows";

const now = new Date(2026, 2, 10, 12).getTime();
const at = (day: number) => new Date(2026, 2, day, 9).toISOString();
const node = (nodeId: string, day: number | null, job: string | null = null, profile = "default") => ({
  nodeId,
  lastActiveAt: day === null ? null : at(day),
  startedAt: null,
  job,
  profile: { name: profile },
});
type Node = ReturnType<typeof node>;

const list = (change: Partial<ListView> = {}): ListView => ({ ...DEFAULT_LIST, ...change });

function rowsOf(nodes: Node[], { view = list(), hasMore = false, unfolded = [] as string[] } = {}) {
  return toRows(toSections(nodes, view, hasMore, now), view, new Set(unfolded));
}

/** Each row in a word. */
function words(rows: ListRow<Node>[]): string[] {
  return rows.map((row) => {
    if (row.type === "group") return `[${row.section.name} ${row.section.nodes.length}/${row.section.total ?? "?"}]`;
    if (row.type === "fold") return `${row.job}×${row.runs.length}${row.isPartial ? "+" : ""}`;
    return row.type === "more" ? row.label : row.node.nodeId;
  });
}

describe("the rows of the list", () => {
  it("stand under the name of their day, with how many are loaded", () => {
    expect(words(rowsOf([node("a", 10), node("b", 10), node("c", 9)]))).toEqual(["[Today 2/2]", "a", "b", "[Yesterday 1/1]", "c"]);
  });

  it("leave the last day open while more may come", () => {
    expect(words(rowsOf([node("a", 10), node("c", 9)], { hasMore: true }))).toEqual(["[Today 1/1]", "a", "[Yesterday 1/?]", "c"]);
  });

  it("have no days when they are not in order of time, or when none are wanted", () => {
    expect(words(rowsOf([node("a", 10), node("b", 2)], { view: list({ sort: "cost" }) }))).toEqual(["a", "b"]);
    expect(words(rowsOf([node("a", 10), node("b", 2)], { view: list({ group: "none" }) }))).toEqual(["a", "b"]);
  });

  it("keep a conversation whose moments cannot be read", () => {
    expect(words(rowsOf([node("a", null)]))).toEqual(["[Without a date 1/1]", "a"]);
  });

  it("of a section that has more offer it", () => {
    const section = { key: "cli", name: "cli", nodes: [node("a", 10)], total: 37, onMore: () => {} };
    expect(words(toRows([section], list(), new Set()))).toEqual(["[cli 1/37]", "a", "36 more in cli"]);
  });
});

describe("the runs of a job", () => {
  it("of one day are one row, where the latest stands", () => {
    const nodes = [node("a", 10), node("r3", 10, "j"), node("b", 10), node("r2", 10, "j"), node("r1", 9, "j"), node("c", 9)];
    expect(words(rowsOf(nodes))).toEqual(["[Today 4/4]", "a", "j×2", "b", "[Yesterday 2/2]", "r1", "c"]);
  });

  it("unfold into their rows and a way to all runs, and keep their key while more are loaded", () => {
    const nodes = [node("r3", 10, "j"), node("r2", 10, "j"), node("a", 10)];
    const fold = rowsOf(nodes)[1]?.key ?? "";
    const longer = [node("r4", 10, "j"), ...nodes, node("r1", 10, "j")];
    const rows = rowsOf(longer, { unfolded: [fold] });
    expect(words(rows)).toEqual(["[Today 5/5]", "j×4", "r4", "r3", "r2", "r1", "All runs of this job", "a"]);
    expect(rows.find((row) => row.type === "more")).toMatchObject({ change: { job: "j", audience: "all" } });
  });

  it("are told apart from those of another profile", () => {
    expect(words(rowsOf([node("r2", 10, "j"), node("r1", 10, "j", "work")]))).toEqual(["[Today 2/2]", "r2", "r1"]);
  });

  it("say that there may be more while their group is not loaded whole", () => {
    expect(words(rowsOf([node("r2", 10, "j"), node("r1", 10, "j")], { hasMore: true }))).toEqual(["[Today 2/?]", "j×2+"]);
  });

  it("stand one by one in another order than time, and where the job is listed alone", () => {
    const nodes = [node("r2", 10, "j"), node("r1", 10, "j")];
    expect(words(rowsOf(nodes, { view: list({ sort: "cost" }) }))).toEqual(["r2", "r1"]);
    expect(words(rowsOf(nodes, { view: list({ job: "j" }) }))).toEqual(["[Today 2/2]", "r2", "r1"]);
  });
});
