import { describe, expect, it } from "vitest";
import { cutMiddle, withoutTerminalSequences } from "./longText";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

describe("long text", () => {
  it("stays whole when it is short", () => {
    expect(cutMiddle(lines(5), 3, 2)).toEqual({ head: lines(5), tail: "", hidden: 0 });
  });

  it("keeps its head and tail and counts what lies between", () => {
    const { head, tail, hidden } = cutMiddle(lines(100), 3, 2);
    expect(head).toBe("line 1\nline 2\nline 3");
    expect(tail).toBe("line 99\nline 100");
    expect(hidden).toBe(95);
  });

  it("loses colours, titles and cursor moves of a terminal, and nothing else", () => {
    expect(withoutTerminalSequences("\u001B[1;31mred\u001B[0m \u001B]0;title\u0007[1m plain")).toBe("red [1m plain");
  });
});
