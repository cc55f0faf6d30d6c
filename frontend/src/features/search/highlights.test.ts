import { describe, expect, it } from "vitest";
import { toPieces } from "./highlights";

const found = (snippet: string, ...highlights: [start: number, end: number][]) =>
  toPieces(snippet, highlights.map(([start, end]) => ({ start, end })))
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join("");

describe("a snippet", () => {
  it("marks each place that was found", () => {
    expect(found("a red fox, a red hen", [2, 5], [13, 16])).toBe("a [red] fox, a [red] hen");
  });

  it("counts a character outside the basic plane as one", () => {
    expect(found("🦊🦊 the 𝒻ox 🦊", [7, 10])).toBe("🦊🦊 the [𝒻ox] 🦊");
  });

  it("is marked from its first character to its last", () => {
    expect(found("狐狸", [0, 2])).toBe("[狐狸]");
  });

  it("stays whole where nothing in it could be marked", () => {
    expect(toPieces("far behind", [])).toEqual([{ text: "far behind", isFound: false }]);
  });
});
