import { describe, expect, it } from "vitest";
import { groupCount } from "./GridRows";

describe("the count beside a group's name", () => {
  it("tells how many there are, and how many of them are loaded", () => {
    expect([groupCount(12, 12), groupCount(5, 1370)]).toEqual(["12", "5 of 1,370"]);
  });

  it("tells what is loaded while more may come, and no number before any came", () => {
    expect([groupCount(12, null), groupCount(0, null)]).toEqual(["12+", "…"]);
  });
});
