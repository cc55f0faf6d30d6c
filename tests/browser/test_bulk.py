"""A person with many conversations: selects some, a range or all, changes them at once, and takes it back."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server, serving
from tests.browser.test_accessibility import findings
from tests.browser.test_dashboard import ask
from tests.builders import StoreBuilder, home_with, store_path

RUNS = 300
CHATS = 20
HOUR = 3600
DAY = 24 * HOUR
AUTOMATION = "/?in=default&audience=automation"
CHATS_OF_DEFAULT = "/?in=default"


def add(store: StoreBuilder, id: str, ago: float, **cells: Any) -> None:
    at = time.time() - ago
    store.session(id, start=at, end=at + 60, **cells)
    store.message(id, content=f"About {id}", at=at + 30)


def fill_default(store: StoreBuilder) -> None:
    for number in range(CHATS):
        add(store, f"chat{number:02}", (number + 1) * HOUR, title=f"Chat {number:02}")
    for number in range(RUNS):
        add(store, f"run{number:03}", (number + 40.5) * HOUR, source="cron", title=f"Run {number:03}", cost=0.01)
    add(store, "old", 400 * DAY, title="An old beginning", cost=1.5)
    add(store, "twig", 1.5 * HOUR, title="A young branch", parent="old", branched_from="old")


def fill_work(store: StoreBuilder) -> None:
    for number in range(8):
        add(store, f"work{number}", (number + 1) * HOUR, title=f"Work {number}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bulk")
    home = home_with(folder / "home", default=fill_default, work=fill_work)
    with serving(home, folder / "state") as started:
        yield started


def contents(server: Server) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that holds what people wrote, of both profiles."""
    tables = ("sessions", "messages", "session_model_usage")
    found = {}
    for profile in ("default", "work"):
        with StoreBuilder(store_path(server.home, profile)) as store:
            for table in tables:
                found[f"{profile} {table}"] = sorted(store.sql(f"SELECT * FROM {table}"), key=repr)
    return found


def archived(server: Server, profile: str = "default") -> set[str]:
    with StoreBuilder(store_path(server.home, profile)) as store:
        return {row[0] for row in store.sql("SELECT id FROM sessions WHERE archived = 1")}


def ids(server: Server) -> set[str]:
    with StoreBuilder(store_path(server.home)) as store:
        return {row[0] for row in store.sql("SELECT id FROM sessions")}


def open_list(context: BrowserContext, server: Server, path: str) -> Page:
    page = context.new_page()
    page.goto(server.link(path))
    expect(conversations(page).first).to_be_visible()
    return page


def grid(page: Page) -> Locator:
    return page.get_by_role("grid", name="Conversations")


def conversations(page: Page) -> Locator:
    return grid(page).locator("[role=row][aria-rowindex]")


def selected(page: Page) -> Locator:
    return grid(page).locator("[role=row][aria-selected=true]")


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Selection")


