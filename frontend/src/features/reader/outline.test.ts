import { describe, expect, it } from "vitest";
import { placesOf, wordsOf } from "./highlight";
import { type Mark, nearestMark, nextMark, ticksOf } from "./outline";

const mark = (position: number, kind: Mark["kind"]): Mark => ({ position, kind, message: String(position + 1), label: null });
const prompts = Array.from({ length: 1000 }, (_, index) => mark(index * 20, "PROMPT"));

describe("the marks of an outline", () => {
  it("are found from a position on in both directions, none past the ends", () => {
    const marks = [mark(0, "PROMPT"), mark(4, "ERROR"), mark(9, "PROMPT")];
    expect(nextMark(marks, "PROMPT", 0, 1)?.position).toBe(9);
    expect(nextMark(marks, "PROMPT", 9, -1)?.position).toBe(0);
    expect(nextMark(marks, "PROMPT", 9, 1)).toBeUndefined();
    expect(nearestMark(marks, 6)?.position).toBe(4);
  });

  it("are thinned to the slots that there are, and rarer kinds stay", () => {
    const rare = [mark(7, "ERROR"), mark(12_345, "SEAM"), mark(19_999, "SUBAGENT")];
    const ticks = ticksOf([...prompts, ...rare].toSorted((a, b) => a.position - b.position), 20_000, 100);
    expect(ticks).toHaveLength(100);
    expect(ticks.flatMap(({ mark: { kind } }) => (kind === "PROMPT" ? [] : [kind]))).toEqual(["ERROR", "SEAM", "SUBAGENT"]);
  });

  it("show a hit before everything else, however many there are", () => {
    const hits = prompts.map(({ position }) => mark(position, "HIT"));
    expect(new Set(ticksOf([...hits, mark(7, "ERROR")], 20_000, 10).map((tick) => tick.mark.kind))).toEqual(new Set(["HIT"]));
  });
});

describe("words to mark", () => {
  it("are the words and phrases of a search, without its operators", () => {
    expect(wordsOf('red "quick fox" AND (bread* OR -stone) a')).toEqual(["red", "quick fox", "bread"]);
    expect(wordsOf(" ")).toEqual([]);
  });

  it("are found without regard to case, as they are written", () => {
    expect(placesOf("A Fox. a fox? (fox)", ["fox"])).toEqual([[2, 5], [9, 12], [15, 18]]);
    expect(placesOf("1+1 = 2, 11", ["1+1"])).toEqual([[0, 3]]);
    expect(placesOf("anything", [""])).toEqual([]);
  });
});
