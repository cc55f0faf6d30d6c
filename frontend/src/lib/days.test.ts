import { describe, expect, it } from "vitest";
import { daysAgo, sinceDay, startOfDay } from "./days";

const now = new Date(2026, 2, 1, 0, 30).getTime();

describe("a day", () => {
  it("begins at midnight where the reader is", () => {
    expect(new Date(startOfDay("2026-03-01")).getTime()).toBe(new Date(2026, 2, 1).getTime());
    expect(new Date(startOfDay("2026-02-28", 1)).getTime()).toBe(new Date(2026, 2, 1).getTime());
  });

  it("is counted back over the ends of months", () => {
    expect([daysAgo(0, now), daysAgo(1, now)]).toEqual(["2026-03-01", "2026-02-28"]);
  });

  it("may move with the calendar", () => {
    expect(["today", "7d", "month", "2026-01-05"].map((since) => sinceDay(since, now))).toEqual(["2026-03-01", "2026-02-23", "2026-03-01", "2026-01-05"]);
  });
});