def toast(page: Page, text: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("status").get_by_text(text)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def titles(rows: Locator) -> list[str]:
    names = [box.get_attribute("aria-label") or "" for box in rows.get_by_role("checkbox").all()]
    return [name.removeprefix("Select ") for name in names]


def test_all_that_match_are_archived_over_all_pages_and_come_back_row_for_row(
    context: BrowserContext, server: Server
) -> None:
    before = contents(server)
    page = open_list(context, server, AUTOMATION)
    assert conversations(page).count() < RUNS
    press(page, "Control+a")
    expect(bar(page)).to_contain_text(f"All {RUNS} selected")
    press(page, "e")
    expect(toast(page, f"Archived {RUNS} conversations")).to_be_visible()
    expect(page.get_by_text("No conversation matches")).to_be_visible()
    assert archived(server) == {f"run{number:03}" for number in range(RUNS)}
    press(page, "z")
    expect(toast(page, f"Undone: brought back {RUNS} conversations")).to_be_visible()
    expect(conversations(page).first).to_be_visible()
    assert contents(server) == before


def test_what_was_archived_before_stays_archived_when_a_change_is_undone(
    context: BrowserContext, server: Server
) -> None:
    with StoreBuilder(store_path(server.home)) as store:
        store.set("sessions", "run007", archived=1)
    before = contents(server)
    page = open_list(context, server, f"{AUTOMATION}&archived=include")
    press(page, "*", "a")
    expect(bar(page)).to_be_visible()
    press(page, "e")
    expect(toast(page, re.compile("^Archived"))).to_be_visible()
    assert len(archived(server)) == RUNS
    page.get_by_role("button", name="Undo").click()
    expect(toast(page, re.compile("^Undone"))).to_be_visible()
    assert contents(server) == before
    with StoreBuilder(store_path(server.home)) as store:
        store.set("sessions", "run007", archived=0)


def test_what_is_unticked_of_all_that_match_stays(context: BrowserContext, server: Server) -> None:
    before = contents(server)
    page = open_list(context, server, AUTOMATION)
    press(page, "*", "a", "j", "x", "j", "x")
    expect(bar(page)).to_contain_text(f"{RUNS - 2} selected · all but 2")
    press(page, "#")
    expect(toast(page, f"Deleted {RUNS - 2} conversations ({RUNS - 2} sessions, {RUNS - 2} messages)")).to_be_visible()
    expect(conversations(page)).to_have_count(2)
    assert titles(conversations(page)) == ["Run 001", "Run 002"]
    assert {each for each in ids(server) if each.startswith("run")} == {"run001", "run002"}
    page.get_by_role("button", name="Undo").click()
    expect(toast(page, re.compile("^Undone: brought back"))).to_be_visible(timeout=30_000)
    assert contents(server) == before


def test_conversations_of_several_profiles_are_changed_together(context: BrowserContext, server: Server) -> None:
    before = contents(server)
    page = open_list(context, server, "/?q=0")
    press(page, "Control+a")
    # Chat 00 to 09, Chat 10 and Work 0.
    expect(bar(page)).to_contain_text("All 12 selected")
    press(page, "e")
    expect(toast(page, "Archived 12 conversations")).to_be_visible()
    assert archived(server, "work") == {"work0"}
    assert len(archived(server)) == 11
    press(page, "z")
    expect(toast(page, re.compile("^Undone"))).to_be_visible()
    assert contents(server) == before


def test_a_range_grows_and_shrinks_by_keys_and_by_click(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "j", "Shift+J", "Shift+ArrowDown", "Shift+J")
    assert titles(selected(page)) == ["A young branch", "Chat 01", "Chat 02", "Chat 03"]
    press(page, "Shift+K", "Shift+ArrowUp")
    assert titles(selected(page)) == ["A young branch", "Chat 01"]
    expect(bar(page)).to_contain_text("2 selected · 2 messages")
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
    expect(bar(page)).to_be_hidden()


def test_twelve_are_deleted_and_brought_back_by_keys_alone(context: BrowserContext, server: Server) -> None:
    before = contents(server)
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", *["Shift+J"] * 11)
    expect(bar(page)).to_contain_text("12 selected · 12 messages")
    press(page, "#")
    expect(toast(page, "Deleted 12 conversations (12 sessions, 12 messages)")).to_be_visible()
    expect(grid(page)).to_be_focused()
    expect(conversations(page).first).to_contain_text("Chat 11")
    expect(conversations(page).first).to_have_attribute("data-cursor", "true")
    press(page, "z")
    expect(toast(page, "Undone: brought back 12 conversations")).to_be_visible()
    expect(conversations(page).first).to_contain_text("Chat 00")
    assert contents(server) == before


def test_a_selection_survives_paging_and_ends_with_another_list(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, AUTOMATION)
    press(page, "x", "End", "End", "x")
    expect(bar(page)).to_contain_text("2 selected")
    page.get_by_role("button", name=re.compile("^Chats")).click()
    expect(toast(page, "Another list is shown: 2 conversations no longer selected")).to_be_visible()
    expect(bar(page)).to_be_hidden()


def test_what_went_away_meanwhile_is_told_and_the_others_change(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "Shift+J", "Shift+J")
    expect(bar(page)).to_contain_text("3 selected")
    ask(server, 'mutation { deleteSession(input: {profile: "default", id: "chat01"}) { binId } }')
    press(page, "e")
    note = page.get_by_role("status").filter(has_text="Archived 2 conversations · 1 was left: no longer there")
    expect(note).to_be_visible()
    note.get_by_text("Details").click()
    expect(note).to_contain_text("default chat01: It was deleted before.")
    assert archived(server) == {"chat00", "twig"}
    press(page, "z")
    expect(toast(page, re.compile("^Undone"))).to_be_visible()
    bin_id = ask(server, '{ bin(profile: "default", first: 1) { binId } }')["bin"][0]["binId"]
    ask(server, f'mutation {{ restoreSessions(input: {{profile: "default", binId: "{bin_id}"}}) {{ sessionCount }} }}')
    assert archived(server) == set()


def test_a_busy_one_is_left_and_comes_back_into_the_list(context: BrowserContext, server: Server) -> None:
    with StoreBuilder(store_path(server.home)) as store:
        store.session("busy", start=time.time(), title="At work")
        store.message("busy", content="go", at=time.time())
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "Shift+J")
    expect(bar(page)).to_contain_text("2 selected")
    press(page, "#")
    expect(toast(page, re.compile(r"^Deleted 1 conversation .* · 1 was left: busy$"))).to_be_visible()
    expect(conversations(page).first).to_contain_text("At work")
    press(page, "z")
    expect(toast(page, re.compile("^Undone"))).to_be_visible()
    with StoreBuilder(store_path(server.home)) as store:
        store.sql("DELETE FROM messages WHERE session_id = 'busy'")
        store.sql("DELETE FROM sessions WHERE id = 'busy'")


