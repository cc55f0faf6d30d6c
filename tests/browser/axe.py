"""axe in a page: which of its rules the page breaks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SETTLE = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
"""A new theme is painted after a frame. Contexts ask for reduced motion: no colour is measured half way to another."""
RUN = """(rules) => axe.run(document, {
  resultTypes: ["violations"],
  ...(rules && { runOnly: { type: "rule", values: rules } }),
}).then((result) => result.violations)"""
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose answer may change with the theme alone."""


def findings(page: Page, rules: Sequence[str] | None = None) -> dict[str, str]:
    """Violations of all rules, or of some: rule -> the first element that breaks it."""
    page.evaluate(SETTLE)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    return {each["id"]: each["nodes"][0]["html"][:300] for each in page.evaluate(RUN, rules)}


def sticking_out(page: Page) -> list[str]:
    """Regions and dialogs whose content is wider than they are, where it could not be scrolled to."""
    found: list[str] = page.evaluate("""() =>
        [...document.querySelectorAll("main, section, aside, [role=region], [role=dialog]")]
          .filter((each) => each.checkVisibility() && !["auto", "scroll"].includes(getComputedStyle(each).overflowX))
          .filter((each) => each.scrollWidth > each.clientWidth || each.getBoundingClientRect().right > innerWidth)
          .map((each) => each.outerHTML.slice(0, 200))
    """)
    return found
