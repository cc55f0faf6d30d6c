import { beforeEach, describe, expect, it } from "vitest";
import { keptListWidth, LIST_WIDTH, setListWidth } from "./listWidth";

const shown = () => document.documentElement.style.getPropertyValue("--list");

describe("the width of the list", () => {
  beforeEach(() => localStorage.clear());

  it("is kept, and shown at once", () => {
    expect(setListWidth(412.4)).toBe(412);
    expect([keptListWidth(), shown()]).toEqual([412, "412px"]);
  });

  it("stays between its limits", () => {
    expect([setListWidth(10), setListWidth(9_999)]).toEqual([260, 520]);
  });

  it("is the usual one where what was kept is no width", () => {
    for (const broken of ["wide", "", "-4", "NaN", "{}"]) {
      localStorage.setItem("hermes-sessions.list-width", broken);
      expect(keptListWidth()).toBe(LIST_WIDTH.usual);
    }
  });
});
