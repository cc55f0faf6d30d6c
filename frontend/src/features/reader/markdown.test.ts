import { describe, expect, it } from "vitest";
import { aMessage } from "../../test/builders";
import { fenced, messageAsMarkdown } from "./markdown";
import type { Call, Message } from "./transcript";

const message = (change: object) => aMessage("1", change) as unknown as Message;
const result = (content: string, change: object = {}) => message({ role: "tool", content, ...change });
const call = (name: string, args: object, answer: Message | null): Call => ({ key: "k", name, argumentsText: JSON.stringify(args), result: answer, resultId: null, answer: null });

describe("a message as Markdown", () => {
  it("has who, when and what", () => {
    expect(messageAsMarkdown(message({ content: "# Hello" }))).toBe("**You** (2026-03-01T10:00:00.000000Z)\n\n# Hello");
  });

  it("has reasoning as a quote", () => {
    expect(messageAsMarkdown(message({ role: "assistant", reasoning: "first\nthen", content: null }))).toContain("> *Reasoning*\n> \n> first\n> then");
  });

  it("has each call with what it printed, free of colours", () => {
    const text = messageAsMarkdown(message({ role: "assistant", content: "" }), [
      call("terminal", { command: "make" }, result('{"output":"\\u001b[32mok\\u001b[0m","exit_code":0}')),
      call("search_files", { pattern: "x" }, result('{"error":"gone"}', { isError: true })),
    ]);
    expect(text).toContain("**Tool: terminal**\n\n```sh\nmake\n```\n\nResult:\n\n```\nok\n```");
    expect(text).toContain('```json\n{\n  "pattern": "x"\n}\n```\n\nResult (failed):\n\n```\ngone\n```');
  });

  it("writes calls also where their results are not at hand", () => {
    expect(messageAsMarkdown(message({ content: "", toolCalls: [{ id: "c", name: "terminal", argumentsText: '{"command":"ls"}', result: null }] }))).toContain("```sh\nls\n```");
  });

  it("says where it is cut", () => {
    expect(messageAsMarkdown(message({ contentTruncated: true }))).toContain("*(cut here)*");
  });

  it("opens a fence that nothing in the text closes", () => {
    expect(fenced("a ```` b\n```\n")).toBe("`````\na ```` b\n```\n`````");
  });
});
