import { describe, expect, it } from "vitest";
import { rank } from "./rank";

describe("a label", () => {
  it("answers when it holds every word, in any order and case", () => {
    expect(rank("Go to the bin", "BIN go")).toBeGreaterThan(0);
    expect(rank("Go to the bin", "bin usage")).toBe(0);
  });

  it("answers better from its beginning, and from a word's beginning", () => {
    const ranks = ["Export as JSON", "An export", "Reexport"].map((label) => rank(label, "export"));
    expect(ranks).toEqual([3, 2, 1]);
  });

  it("answers without its accents", () => {
    expect(rank("Café in Évora", "evora")).toBe(2);
  });

  it("answers alike when nothing is typed", () => {
    expect([rank("Bin", " "), rank("Usage", "")]).toEqual([1, 1]);
  });
});
