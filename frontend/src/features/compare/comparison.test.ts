import { describe, expect, it, vi } from "vitest";
import { Comparison, FIRST_PAGE, type Message, type Source } from "./comparison";

let nextId = 0;
function message(content: string, change: Partial<Message> = {}): Message {
  nextId += 1;
  const own = { nodeId: `m${nextId}`, id: String(nextId), role: "user", content, contentBytes: content.length, toolCalls: [], state: "LIVE", timestamp: null };
  return { ...own, contentTruncated: false, isSummary: false, toolName: null, ...change } as unknown as Message;
}

/** The messages of one session after another, and the pages that were asked for. */
function sourceOf(...sessions: Message[][]): Source & { asked: string[] } {
  const asked: string[] = [];
  const load: Source["load"] = (session, after, size) => {
    const all = sessions[Number(session)] ?? [];
    const start = Number(after ?? 0);
    asked.push(`${session}:${start}+${size}`);
    const next = start + size < all.length ? String(start + size) : null;
    return Promise.resolve({ messages: all.slice(start, start + size), next, total: all.length });
  };
  return { sessions: sessions.map((_, index) => String(index)), maxPageSize: 200, load, asked };
}

const texts = (count: number, word = "text", change: Partial<Message> = {}) => Array.from({ length: count }, (_, index) => message(`${word} ${index}`, change));
const aLongOne = () => message("x", { contentTruncated: true, contentBytes: 99_999 });

async function compare(left: Source, right: Source, compareWhole = () => Promise.resolve(true)) {
  const comparison = new Comparison(left, right, compareWhole);
  comparison.subscribe(() => {});
  await vi.waitFor(() => expect(comparison.getState().isLoading).toBe(false));
  return comparison;
}

describe("a comparison", () => {
  it("finds the first difference", async () => {
    const { phase, shared, from } = (await compare(sourceOf([...texts(7), message("left")]), sourceOf([...texts(7), message("right")]))).getState();
    expect({ phase, shared, from }).toEqual({ phase: "apart", shared: 7, from: { left: 7, right: 7 } });
  });

  it("reads no further than it has to", async () => {
    const left = sourceOf([...texts(5), ...texts(5_000, "left")]);
    await compare(left, sourceOf([...texts(5), ...texts(5_000, "right")]));
    expect(left.asked).toEqual([`0:0+${FIRST_PAGE}`]);
  });

  it("goes over long beginnings page by page", async () => {
    const { shared, phase } = (await compare(sourceOf(texts(1_000)), sourceOf([...texts(1_000), message("more")]))).getState();
    expect([shared, phase]).toEqual([1_000, "apart"]);
  });

  it("says when there is no difference at all", async () => {
    expect((await compare(sourceOf(texts(3)), sourceOf(texts(3)))).getState()).toMatchObject({ phase: "same", shared: 3 });
  });

  it("looks at roles and tool calls, not at texts alone", async () => {
    const call = (argumentsText: string) => message("", { role: "assistant", toolCalls: [{ id: "c", name: "search", argumentsText }] } as Partial<Message>);
    expect((await compare(sourceOf([message("a")]), sourceOf([message("a", { role: "system" })]))).getState().shared).toBe(0);
    expect((await compare(sourceOf([call("{1}")]), sourceOf([call("{2}")]))).getState().shared).toBe(0);
    expect((await compare(sourceOf([call("{1}")]), sourceOf([call("{1}")]))).getState().shared).toBe(1);
  });

  it("reads two long messages whole before it calls them the same", async () => {
    expect((await compare(sourceOf([aLongOne()]), sourceOf([aLongOne()]), () => Promise.resolve(false))).getState()).toMatchObject({ phase: "apart", shared: 0 });
  });

  it("goes from segment to segment, and counts carried copies once", async () => {
    const carried = message("b", { timestamp: "t1" });
    const left = sourceOf([message("a", { timestamp: "t0" }), carried], [{ ...carried, nodeId: "copy" }, message("c", { timestamp: "t2" })]);
    const { shared, left: side } = (await compare(left, sourceOf([message("a"), message("b"), message("c"), message("d")]))).getState();
    expect(shared).toBe(3);
    expect(side.messages.map(({ content }) => content)).toEqual(["a", "b", "c"]);
  });

  it("passes over what was compacted before the branch began", async () => {
    const old = texts(4, "old", { state: "COMPACTED" });
    const { shared, skipped, from } = (await compare(sourceOf([...old, message("summary"), message("x")]), sourceOf([message("summary"), message("y")]))).getState();
    expect({ shared, skipped, from }).toEqual({ shared: 1, skipped: { left: 4, right: 0 }, from: { left: 5, right: 1 } });
  });

  it("keeps what was compacted after the branch began as part of the beginning", async () => {
    const old = texts(4, "old", { state: "COMPACTED" });
    const { shared, skipped, from } = (await compare(sourceOf([...old, message("summary")]), sourceOf([...texts(2, "old"), message("y")]))).getState();
    expect({ shared, skipped, from }).toEqual({ shared: 2, skipped: { left: 0, right: 0 }, from: { left: 2, right: 2 } });
  });

  it("goes on loading from where the two part", async () => {
    const comparison = await compare(sourceOf(texts(500, "left")), sourceOf(texts(3, "right")));
    comparison.loadMore("left");
    await vi.waitFor(() => expect(comparison.getState().left.messages).toHaveLength(260));
    expect(comparison.getState().right.isComplete).toBe(true);
  });

  it("tells a failure, and goes on after it", async () => {
    const left = sourceOf(texts(3));
    const { load } = left;
    left.load = () => Promise.reject(new Error("locked"));
    const comparison = await compare(left, sourceOf(texts(3)));
    expect(comparison.getState().error).toEqual(new Error("locked"));
    left.load = load;
    comparison.retry();
    await vi.waitFor(() => expect(comparison.getState().phase).toBe("same"));
    expect(comparison.getState().error).toBeNull();
  });
});
