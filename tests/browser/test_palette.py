"""The palette, the keys, the settings, exports and imports: by keyboard, by hand, and as files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import HEADERS, Server
from tests.browser.dashboard import STORY, ask, feed, grid, open_palette, opened, rows, story, toast

DROP = """async ([name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  for (const type of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""


def export(server: Server, ending: str) -> bytes:
    answer = httpx.get(f"{server.origin}/export/default/{story(server)}.{ending}", headers=HEADERS, timeout=30)
    assert answer.status_code == 200
    return answer.content


def messages_in(server: Server, profile: str, session_id: str) -> int | None:
    answer = ask(server, f'{{ session(id: "{session_id}", profile: "{profile}") {{ messageCount }} }}')["session"]
    return answer and int(answer["messageCount"])


def test_the_palette_opens_a_conversation_and_remembers_it(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    open_palette(page)
    page.keyboard.type(STORY)
    expect(page.get_by_role("group", name="Conversations").get_by_role("option", name=STORY)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    open_palette(page)
    expect(page.get_by_role("option").first).to_contain_text(STORY)


def test_the_palette_runs_an_action_and_gives_the_focus_back(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    grid(page).focus()
    open_palette(page)
    page.keyboard.press("Escape")
    expect(grid(page)).to_be_focused()
    open_palette(page)
    page.keyboard.type("filter the list")
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox")).to_be_focused()
    open_palette(page)
    page.keyboard.type("go usage")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/usage"))


def test_single_keys_are_switched_off_and_settings_survive_a_reload(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    for choice in ("Dark", "Compact", "Wide", "Off"):
        page.get_by_role("radio", name=choice).check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    page.keyboard.press("t")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    html = page.locator("html")
    for name, value in (("theme", "dark"), ("density", "compact"), ("prose", "wide")):
        expect(html).to_have_attribute(f"data-{name}", value)
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    open_palette(page)
    page.keyboard.type("all keys")
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name=re.compile("^Single keys")).check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


@pytest.mark.parametrize(("name", "ending"), [("Markdown", "md"), ("Web page", "html"), ("JSON", "json")])
def test_an_export_has_the_bytes_of_the_server(page: Page, server: Server, name: str, ending: str) -> None:
    page.goto(server.link(f"/p/default/c/{story(server)}"))
    page.get_by_role("button", name="Export the conversation").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=re.compile(rf"^{name} \.{ending}$")).click()
    assert download.value.suggested_filename == f"hermes-{story(server)}.{ending}"
    assert without_time(Path(download.value.path()).read_bytes()) == without_time(export(server, ending))
    expect(toast(page, "Saved")).to_be_visible()


def without_time(content: bytes) -> bytes:
    """An export tells when it was made, where it tells it."""
    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z(?=\"\s*[,}]\s*\"sessions\")", b"", content)


def test_a_conversation_is_copied_as_markdown(page: Page, server: Server) -> None:
    page.goto(server.link(f"/p/default/c/{story(server)}"))
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    open_palette(page)
    page.keyboard.type("copy all")
    page.keyboard.press("Enter")
    expect(toast(page, "Copied as Markdown")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == export(server, "md").decode()


def test_a_dropped_file_is_told_about_imported_and_deleted_again(page: Page, server: Server) -> None:
    page.goto(server.link("/?in=research"))
    expect(rows(page).first).to_be_visible()
    session = story(server)
    assert messages_in(server, "research", session) is None
    page.evaluate(DROP, ["trip.json", export(server, "json").decode()])
    dialog = page.get_by_role("dialog", name="Import sessions")
    expect(dialog.get_by_text("trip.json", exact=True)).to_be_visible()
    expect(dialog.get_by_role("status")).to_contain_text("Would come in: 3 sessions")
    assert messages_in(server, "research", session) is None

    dialog.get_by_role("button", name="Import into research").click()
    expect(dialog.get_by_role("status")).to_contain_text("Imported into research: 3 sessions")
    assert messages_in(server, "research", session) == messages_in(server, "default", session)

    dialog.get_by_role("button", name="Delete the imported ones").click()
    expect(dialog.get_by_text("Deleted again: 3 sessions")).to_be_visible()
    assert messages_in(server, "research", session) is None


def test_a_file_is_chosen_and_what_is_there_is_skipped(page: Page, server: Server, tmp_path: Path) -> None:
    expect(rows(page).first).to_be_visible()
    file = tmp_path / "trip.jsonl"
    file.write_bytes(export(server, "jsonl"))
    open_palette(page)
    page.keyboard.type("import")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Import sessions")
    with page.expect_file_chooser() as chooser:
        dialog.get_by_role("button", name="Choose a file…").click()
    chooser.value.set_files(file)
    expect(dialog.get_by_text("3 sessions skipped")).to_be_visible()
    expect(dialog.get_by_role("button", name=re.compile("^Import into"))).to_have_count(0)
    dialog.get_by_role("combobox", name="Into the profile").select_option("work")
    expect(dialog.get_by_role("status")).to_contain_text("Would come in: 3 sessions")
    dialog.get_by_role("button", name="Import into work").click()
    expect(dialog.get_by_role("status")).to_contain_text("Imported into work: 3 sessions")
    dialog.get_by_role("button", name="Done").click()
    assert messages_in(server, "work", story(server)) is not None


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cat.png", "x", "is no export that could be imported"),
        ("trip.json", "# A title", "holds no JSON"),
        ("trip.json", json.dumps({"title": "no session"}), "The session has no"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(page: Page, name: str, text: str, told: str) -> None:
    expect(rows(page).first).to_be_visible()
    page.evaluate(DROP, [name, text])
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(told)


def test_a_narrow_window_shows_the_region_of_an_action(contexts: Callable[..., BrowserContext], server: Server) -> None:
    narrow = contexts(viewport={"width": 320, "height": 800})
    page = opened(narrow, server, f"/p/default/c/{story(server)}")
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    page.keyboard.press("s")
    field = page.get_by_role("searchbox", name="Search all messages")
    expect(field).to_be_focused()
    page.go_back()
    page.go_back()
    expect(feed(page)).to_be_focused()
    open_palette(page)
    page.keyboard.type("filter the list")
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox", name="Filter by title, preview or id")).to_be_focused()


def test_the_tab_key_skips_the_rail(page: Page, server: Server) -> None:
    page.goto(server.link(f"/p/default/c/{story(server)}"))
    expect(feed(page)).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    page.get_by_role("link", name="Skip to the reader").focus()
    page.keyboard.press("Enter")
    expect(feed(page)).to_be_focused()
    page.get_by_role("link", name="Skip to the list").focus()
    page.keyboard.press("Enter")
    expect(grid(page)).to_be_focused()
    expect(page).to_have_title(f"{STORY} · Hermes Sessions")
