"""axe in a page: which of its rules the page breaks."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RUN = "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)"


def findings(page: Page) -> dict[str, str]:
    """Serious and critical violations: rule -> the first element that breaks it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    return {
        each["id"]: each["nodes"][0]["html"][:300]
        for each in page.evaluate(RUN)
        if each["impact"] in ("serious", "critical")
    }


def sticking_out(page: Page) -> list[str]:
    """Regions and dialogs whose content is wider than they are, where it could not be scrolled to."""
    found: list[str] = page.evaluate("""() =>
        [...document.querySelectorAll("main, section, aside, [role=region], [role=dialog]")]
          .filter((each) => each.checkVisibility() && !["auto", "scroll"].includes(getComputedStyle(each).overflowX))
          .filter((each) => each.scrollWidth > each.clientWidth || each.getBoundingClientRect().right > innerWidth)
          .map((each) => each.outerHTML.slice(0, 200))
    """)
    return found
