"""What messages hold, in a real browser: hostile text in every column does nothing, tools unfold by their kind."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.content_store import write_hostile, write_tools
from tests.browser.dashboard import TALL, unfold_all
from tests.builders import StoreBuilder


@pytest.fixture(scope="module", autouse=True)
def stories(server: Server) -> None:
    with StoreBuilder(server.home / "state.db") as store:
        write_hostile(store)
        write_tools(store)


def open_story(page: Page, server: Server, name: str) -> None:
    page.goto(server.link(f"/p/default/c/{name}"))
    page.get_by_role("feed").wait_for()


def test_hostile_text_in_every_column_does_nothing(page: Page, server: Server) -> None:
    open_story(page, server, "hostile")
    feed = page.get_by_role("feed")

    def look() -> None:
        assert feed.locator("script, style, iframe, object, embed, [onerror], [onload]").count() == 0
        assert feed.locator("a[href^='javascript'], a[href^='data'], img").count() == 0

    page.set_viewport_size(TALL)
    unfold_all(page, look)


def test_the_stored_row_of_a_message_is_shown_when_asked_for(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    first = page.get_by_role("article").first
    first.hover()
    first.get_by_role("button", name="What to do with this message").click()
    page.get_by_role("menuitem", name="Show the stored row").click()
    expect(first.get_by_text('"session_id"')).to_be_visible()


def test_a_message_is_copied_as_markdown_with_its_tools(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    article = page.get_by_role("article").nth(1)
    article.hover()
    article.get_by_role("button", name="What to do with this message").click()
    page.get_by_role("menuitem", name="Copy as Markdown").click()
    expect(page.get_by_text("Copied as Markdown")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "```sh\npytest -q\n```" in copied
    assert "1 failed\n100%" in copied


def test_code_gets_its_colours_without_moving(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    code = page.get_by_role("article").first.locator("pre")
    before = code.bounding_box()
    expect(code.locator("[data-look=keyword]").first).to_have_text("def")
    assert code.bounding_box() == before


def test_tools_unfold_by_their_kind(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    unfold_all(page)
    feed = page.get_by_role("feed")
    expect(feed.get_by_text("exit 1")).to_be_visible()
    expect(feed.locator("[data-look=red]")).to_have_text("1 failed")
    expect(feed.locator("[data-change=removed]")).to_contain_text("limit: 3")
    expect(feed.locator("[data-change=added] [data-look~=changed]")).to_have_text("5")
    expect(feed.get_by_role("listitem").filter(has_text="Read it")).to_contain_text("done")
