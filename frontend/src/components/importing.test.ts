import { describe, expect, it } from "vitest";
import { countsOf, refuseFile, refuseText, requestBytes } from "./importing";

describe("a file to import", () => {
  it.each(["a.json", "a.JSONL", "b.ndjson"])("may be called %s", (name) => {
    expect(refuseFile({ name, size: 1 })).toBeNull();
  });

  it("is refused by its name, and when it is empty", () => {
    expect(refuseFile({ name: "cat.png", size: 9 })).toBe("“cat.png” is no export that could be imported. Choose a .json or .jsonl file.");
    expect(refuseFile({ name: "a.json", size: 0 })).toBe("“a.json” is empty.");
  });

  it("is refused when it holds no JSON", () => {
    expect(refuseText("a.json", "\uFEFF \n{}")).toBeNull();
    expect(refuseText("a.json", "[]")).toBeNull();
    expect(refuseText("a.json", "# Title")).toContain("holds no JSON");
  });

  it("grows in a request by what JSON spells otherwise", () => {
    expect(requestBytes('{"a":"ä"}\n')).toBe('"{\\"a\\":\\"ä\\"}\\n"'.length + 1);
  });

  it("is counted in words", () => {
    expect(countsOf({ sessionCount: 1, messageCount: 2, usageRowCount: 0 })).toBe("1 session, 2 messages");
    expect(countsOf({ sessionCount: 2, messageCount: 1, usageRowCount: 3 })).toBe("2 sessions, 1 message, 3 rows of usage");
  });
});
