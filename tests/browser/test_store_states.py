"""What becomes of stores while somebody has them open: locked, damaged, exchanged, gone, changed, sound again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server, serving
from tests.browser.test_journeys import opened, reader, rows
from tests.builders import StoreBuilder, T, home_with, store_path

TALKS = 3
PROFILES = ("sound", "locked", "spoilt", "foreign", "away", "swapped", "restored", "elsewhere")


def talks(name: str, count: int = TALKS) -> Callable[[StoreBuilder], None]:
    def fill(store: StoreBuilder) -> None:
        for number in range(count):
            id, at = f"{name}-{number}", T + 3600 * number
            store.session(id, start=at, end=at + 60, end_reason="cli_close", title=f"{name} talk {number}")
            store.message(id, content=f"Words of {name} talk {number}", at=at + 1)

    return fill


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("states")
    home = home_with(folder / "home", default=talks("default"), **{name: talks(name) for name in PROFILES})
    with serving(home, folder / "state") as started:
        yield started


def put(path: Path, source: Path) -> None:
    """The file takes the place of a store, with all that lay beside it."""
    for sidecar in ("-wal", "-shm"):
        Path(f"{path}{sidecar}").unlink(missing_ok=True)
    os.replace(source, path)


def copy_of(path: Path, folder: Path) -> Path:
    copy = folder / "copy.db"
    with StoreBuilder(path) as store:
        store.sql("VACUUM INTO ?", (str(copy),))
    return copy


def garbage(folder: Path) -> Path:
    file = folder / "garbage.db"
    file.write_bytes(b"this is no database at all, " * 400)
    return file


def of_another_program(folder: Path) -> Path:
    file = folder / "foreign.db"
    connection = apsw.Connection(str(file))
    connection.execute("CREATE TABLE recipes (name TEXT, minutes INTEGER); INSERT INTO recipes VALUES ('soup', 30)")
    connection.close()
    return file


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another process holds the write lock of a store."""
    with StoreBuilder(path) as store:
        store.sql("BEGIN IMMEDIATE")
        yield
        store.sql("ROLLBACK")


def at_list(page: Page, profile: str) -> Locator:
    found = rows(page).filter(has_text=f"{profile} talk")
    expect(found).to_have_count(TALKS)
    return found


def test_a_locked_store_is_read_on_and_takes_the_change_once_it_is_free(
    context: BrowserContext, server: Server
) -> None:
    page = opened(context, server, "/p/locked/c/locked-0?in=locked")
    at_list(page, "locked")
    heading = reader(page).get_by_role("heading", level=2)
    expect(heading).to_have_text("locked talk 0")
    with held(store_path(server.home, "locked")):
        page.keyboard.press("r")
        field = page.get_by_role("textbox", name="Title")
        field.fill("A better name")
        field.press("Enter")
        expect(
            page.get_by_role("alert").filter(has_text="Another program or another change holds the write lock")
        ).to_be_visible()
        expect(field).to_have_value("A better name")
    page.get_by_role("button", name="Try again").click()
    expect(heading).to_have_text("A better name")

    with held(store_path(server.home, "locked")):
        reader(page).get_by_role("feed").focus()
        page.keyboard.press("e")
        note = page.get_by_role("status").filter(has_text="STORE_BUSY")
        # Reads go on meanwhile.
        rows(page).filter(has_text="locked talk 1").click()
        expect(page.get_by_role("feed").get_by_text("Words of locked talk 1")).to_be_visible()
        expect(note).to_contain_text("Nothing was changed")
    note.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status").filter(has_text="Archived “A better name”")).to_be_visible()
    expect(rows(page).filter(has_text="A better name")).to_have_count(0)


STATES = {
    "spoilt": (garbage, "STORE_DAMAGED", "is damaged or no SQLite database"),
    "foreign": (of_another_program, "UNSUPPORTED_STORE", ""),
}


