"""The list in a real browser: filters, groups, saved views, its width; each says what the API says."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.dashboard import ask, conversations, grid, ledger, opened, rows

A_PAGE = 60
PLACES_AND_TITLES = """(rows) => rows.map((row) => [
  Number(row.getAttribute("aria-rowindex")),
  row.querySelector("[role=checkbox], input").getAttribute("aria-label").replace("Select ", ""),
])"""
FILTERS = {
    "cost": ({"cost": "0.02"}, "minCostUsd: 0.02", "cost at least $0.02"),
    "live": ({"live": "only"}, "live: true", "live now"),
    "end": ({"ended": "cli_close"}, 'endReasons: ["cli_close"]', "ended by cli_close"),
    "source": ({"source": "telegram"}, 'sources: ["telegram"]', "source telegram"),
    "job": ({"job": "5d1f0a77c2e4", "audience": "all"}, 'job: "5d1f0a77c2e4"', "runs of job 5d1f0a77c2e4"),
}


def listed(server: Server, condition: str, audience: str = "CHATS") -> dict[str, Any]:
    filter = f"{{minMessages: 1, audience: {audience}, {condition}}}"
    query = f"{{ conversations(profiles: [], filter: {filter}) {{ totalCount hidden {{ otherFilters }} }} }}"
    answer: dict[str, Any] = ask(server, query)["conversations"]
    return answer


def chips(page: Page) -> Locator:
    return page.get_by_role("list", name="Active filters")


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_in_the_address_narrows_exactly_as_the_api_says(page: Page, server: Server, name: str) -> None:
    parameters, condition, words = FILTERS[name]
    answer = listed(server, condition, parameters.get("audience", "chats").upper())
    page.goto(server.link(f"/?{urlencode(parameters)}"))
    expect(ledger(page)).to_contain_text(re.compile(rf"^{answer['totalCount']} of "))
    assert answer["hidden"]["otherFilters"] > 0
    expect(ledger(page).get_by_role("button", name=f"{answer['hidden']['otherFilters']} by filters")).to_be_visible()
    expect(chips(page).get_by_role("button", name=words)).to_be_visible()


def test_days_are_those_of_the_browser_and_both_count(contexts: Callable[..., BrowserContext], server: Server) -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    newest = ask(server, "{ conversations(profiles: [], first: 40) { nodes { lastActiveAt } } }")["conversations"]
    day = datetime.fromisoformat(newest["nodes"][-1]["lastActiveAt"]).astimezone(tokyo).date()
    first = datetime(day.year, day.month, day.day, tzinfo=tokyo)
    last = first + timedelta(days=3)
    answer = listed(server, f'activeAfter: "{first.isoformat()}", activeBefore: "{last.isoformat()}"', "ALL")
    assert answer["totalCount"] > 0
    context = contexts(timezone_id="Asia/Tokyo")
    page = opened(context, server, f"/?audience=all&since={day}&through={day + timedelta(days=2)}")
    expect(ledger(page)).to_contain_text(re.compile(rf"^{answer['totalCount']} of "))


def test_a_chip_drops_just_its_filter(page: Page, server: Server) -> None:
    page.goto(server.link("/?audience=all&cost=0.01&source=cli&since=2020-01-01"))
    chips(page).get_by_role("button", name="cost at least $0.01").click()
    expect(page).to_have_url(re.compile(r"\?audience=all&source=cli&since=2020-01-01$"))
    expect(chips(page).get_by_role("button")).to_have_count(2)


def test_an_empty_result_names_what_emptied_it(page: Page, server: Server) -> None:
    page.goto(server.link("/?audience=all&cost=100000&source=cli"))
    page.get_by_role("status").get_by_role("button", name="cost at least $100,000.00").click()
    expect(page).to_have_url(re.compile(r"\?audience=all&source=cli$"))
    expect(rows(page).first).to_be_visible()


def test_the_filters_work_by_keys_alone(page: Page) -> None:
    button = page.get_by_role("button", name="Filters", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Filters")
    expect(panel.get_by_role("checkbox", name="Only live ones")).to_be_focused()
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("live=only"))
    panel.get_by_label("at least $").focus()
    page.keyboard.type("0.5")
    expect(page).to_have_url(re.compile("cost=0.5"))
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Filters, 2 active")).to_be_focused()


@pytest.mark.parametrize("group", ["source", "workspace"])
def test_groups_hold_every_conversation_once_or_say_what_is_in_none(page: Page, server: Server, group: str) -> None:
    total = listed(server, "", "ALL")["totalCount"]
    page.goto(server.link(f"/?audience=all&group={group}"))
    expect(ledger(page)).to_contain_text(re.compile(rf"^{total} of "))
    page.set_viewport_size({"width": 1440, "height": 4000})
    headers = grid(page).get_by_role("rowheader")
    expect(headers.first).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes = [int(text.split()[-1].replace(",", "")) for text in headers.all_inner_texts()]
    note = page.get_by_role("button", name=re.compile("in no group"))
    outside = int(note.inner_text().split()[0]) if note.count() else 0
    assert sum(sizes) + outside == total
    assert len(sizes) > 1


def test_a_group_loads_on_by_keys(page: Page, server: Server) -> None:
    page.goto(server.link("/?audience=all&group=source"))
    more = page.get_by_role("row", name=re.compile(r"^\d+ more in ")).first
    expect(more).to_be_visible()
    label = more.inner_text()
    grid(page).focus()
    for _ in range(5):
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name=label, exact=True)).to_have_count(0)
    assert "/c/" not in page.url


def test_a_saved_view_survives_a_reload(page: Page, server: Server) -> None:
    page.goto(server.link("/?audience=all&cost=0.02&sort=cost"))
    page.get_by_role("button", name="Saved views").click()
    page.get_by_role("textbox", name="Save this view as").fill("Dear ones")
    page.keyboard.press("Enter")
    page.goto(server.link("/"))
    page.reload()
    page.get_by_role("button", name="Saved views").click()
    panel = page.get_by_role("dialog", name="Saved views")
    panel.get_by_role("button", name="Dear ones", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?audience=all&cost=0.02&sort=cost$"))
    expect(panel.get_by_role("button", name="Dear ones", exact=True)).to_have_attribute("aria-current", "true")
    panel.get_by_role("button", name="Rename Dear ones").click()
    panel.get_by_role("textbox", name="New name of Dear ones").fill("Costly")
    page.keyboard.press("Enter")
    panel.get_by_role("button", name="Delete Costly").click()
    expect(panel.get_by_role("button", name="Costly", exact=True)).to_have_count(0)


def test_broken_saved_views_do_not_break_the_page(page: Page) -> None:
    page.evaluate(
        "localStorage.setItem('hermes-sessions.views', '{]'); localStorage.setItem('hermes-sessions.list-width', 'x')"
    )
    page.reload()
    page.get_by_role("button", name="Saved views").click()
    expect(
        page.get_by_role("dialog", name="Saved views").get_by_role("button", name="Cron runs", exact=True)
    ).to_be_visible()


def test_the_list_goes_on_page_by_page_with_each_conversation_once(context: BrowserContext, server: Server) -> None:
    filter = "{minMessages: 1, audience: CHATS}"
    query = f'{{ conversations(profiles: ["default"], first: 200, filter: {filter}) {{ nodes {{ displayTitle }} }} }}'
    expected = [node["displayTitle"] for node in ask(server, query)["conversations"]["nodes"]]
    assert len(expected) > A_PAGE
    page = opened(context, server, "/?in=default")
    grid(page).hover()
    seen: dict[int, str] = {}
    while len(seen) < len(expected):
        expect(grid(page).locator(f"[aria-rowindex='{len(seen) + 1}']")).to_be_attached()
        seen.update(conversations(page).evaluate_all(PLACES_AND_TITLES))
        page.mouse.wheel(0, 300)
    assert [seen[place] for place in range(1, len(expected) + 1)] == expected


def test_the_list_is_made_wider_by_keys_and_stays_so(page: Page) -> None:
    edge = page.get_by_role("separator", name="Width of the list")
    region = page.get_by_role("region", name="Conversations")
    edge.focus()
    page.keyboard.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuenow", "376")
    page.keyboard.press("End")
    page.reload()
    expect(edge).to_have_attribute("aria-valuenow", "520")
    box = region.bounding_box()
    assert box is not None
    assert abs(box["width"] - 520) <= 1
    edge.dblclick()
    expect(edge).to_have_attribute("aria-valuenow", "360")


def test_compact_rows_are_lower_at_once(page: Page) -> None:
    row = conversations(page).first
    expect(row).to_have_css("height", "52px")
    page.evaluate("document.documentElement.dataset.density = 'compact'")
    expect(row).to_have_css("height", "40px")
