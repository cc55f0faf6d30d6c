"""A person with many conversations: selects some, a range or all, changes them at once, and takes it back."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.bulk_store import RUNS, archived, contents, ids, make_home
from tests.browser.conftest import Server, serving
from tests.browser.dashboard import A_LONG_WAIT, ask, conversations, grid, open_list, press, selection, told
from tests.builders import StoreBuilder, store_path

AUTOMATION = "/?in=default&audience=automation"
CHATS_OF_DEFAULT = "/?in=default"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bulk")
    with serving(make_home(folder / "home"), folder / "state") as started:
        yield started


def selected(page: Page) -> Locator:
    return grid(page).locator("[role=row][aria-selected=true]")


def archive_all_and_undo(page: Page, server: Server, matching: set[str]) -> None:
    """`matching`: the ids that the open list must be about, also those that it has not loaded."""
    before = contents(server.home)
    press(page, "Control+a")
    expect(selection(page)).to_contain_text(f"All {len(matching)} selected")
    press(page, "e")
    expect(told(page, f"Archived {len(matching)} conversations")).to_be_visible(timeout=A_LONG_WAIT)
    expect(page.get_by_text("No conversation matches")).to_be_visible()
    assert archived(server.home) == matching
    press(page, "z")
    expect(told(page, f"Undone: brought back {len(matching)} conversations")).to_be_visible(timeout=A_LONG_WAIT)
    expect(conversations(page).first).to_be_visible()
    assert contents(server.home) == before


def titles(rows: Locator) -> list[str]:
    names = [box.get_attribute("aria-label") or "" for box in rows.get_by_role("checkbox").all()]
    return [name.removeprefix("Select ") for name in names]


def test_all_that_match_are_archived_over_all_pages_and_come_back_row_for_row(
    context: BrowserContext, server: Server
) -> None:
    page = open_list(context, server, AUTOMATION)
    assert conversations(page).count() < RUNS
    archive_all_and_undo(page, server, {f"run{number:03}" for number in range(RUNS)})


def test_what_was_archived_before_stays_archived_when_a_change_is_undone(
    context: BrowserContext, server: Server
) -> None:
    with StoreBuilder(store_path(server.home)) as store:
        store.set("sessions", "run007", archived=1)
    before = contents(server.home)
    page = open_list(context, server, f"{AUTOMATION}&archived=include")
    press(page, "*", "a")
    expect(selection(page)).to_be_visible()
    press(page, "e")
    expect(told(page, re.compile("^Archived"))).to_be_visible()
    assert len(archived(server.home)) == RUNS
    page.get_by_role("button", name="Undo").click()
    expect(told(page, re.compile("^Undone"))).to_be_visible()
    assert contents(server.home) == before
    with StoreBuilder(store_path(server.home)) as store:
        store.set("sessions", "run007", archived=0)


def test_what_is_unticked_of_all_that_match_stays(context: BrowserContext, server: Server) -> None:
    before = contents(server.home)
    page = open_list(context, server, AUTOMATION)
    press(page, "*", "a", "j", "x", "j", "x")
    expect(selection(page)).to_contain_text(f"{RUNS - 2} selected · all but 2")
    press(page, "#")
    expect(told(page, f"Deleted {RUNS - 2} conversations ({RUNS - 2} sessions, {RUNS - 2} messages)")).to_be_visible()
    expect(conversations(page)).to_have_count(2)
    assert titles(conversations(page)) == ["Run 001", "Run 002"]
    assert {each for each in ids(server.home) if each.startswith("run")} == {"run001", "run002"}
    page.get_by_role("button", name="Undo").click()
    expect(told(page, re.compile("^Undone: brought back"))).to_be_visible()
    assert contents(server.home) == before


def test_conversations_of_several_profiles_are_changed_together(context: BrowserContext, server: Server) -> None:
    before = contents(server.home)
    page = open_list(context, server, "/?q=0")
    press(page, "Control+a")
    # Chat 00 to 09, Chat 10 and Work 0.
    expect(selection(page)).to_contain_text("All 12 selected")
    press(page, "e")
    expect(told(page, "Archived 12 conversations")).to_be_visible()
    assert archived(server.home, "work") == {"work0"}
    assert len(archived(server.home)) == 11
    press(page, "z")
    expect(told(page, re.compile("^Undone"))).to_be_visible()
    assert contents(server.home) == before


def test_a_range_grows_and_shrinks_by_keys_and_by_click(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "j", "Shift+J", "Shift+ArrowDown", "Shift+J")
    assert titles(selected(page)) == ["A young branch", "Chat 01", "Chat 02", "Chat 03"]
    press(page, "Shift+K", "Shift+ArrowUp")
    assert titles(selected(page)) == ["A young branch", "Chat 01"]
    expect(selection(page)).to_contain_text("2 selected · 2 messages")
    conversations(page).nth(5).click(modifiers=["Shift"])
    expect(selected(page)).to_have_count(5)
    conversations(page).nth(3).click(modifiers=["ControlOrMeta"])
    expect(selected(page)).to_have_count(4)
    conversations(page).nth(8).hover()
    conversations(page).nth(8).get_by_role("checkbox").click()
    expect(selected(page)).to_have_count(5)
    expect(page).to_have_url(re.compile(r"\?in=default$"))
    press(page, "Escape")
    expect(selected(page)).to_have_count(0)
    expect(selection(page)).to_be_hidden()


def test_twelve_are_deleted_and_brought_back_by_keys_alone(context: BrowserContext, server: Server) -> None:
    before = contents(server.home)
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", *["Shift+J"] * 11)
    expect(selection(page)).to_contain_text("12 selected · 12 messages")
    press(page, "#")
    expect(told(page, "Deleted 12 conversations (12 sessions, 12 messages)")).to_be_visible()
    expect(grid(page)).to_be_focused()
    expect(conversations(page).first).to_contain_text("Chat 11")
    expect(conversations(page).first).to_have_attribute("data-cursor", "true")
    press(page, "z")
    expect(told(page, "Undone: brought back 12 conversations")).to_be_visible()
    expect(conversations(page).first).to_contain_text("Chat 00")
    assert contents(server.home) == before


def test_a_selection_survives_paging_and_ends_with_another_list(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, AUTOMATION)
    press(page, "x", "End", "End", "x")
    expect(selection(page)).to_contain_text("2 selected")
    page.get_by_role("button", name=re.compile("^Chats")).click()
    expect(told(page, "Another list is shown: 2 conversations no longer selected")).to_be_visible()
    expect(selection(page)).to_be_hidden()


def test_what_went_away_meanwhile_is_told_and_the_others_change(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "Shift+J", "Shift+J")
    expect(selection(page)).to_contain_text("3 selected")
    ask(server, 'mutation { deleteSession(input: {profile: "default", id: "chat01"}) { binId } }')
    press(page, "e")
    note = page.get_by_role("status").filter(has_text="Archived 2 conversations · 1 was left: no longer there")
    expect(note).to_be_visible()
    note.get_by_text("Details").click()
    expect(note).to_contain_text("default chat01: It was deleted before.")
    assert archived(server.home) == {"chat00", "twig"}
    press(page, "z")
    expect(told(page, re.compile("^Undone"))).to_be_visible()
    bin_id = ask(server, '{ bin(profile: "default", first: 1) { binId } }')["bin"][0]["binId"]
    ask(server, f'mutation {{ restoreSessions(input: {{profile: "default", binId: "{bin_id}"}}) {{ sessionCount }} }}')
    assert archived(server.home) == set()


def test_a_busy_one_is_left_and_comes_back_into_the_list(context: BrowserContext, server: Server) -> None:
    with StoreBuilder(store_path(server.home)) as store:
        store.session("busy", start=time.time(), title="At work")
        store.message("busy", content="go", at=time.time())
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "Shift+J")
    expect(selection(page)).to_contain_text("2 selected")
    press(page, "#")
    expect(told(page, re.compile(r"^Deleted 1 conversation .* · 1 was left: busy$"))).to_be_visible()
    expect(conversations(page).first).to_contain_text("At work")
    press(page, "z")
    expect(told(page, re.compile("^Undone"))).to_be_visible()
    with StoreBuilder(store_path(server.home)) as store:
        store.sql("DELETE FROM messages WHERE session_id = 'busy'")
        store.sql("DELETE FROM sessions WHERE id = 'busy'")


def test_the_archived_are_brought_back_together(context: BrowserContext, server: Server) -> None:
    before = contents(server.home)
    with StoreBuilder(store_path(server.home)) as store:
        store.sql("UPDATE sessions SET archived = 1 WHERE source = 'cron'")
    page = open_list(context, server, f"{AUTOMATION}&archived=only")
    press(page, "Control+a")
    expect(selection(page).get_by_role("button", name="Bring back")).to_be_visible()
    expect(selection(page).get_by_role("button", name="Archive")).to_have_count(0)
    press(page, "e")
    expect(told(page, f"Brought back {RUNS} conversations")).to_be_visible()
    assert contents(server.home) == before


def test_the_selected_ones_are_exported_into_one_file(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "j", "j", "x")
    selection(page).get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=re.compile("^Markdown")).click()
    text = download.value.path().read_text()
    assert ["About chat00" in text, "About twig" in text, "About chat01" in text] == [True, False, True]


def test_a_finger_selects_by_the_sign_of_a_row(contexts: Callable[..., BrowserContext], server: Server) -> None:
    context = contexts(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    page = open_list(context, server, CHATS_OF_DEFAULT)
    box = conversations(page).first.get_by_role("checkbox")
    size = box.bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 24
    box.tap()
    expect(selected(page)).to_have_count(1)
    conversations(page).nth(1).get_by_role("checkbox").tap()
    expect(selected(page)).to_have_count(2)
