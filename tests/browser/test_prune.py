"""A person prunes: sees what would go before it goes, takes it back, and is told where nothing can be deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.bulk_store import DAY, RUNS, add, contents, ids, make_home
from tests.browser.conftest import Server, serving
from tests.browser.dashboard import A_LONG_WAIT, grid, open_list, press, selection, told
from tests.builders import StoreBuilder, store_path

CHATS_OF_DEFAULT = "/?in=default"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bulk")
    with serving(make_home(folder / "home"), folder / "state") as started:
        yield started


def prune_and_undo(page: Page, server: Server, due: set[str], messages_each: int) -> None:
    """`due`: the ids that the open dialog must be about."""
    before = contents(server.home)
    count = len(due)
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    facts = dialog.get_by_label("What would go")
    expect(facts).to_contain_text(f"Conversations{count}Sessions{count}Messages{count * messages_each}")
    preview = facts.inner_text()
    dialog.get_by_label("Not active for, in days").press("Enter")
    expect(dialog).to_be_hidden(timeout=A_LONG_WAIT)
    done = told(page, re.compile(rf"^Deleted {count} sessions, {count * messages_each} messages"))
    expect(done).to_have_text(re.compile(r"\([\d.]+ k?B\)$"))
    size = re.search(r"\((.*)\)$", done.inner_text())
    assert size is not None
    assert size[1] in preview
    assert {row[0] for row in before["default sessions"]} - ids(server.home) == due
    press(page, "z")
    expect(told(page, f"Brought back {count} sessions")).to_be_visible(timeout=A_LONG_WAIT)
    assert contents(server.home) == before


def test_pruning_takes_what_its_preview_said(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "Shift+P")
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    days = dialog.get_by_label("Not active for, in days")
    expect(days).to_be_focused()
    facts = dialog.get_by_label("What would go")
    expect(facts).to_contain_text(re.compile(r"Sessions1\D"))
    expect(facts).to_contain_text("1 branch or reset stays and loses its parent")
    days.fill("5")
    prune_and_undo(page, server, {"old"} | {f"run{number:03}" for number in range(5 * 24 - 40, RUNS)}, messages_each=1)
    expect(grid(page)).to_be_focused()


def test_pruning_for_good_asks_for_the_count_and_takes_what_the_filter_shows_alone(
    context: BrowserContext, server: Server
) -> None:
    with StoreBuilder(store_path(server.home)) as store:
        for number in range(2):
            add(store, f"gone{number}", 2 * DAY, title=f"Gone {number}")
    before = ids(server.home)
    page = open_list(context, server, "/?in=default&q=Gone")
    page.get_by_role("button", name="More for the list").click()
    page.get_by_role("menuitem", name=re.compile("^Prune")).click()
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    dialog.get_by_label("Not active for, in days").fill("1")
    dialog.get_by_label(re.compile("Only what matches")).check()
    dialog.get_by_label(re.compile("^Delete for good")).check()
    delete = dialog.get_by_role("button", name="Delete 2 sessions for good")
    expect(delete).to_be_disabled()
    dialog.get_by_label("Type 2 to confirm").fill("2")
    delete.click()
    note = page.get_by_role("status").filter(has_text="Deleted 2 sessions")
    expect(note).to_contain_text("for good")
    expect(note.get_by_role("button", name="Undo")).to_have_count(0)
    assert before - ids(server.home) == {"gone0", "gone1"}


def test_a_read_only_server_says_so(context: BrowserContext, browser: Browser, server: Server) -> None:
    with serving(server.home, server.home.parent / "other", "--read-only") as reading:
        stranger = browser.new_context()
        page = open_list(stranger, reading, CHATS_OF_DEFAULT)
        press(page, "x")
        expect(selection(page)).to_contain_text("This server is read-only")
        expect(selection(page).get_by_role("button", name="Delete")).to_be_disabled()
        press(page, "Shift+P")
        dialog = page.get_by_role("dialog", name="Prune old conversations")
        expect(dialog).to_contain_text("This server is read-only: nothing can be deleted")
        expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
        stranger.close()
