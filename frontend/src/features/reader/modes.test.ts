import { describe, expect, it } from "vitest";
import { aMessage } from "../../test/builders";
import { inMode, opensAtFirst, quietLabel, type Row, segmentStarts } from "./modes";
import { foldsOver, placeAt, rowFor } from "./places";
import { toItems } from "./transcript";

const edge = (node: object, seam: object | null = null) => ({ cursor: "c", node, seam });
const ARGUMENTS: Record<string, string> = { c6: String.raw`{"path":"gr\u00f6\u00dfe"}` };
const call = (id: string, answer: string) => ({ id, name: "terminal", argumentsText: ARGUMENTS[id] ?? "{}", result: { nodeId: `message:default:${answer}` } });
const worker = (id: string, content: string, ...answers: string[]) =>
  aMessage(id, { role: "assistant", content, parts: [], reasoning: "hm", toolCalls: answers.map((answer) => call(`c${answer}`, answer)) });
const seam = { kind: "CONTINUATION", at: null, fromSession: null, toSession: null };

const items = toItems([
  edge(aMessage("1")),
  edge(worker("2", "Let me look.", "3")),
  edge(aMessage("3", { role: "tool" })),
  edge(worker("4", "", "5", "6")),
  edge(aMessage("5", { role: "tool" })),
  edge(aMessage("6", { role: "tool" })),
  edge(worker("7", "", "8"), seam),
  edge(aMessage("8", { role: "tool" })),
  edge(aMessage("9", { role: "tool", toolCallId: "gone" })),
  edge(aMessage("10", { role: "assistant" })),
] as unknown as Parameters<typeof toItems>[0]);
const shape = (rows: readonly Row[]) =>
  rows.map((row) => (row.type === "seam" ? "seam" : row.type === "quiet" ? quietLabel(row) : row.message.id));
const messages = (rows: readonly Row[]) => rows.map((row) => (row.type === "message" ? row.message : null));
const openIn = (mode: Parameters<typeof opensAtFirst>[0]) => ["m reasoning", "m call", "m raw"].map(opensAtFirst(mode));
const answers = inMode(items, "answers");
const opened = (words: string[], inReasoning: boolean) => foldsOver(items, { message: "4", words, inReasoning });

describe("the mode of everything", () => {
  const rows = inMode(items, "everything");
  const starts = (hasBefore: boolean) => rows.flatMap((row, index) => (segmentStarts(rows, "everything", hasBefore).has(row.key) ? [index] : []));

  it("knows the rows with which segments begin: the first of all, and those that tell of a continuation", () => {
    expect(starts(false)).toEqual([0, rows.findIndex((row) => row.type === "seam")]);
    expect(segmentStarts(rows, "everything", false).get("seam message:default:7")?.id).toBe("s1");
  });

  it("does not take the first loaded message for the first of all", () => {
    expect(starts(true)).toEqual([rows.findIndex((row) => row.type === "seam")]);
  });

  it("alone asks for them", () => {
    expect(segmentStarts(rows, "reasoning", false).size).toBe(0);
  });
});

describe("the mode of answers alone", () => {
  it("counts the work between two of them in one line, up to a seam", () => {
    expect(shape(answers)).toEqual(["1", "2", "3 tool calls", "seam", "1 tool call, 1 result", "10"]);
  });

  it("says the words beside a call without the call and the reasoning", () => {
    const said = answers[1];
    expect(said).toMatchObject({ calls: [], message: { content: "Let me look.", reasoning: null } });
    const quiet = answers[2];
    expect(quiet?.type === "quiet" && quiet.parts[0]).toMatchObject({ message: { content: null, reasoning: "hm" } });
  });

  it("keeps each message's identity while others come and go", () => {
    expect(messages(inMode(items, "answers"))[1]).toBe(messages(answers)[1]);
  });

  it("counts what was only thought while that is looked for", () => {
    const thinker = toItems([edge(aMessage("1", { role: "assistant", reasoning: "hm" })), edge(aMessage("2", { role: "assistant" }))] as unknown as Parameters<typeof toItems>[0]);
    expect(shape(inMode(thinker, "answers"))).toEqual(["1", "2"]);
    expect(shape(inMode(thinker, "answers", true))).toEqual(["1", "reasoning", "2"]);
  });

  it("leaves every other mode as it is", () => {
    expect(inMode(items, "tools")).toEqual(items);
  });
});

describe("a place", () => {
  const whole = { rows: answers, hasBefore: false, hasAfter: false, isGrowing: false };

  it("is at the line that counts it, which opens along with the call", () => {
    expect(rowFor({ message: "5" }, whole)).toBe(2);
    expect(foldsOver(answers, { message: "5" })).toEqual(["message:default:2 quiet", "message:default:4 quiet", "message:default:4 c5"]);
  });

  it("is beside what was said, where what it was found by was called or thought", () => {
    expect(rowFor({ message: "2", words: ["look"] }, whole)).toBe(1);
    expect(rowFor({ message: "2", words: ["hm"] }, whole)).toBe(2);
    expect(rowFor({ message: "2" }, whole)).toBe(1);
    expect(rowFor({ message: "1", words: ["elsewhere"] }, whole)).toBe(0);
  });

  it("opens the reasoning and the calls that hold what it was found by, and no others", () => {
    expect(opened(["HM"], true)).toEqual(["message:default:4 reasoning"]);
    expect(opened(["HM"], false)).toEqual([]);
    expect(opened(["größe"], true)).toEqual(["message:default:4 c6"]);
    expect(opened(["else"], true)).toEqual([]);
  });

  it("is not there as long as the ends are not loaded", () => {
    expect(rowFor("start", { ...whole, hasBefore: true })).toBeNull();
    expect(rowFor("end", { ...whole, hasAfter: true })).toBeNull();
    expect(rowFor("end", whole)).toBe(5);
    expect(rowFor({ message: "99" }, whole)).toBeNull();
  });

  it("brings the seam before it along, unless it was left at an offset", () => {
    expect(placeAt(answers, 4, { message: "7" }).index).toBe(3);
    expect(placeAt(answers, 4, { message: "7", offset: -20 })).toEqual({ index: 4, offset: -20 });
  });
});

describe("folds", () => {
  it("are open from the start as the mode says; raw JSON never is", () => {
    expect(openIn("tools")).toEqual([false, false, false]);
    expect(openIn("reasoning")).toEqual([true, false, false]);
    expect(openIn("everything")).toEqual([true, true, false]);
  });
});
