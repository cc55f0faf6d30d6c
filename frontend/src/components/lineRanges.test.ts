import { describe, expect, it } from "vitest";
import { isIn, shownOf } from "./lineRanges";

describe("what is shown of a long text", () => {
  it("is its beginning and its end", () => {
    expect(shownOf(100, [[0, 20], [90, 100]])).toEqual([[0, 20], [90, 100]]);
  });

  it("is all of it where that is short, or one line more", () => {
    expect(shownOf(25, [[0, 20], [15, 25]])).toEqual([[0, 25]]);
    expect(shownOf(31, [[0, 20], [21, 31]])).toEqual([[0, 31]]);
    expect(shownOf(32, [[0, 20], [22, 32]])).toEqual([[0, 20], [22, 32]]);
    expect(shownOf(3, [[0, 20], [-7, 3]])).toEqual([[0, 3]]);
    expect(shownOf(0, [[0, 20], [-10, 0]])).toEqual([[0, 0]]);
  });

  it("grows by what was opened, in any order, and closes up with what it meets", () => {
    expect(shownOf(100, [[0, 20], [50, 70], [40, 55], [90, 100]])).toEqual([[0, 20], [40, 70], [90, 100]]);
    expect(shownOf(100, [[0, 20], [19, 24], [88, 300], [90, 100]])).toEqual([[0, 24], [88, 100]]);
    expect(shownOf(100, [[0, 60], [20, 30], [90, 100]])).toEqual([[0, 60], [90, 100]]);
  });

  it("may have no beginning and no end", () => {
    expect(shownOf(100, [[0, 0], [100, 100]])).toEqual([[0, 0], [100, 100]]);
    expect(shownOf(100, [[0, 0], [0, 1000], [100, 100]])).toEqual([[0, 100]]);
  });

  it("tells which lines are in it", () => {
    const shown = shownOf(100, [[0, 20], [90, 100]]);
    expect([0, 19, 20, 89, 90, 99].map((line) => isIn(shown, line))).toEqual([true, true, false, false, true, true]);
  });
});
