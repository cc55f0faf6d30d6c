"""A person without a mouse: finds, reads, changes, takes back and goes about, by the keys alone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.conftest import Server
from tests.browser.content_store import calls, write_tools
from tests.browser.dashboard import conversations, feed, grid, open_palette, opened, press, reader, selection, told
from tests.browser.feed import Feed
from tests.builders import StoreBuilder, T, store_path

NOTES = 4


@pytest.fixture(scope="module", autouse=True)
def desk(server: Server) -> None:
    """A profile of its own: one conversation with tools, a long stretch, and a call that failed; and short notes."""
    with StoreBuilder(store_path(server.home, "desk")) as store:
        write_tools(store)
        for number in range(60):
            store.message("tools", "assistant" if number % 2 else "user", f"Mile {number} of the ferry")
        (call,) = calls(("terminal", {"command": "ls harbour"}))
        store.message("tools", "assistant", "Looking at the harbour.", tool_calls=[{**call, "id": "last"}])
        failed = {"output": "no such folder", "exit_code": 2, "error": "no such folder"}
        store.message("tools", "tool", json.dumps(failed), tool_call_id="last", tool_name="terminal")
        for number in range(NOTES):
            store.session(f"note{number}", start=T - 60 * (number + 1), title=f"Note {number}")
            store.message(f"note{number}", at=T - 60 * (number + 1))


def cursor(region: Locator) -> Locator:
    """The row where the keys of a region stand."""
    return region.locator("[data-cursor]")


def archived(server: Server) -> set[str]:
    with StoreBuilder(store_path(server.home, "desk")) as store:
        return {row[0] for row in store.sql("SELECT id FROM sessions WHERE archived = 1")}


def test_a_day_without_a_mouse(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/?in=desk")
    expect(conversations(page)).to_have_count(NOTES + 1)
    press(page, "Tab")
    expect(page.get_by_role("link", name="Skip to the list")).to_be_focused()
    press(page, "Enter")
    expect(grid(page)).to_be_focused()

    press(page, "j", "j")
    expect(cursor(grid(page))).to_contain_text("Note 1")
    press(page, "k", "k")
    expect(cursor(grid(page))).to_contain_text("Tools")
    press(page, "Enter")
    expect(reader(page).get_by_role("heading", level=2, name="Tools")).to_be_visible()
    expect(feed(page)).to_be_focused()

    press(page, "n")
    expect(cursor(feed(page))).to_contain_text("Mile 0 of the ferry")
    press(page, "j")
    expect(cursor(feed(page))).to_contain_text("Mile 1 of the ferry")
    press(page, "/")
    field = page.get_by_role("textbox", name="Find in the transcript")
    expect(field).to_be_focused()
    page.keyboard.type("Mile 40")
    expect(page.get_by_role("status").filter(has_text="1 of 1")).to_be_visible()
    expect(feed(page).get_by_text("Mile 40 of the ferry")).to_be_in_viewport()
    press(page, "Escape")
    expect(feed(page)).to_be_focused()

    press(page, "!")
    failed = feed(page).get_by_role("article").filter(has_text="Looking at the harbour.")
    expect(failed.get_by_text("exit 2")).to_be_in_viewport()
    Feed(page).press("Home", "j", "o")
    expect(feed(page).get_by_text("exit 1")).to_be_visible()
    press(page, "o")
    expect(feed(page).get_by_text("exit 1")).to_be_hidden()

    press(page, "Escape")
    expect(grid(page)).to_be_focused()
    expect(page).to_have_url(re.compile(r"/\?in=desk$"))
    expect(cursor(grid(page))).to_contain_text("Tools")
    press(page, "j", "x", "Shift+J", "Shift+J")
    expect(selection(page)).to_contain_text("3 selected")
    press(page, "e")
    expect(told(page, "Archived 3 conversations")).to_be_visible()
    expect(conversations(page)).to_have_count(NOTES + 1 - 3)
    assert archived(server) == {"note0", "note1", "note2"}
    expect(grid(page)).to_be_focused()
    press(page, "z")
    expect(told(page, re.compile("^Undone"))).to_be_visible()
    expect(conversations(page)).to_have_count(NOTES + 1)
    assert archived(server) == set()

    open_palette(page)
    page.keyboard.type("go usage")
    press(page, "Enter")
    expect(page.get_by_role("heading", level=2, name="Usage")).to_be_visible()
    open_palette(page)
    page.keyboard.type("go conversations")
    press(page, "Enter")
    expect(conversations(page)).to_have_count(NOTES + 1)
    expect(page).to_have_url(re.compile(r"/\?in=desk$"))
