import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Markdown } from "./Markdown";

const show = (text: string) => render(<Markdown text={text} />).container;

describe("markdown", () => {
  it("renders headings, lists, tables, emphasis and code", () => {
    const page = show("# Plan\n\n- [x] **done**\n- _open_\n\n| a | b |\n|---|--:|\n| 1 | `2` |\n\n```python\nprint(1)\n```");
    expect(screen.getByRole("heading", { name: "Plan" })).toBeTruthy();
    expect(page.querySelectorAll("li")).toHaveLength(2);
    expect(page.querySelector("td[data-align=right] code")?.textContent).toBe("2");
    expect(page.querySelector("pre")?.textContent).toBe("print(1)");
    expect(page.querySelector("figcaption")?.textContent).toContain("python");
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onmouseover=alert(1)>bold</b>",
    "<svg onload=alert(1)><animate/></svg>",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  ])("shows %s as the text that it is", (markup) => {
    const page = show(markup);
    expect(page.querySelector("script, img, svg:not([aria-hidden]), style, iframe, b")).toBeNull();
    expect(page.textContent).toContain(markup);
  });

  it.each(["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>1</script>", "vbscript:x", "file:///etc/passwd", "//evil.test", "/graphiql", "java\tscript:alert(1)"])(
    "makes no link of %s",
    (address) => {
      expect(show(`[here](<${address}>)`).querySelector("a")).toBeNull();
    },
  );

  it("opens links elsewhere without telling where they were followed from", () => {
    show("[docs](https://example.org/a?b=c) and me@example.org");
    const [link, mail] = screen.getAllByRole("link");
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link?.getAttribute("href")).toBe("https://example.org/a?b=c");
    expect(mail?.getAttribute("href")).toBe("mailto:me@example.org");
  });

  it("loads no picture from elsewhere: it is a link", () => {
    const page = show("![chart](https://evil.test/pixel.png)");
    expect(page.querySelector("img")).toBeNull();
    expect(screen.getByRole("link", { name: "chart" })).toBeTruthy();
  });

  it("makes neither picture nor link of an SVG", () => {
    const page = show("![x](data:image/svg+xml;base64,PHN2Zz4=)");
    expect(page.querySelector("img, a, button")).toBeNull();
  });

  it.each([
    ["quotes", `${"> ".repeat(10_000)}deep`],
    ["lists", `${"- ".repeat(10_000)}deep`],
    ["numbered lists", `${"1. ".repeat(10_000)}deep`],
    ["quotes in lists", `${"> - ".repeat(5_000)}deep`],
    ["bold text", `${"**a ".repeat(5_000)}deep${" b**".repeat(5_000)}`],
    ["links", `${"[".repeat(5_000)}deep${"](b)".repeat(5_000)}`],
    ["stars", `${"*".repeat(32_000)}deep**`],
    ["tags", `${"<b>".repeat(10_000)}deep`],
    ["quotes just below the limit", `${"> ".repeat(24)}deep`],
  ])("survives %s nested 10,000 deep", (_name, text) => {
    const error = vi.spyOn(console, "error");
    expect(show(text).textContent).toContain("deep");
    expect(error).not.toHaveBeenCalled();
  });

  it("keeps the marks of ordinary text, however long", () => {
    const page = show(Array.from({ length: 400 }, () => "**bold** and *soft* and `a_b_c`").join("\n\n"));
    expect(page.querySelectorAll("strong")).toHaveLength(400);
  });

  it("shows characters that turn the order of a text around, and lets others be", () => {
    const page = show("safe\u202Egpj.exe \u05D0\u200D\u200Bc `x\u200By`");
    expect(page.querySelector("p")?.textContent).toBe("safeU+202Egpj.exe \u05D0\u200D\u200Bc xU+200By");
    expect(screen.getByTitle("right-to-left override (U+202E)")).toBeTruthy();
  });

  it("shows half of a surrogate pair", () => {
    expect(show("half \uD83D of a face").textContent).toContain("half");
  });

  it("copies a code as it is, also what is not seen", async () => {
    const user = userEvent.setup();
    show("```python\nx\u202E = 1\n```");
    await user.click(screen.getByRole("button", { name: "Copy the code" }));
    expect(await navigator.clipboard.readText()).toBe("x\u202E = 1");
  });

  it("shows long code head and tail, and the rest on a click", async () => {
    const user = userEvent.setup();
    const page = show(`\`\`\`\n${Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n")}\n\`\`\``);
    expect(page.textContent).not.toContain("line 50");
    expect(page.textContent).toContain("line 99");
    await user.click(screen.getByRole("button", { name: "70 more lines" }));
    expect(page.textContent).toContain("line 50");
  });
});