@pytest.mark.parametrize("profile", STATES)
def test_a_store_that_breaks_is_named_and_comes_back_by_itself(
    context: BrowserContext, server: Server, tmp_path: Path, profile: str
) -> None:
    spoil, code, sentence = STATES[profile]
    path = store_path(server.home, profile)
    page = opened(context, server, f"/p/{profile}/c/{profile}-1?in={profile}")
    at_list(page, profile)
    words = page.get_by_role("feed").get_by_text(f"Words of {profile} talk 1")
    expect(words).to_be_visible()
    others = opened(context, server, "/")
    others.set_viewport_size({"width": 1440, "height": 1800})  # with room for the rows of all profiles
    expect(rows(others).filter(has_text="sound talk")).to_have_count(TALKS)

    sound = copy_of(path, tmp_path)
    put(path, spoil(tmp_path))
    problem = page.get_by_role("region", name="Conversations").get_by_role("alert")
    expect(problem).to_contain_text(code)
    expect(problem).to_contain_text(sentence)
    expect(rows(page)).to_have_count(0)
    expect(reader(page).get_by_role("alert")).to_have_count(1)
    expect(reader(page).get_by_role("alert")).to_contain_text(code)
    problem.get_by_role("button", name="Copy details").click()
    assert code in page.evaluate("navigator.clipboard.readText()")
    problem.get_by_role("button", name="Try again").click()
    expect(problem).to_contain_text(code)

    failure = others.get_by_role("alert").filter(has_text=profile)
    expect(failure).to_contain_text(code)
    expect(rows(others).filter(has_text="sound talk")).to_have_count(TALKS)
    expect(rows(others).filter(has_text=f"{profile} talk")).to_have_count(0)

    put(path, sound)
    at_list(page, profile)
    expect(problem).to_have_count(0)
    expect(words).to_be_visible()
    at_list(others, profile)
    expect(failure).to_have_count(0)


def test_a_store_that_is_deleted_is_empty_until_it_is_back(
    context: BrowserContext, server: Server, tmp_path: Path
) -> None:
    path = store_path(server.home, "away")
    page = opened(context, server, "/p/away/c/away-1?in=away")
    at_list(page, "away")
    sound = copy_of(path, tmp_path)
    for each in ("", "-wal", "-shm"):
        Path(f"{path}{each}").unlink(missing_ok=True)
    expect(page.get_by_text("No conversation here yet")).to_be_visible()
    expect(reader(page).get_by_role("alert")).to_contain_text("There is no conversation away-1")
    put(path, sound)
    at_list(page, "away")
    expect(page.get_by_role("feed").get_by_text("Words of away talk 1")).to_be_visible()


def test_another_store_in_the_same_place_is_shown_instead(
    context: BrowserContext, server: Server, tmp_path: Path
) -> None:
    page = opened(context, server, "/p/swapped/c/swapped-1?in=swapped")
    at_list(page, "swapped")
    home = home_with(tmp_path / "other", default=talks("fresh", 2))
    put(store_path(server.home, "swapped"), home / "state.db")
    expect(rows(page).filter(has_text="fresh talk")).to_have_count(2)
    expect(rows(page).filter(has_text="swapped talk")).to_have_count(0)
    expect(reader(page).get_by_role("alert")).to_contain_text("the store was replaced")


def test_an_open_conversation_is_read_and_followed_in_the_store_that_takes_the_place(
    context: BrowserContext, server: Server, tmp_path: Path
) -> None:
    path = store_path(server.home, "restored")
    page = opened(context, server, "/p/restored/c/restored-1?in=restored")
    feed = page.get_by_role("feed")
    expect(feed.get_by_text("Words of restored talk 1")).to_be_visible()
    backup = copy_of(path, tmp_path)
    with StoreBuilder(backup) as store:
        store.sql("UPDATE messages SET content = 'Words of the backup' WHERE session_id = 'restored-1'")
    put(path, backup)
    expect(feed.get_by_text("Words of the backup")).to_be_visible()
    expect(feed.get_by_text("Words of restored talk 1")).to_have_count(0)
    with StoreBuilder(path) as store:
        store.message("restored-1", content="Written since", at=T + 9_000)
    expect(feed.get_by_text("Written since")).to_be_visible()


