"""Somebody in a hurry, whose answers come late, and somebody whose title is taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server, serving
from tests.builders import StoreBuilder, T, home_with

PROFILES = ("default", "beta", "gamma")
SWITCHES = 10
TALKS = 8

# Answers come late and in any order, as they do over a slow line. The seed makes each run the same.
SLOW_LINE = """
(() => {
  let seed = 20260301;
  const wait = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return new Promise((resolve) => setTimeout(resolve, seed % 600));
  };
  const real = window.fetch.bind(window);
  window.fetch = async (...asked) => {
    const answer = await real(...asked);
    await wait();
    return answer;
  };
})();
"""

# Frame by frame: what stands under another one's name although it does not look old.
WATCH = """
(look) => {
  window.wrong = [];
  window.frames = 0;
  const each = new Function(`return (${look})()`);
  const frame = () => {
    window.frames += 1;
    window.wrong.push(...each());
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
"""
ROWS_OF_ANOTHER_PROFILE = """() => {
  const buttons = [...document.querySelectorAll("button")];
  const chosen = buttons.map((each) => /^Profile: (.+)/.exec(each.textContent)?.[1]).find(Boolean);
  const rows = [...document.querySelectorAll("[role=grid][aria-label=Conversations] [role=row][aria-selected]")];
  const isOfAnother = (text) =>
    chosen === "default" ? /(beta|gamma) (talk|job)/.test(text) : !text.includes(`${chosen} `);
  return rows
    .filter((row) => !row.closest("[data-old]") && isOfAnother(row.textContent))
    .map((row) => `${chosen}: ${row.textContent}`);
}"""
ROWS_OF_ANOTHER_AUDIENCE = """() => {
  const chosen = document.querySelector("[aria-label=Audience] [aria-pressed=true]")?.textContent ?? "";
  const wanted = chosen.startsWith("Chats") ? "talk" : chosen.startsWith("Automation") ? "job" : "";
  const rows = [...document.querySelectorAll("[role=grid][aria-label=Conversations] [role=row][aria-selected]")];
  return rows
    .filter((row) => !row.closest("[data-old]") && !row.textContent.includes(wanted))
    .map((row) => `${chosen}: ${row.textContent}`);
}"""
MESSAGES_OF_ANOTHER = """() => {
  const title = document.querySelector("[data-region=reader] h2")?.textContent;
  const messages = [...document.querySelectorAll("[role=feed] [data-message]")];
  return messages
    .filter((each) => title && !each.textContent.includes(title))
    .map((each) => `${title}: ${each.textContent}`);
}"""


def talks(name: str) -> Callable[[StoreBuilder], None]:
    def fill(store: StoreBuilder) -> None:
        for number in range(TALKS):
            for kind, source in (("talk", "cli"), ("job", "cron")):
                title = f"{name} {kind} {number}"
                at = T + 3600 * number
                store.session(f"{name}-{kind}-{number}", source, start=at, end=at + 60, title=title)
                store.message(f"{name}-{kind}-{number}", content=f"Words of {title}", at=at + 1)

    return fill


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("journeys")
    home = home_with(folder / "home", **{name: talks(name) for name in PROFILES})
    with serving(home, folder / "state") as started:
        yield started


def opened(context: BrowserContext, server: Server, path: str) -> Page:
    page = context.new_page()
    page.goto(server.link(path))
    return page


def rows(page: Page, grid: str = "Conversations") -> Locator:
    return page.get_by_role("grid", name=grid).get_by_role("row")


def reader(page: Page) -> Locator:
    return page.get_by_role("region", name="Reader")


def hurried(context: BrowserContext, server: Server, path: str, look: str) -> Page:
    context.add_init_script(SLOW_LINE)
    page = opened(context, server, path)
    expect(rows(page).first).to_be_visible()
    page.evaluate(WATCH, look)
    return page


def assert_nothing_was_wrong(page: Page) -> None:
    page.wait_for_timeout(800)  # answers that come late have come
    assert page.evaluate("window.frames") > 10
    assert page.evaluate("window.wrong") == []


def test_profiles_switched_in_a_hurry_never_show_each_others_rows(context: BrowserContext, server: Server) -> None:
    page = hurried(context, server, "/?in=default", ROWS_OF_ANOTHER_PROFILE)
    for turn in range(1, SWITCHES + 1):
        page.get_by_role("button", name=re.compile("^Profile: ")).click()
        page.get_by_role("menuitemcheckbox", name=re.compile(f"^{PROFILES[turn % 3]}")).click()
    last = PROFILES[SWITCHES % 3]
    expect(page.get_by_role("button", name=f"Profile: {last}")).to_be_visible()
    expect(rows(page).filter(has_text=f"{last} talk")).to_have_count(TALKS)
    assert_nothing_was_wrong(page)


def test_filters_changed_in_a_hurry_never_show_each_others_rows(context: BrowserContext, server: Server) -> None:
    page = hurried(context, server, "/?in=beta", ROWS_OF_ANOTHER_AUDIENCE)
    tabs = page.get_by_role("group", name="Audience").get_by_role("button")
    for turn in range(SWITCHES):
        tabs.nth((turn + 1) % 3).click()
    page.get_by_role("searchbox").press_sequentially("job 3", delay=30)
    tabs.nth(1).click()
    found = rows(page).filter(has_text=re.compile("talk|job"))
    expect(found).to_have_count(1)
    expect(found).to_contain_text("beta job 3")
    assert_nothing_was_wrong(page)


def test_conversations_opened_in_a_hurry_end_with_the_last(context: BrowserContext, server: Server) -> None:
    page = hurried(context, server, "/?in=gamma", MESSAGES_OF_ANOTHER)
    for number in range(TALKS):
        rows(page).filter(has_text=f"gamma talk {number}").click()
    expect(reader(page).get_by_role("heading", level=2)).to_have_text(f"gamma talk {TALKS - 1}")
    expect(page.get_by_role("feed").get_by_text(f"Words of gamma talk {TALKS - 1}")).to_be_visible()
    assert_nothing_was_wrong(page)
    expect(page.get_by_role("feed").get_by_role("article")).to_have_count(1)


@pytest.mark.parametrize(("where", "number"), [("list", 2), ("reader", 5)])
def test_a_title_that_is_taken_leads_to_its_holder_and_what_was_typed_stays(
    context: BrowserContext, server: Server, where: str, number: int
) -> None:
    rename_to_what_is_taken(context, server, "beta", where, number)


def rename_to_what_is_taken(context: BrowserContext, server: Server, profile: str, where: str, number: int) -> None:
    title, taken = f"{profile} talk {number}", f"{profile} talk {number + 1}"
    page = opened(context, server, f"/?in={profile}&q={profile}+talk")
    row = rows(page).filter(has_text=title)
    row.click()
    expect(reader(page).get_by_role("heading", name=title)).to_be_visible()
    renamed = f"{profile} talk, by {where}"
    region = reader(page) if where == "reader" else page.get_by_role("grid", name="Conversations")
    expect(page.get_by_role("feed")).to_be_focused()
    if where == "list":
        region.focus()
    page.keyboard.press("r")
    field = region.get_by_role("textbox", name="Title")
    field.fill(taken)
    field.press("Enter")
    expect(region.get_by_role("alert")).to_contain_text(f"belongs to session {profile}-talk-{number + 1}")
    expect(field).to_have_value(taken)

    page.keyboard.press("Tab")
    link = region.get_by_role("link", name=f"Open “{taken}”")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/p/{profile}/c/{profile}-talk-{number + 1}"))
    expect(page.get_by_role("feed").get_by_text(f"Words of {taken}")).to_be_visible()

    page.go_back()
    expect(page).to_have_url(re.compile(f"/p/{profile}/c/{profile}-talk-{number}"))
    expect(field).to_have_value(taken)
    field.fill(renamed)
    field.press("Enter")
    expect(reader(page).get_by_role("heading", name=renamed)).to_be_visible()
    expect(rows(page).filter(has_text=renamed)).to_be_visible()
    # The field is gone, and so is what was typed into it: the next change begins with the title.
    page.keyboard.press("r")
    expect(page.get_by_role("textbox", name="Title")).to_have_value(renamed)
    page.get_by_role("textbox", name="Title").fill(title)
    page.keyboard.press("Enter")
    expect(reader(page).get_by_role("heading", name=title)).to_be_visible()