def test_the_archived_are_brought_back_together(context: BrowserContext, server: Server) -> None:
    before = contents(server)
    with StoreBuilder(store_path(server.home)) as store:
        store.sql("UPDATE sessions SET archived = 1 WHERE source = 'cron'")
    page = open_list(context, server, f"{AUTOMATION}&archived=only")
    press(page, "Control+a")
    expect(bar(page).get_by_role("button", name="Bring back")).to_be_visible()
    expect(bar(page).get_by_role("button", name="Archive")).to_have_count(0)
    press(page, "e")
    expect(toast(page, f"Brought back {RUNS} conversations")).to_be_visible()
    assert contents(server) == before


def test_pruning_takes_what_its_preview_said(context: BrowserContext, server: Server) -> None:
    before = contents(server)
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "P")
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    days = dialog.get_by_label("Not active for, in days")
    expect(days).to_be_focused()
    facts = dialog.get_by_label("What would go")
    expect(facts).to_contain_text(re.compile(r"Sessions1\D"))
    expect(facts).to_contain_text("1 branch or reset stays and loses its parent")
    days.fill("5")
    runs = RUNS - (5 * 24 - 40) + 1
    expect(facts).to_contain_text(f"Conversations{runs}Sessions{runs}Messages{runs}")
    preview = facts.inner_text()
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    done = toast(page, re.compile(rf"^Deleted {runs} sessions, {runs} messages"))
    expect(done).to_have_text(re.compile(r"\([\d.]+ k?B\)$"))
    size = re.search(r"\((.*)\)$", done.inner_text())
    assert size is not None
    assert size[1] in preview
    expect(grid(page)).to_be_focused()
    assert len(ids(server)) == 1 + CHATS + 1 + RUNS - runs
    press(page, "z")
    expect(toast(page, f"Brought back {runs} sessions")).to_be_visible(timeout=30_000)
    assert contents(server) == before


def test_pruning_for_good_asks_for_the_count_and_takes_what_the_filter_shows_alone(
    context: BrowserContext, server: Server
) -> None:
    with StoreBuilder(store_path(server.home)) as store:
        for number in range(2):
            add(store, f"gone{number}", 2 * DAY, title=f"Gone {number}")
    before = ids(server)
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
    assert before - ids(server) == {"gone0", "gone1"}


def test_the_selected_ones_are_exported_into_one_file(context: BrowserContext, server: Server) -> None:
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "j", "j", "x")
    bar(page).get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=re.compile("^Markdown")).click()
    text = download.value.path().read_text()
    assert ["About chat00" in text, "About twig" in text, "About chat01" in text] == [True, False, True]


def test_a_read_only_server_says_so(context: BrowserContext, browser: Browser, server: Server) -> None:
    with serving(server.home, server.home.parent / "other", "--read-only") as reading:
        stranger = browser.new_context()
        page = open_list(stranger, reading, CHATS_OF_DEFAULT)
        press(page, "x")
        expect(bar(page)).to_contain_text("This server is read-only")
        expect(bar(page).get_by_role("button", name="Delete")).to_be_disabled()
        press(page, "P")
        dialog = page.get_by_role("dialog", name="Prune old conversations")
        expect(dialog).to_contain_text("This server is read-only: nothing can be deleted")
        expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
        stranger.close()


def test_a_finger_selects_by_the_sign_of_a_row(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    page = open_list(context, server, CHATS_OF_DEFAULT)
    box = conversations(page).first.get_by_role("checkbox")
    size = box.bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 24
    box.tap()
    expect(selected(page)).to_have_count(1)
    conversations(page).nth(1).get_by_role("checkbox").tap()
    expect(selected(page)).to_have_count(2)
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1440])
def test_selecting_and_pruning_keep_nobody_out(browser: Browser, server: Server, theme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    page = open_list(context, server, CHATS_OF_DEFAULT)
    press(page, "x", "Shift+J")
    expect(bar(page)).to_be_visible()
    page.wait_for_timeout(200)
    assert findings(page) == {}
    assert bar(page).evaluate("each => each.scrollWidth <= each.clientWidth")
    press(page, "P")
    expect(page.get_by_label("What would go")).to_contain_text("Sessions")
    assert findings(page) == {}
    context.close()