def test_what_another_process_does_shows_where_it_is_open(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/elsewhere/c/elsewhere-1?in=elsewhere")
    at_list(page, "elsewhere")
    heading = reader(page).get_by_role("heading", level=2)
    expect(heading).to_have_text("elsewhere talk 1")
    with StoreBuilder(store_path(server.home, "elsewhere")) as store:
        store.set("sessions", "elsewhere-1", title="Named by another")
        expect(heading).to_have_text("Named by another")
        expect(rows(page).filter(has_text="Named by another")).to_have_count(1)

        store.set("sessions", "elsewhere-1", archived=1)
        expect(rows(page).filter(has_text="Named by another")).to_have_count(0)
        expect(reader(page).locator("header").get_by_text("archived", exact=True)).to_be_visible()

        store.sql("DELETE FROM messages WHERE session_id = 'elsewhere-1'")
        store.sql("DELETE FROM sessions WHERE id = 'elsewhere-1'")
    gone = reader(page).get_by_role("alert")
    expect(gone).to_contain_text("There is no conversation elsewhere-1 in the profile elsewhere")
    gone.get_by_role("button", name="Back to the list").click()
    expect(page).to_have_url(re.compile(r"/\?in=elsewhere$"))
    expect(rows(page).filter(has_text="elsewhere talk")).to_have_count(TALKS - 1)


def test_a_server_that_stops_and_starts_again_is_waited_for(browser: Browser, tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=talks("default"))
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    with serving(home, tmp_path / "state") as server:
        page = opened(context, server, "/p/default/c/default-1")
        at_list(page, "default")
        expect(page.get_by_role("feed").get_by_text("Words of default talk 1")).to_be_visible()
        page.wait_for_timeout(1_000)
        port = server.origin.rpartition(":")[2]
    lost = page.get_by_role("status").filter(has_text="The connection to the server is lost")
    expect(lost).to_be_visible()
    at_list(page, "default")
    page.keyboard.press("e")
    note = page.get_by_role("status").filter(has_text="DISCONNECTED")
    expect(note).to_contain_text("The server does not answer")
    with StoreBuilder(home / "state.db") as store:
        store.set("sessions", "default-2", title="Meanwhile")
    with serving(home, tmp_path / "state", "--port", port):
        expect(lost).to_be_hidden(timeout=60_000)
        expect(rows(page).filter(has_text="Meanwhile")).to_have_count(1)
        rows(page).filter(has_text="Meanwhile").click()
        expect(page.get_by_role("feed").get_by_text("Words of default talk 2")).to_be_visible()
        context.close()


def test_a_read_only_server_says_why_nothing_can_be_done(browser: Browser, tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=talks("default"))
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    thrown: list[str] = []
    context.on("weberror", lambda error: thrown.append(str(error.error)))
    with serving(home, tmp_path / "state", "--read-only") as server:
        page = opened(context, server, "/p/default/c/default-1")
        at_list(page, "default")
        expect(page.get_by_role("feed").get_by_text("Words of default talk 1")).to_be_visible()
        for key in ("e", "#"):
            page.keyboard.press(key)
            note = page.get_by_role("status").filter(has_text="The server runs with --read-only")
            expect(note.last).to_contain_text("READ_ONLY")
        page.keyboard.press("r")
        field = page.get_by_role("textbox", name="Title")
        field.fill("Another name")
        field.press("Enter")
        expect(page.get_by_role("alert").filter(has_text="--read-only")).to_be_visible()
        field.press("Escape")
        expect(reader(page).get_by_role("heading", level=2)).to_have_text("default talk 1")
        at_list(page, "default")
        context.close()
    assert thrown == []
