import { describe, expect, it } from "vitest";
import { toBars } from "./days";
import { bounds, daysText, periodDays } from "./period";
import type { Row } from "./usageQuery";

const usage = { totalTokens: 900, inputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, apiCalls: 1 };
const cost = { usd: 4, actualUsd: 1, estimatedUsd: 3.5, status: "MIXED" as const, unknownSessions: 0 };
const row = (day: string | null, change: Partial<Row["cost"]> = {}): Row => ({
  day, model: null, source: null, workspace: null, profile: null, task: null, sessions: 1, messages: 1, usage, cost: { ...cost, ...change }, bookedBy: { spent: 1, lastSeen: 0, start: 0, undated: 0 },
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
  const open = { since: null, until: null };

  it("has today as its last day", () => {
    expect(periodDays({ period: "7d", ...open }, now)).toEqual({ first: "2026-03-25", last: null });
  });

  it("is the month so far, or all time", () => {
    expect(periodDays({ period: "month", ...open }, now)).toEqual({ first: "2026-03-01", last: null });
    expect(periodDays({ period: "all", ...open }, now)).toEqual({ first: null, last: null });
  });

  it("with dates of its own is as long whichever of them is named first", () => {
    const days = periodDays({ period: "custom", since: "2026-03-29", until: "2026-03-02" }, now);
    expect(days).toEqual({ first: "2026-03-02", last: "2026-03-29" });
    expect(daysText(days)).toBe("from 2 Mar 2026 to 29 Mar 2026");
  });

  it("ends with the last moment of its last day, where the browser is", () => {
    const { from, to } = bounds({ first: "2026-03-29", last: "2026-03-29" });
    expect([from, to]).toEqual([new Date(2026, 2, 29).toISOString(), new Date(2026, 2, 30).toISOString()]);
    expect(bounds({ first: null, last: null })).toEqual({ from: null, to: null });
  });
});
