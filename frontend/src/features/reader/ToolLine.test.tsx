import { cacheExchange, createClient, fetchExchange, Provider } from "urql";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { aConnection, aMessage, aSession } from "../../test/builders";
import { serve } from "../../test/server";
import { ToolLine } from "./ToolLine";
import type { Call, Message } from "./transcript";

vi.mock("../../lib/useView", async (original) => {
  const { toView } = await import("../../lib/view");
  return { ...(await original<object>()), useView: () => ({ view: toView({}, null), go: () => {} }) };
});

const caller = aMessage("1", { role: "assistant" }) as unknown as Message;

function show(name: string, args: unknown, content: unknown, change: object = {}) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const result = aMessage("2", { role: "tool", content: text, timestamp: "2026-03-01T10:00:09.000000Z", ...change }) as unknown as Message;
  const argumentsText = typeof args === "string" ? args : JSON.stringify(args);
  const call: Call = { key: "k", name, argumentsText, result, resultId: result.nodeId, answer: result };
  const client = createClient({ url: "http://localhost/graphql", exchanges: [cacheExchange, fetchExchange], preferGetMethod: false });
  const { container } = render(
    <Provider value={client}>
      <ToolLine call={call} caller={caller} isOpen onToggle={() => {}} />
    </Provider>,
  );
  return container;
}

const lines = (page: Element) => [...page.querySelectorAll(".line[data-change]")].map((line) => `${(line as HTMLElement).dataset.change} ${line.textContent?.trim()}`);

