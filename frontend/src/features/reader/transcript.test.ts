import { describe, expect, it } from "vitest";
import { aMessage, aSession } from "../../test/builders";
import { callsAnsweredBy, findItem, type Item, promptBefore, shows, toItems } from "./transcript";

type Edges = Parameters<typeof toItems>[0];
const edge = (node: object, seam: object | null = null) => ({ cursor: "c", node, seam });
const items = (...edges: object[]): Item[] => toItems(edges as unknown as Edges);

const call = (id: string, answer: string | null) => ({
  id,
  name: "terminal",
  argumentsText: `{"command":"ls ${id}"}`,
  result: answer === null ? null : { nodeId: `message:default:${answer}` },
});
const shape = (all: Item[]) => all.map((item) => (item.type === "seam" ? `seam ${item.seam.kind}` : item.message.id));

const assistant = (id: string) => aMessage(id, { role: "assistant" });
const isPrompt = (item: Item) => item.type === "message" && item.isPrompt;

describe("a transcript", () => {
  it("shows a result with its call, not again as a message", () => {
    const all = items(
      edge(aMessage("1")),
      edge(aMessage("2", { role: "assistant", toolCalls: [call("c1", "3"), call("c2", "4")] })),
      edge(aMessage("3", { role: "tool" })),
      edge(aMessage("4", { role: "tool" })),
      edge(aMessage("5", { role: "assistant" })),
    );
    expect(shape(all)).toEqual(["1", "2", "5"]);
    const calls = all[1]?.type === "message" ? all[1].calls : [];
    expect(calls.map(({ result }) => result?.id)).toEqual(["3", "4"]);
  });

  it("shows a message that is a result where its call is", () => {
    const all = items(edge(aMessage("1")), edge(aMessage("2", { role: "assistant", toolCalls: [call("c1", "3"), call("c2", "4")] })), edge(aMessage("3", { role: "tool" })), edge(aMessage("4", { role: "tool" })));
    expect(all.map((item) => shows(item, "4"))).toEqual([false, true]);
    expect(callsAnsweredBy(all, "4")).toEqual(["message:default:2 c2"]);
    expect(callsAnsweredBy(all, null)).toEqual([]);
  });

  it("shows a result whose call is not there as a message of its own", () => {
    expect(shape(items(edge(aMessage("3", { role: "tool", toolCallId: "gone" }))))).toEqual(["3"]);
  });

  it("keeps a call without a result", () => {
    const [item] = items(edge(aMessage("2", { role: "assistant", toolCalls: [call("c1", null)] })));
    expect(item).toMatchObject({ calls: [{ name: "terminal", result: null, resultId: null }] });
  });

  it("remembers a result that stands on another page", () => {
    const [item] = items(edge(aMessage("2", { role: "assistant", toolCalls: [call("c1", "99")] })));
    expect(item).toMatchObject({ calls: [{ result: null, resultId: "message:default:99" }] });
  });

  it("puts a seam before the message that opens the segment", () => {
    const seam = { kind: "CONTINUATION", at: null, fromSession: aSession("d1"), toSession: aSession("d2") };
    expect(shape(items(edge(aMessage("1")), edge(aMessage("2"), seam)))).toEqual(["1", "seam CONTINUATION", "2"]);
  });

  it("keeps the seam of a message that is shown with its call", () => {
    const seam = { kind: "COMPACTION", at: null, fromSession: null, toSession: null };
    const all = items(edge(aMessage("2", { role: "assistant", toolCalls: [call("c1", "3")] })), edge(aMessage("3", { role: "tool" }), seam));
    expect(shape(all)).toEqual(["2", "seam COMPACTION"]);
  });

  it("names the assistant once for a run of messages, and again after a seam", () => {
    const seam = { kind: "CONTINUATION", at: null, fromSession: null, toSession: null };
    const all = items(edge(assistant("1")), edge(assistant("2")), edge(assistant("3"), seam));
    expect(all.flatMap((item) => (item.type === "message" ? [item.isSameVoice] : []))).toEqual([false, true, false]);
  });

  it("counts a summary as no prompt of the person", () => {
    const all = items(edge(aMessage("1", { isSummary: true })), edge(aMessage("2")), edge(aMessage("3", { role: "assistant" })));
    expect([promptBefore(all, 0), promptBefore(all, 2)]).toEqual([null, 1]);
  });

  it("finds the next prompt in both directions, and none past the ends", () => {
    const all = items(edge(aMessage("1")), edge(aMessage("2", { role: "assistant" })), edge(aMessage("3")));
    expect([findItem(all, 0, 1, isPrompt), findItem(all, 2, -1, isPrompt), findItem(all, 2, 1, isPrompt)]).toEqual([2, 0, null]);
  });
});
