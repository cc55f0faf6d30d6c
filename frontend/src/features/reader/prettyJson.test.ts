import { describe, expect, it } from "vitest";
import { prettyJson, writeJson } from "./prettyJson";

describe("JSON in lines", () => {
  it("is set as people expect", () => {
    const value = { a: [1, { b: [] }], c: {}, "d:,": "x{[\"}" };
    expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it("keeps long numbers, doubled keys and hostile names", () => {
    expect(prettyJson('{"id":12345678901234567890,"id":1.0,"__proto__":{"x":1}}')).toBe('{\n  "id": 12345678901234567890,\n  "id": 1.0,\n  "__proto__": {\n    "x": 1\n  }\n}');
  });

  it.each(["", "text", '"text"', "{", "[1,", '{"a', "{}}"])("is not made of %j", (text) => {
    expect(prettyJson(text)).toBeNull();
  });

  it("nested 10,000 deep takes no more room than its lines", () => {
    const text = prettyJson("[1,".repeat(10_000) + "1" + "]".repeat(10_000));
    expect(text?.length).toBeLessThan(4_000_000);
  });

  it("is written of a parsed value", () => {
    expect(writeJson({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(writeJson(undefined)).toBeNull();
  });
});
