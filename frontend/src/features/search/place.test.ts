import { describe, expect, it } from "vitest";
import type { SearchField } from "../../graphql/generated/graphql";
import { isOpen, literalOf, partOf, toOpen, toOpenAll, voiceOf } from "./place";

const hit = (session: string, message: string | null, field: SearchField = "CONTENT") => ({
  field,
  profile: { name: "work" },
  conversation: { id: "head", segments: [{ id: "head" }, { id: "tip" }] },
  session: { id: session },
  message: message === null ? null : { id: message },
});

const session = (id: string) => ({ id, kind: "SUBAGENT", displayTitle: "Find rooms" }) as const;

describe("what a hit opens", () => {
  it("is the message in its whole conversation, whichever segment holds it", () => {
    expect(toOpen(hit("tip", "42"))).toEqual({ type: "conversation", profile: "work", id: "head", message: "42", segment: null });
  });

  it("is the session alone for a subagent", () => {
    expect(toOpen(hit("helper", "42"))).toEqual({ type: "session", profile: "work", id: "helper", message: "42", segment: null });
  });

  it("is the segment that an id names, and the whole conversation for a title", () => {
    expect(toOpen(hit("head", null, "ID"))).toMatchObject({ id: "head", message: null, segment: null });
    expect(toOpen(hit("tip", null, "ID"))).toMatchObject({ id: "head", message: null, segment: "tip" });
    expect(toOpen(hit("tip", null, "TITLE"))).toMatchObject({ id: "head", message: null, segment: null });
  });

  it("is all of the conversation from the hit on, or from its beginning for a subagent", () => {
    expect(toOpenAll(hit("tip", "42"), "fox")).toMatchObject({ type: "conversation", id: "head", message: "42", within: "fox" });
    expect(toOpenAll(hit("helper", "42"), "fox")).toMatchObject({ type: "conversation", id: "head", message: null, within: "fox" });
  });

  it("looks at reasoning on, where it was found there", () => {
    expect(toOpenAll(hit("tip", "42", "REASONING"), "fox")).toMatchObject({ within: "fox", withinReasoning: true });
    expect(toOpenAll(hit("helper", "42", "REASONING"), "fox")).toMatchObject({ withinReasoning: true });
    expect(toOpenAll(hit("tip", "42"), "fox").withinReasoning).toBeUndefined();
  });

  it("is open when the reader shows that very message", () => {
    expect(isOpen(hit("tip", "42"), toOpen(hit("tip", "42")))).toBe(true);
    expect(isOpen(hit("tip", "42"), toOpen(hit("tip", "43")))).toBe(false);
    expect(isOpen(hit("tip", "42"), null)).toBe(false);
  });
});

describe("where a hit stands", () => {
  const calls = [{ name: "terminal" }, { name: "terminal" }, { name: "read_file" }];

  it.each([
    ["You", "CONTENT", { role: "user", toolName: null, toolCalls: [] }],
    ["Assistant", "CONTENT", { role: "assistant", toolName: null, toolCalls: calls }],
    ["Call of terminal, read_file", "TOOL", { role: "assistant", toolName: null, toolCalls: calls }],
    ["Result of web_search", "TOOL", { role: "tool", toolName: "web_search", toolCalls: [] }],
    ["Result of a tool", "TOOL", { role: "tool", toolName: null, toolCalls: [] }],
    ["Reasoning", "REASONING", { role: "assistant", toolName: null, toolCalls: [] }],
    ["Title", "TITLE", null],
    ["Id", "ID", null],
  ] as const)("reads %s", (words, field, message) => {
    expect(voiceOf(field, message)).toBe(words);
  });

  it("names the part of the conversation unless it is the first", () => {
    const { segments } = hit("head", null).conversation;
    expect([session("head"), session("tip"), session("helper")].map((each) => partOf(each, segments))).toEqual([null, "Part 2 of 2", "Subagent: Find rooms"]);
  });
});

describe("what a find bar looks for", () => {
  it("is what was searched, where the words stand side by side", () => {
    expect(literalOf("  red   fox ", "A Red Fox ran")).toBe("red fox");
  });

  it("is the longest word where they do not", () => {
    expect(literalOf("red squirrel fox", "a fox, and a red squirrel")).toBe("squirrel");
  });
});
