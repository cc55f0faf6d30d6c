import { describe, expect, it } from "vitest";
import { toBars } from "./days";
import { periodStart, type Row } from "./usageQuery";
import { dayOf } from "./calendar";

const usage = { totalTokens: 900, inputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, apiCalls: 1 };
const cost = { usd: 4, actualUsd: 1, estimatedUsd: 3.5, status: "MIXED" as const, unknownSessions: 0 };
const row = (day: string | null, change: Partial<Row["cost"]> = {}): Row => ({
  day, model: null, source: null, workspace: null, profile: null, task: null, sessions: 1, messages: 1, usage, cost: { ...cost, ...change },
});

describe("the bars", () => {
  it("are one for each day of the period, also those without usage and the change of the clocks", () => {
    const bars = toBars([row("2026-03-29")], "cost", "2026-03-28", "2026-03-31");
    expect(bars.map(({ day }) => day)).toEqual(["2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"]);
    expect(bars.map(({ row: each }) => each !== null)).toEqual([false, true, false, false]);
  });

  it("stack what was estimated on what was billed, each once", () => {
    const [bar] = toBars([row("2026-03-29")], "cost", "2026-03-29", "2026-03-29");
    expect([bar?.solid, bar?.light, bar?.isPartial]).toEqual([1, 3, false]);
  });

  it("mark a day that has a part without a price", () => {
    const [bar] = toBars([row("2026-03-29", { usd: null, actualUsd: null, estimatedUsd: null, status: "UNKNOWN", unknownSessions: 1 })], "cost", null, "2026-03-29");
    expect([bar?.solid, bar?.light, bar?.isPartial]).toEqual([0, 0, true]);
  });

  it("begin with the first usage where the period has no beginning, and leave out what has no date", () => {
    const bars = toBars([row(null), row("2026-03-30")], "tokens", null, "2026-03-31");
    expect(bars.map(({ day, solid }) => [day, solid])).toEqual([["2026-03-30", 900], ["2026-03-31", 0]]);
  });
});

describe("a period", () => {
  const now = new Date(2026, 2, 31, 15, 30);

  it("has today as its last day", () => {
    const start = periodStart("7d", now);
    expect(start && [dayOf(start), start.getHours()]).toEqual(["2026-03-25", 0]);
  });

  it("is the month so far, or all time", () => {
    const start = periodStart("month", now);
    expect(start && dayOf(start)).toBe("2026-03-01");
    expect(periodStart("all", now)).toBeNull();
  });
});
