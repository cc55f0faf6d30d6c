import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Line, textOf } from "../spans";
import { highlight } from "./grammars";
import { Highlighter, MOST, type Tokenizer } from "./highlighter";
import { languageOf, languageOfPath } from "./languages";
import type { Job } from "./worker";

/** A worker that answers by hand. */
class HandWorker implements Tokenizer {
  static all: HandWorker[] = [];
  jobs: Job[] = [];
  isEnded = false;
  answer: (lines: Line[]) => void = () => {};
  constructor() {
    HandWorker.all.push(this);
  }
  run(job: Job, tell: (id: number, lines: Line[] | null) => void) {
    this.jobs.push(job);
    this.answer = (lines) => tell(job.id, lines);
  }
  terminate() {
    this.isEnded = true;
  }
}

describe("the grammars", () => {
  it("find the tokens of a code by line and lose no character", () => {
    const code = 'def due(items):\n    """Two\n    lines."""\n    return 1 + "<script>"  # why\n';
    const lines = highlight("python", code);
    expect(lines.map(textOf).join("\n")).toBe(code);
    expect(lines[0]).toContainEqual({ text: "def", look: "keyword" });
    expect(lines[2]?.[0]?.look).toBe("string");
    expect(lines[3]?.find(({ text }) => text.includes("<script>"))?.look).toBe("string");
  });

  it.each(["bash", "json", "typescript", "yaml", "sql", "xml", "rust", "go", "diff", "markdown"])("of %s keep hostile text as it is", (language) => {
    const code = '<img src=x onerror=alert(1)>\u202E\u0000 ${"`'.repeat(20);
    expect(highlight(language, code).map(textOf).join("\n")).toBe(code);
  });
});

describe("names of languages", () => {
  it("are told by fences and by the ends of files", () => {
    expect([languageOf("PY"), languageOf("sh"), languageOf("brainfuck"), languageOf("__proto__")]).toEqual(["python", "bash", null, null]);
    expect([languageOfPath("/a/b.test.ts"), languageOfPath("Dockerfile"), languageOfPath("notes"), languageOfPath("")]).toEqual(["typescript", "dockerfile", "", ""]);
  });
});

describe("the highlighter", () => {
  beforeEach(() => {
    HandWorker.all = [];
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  it("asks once for the same code and knows it afterwards", async () => {
    const highlighter = new Highlighter(() => new HandWorker());
    const both = Promise.all([highlighter.highlight("python", "a"), highlighter.highlight("python", "a")]);
    HandWorker.all[0]?.answer([[{ text: "a" }]]);
    expect(await both).toEqual([[[{ text: "a" }]], [[{ text: "a" }]]]);
    expect(HandWorker.all[0]?.jobs).toHaveLength(1);
    expect(highlighter.known("python", "a")).toEqual([[{ text: "a" }]]);
  });

  it("ends a worker that takes too long, leaves that code plain, and goes on with the next", async () => {
    const highlighter = new Highlighter(() => new HandWorker());
    const hard = highlighter.highlight("python", "hard");
    const easy = highlighter.highlight("python", "easy");
    vi.advanceTimersByTime(7_000);
    expect(await hard).toBeNull();
    expect(HandWorker.all[0]?.isEnded).toBe(true);
    HandWorker.all[1]?.answer([[{ text: "easy" }]]);
    expect(await easy).toEqual([[{ text: "easy" }]]);
  });

  it("leaves a code of more than 100 kB plain without asking", async () => {
    const highlighter = new Highlighter(() => new HandWorker());
    expect(await highlighter.highlight("python", "x".repeat(MOST + 1))).toBeNull();
    expect(HandWorker.all).toHaveLength(0);
  });

  it("leaves all plain where there are no workers", async () => {
    const highlighter = new Highlighter(() => {
      throw new ReferenceError("Worker is not defined");
    });
    expect(await highlighter.highlight("python", "a")).toBeNull();
  });
});
