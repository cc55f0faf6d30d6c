import { describe, expect, it } from "vitest";
import { toRows } from "./rows";

const now = new Date(2026, 2, 10, 12).getTime();
const at = (day: number) => new Date(2026, 2, day, 9).toISOString();
const node = (nodeId: string, day: number | null) => ({ nodeId, lastActiveAt: day === null ? null : at(day), startedAt: null });

describe("the rows of the list", () => {
  it("stand under the name of their day", () => {
    const rows = toRows([node("a", 10), node("b", 10), node("c", 9)], "last_active", now);
    expect(rows.map((row) => (row.type === "day" ? row.name : row.node.nodeId))).toEqual(["Today", "a", "b", "Yesterday", "c"]);
  });

  it("have no days when they are not in order of time", () => {
    expect(toRows([node("a", 10), node("b", 2)], "cost", now).map((row) => row.type)).toEqual(["conversation", "conversation"]);
  });

  it("keep a conversation whose moments cannot be read", () => {
    const [heading, row] = toRows([node("a", null)], "last_active", now);
    expect(heading).toMatchObject({ name: "Without a date" });
    expect(row).toMatchObject({ key: "a", position: 0 });
  });
});
