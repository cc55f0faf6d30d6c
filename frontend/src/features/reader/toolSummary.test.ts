import { describe, expect, it } from "vitest";
import { aMessage } from "../../test/builders";
import { argumentText, resultText, summarize } from "./toolSummary";
import type { Call, Message } from "./transcript";

const result = (content: string, timestamp = "2026-03-01T10:00:02.500000Z") => aMessage("3", { role: "tool", content, timestamp }) as unknown as Message;
const call = (name: string, argumentsText: string | null, answer: Message | null = null): Call => ({
  key: "k",
  name,
  argumentsText,
  result: answer,
  resultId: answer?.nodeId ?? null,
});
const state = (content: string) => summarize(call("terminal", "{}", result(content)), null).state;

describe("a tool call in one line", () => {
  it("says what was done to what", () => {
    expect(summarize(call("terminal", '{"command":"ls -l\\nwc"}'), null)).toMatchObject({ verb: "Ran", object: "ls -l" });
    expect(summarize(call("read_file", '{"offset":3,"path":"a.py"}'), null)).toMatchObject({ verb: "Read", object: "a.py" });
  });

  it("names an unknown tool by itself with its first argument", () => {
    expect(summarize(call("ha_set", '{"entity":{"id":1}}'), null)).toMatchObject({ verb: "ha_set", object: '{"id":1}' });
  });

  it("shows arguments that are no JSON as they are", () => {
    expect(summarize(call("terminal", "not json"), null).object).toBe("not json");
    expect(argumentText(call("terminal", "not json"))).toBe("not json");
  });

  it("tells how long it took from call to result", () => {
    expect(summarize(call("terminal", "{}", result("")), "2026-03-01T10:00:00.000000Z").milliseconds).toBe(2500);
  });

  it("tells no duration when the clock stepped back", () => {
    expect(summarize(call("terminal", "{}", result("")), "2026-03-01T11:00:00.000000Z").milliseconds).toBeNull();
  });

  it.each(['{"exit_code":1,"output":""}', '{"error":"gone"}', '{"success":false}', "Error: no such file"])("counts %s as failed", (content) => {
    expect(state(content)).toBe("failed");
  });

  it.each(['{"exit_code":0,"error":null,"output":"Error in text"}', '{"error":""}', "fine", "[1]", ""])("counts %j as ok", (content) => {
    expect(state(content)).toBe("ok");
  });

  it("does not guess the state of an answer whose end is not there", () => {
    const cut = { ...result('{"output":"'), contentTruncated: true };
    expect(summarize(call("terminal", "{}", cut), null).state).toBe("unknown");
  });

  it("says when nothing answered", () => {
    expect(summarize(call("terminal", "{}"), null).state).toBe("unanswered");
  });
});

describe("a result", () => {
  it("of a shell is what it printed", () => {
    expect(resultText('{"output":"a\\nb","exit_code":0,"error":null}')).toBe("a\nb");
  });

  it("keeps fields that it does not know", () => {
    expect(resultText('{"output":"a","matches":3}')).toBe('{\n  "output": "a",\n  "matches": 3\n}');
  });

  it("that was cut is read as far as it goes", () => {
    expect(resultText(String.raw`{"output": "red\nblue\u00`, true)).toBe("red\nblue");
    expect(resultText("plain text, cut he", true)).toBe("plain text, cut he");
  });

  it("that is no JSON stays as it is", () => {
    expect(resultText("{broken")).toBe("{broken");
  });
});
