"""axe finds nothing serious on any view, in both themes and at three widths."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import TOKEN, Server

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# GraphiQL's own markup: buttons inside its tabs, and labels of its history. No property of it changes that.
OF_GRAPHIQL = {"nested-interactive", "label-content-name-mismatch"}


def findings(page: Page) -> dict[str, str]:
    """Serious and critical violations: rule -> the first element that breaks it."""
    page.evaluate(AXE.read_text())
    violations = page.evaluate("axe.run(document).then((result) => result.violations)")
    return {
        each["id"]: each["nodes"][0]["html"][:300] for each in violations if each["impact"] in ("serious", "critical")
    }


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("width", [320, 720, 1440])
def test_the_dashboard(browser: Browser, server: Server, theme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.link())
    row = page.get_by_role("grid", name="Conversations").get_by_role("row", name=re.compile("msg")).first
    expect(row).to_be_visible()
    assert findings(page) == {}
    row.click()
    expect(page.get_by_role("feed", name="Transcript").get_by_role("article").first).to_be_visible()
    assert findings(page) == {}
    page.keyboard.press("i")
    expect(page.get_by_role("tree", name="Lineage")).to_be_visible()
    assert findings(page) == {}
    context.close()


@pytest.mark.parametrize("width", [320, 720, 1440])
def test_the_search(browser: Browser, server: Server, theme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.link("/?find=train"))
    expect(page.get_by_role("grid", name="Search results").get_by_role("row").first).to_be_visible()
    assert findings(page) == {}
    page.get_by_role("searchbox", name="Search all messages").fill("zebra crossing without a hit")
    expect(page.get_by_text("Nothing found for")).to_be_visible()
    assert findings(page) == {}
    page.get_by_role("searchbox", name="Search all messages").fill("")
    expect(page.get_by_text("Find words in every message")).to_be_visible()
    assert findings(page) == {}
    context.close()


def test_graphiql(browser: Browser, server: Server, theme: str) -> None:
    context = browser.new_context(color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.origin}/graphiql#token={TOKEN}")
    expect(page.locator(".graphiql-query-editor .view-lines")).to_be_visible(timeout=30_000)
    assert {rule: html for rule, html in findings(page).items() if rule not in OF_GRAPHIQL} == {}
    context.close()
