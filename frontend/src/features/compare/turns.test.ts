import { describe, expect, it } from "vitest";
import type { Compare_SessionFragment } from "../../graphql/generated/graphql";
import type { Message } from "./comparison";
import { toItems } from "./items";
import { toReadings } from "./sides";
import { alignTurns } from "./turns";
import { compareWords } from "./words";

const ROLES: Record<string, string> = { u: "user", a: "assistant", t: "tool" };

/** "u1 a1 t1": the letter is the role, the whole word is the text. */
const side = (words: string, isComplete = true) => ({
  isComplete,
  messages: words.split(" ").filter(Boolean).map((word) => ({
    nodeId: word, role: ROLES[word[0] ?? ""], content: word, contentBytes: 2, contentTruncated: false, toolCalls: [], isSummary: false,
  }) as unknown as Message),
});
const START = { left: 0, right: 0 };
const table = (left: ReturnType<typeof side>, right: ReturnType<typeof side>, from = START) =>
  alignTurns(left, right, from).pairs.map((pair) => `${pair.turn} ${pair.left?.content ?? "-"} ${pair.right?.content ?? "-"}`);

const rows = (left: string, right: string, shared: number, isUnfolded = false) => {
  const parts = { left: side(left), right: side(right), from: { left: shared, right: shared }, shared };
  return toItems({ ...parts, isSame: false, isUnfolded, turns: alignTurns(parts.left, parts.right, parts.from) });
};

const session = (id: string, parentId: string | null, conversation: string, segments: [string, string | null][]) =>
  ({ id, parentId, conversation: { id: conversation, segments: segments.map(([each, parent]) => ({ id: each, parentId: parent })) } }) as unknown as Compare_SessionFragment;

describe("the turns of two branches", () => {
  it("stand prompt against prompt and answer against answer, whatever lies between", () => {
    expect(table(side("u1 t1 t2 a1 u2"), side("u8 a8 u9"))).toEqual(["1 u1 u8", "1 t1 -", "1 t2 -", "1 a1 a8", "2 u2 u9"]);
  });

  it("begin with what still answers the shared prompt", () => {
    expect(table(side("a1 u2"), side("u9 a9"))).toEqual(["0 a1 -", "1 u2 u9", "1 - a9"]);
  });

  it("leave out the shared beginning", () => {
    expect(table(side("u1 a1 u2"), side("u1 a1 u3"), { left: 2, right: 2 })).toEqual(["1 u2 u3"]);
  });

  it("go on where the other side ends", () => {
    expect(table(side(""), side("u1 a1 u2"))).toEqual(["1 - u1", "1 - a1", "2 - u2"]);
  });

  it("wait for the side that is behind, and ask for it alone", () => {
    const { pairs, wanted } = alignTurns(side("u1 a1", false), side("u8 a8 u9 a9", false), START);
    expect(pairs.at(-1)?.turn).toBe(1);
    expect(wanted).toEqual(["left"]);
  });

  it("ask for nothing once both are complete", () => {
    expect(alignTurns(side("u1"), side("u2"), START).wanted).toEqual([]);
  });
});

describe("the rows of a comparison", () => {
  it("have the shared beginning once, folded to its count", () => {
    expect(rows("u1 a1 u2", "u1 a1 u3", 2).map(({ label }) => label)).toEqual([
      "The shared beginning: 2 messages",
      "First difference: message 3, in turn 2",
      "Turn 2: A and B differ",
      "Both end here",
    ]);
    expect(rows("u1 a1 u2", "u1 a1 u3", 2, true).filter(({ type }) => type === "message")).toHaveLength(2);
  });

  it("say where one side ends", () => {
    const pairs = rows("u1", "u1 a1 u2", 1).filter((item) => item.type === "pair");
    expect(pairs.map(({ ends }) => ends.left)).toEqual([true, false]);
  });
});

describe("what is read of each side", () => {
  const chain: [string, string | null][] = [["d1", null], ["d2", "d1"], ["d3", "d2"]];

  it("is a whole conversation, from the segment that the other one forked off from", () => {
    const { left, right } = toReadings(session("d1", null, "d1", chain), session("b2", "b1", "b1", [["b1", "d2"], ["b2", "b1"]]));
    expect(left).toEqual({ isConversation: true, sessions: ["d2", "d3"], earlier: 1 });
    expect(right).toEqual({ isConversation: true, sessions: ["b1", "b2"], earlier: 0 });
  });

  it("is the session alone where both stand in one conversation, or it belongs to none of its segments", () => {
    expect(toReadings(session("d1", null, "d1", chain), session("d3", "d2", "d1", chain)).right.sessions).toEqual(["d3"]);
    expect(toReadings(session("sub", "d2", "d1", chain), session("x", null, "x", [["x", null]])).left).toEqual({ isConversation: false, sessions: ["sub"], earlier: 0 });
  });
});

describe("the words of a pair", () => {
  it("that only one side has are marked there", () => {
    const words = compareWords("go left at noon", "go right at noon");
    expect(words?.left.filter(({ isOwn }) => isOwn)).toEqual([{ text: "left", isOwn: true }]);
    expect(words?.right.map(({ text }) => text).join("")).toBe("go right at noon");
  });

  it("are not marked where the texts have next to nothing in common", () => {
    expect(compareWords("a plain question about trains", "Bitte übersetze dieses Gedicht ins Deutsche")).toBeNull();
  });
});
