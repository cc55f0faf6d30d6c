import { describe, expect, it } from "vitest";
import { columnOf, moved, monthMarks, stepOf, thresholds } from "./heat";
import type { Bar } from "./days";

const bar = (day: string, solid = 0, light = 0): Bar => ({ day, row: null, solid, light, isPartial: false });

describe("the calendar", () => {
  it("has a column for each week from Monday on", () => {
    const bars = ["2026-03-28", "2026-03-29", "2026-03-30"].map((day) => bar(day));
    expect(bars.map((_, index) => columnOf(bars, index))).toEqual([0, 0, 1]);
  });

  it("names a month where it begins, unless the next one is too near", () => {
    const days = Array.from({ length: 10 }, (_, index) => bar(`2026-03-${22 + index}`));
    const bars = [...days, ...Array.from({ length: 30 }, (_, index) => bar(`2026-04-${String(index + 1).padStart(2, "0")}`)), bar("2026-05-01")];
    expect(monthMarks(bars).map(({ name }) => name)).toEqual(["Apr", "May"]);
  });

  it("has about as many days in each of its five steps, and none for nothing", () => {
    const bars = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000].map((value) => bar("2026-03-01", value / 2, value / 2));
    const limits = thresholds(bars);
    expect(limits).toEqual([2, 4, 6, 8, 1_000]);
    expect([0, 1, 2, 3, 9, 1_000].map((value) => stepOf(value, limits))).toEqual([0, 1, 1, 2, 5, 5]);
    expect(stepOf(0, thresholds([]))).toBe(0);
  });

  it("is walked by day and by week, and never left", () => {
    const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
    expect(keys.map((key) => moved(key, 8, 10))).toEqual([7, 9, 1, 8, 0, 9]);
    expect(moved("a", 8, 10)).toBeNull();
  });
});
