"""axe finds nothing on any view, and nothing sticks out of it: in both themes, wide and narrow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser import content_store, lineage_store, runs_store
from tests.browser.axe import OF_COLOURS, findings, sticking_out
from tests.browser.conftest import PATIENCE, Server
from tests.browser.dashboard import (
    ask,
    conversations,
    feed,
    grid,
    open_palette,
    press,
    reader,
    selection,
    story,
    unfold_all,
)
from tests.builders import StoreBuilder, store_path

WIDTHS = (1440, 320)
# GraphiQL is somebody else's: buttons inside its tabs, and labels of its history. No property of it changes that.
OF_GRAPHIQL = {"nested-interactive", "label-content-name-mismatch"}

Show = Callable[[Page], object]


def sees(find: Callable[[Page], Locator]) -> Show:
    """Waits for what makes the view complete."""
    return lambda page: expect(find(page).first).to_be_visible()


def pressed(*keys: str, sees: Callable[[Page], Locator]) -> Show:
    """Presses keys in the list, once it is there."""

    def show(page: Page) -> None:
        expect(conversations(page).first).to_be_visible()
        press(page, *keys)
        expect(sees(page).first).to_be_visible()

    return show


def opens(name: str) -> Show:
    """Clicks a button that opens a panel of its own name."""

    def show(page: Page) -> None:
        expect(conversations(page).first).to_be_visible()
        page.get_by_role("button", name=re.compile(f"^{name}")).first.click()
        expect(dialog(name)(page)).to_be_visible()

    return show


def dialog(name: str) -> Callable[[Page], Locator]:
    return lambda page: page.get_by_role("dialog", name=name)


def text(words: str) -> Callable[[Page], Locator]:
    return lambda page: page.get_by_text(words)


def unfolds_runs(page: Page) -> None:
    fold = grid(page).get_by_role("row", name=re.compile(r"\d+\+? runs")).first
    fold.click()
    expect(fold.get_by_role("gridcell")).to_have_attribute("aria-expanded", "true")


def finds(page: Page) -> None:
    expect(reader(page).get_by_role("article").first).to_be_visible()
    page.get_by_role("button", name="Find in the transcript").click()
    page.get_by_role("textbox", name="Find in the transcript").fill("train")
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^1 of \d+$"))).to_be_visible()


def finds_in_reasoning(page: Page) -> None:
    finds(page)
    toggle = page.get_by_role("button", name="Find in reasoning, too")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("textbox", name="Find in the transcript")).to_have_attribute(
        "placeholder", re.compile("reasoning")
    )
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^. of \d+$"))).to_be_visible()


def unfolds(page: Page) -> None:
    expect(reader(page).get_by_role("article").first).to_be_visible()
    unfold_all(page)
    expect(feed(page).get_by_text("exit 1")).to_be_visible()


def searches_palette(page: Page) -> None:
    expect(conversations(page).first).to_be_visible()
    open_palette(page).fill("por")
    expect(page.get_by_role("group", name="Conversations")).to_be_visible()


def imports(page: Page) -> None:
    expect(conversations(page).first).to_be_visible()
    open_palette(page).fill("import")
    press(page, "Enter")
    expect(page.get_by_role("button", name="Choose a file…")).to_be_visible()


messages = sees(lambda page: reader(page).get_by_role("article"))
hits = sees(lambda page: page.get_by_role("grid", name="Search results").get_by_role("row"))

VIEWS: dict[str, tuple[str, Show]] = {
    "list": ("/?in=default", sees(conversations)),
    "selection": ("/?in=default", pressed("x", "Shift+J", sees=selection)),
    "groups": ("/?in=default&audience=all&group=source&cost=0.0001", sees(lambda page: page.get_by_role("rowheader"))),
    "runs": ("/?in=cron&audience=all", unfolds_runs),
    "filters": ("/?in=default", opens("Filters")),
    "saved views": ("/?in=default", opens("Saved views")),
    "nothing matches": ("/?in=default&audience=all&cost=100000", sees(text("No conversation matches"))),
    "nothing there": ("/?in=fresh", sees(text("No conversation here yet"))),
    "failed list": ("/?in=broken", sees(text("STORE_DAMAGED"))),
    "search": ("/?find=train", hits),
    "search without a hit": ("/?find=zebra crossing without a hit", sees(text("Nothing found for"))),
    "search without words": ("/?find=%20", sees(text("Find words in every message"))),
    "answers": ("/p/default/c/{story}?mode=answers", messages),
    "tools": ("/p/default/c/{story}", messages),
    "reasoning": ("/p/default/c/{story}?mode=reasoning", messages),
    "everything": ("/p/default/c/{story}?mode=everything", messages),
    "unfolded tools": ("/p/tools/c/tools", unfolds),
    "find": ("/p/default/c/{story}", finds),
    "find in reasoning": ("/p/default/c/{story}", finds_in_reasoning),
    "failed reader": ("/p/default/c/never-was", sees(text("NOT_FOUND"))),
    "lineage": ("/p/default/c/{story}?panel=lineage", sees(lambda page: page.get_by_role("treeitem").nth(5))),
    "numbers": ("/p/default/c/{story}?panel=numbers", sees(lambda page: page.get_by_role("region", name="Numbers"))),
    "raw": ("/p/default/c/{story}?panel=raw", sees(lambda page: page.get_by_role("region", name="Raw"))),
    "comparison": ("/p/default/compare/trunk/fork", sees(lambda page: page.locator("mark"))),
    "usage": ("/usage?period=30d", sees(lambda page: page.locator("figure [role=img]:not([width])"))),
    "stores": ("/stores", sees(lambda page: page.get_by_role("list", name="Findings of default"))),
    "bin": ("/bin", sees(lambda page: page.get_by_role("table"))),
    "palette": ("/?in=default", searches_palette),
    "settings": ("/?in=default", pressed("Control+,", sees=dialog("Settings"))),
    "keys": ("/?in=default", pressed("?", sees=dialog("Keys"))),
    "import": ("/?in=default", imports),
    "prune": (
        "/?in=default",
        pressed("Shift+P", sees=lambda page: page.get_by_label("What would go").get_by_text("Sessions")),
    ),
}


@pytest.fixture(scope="module", autouse=True)
def profiles(server: Server) -> None:
    lineage_store.add_lineages(server.home)
    for name, fill in {"tools": content_store.write_tools, "cron": runs_store.fill}.items():
        with StoreBuilder(store_path(server.home, name)) as store:
            fill(store)
    for name in ("fresh", "broken"):
        (server.home / "profiles" / name).mkdir()
    (server.home / "profiles" / "broken" / "state.db").write_bytes(b"this is no database at all, " * 400)
    ask(server, 'mutation { deleteSession(input: {profile: "odd", id: "alone"}) { binId } }')


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """One for all views; nothing moves, so that no colour is measured half way to another."""
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def expect_nobody_kept_out(page: Page) -> None:
    """At every width, in both themes: in the second nothing but the colours is another."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for theme, rules in (("light", None), ("dark", OF_COLOURS)):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            assert findings(page, rules) == {}, (width, theme)
        assert sticking_out(page) == [], width


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_keeps_anybody_out(visitor: BrowserContext, server: Server, view: str) -> None:
    path, show = VIEWS[view]
    page = visitor.new_page()
    page.goto(server.link(path.format(story=story(server)) if "{" in path else path))
    show(page)
    expect_nobody_kept_out(page)
    page.close()


def test_the_door_keeps_nobody_out_who_has_a_token(browser: Browser, server: Server) -> None:
    stranger = browser.new_context(reduced_motion="reduce")
    page = stranger.new_page()
    page.goto(server.origin)
    expect(page.get_by_role("heading", name="Paste your token")).to_be_visible()
    expect_nobody_kept_out(page)
    stranger.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_graphiql_keeps_nobody_out_but_for_what_is_its_own(
    browser: Browser, server: Server, theme: Literal["light", "dark"], width: int
) -> None:
    viewport = ViewportSize(width=width, height=900)
    context = browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.link("/graphiql"))
    expect(page.locator(".graphiql-query-editor .view-lines")).to_be_visible(timeout=PATIENCE)
    assert {rule: html for rule, html in findings(page).items() if rule not in OF_GRAPHIQL} == {}
    context.close()
