"""What the list says where there is nothing to show, and where a profile cannot be read."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Server
from tests.browser.dashboard import opened, rows


@pytest.fixture(scope="module", autouse=True)
def profiles(server: Server) -> None:
    folder = server.home / "profiles"
    (folder / "fresh").mkdir()
    (folder / "broken").mkdir()
    (folder / "broken" / "state.db").write_bytes(b"this is no database at all, " * 400)


def test_a_profile_without_a_store_has_no_conversation_yet(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/?in=fresh")
    expect(page.get_by_text("No conversation here yet")).to_be_visible()
    expect(page.get_by_role("button", name="chats alone")).to_be_hidden()
    assert not (server.home / "profiles" / "fresh" / "state.db").exists()


def test_a_damaged_store_is_named_with_its_code(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/?in=broken")
    expect(page.get_by_text("STORE_DAMAGED")).to_be_visible()
    expect(page.get_by_text("Nothing could be read")).to_be_visible()


def test_the_other_profiles_go_on(page: Page) -> None:
    expect(page.get_by_text("STORE_DAMAGED")).to_be_visible()
    expect(rows(page).nth(3)).to_be_visible()


def test_a_filter_that_empties_the_list_is_named_and_dropped(page: Page) -> None:
    page.get_by_role("searchbox").fill("no conversation has these words")
    expect(page.get_by_text("No conversation matches")).to_be_visible()
    page.get_by_role("button", name=re.compile("text “no conversation")).click()
    expect(rows(page).nth(3)).to_be_visible()


def test_the_stores_tell_damaged_empty_and_sound_ones_apart(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/stores")
    for profile, status in {"broken": "Damaged", "fresh": "Empty", "default": "Ready"}.items():
        card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=profile, exact=True))
        expect(card.get_by_text(status, exact=True)).to_be_visible()
    expect(page.get_by_role("list", name="Findings of default")).to_be_visible()


def test_the_usage_of_the_others_is_told_beside_a_damaged_store(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/usage?period=all")
    expect(page.get_by_role("alert")).to_contain_text("STORE_DAMAGED")
    expect(page.get_by_label("Totals")).to_contain_text("$")
