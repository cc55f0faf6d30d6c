"""Every view of the dashboard shows hostile contents, and they do nothing: no script, no request, no report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, Watch
from tests.browser.dashboard import TALL, conversations, feed, open_palette, reader, toast, unfold_all
from tests.browser.test_palette import DROP
from tests.builders import StoreBuilder, T, store_path
from tests.hostile.pages.inspection import LOOK, look
from tests.hostile.payloads import AWAY, MARK, PAYLOADS
from tests.hostile.store import CHILD, READ, missed

LIST = "/?in=default&audience=all&empty=show"
READER = f"/p/default/c/{quote(READ, safe='')}"
VIEWS: dict[str, tuple[str, Callable[[Page], Locator]]] = {
    "list": ("/?in=default&audience=all&empty=show", lambda page: conversations(page).first),
    "list of a later schema": ("/?in=later&audience=all&empty=show", lambda page: conversations(page).first),
    "list by source": ("/?audience=all&group=source&empty=show", lambda page: conversations(page).first),
    "search": (f"/?find={MARK}", lambda page: page.get_by_role("row").filter(has_text=MARK).first),
    "reader": (f"{READER}?mode=everything", feed),
    "one session": (f"/p/default/s/{quote(CHILD, safe='')}?mode=everything", feed),
    "find": (f"{READER}?within={MARK}&reasoning=with", lambda page: page.get_by_label("Find in the transcript")),
    "lineage": (f"{READER}?panel=lineage", lambda page: page.get_by_role("treeitem").first),
    "numbers": (f"{READER}?panel=numbers", lambda page: page.get_by_role("complementary").first),
    "stored columns": (f"{READER}?panel=raw", lambda page: page.get_by_text("model_config").first),
    "compare": (
        f"/p/default/compare/{quote(READ, safe='')}/{quote(CHILD, safe='')}",
        lambda page: page.get_by_role("feed", name="Comparison").get_by_role("article").first,
    ),
    "usage by model": ("/usage?period=all&by=model", lambda page: page.get_by_role("rowheader").first),
    "usage by source": ("/usage?period=all&by=source", lambda page: page.get_by_role("rowheader").first),
}


IN_THE_READER = {"Stored elsewhere: evil.test", "This picture cannot be shown"}
"""What stands in the place of pictures that were clicked."""
USUAL = {"width": 1440, "height": 900}
QUERY = """{ sessions(first: 100, profile: "later") { nodes {
  id title source model displayTitle preview endReason cwd } } }"""


def test_every_text_column_of_every_table_is_hostile(server: Server) -> None:
    for profile in ("default", "later"):
        with StoreBuilder(store_path(server.home, profile)) as store:
            assert missed(store) == set()


def test_what_a_payload_would_do_is_noticed(page: Page, server: Server, watch: Watch) -> None:
    page.goto(f"{server.origin}/stores")
    for name in ("handler", "svg", "iframe", "form", "style", "markup links"):
        page.evaluate(
            "text => document.body.insertAdjacentHTML('beforeend', `<div id=planted>${text}</div>`)", PAYLOADS[name]
        )
        assert [found for found in page.evaluate(LOOK) if found.startswith("an element of a payload")] != []
        page.evaluate("document.getElementById('planted').remove()")
    with page.expect_console_message(lambda message: "img-src" in message.text):
        page.evaluate("url => { new Image().src = url; }", f"{AWAY}/pixel.png")
    page.goto("about:blank")
    assert any("Content Security Policy report" in found for found in watch.findings)
    watch.findings.clear()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shows_hostile_contents_and_nothing_happens(page: Page, server: Server, name: str) -> None:
    path, shown = VIEWS[name]
    page.goto(f"{server.origin}{path}")
    expect(shown(page)).to_be_visible()
    look(page)


def test_the_reader_unfolded_does_nothing(page: Page, server: Server) -> None:
    """Every tool and reasoning, a stored row, and each picture and odd part clicked."""
    page.goto(f"{server.origin}{READER}?mode=everything")
    expect(feed(page)).to_be_visible()
    message = page.get_by_role("article").first
    message.hover()
    message.get_by_role("button", name="What to do with this message").click()
    page.get_by_role("menuitem", name="Show the stored row").click()
    expect(message.get_by_text('"session_id"')).to_be_visible()
    seen: set[str] = set()

    def look_closely() -> None:
        look(page)
        pictures = feed(page).get_by_role("button", name=re.compile("^picture"))
        for _ in range(pictures.count()):
            pictures.first.evaluate("button => button.click()")
        seen.update(text for text in IN_THE_READER if feed(page).get_by_text(text).count())
        look(page)

    page.set_viewport_size(TALL)
    unfold_all(page, look_closely)
    page.set_viewport_size(USUAL)
    assert seen == IN_THE_READER


def test_the_stores_with_all_that_was_found_do_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}/stores")
    expect(page.get_by_role("list", name="Findings of default")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.get_by_role("button", name="Largest parts, and who has it open").first.click()
    expect(page.get_by_text(f"<img id={MARK} src=x").last).to_be_visible()
    look(page)


def test_the_palette_does_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}{LIST}")
    expect(conversations(page).first).to_be_visible()
    open_palette(page)
    page.keyboard.type(MARK)
    found = page.get_by_role("group", name="Conversations").get_by_role("option")
    expect(found.first).to_contain_text(MARK)
    look(page)
    found.first.click()
    expect(reader(page)).to_be_visible()
    look(page)
    open_palette(page)
    expect(page.get_by_role("option").first).to_contain_text(MARK)
    look(page)


def test_filters_and_the_preview_of_pruning_do_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}{LIST}")
    expect(conversations(page).first).to_be_visible()
    page.get_by_role("button", name="Filters").click()
    panel = page.get_by_role("dialog", name="Filters")
    expect(panel.get_by_text(MARK).first).to_be_visible()
    look(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+P")
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    expect(dialog.get_by_label("What would go")).to_contain_text("Sessions")
    look(page)


def test_the_bin_and_what_is_told_of_a_deletion_do_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}{LIST}&q=external+link")
    row = conversations(page).first
    row.click()
    expect(feed(page)).to_be_visible()
    page.keyboard.press("#")
    expect(toast(page, "Deleted")).to_contain_text(MARK)
    look(page)
    page.get_by_role("link", name="Bin").click()
    expect(page.get_by_role("row").filter(has_text=MARK).first).to_be_visible()
    look(page)
    page.get_by_role("cell").get_by_role("button", name=re.compile("^Restore")).first.click()
    expect(toast(page, "Brought back")).to_contain_text(MARK)
    look(page)


def test_a_hostile_file_dropped_for_import_does_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}{LIST}")
    expect(conversations(page).first).to_be_visible()
    sessions = [
        {
            "id": text,
            "title": text,
            "source": text,
            "started_at": T,
            "messages": [{"role": text, "content": text, "timestamp": T}],
        }
        for text in PAYLOADS.values()
    ]
    page.evaluate(DROP, [f"{PAYLOADS['handler']}.jsonl", "\n".join(map(json.dumps, sessions))])
    expect(page.get_by_role("dialog", name="Import sessions").get_by_role("status")).to_contain_text("skipped")
    look(page)


def test_a_hostile_address_does_nothing(page: Page, server: Server) -> None:
    text = "".join(PAYLOADS[name] for name in ("handler", "attribute", "javascript", "template"))
    known = ("in", "q", "find", "source", "model", "workspace", "job", "ended", "within", "panel", "message")
    search = urlencode(dict.fromkeys(known, text))
    for path in ("/", f"/p/{quote(text, safe='')}/c/{quote(text, safe='')}", "/usage", "/stores", "/bin"):
        page.goto(f"{server.origin}{path}?{search}")
        expect(page.get_by_role("navigation", name="Places")).to_be_visible()
        page.wait_for_load_state("networkidle")
        look(page)


def test_graphiql_shows_an_answer_full_of_payloads_and_nothing_happens(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}/graphiql#{urlencode({'query': QUERY}, quote_via=quote)}")
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("sessions")
    page.get_by_role("button", name=re.compile("^Execute query")).click()
    expect(page.locator(".graphiql-response")).to_contain_text(MARK)
    look(page)
