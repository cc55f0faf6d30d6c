"""Stored names may be of any length: what stands beside them stays in sight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.conftest import Server, serving
from tests.browser.dashboard import feed, open_palette, opened, reader, toast
from tests.builders import StoreBuilder, T, home_with

LONG = "a name without an end " * 100


def fill(store: StoreBuilder) -> None:
    store.session("long", LONG, start=T, title=LONG, model=LONG)
    store.message("long", "user", "Hello")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = home_with(tmp_path_factory.mktemp("names"), default=fill)
    with serving(home, tmp_path_factory.mktemp("state")) as server:
        yield server


def height(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["height"]


def is_cut(element: Locator) -> bool:
    return bool(element.evaluate("element => element.scrollWidth > element.clientWidth"))


@pytest.mark.parametrize("path", ["/p/default/c/long", "/p/default/s/long"])
def test_a_long_source_leaves_room_for_the_other_facts(context: BrowserContext, server: Server, path: str) -> None:
    page = opened(context, server, path)
    expect(reader(page).get_by_text("1 message", exact=True)).to_be_in_viewport()


def test_a_long_title_leaves_room_for_its_profile_in_the_palette(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/default/c/long")
    expect(reader(page).get_by_text("Hello")).to_be_visible()
    open_palette(page)
    option = page.get_by_role("option", name="a name without an end").first
    assert is_cut(option.get_by_text("a name without an end"))
    assert not is_cut(option.get_by_text("default", exact=True))


@pytest.mark.parametrize("by", ["model", "source"])
def test_a_long_name_takes_three_lines_of_a_table_at_most(context: BrowserContext, server: Server, by: str) -> None:
    page = opened(context, server, f"/usage?period=all&by={by}")
    names = page.get_by_role("rowheader", name="a name without an end")
    expect(names).to_have_count(2)  # also of the most expensive conversations
    for name in names.all():
        assert height(name) < 100


def test_a_long_title_leaves_room_in_the_note_of_its_deletion_and_in_the_bin(
    context: BrowserContext, server: Server
) -> None:
    page = opened(context, server, "/p/default/c/long")
    expect(reader(page).get_by_text("Hello")).to_be_visible()
    feed(page).focus()
    page.keyboard.press("#")
    note = toast(page, "Deleted “a name without an end")
    expect(note).to_contain_text("(1 session)")
    assert height(note) < 100
    page.goto(server.link("/bin"))
    entry = page.get_by_role("rowheader", name="a name without an end")
    expect(entry).to_be_visible()
    assert height(entry) < 100
