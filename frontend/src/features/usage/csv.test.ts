import { describe, expect, it } from "vitest";
import { csvCell, usageCsv } from "./csv";
import type { Row } from "./usageQuery";

const usage = { totalTokens: 1_500_000, inputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3, outputTokens: 4, apiCalls: 5 };
const row = (workspace: string | null, cost: Row["cost"]): Row => ({
  day: null, model: null, source: null, workspace, profile: null, task: null, sessions: 6, messages: 7, usage, cost, bookedBy: { spent: 1, lastSeen: 0, start: 0, undated: 0 },
});

describe("the table as a file", () => {
  it("has plain numbers, and an empty cell where a cost is unknown", () => {
    const billed = row("/home/a, b", { usd: 4, actualUsd: 1, estimatedUsd: 3.5, status: "MIXED", unknownSessions: 0 });
    const unknown = row(null, { usd: null, actualUsd: null, estimatedUsd: null, status: "UNKNOWN", unknownSessions: 6 });
    const [head, first, second, rest] = usageCsv([billed, unknown], "workspace").split("\r\n");
    expect(head?.split(",").slice(0, 5)).toEqual(["workspace", "cost_usd", "billed_usd", "estimated_usd", "cost_status"]);
    expect(first).toBe('"/home/a, b",4,1,3,MIXED,0,1500000,1,2,3,4,5,6');
    expect(second).toBe(",,,,UNKNOWN,6,1500000,1,2,3,4,5,6");
    expect(rest).toBe("");
  });

  it("has no cell that a spreadsheet takes for a formula", () => {
    for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "|calc", "\n=1", "＝1", "＋1", "－1", "＠SUM(A1)", "\u00a0=1"]) expect(csvCell(text).replace(/^"/, "")).toMatch(/^'/);
    expect(csvCell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
    expect(csvCell("nous/hermes-4")).toBe("nous/hermes-4");
    expect(csvCell(-1)).toBe("-1");
  });
});
