import { describe, expect, it } from "vitest";
import { summarize } from "./toolSummary";
import type { Call } from "./transcript";

const call = (name: string, argumentsText: string | null, answer: Call["answer"] = null): Call => ({ key: "k", name, argumentsText, result: null, resultId: null, answer });
const answered = (change: object = {}) => call("terminal", "{}", { isError: false, contentBytes: 20, timestamp: "2026-03-01T10:00:02.500000Z", ...change });
const line = (name: string, args: object) => {
  const { verb, object } = summarize(call(name, JSON.stringify(args)), null);
  return `${verb} ${object}`;
};

describe("a tool call in one line", () => {
  it.each([
    ["terminal", { command: "ls -l\nwc" }, "Ran ls -l"],
    ["read_file", { offset: 3, path: "a.py" }, "Read a.py"],
    ["web_extract", { urls: ["https://a.test", "https://b.test"] }, "Fetched https://a.test, https://b.test"],
    ["todo", { todos: [{}, {}] }, "Updated the list 2 tasks"],
    ["delegate_task", { tasks: [{ goal: "x" }] }, "Delegated 1 task"],
    ["patch", { mode: "patch", patch: "*** Begin Patch\n*** Update File: a.py\n*** Add File: b.py\n" }, "Edited a.py, b.py"],
    ["memory", { action: "add", target: "user", content: "Likes tea" }, "Remembered Likes tea"],
    ["search_files", { path: ".", pattern: "due" }, "Searched files for due"],
    ["ha_set", { entity: { id: 1 } }, "ha_set 1 field"],
    ["constructor", { toString: "x" }, "constructor x"],
  ])("of %s with %j reads well", (name, args, text) => {
    expect(line(name, args)).toBe(text);
  });

  it("shows arguments that are no JSON as they are", () => {
    expect(summarize(call("terminal", "not json"), null).object).toBe("not json");
  });

  it("takes from the server whether it failed", () => {
    expect(summarize(answered({ isError: true }), null).state).toBe("failed");
    expect(summarize(answered(), null).state).toBe("ok");
    expect(summarize(call("terminal", "{}"), null).state).toBe("unanswered");
  });

  it("tells how long it took from call to result, unless the clock stepped back", () => {
    expect(summarize(answered(), "2026-03-01T10:00:00.000000Z").milliseconds).toBe(2500);
    expect(summarize(answered(), "2026-03-01T11:00:00.000000Z").milliseconds).toBeNull();
  });
});
