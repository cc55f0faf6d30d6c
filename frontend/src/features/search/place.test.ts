import { describe, expect, it } from "vitest";
import { isOpen, partOf, toOpen, voiceOf } from "./place";

const hit = (session: string, message: string | null, field: "CONTENT" | "TITLE" | "ID" = "CONTENT") => ({
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
