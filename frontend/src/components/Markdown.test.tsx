import { render, screen } from "@testing-library/react";
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

  it("survives deep nesting", () => {
    const error = vi.spyOn(console, "error");
    expect(show(`${"> ".repeat(400)}deep`).textContent).toContain("deep");
    expect(error).not.toHaveBeenCalled();
  });

  it("keeps bidirectional and zero-width characters as text", () => {
    expect(show("a\u202Eb\u200Bc").textContent).toBe("a\u202Eb\u200Bc");
  });
});