describe("an unfolded call of", () => {
  it("a shell shows the prompt, the exit code and what it printed in its colours", () => {
    const page = show("terminal", { command: "pytest -q", timeout: 60 }, { output: "\u001B[31m1 failed\u001B[0m\n10%\r100%", exit_code: 1, error: null, exit_code_meaning: "Tests failed" }, { isError: true });
    expect(page.querySelector(".command")?.textContent).toBe("pytest -q");
    expect(screen.getByText("exit 1")).toBeTruthy();
    expect(page.querySelector("[data-look=red]")?.textContent).toBe("1 failed");
    expect(screen.getByRole("group", { name: "Output of terminal" }).querySelector("pre")?.textContent).toBe("1 failed\n100%");
    expect(screen.getByText("Tests failed")).toBeTruthy();
    expect(page.textContent).not.toContain("exit_code");
  });

  it("a shell that could not run shows why", () => {
    show("terminal", { command: "x" }, { output: "", exit_code: -1, error: "Blocked: not approved" }, { isError: true });
    expect(within(screen.getByRole("group", { name: "Error" })).getByText("Blocked: not approved")).toBeTruthy();
  });

  it("executed code shows the code and what it printed", () => {
    const page = show("execute_code", { code: "print(1)" }, { status: "success", output: "1", tool_calls_made: 0, duration_seconds: 0.5 });
    expect(page.querySelector("figure pre")?.textContent).toBe("print(1)");
    expect(screen.getByRole("group", { name: "Output of execute_code" }).textContent).toContain("1");
  });

  it("a read file shows its lines by their numbers", () => {
    const page = show("read_file", { path: "larder/items.py", offset: 7 }, { content: "     7|class Item:\n     8|    name: str", total_lines: 40, file_size: 165 });
    expect([...page.querySelectorAll<HTMLElement>(".number")].map((number) => number.dataset.number)).toEqual(["7", "8"]);
    expect(page.querySelector("pre")?.textContent).toBe("class Item:\n    name: str");
    expect(page.querySelector("figcaption")?.textContent).toContain("larder/items.py40 lines · 165 B");
  });

  it("a file that is not there shows the names that are like it", () => {
    const page = show("read_file", { path: "itmes.py" }, { error: "File not found", similar_files: ["items.py"] }, { isError: true });
    expect(page.textContent).toContain("File not found");
    expect(page.textContent).toContain("items.py");
  });

  it("a written file shows what was written", () => {
    const page = show("write_file", { path: "a.yaml", content: "a: 1\nb: 2" }, { bytes_written: 9, dirs_created: true });
    expect(page.querySelector("pre")?.textContent).toBe("a: 1\nb: 2");
    expect(screen.getByText("9 B written")).toBeTruthy();
  });

  it("an edit shows the patch that was applied, with the words that changed", () => {
    const page = show("patch", { mode: "replace", path: "c.yaml", old_string: "id: a", new_string: "id: b" }, { success: true, diff: "--- a/c.yaml\n+++ b/c.yaml\n@@ -3 +3 @@\n-client id: heat\n+client id: heat-cellar\n", files_modified: ["c.yaml"] });
    expect(lines(page)).toEqual(["place @@ -3 +3 @@", "removed client id: heat", "added client id: heat-cellar"]);
    expect(page.querySelector("[data-look~=changed]")?.textContent).toBe("-cellar");
    expect([...page.querySelectorAll<HTMLElement>(".sign")].map((sign) => sign.dataset.sign)).toEqual([" ", "−", "+"]);
  });

  it("an edit that failed shows what was asked for, and why not", () => {
    const page = show("patch", { path: "a", old_string: "one\ntwo", new_string: "one\n2" }, { success: false, error: "Not found in the file" }, { isError: true });
    expect(lines(page)).toEqual(["removed two", "added 2"]);
    expect(page.textContent).toContain("Not found in the file");
  });

  it("a search shows hits by file, also in the dense form", () => {
    const page = show("search_files", { pattern: "due" }, { total_count: 3, matches: [{ path: "a.py", line: 4, content: "def due():" }, { path: "a.py", line: 9, content: "due()" }], matches_text: "b.py\n  12: overdue" });
    expect(screen.getAllByRole("heading").map((heading) => heading.textContent)).toEqual(["a.py2", "b.py"]);
    expect([...page.querySelectorAll("[data-look=hit]")]).toHaveLength(3);
    expect(page.textContent).toContain("3 hits · 2 files");
  });

  it("a search does not run a pattern that might never end", () => {
    const page = show("search_files", { pattern: "(a+)+$" }, { total_count: 1, matches: [{ path: "a", line: 1, content: `${"a".repeat(50)}b` }] });
    expect(page.querySelector("[data-look=hit]")).toBeNull();
  });

  it("a list of tasks shows the state of each", () => {
    show("todo", { todos: [] }, { todos: [{ id: "1", content: "Read", status: "completed" }, { id: "2", content: "Write", status: "in_progress" }, { id: "3", content: "Rest", status: "pending" }], summary: { total: 3 } });
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["Readdone", "Writein progress", "Restopen"]);
  });

  it("a web search shows links that lead only to the web", () => {
    show("web_search", { query: "x" }, { success: true, data: { web: [{ title: "Good", url: "https://example.org/a", description: "d" }, { title: "Bad", url: "javascript:alert(1)" }] } });
    const links = screen.getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("rel")])).toEqual([["Good", "noopener noreferrer"]]);
    expect(screen.getByText("Bad")).toBeTruthy();
  });

  it("a fetch shows the text of each page, or why there is none", () => {
    const page = show("web_extract", { urls: ["https://a.test/", "https://b.test/"] }, { results: [{ title: "A", content: "<b>text</b>", error: null }, { title: "", content: "", error: "timed out" }] });
    expect(page.textContent).toContain("<b>text</b>");
    expect(page.textContent).toContain("timed out");
    expect(page.querySelector("b, img, iframe")).toBeNull();
  });

  it("a delegation shows tasks with what came back, and leads to the sessions that it started", async () => {
    const children = aConnection([aSession("early", { startedAt: "2026-03-01T09:00:00.000000Z" }), aSession("sub", { startedAt: "2026-03-01T10:00:01.000000Z", displayTitle: "Find places" })]);
    serve({ session: () => ({ ...aSession("s1"), children }) });
    const page = show("delegate_task", { tasks: [{ goal: "Find **places**", context: "May" }] }, { results: [{ task_index: 0, status: "completed", summary: "1. Casa", duration_seconds: 61, model: "hermes-4" }] });
    expect(page.querySelector("strong")?.textContent).toBe("places");
    expect(page.textContent).toContain("completed · hermes-4");
    expect((await screen.findByRole("link", { name: "Find places" })).getAttribute("href")).toBe("/p/default/s/sub");
    expect(screen.queryByRole("link", { name: "Session early" })).toBeNull();
  });

  it("a memory shows what went and what came", () => {
    const page = show("memory", { target: "user", operations: [{ action: "replace", old_text: "tea", content: "coffee" }, { action: "remove", old_text: "milk" }] }, { success: true, target: "user", message: "Done." });
    expect(lines(page)).toEqual(["removed tea", "added coffee", "removed milk"]);
  });

  it("a search in sessions leads to them", () => {
    show("session_search", { query: "x" }, { success: true, results: [{ session_id: "20260201_1", summary: "About x" }], count: 1 });
    expect(screen.getByRole("link", { name: "20260201_1" }).getAttribute("href")).toBe("/p/default/s/20260201_1");
  });

  it("a tool that nobody knows shows its arguments and its answer in lines", () => {
    const page = show("mcp_house_set", '{"id":12345678901234567890}', { state: { on: true } });
    expect(page.textContent).toContain("12345678901234567890");
    expect(page.textContent).toContain('"on": true');
  });

  it.each([
    ["terminal", "{broken", "plain"],
    ["terminal", "[]", "[1]"],
    ["patch", { edits: 7, patch: null }, { diff: 7 }],
    ["todo", { todos: "no list" }, { todos: [1, null, {}] }],
    ["search_files", { pattern: null }, { matches: { a: 1 }, files: [1], counts: { a: "x" } }],
    ["web_search", { query: [] }, { data: { web: [{ url: 1 }, null] } }],
    ["read_file", { path: ["x"] }, { content: { a: 1 } }],
    ["memory", { operations: [null, 1] }, "null"],
    ["constructor", "null", "true"],
    ["__proto__", "{}", ""],
    ["terminal", '{"command":{"__proto__":1}}', '{"output":{"toString":1},"exit_code":"x"}'],
    ["other", "[".repeat(10_000), `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["\u202E<script>alert(1)</script>", '{"\u0000":"\uD800"}', "\u001B]8;;javascript:alert(1)\u0007x"],
  ])("%s with malformed %j and %j is still shown", (name, args, content) => {
    const page = show(name, args, content);
    expect(screen.getByRole("button", { name: "As stored" })).toBeTruthy();
    expect(page.querySelector("script, a[href^='javascript']")).toBeNull();
  });
});

describe("an answer of any size", () => {
  it("that is cut shows its beginning, its real end and its size", () => {
    const page = show("terminal", { command: "make" }, '{"output": "first\\nsec', { contentTruncated: true, contentBytes: 5_000_000, contentTail: 'ost\\nlast line", "exit_code": 2, "error": null}' });
    const printed = [...page.querySelectorAll("pre")].map((part) => part.textContent);
    expect(printed).toEqual(["first\nsec", "ost\nlast line"]);
    expect(screen.getByText("exit 2")).toBeTruthy();
    expect(screen.getByText("Cut here, of 5.0 MB")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Load more" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save the whole" })).toBeTruthy();
  });

  it("in one line of a megabyte is broken into pieces", () => {
    const page = show("terminal", { command: "x" }, { output: "y".repeat(1_000_000), exit_code: 0 });
    const pieces = [...page.querySelectorAll(".piece")];
    expect(pieces.length).toBeGreaterThan(200);
    expect(Math.max(...pieces.map((piece) => piece.textContent?.length ?? 0))).toBeLessThanOrEqual(4_000);
  });

  it("comes by a thousand lines with each click", async () => {
    const user = userEvent.setup();
    const page = show("terminal", { command: "x" }, { output: Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join("\n"), exit_code: 0 });
    expect(page.querySelectorAll("pre .line")).toHaveLength(30);
    await user.click(screen.getByRole("button", { name: "1,000 more lines of 4,970 hidden ones" }));
    expect(page.querySelectorAll("pre .line")).toHaveLength(1_030);
  });

  it("is there as stored", async () => {
    const user = userEvent.setup();
    const page = show("terminal", { command: "ls" }, { output: "a", exit_code: 0 });
    await user.click(screen.getByRole("button", { name: "As stored" }));
    expect(page.textContent).toContain('"exit_code": 0');
  });
});
