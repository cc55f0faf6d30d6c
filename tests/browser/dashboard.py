"""The dashboard as a test sees it: its regions by their names, and what a person does in it all the time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import HEADERS, PATIENCE, Server

STORY = "Portugal by train #3"
A_LONG_WAIT = 180_000
"""Milliseconds, for what takes seconds on a quiet machine."""
TALL = {"width": 1440, "height": 8_000}
"""A window for a transcript of a hundred thousand pixels: it is looked at in few pieces."""


def ask(server: Server, query: str) -> dict[str, Any]:
    """The API's answer to the same server; errors fail the test."""
    timeout = PATIENCE / 1000
    answer = httpx.post(f"{server.origin}/graphql", json={"query": query}, headers=HEADERS, timeout=timeout).json()
    assert "errors" not in answer, answer["errors"]
    data: dict[str, Any] = answer["data"]
    return data


def read_once(server: Server) -> None:
    """A large store is read for the first time in longer than one request may take on a busy machine."""
    query = {"query": "{ conversations(first: 1) { totalCount } }"}
    deadline = time.monotonic() + A_LONG_WAIT / 1_000
    while "errors" in httpx.post(f"{server.origin}/graphql", json=query, headers=HEADERS, timeout=60).json():
        assert time.monotonic() < deadline


def story(server: Server) -> str:
    """The id of the conversation named STORY."""
    query = f'{{ conversations(profiles: ["default"], filter: {{text: "{STORY}"}}) {{ nodes {{ id }} }} }}'
    return str(ask(server, query)["conversations"]["nodes"][0]["id"])


def opened(context: BrowserContext, server: Server, path: str = "/") -> Page:
    page = context.new_page()
    page.goto(server.link(path))
    return page


def open_list(context: BrowserContext, server: Server, path: str) -> Page:
    page = opened(context, server, path)
    expect(conversations(page).first).to_be_visible()
    return page


def grid(page: Page) -> Locator:
    return page.get_by_role("grid", name="Conversations")


def rows(page: Page) -> Locator:
    """Also headings of groups."""
    return grid(page).get_by_role("row")


def conversations(page: Page) -> Locator:
    return grid(page).locator("[role=row][aria-rowindex]")


def ledger(page: Page) -> Locator:
    return page.get_by_label("What the list shows and hides")


def reader(page: Page) -> Locator:
    return page.get_by_role("region", name="Reader")


def feed(page: Page) -> Locator:
    return page.get_by_role("feed", name="Transcript")


def toast(page: Page, text: str | re.Pattern[str]) -> Locator:
    """With its buttons."""
    return page.get_by_role("status").filter(has_text=text)


def told(page: Page, text: str | re.Pattern[str]) -> Locator:
    """The words of a toast alone."""
    return page.get_by_role("status").get_by_text(text)


def selection(page: Page) -> Locator:
    """What can be done with what is selected."""
    return page.get_by_role("region", name="Selection")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def find(page: Page, text: str) -> Locator:
    """The first row of the list that has a text, once the list is filtered by it."""
    page.get_by_role("searchbox").fill(text)
    row = rows(page).filter(has_text=text).first
    expect(row).to_be_visible()
    return row


def open_story(page: Page) -> Locator:
    find(page, STORY).click()
    expect(reader(page).get_by_role("heading", name=STORY)).to_be_visible()
    return reader(page)


def open_palette(page: Page) -> Locator:
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search and run anything")
    expect(field).to_be_focused()
    return field


def unfold_all(page: Page, look: Callable[[], object] = lambda: None) -> None:
    """Unfold from the top to the end, and look at each piece of it: what is out of sight is not mounted."""
    transcript = feed(page)
    folded = transcript.locator("button[aria-expanded=false]:not([aria-haspopup])")
    for _ in range(80):
        if folded.evaluate_all("buttons => { buttons.forEach((button) => button.click()); return buttons.length; }"):
            continue
        look()
        before = transcript.evaluate("feed => [feed.scrollTop, feed.scrollTop += feed.clientHeight - 80]")
        page.wait_for_timeout(150)
        if before[0] == transcript.evaluate("feed => feed.scrollTop") and not folded.count():
            return
    raise AssertionError("The transcript goes on after 80 steps.")
