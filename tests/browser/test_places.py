"""A person beside the conversations: brings back from the bin, reads what was spent, looks at the stores."""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Callable
from datetime import datetime

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.dashboard import STORY, ask, find, opened, press, rows, toast

SESSIONS = 7
"""Where a row of the usage tells the number of sessions, counted from the cost."""

PLACES = {"Usage": "g u", "Stores": "g p", "Bin": "g b"}


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", level=2, name=name, exact=True)


def current(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Places").locator("[aria-current=page]")


def test_what_was_deleted_is_found_in_the_bin_and_comes_back(page: Page, server: Server) -> None:
    before = ask(server, "{ conversations(profiles: []) { totalCount } }")
    find(page, STORY).click()
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    page.keyboard.press("#")
    expect(toast(page, "Deleted")).to_be_visible()
    page.get_by_role("link", name="Bin").click()
    row = page.get_by_role("row").filter(has_text=STORY)
    entry = next(
        each for each in ask(server, "{ bin { title messageCount sessionIds } }")["bin"] if each["title"] == STORY
    )
    expect(row.get_by_role("cell").nth(2)).to_have_text(str(len(entry["sessionIds"])))
    expect(row.get_by_role("cell").nth(3)).to_have_text(f"{entry['messageCount']:,}")
    row.get_by_role("button", name="Restore").click()
    expect(toast(page, "Brought back")).to_contain_text(STORY)
    expect(row).to_be_hidden()
    page.keyboard.press("z")
    expect(toast(page, "Nothing to undo")).to_be_visible()
    assert ask(server, "{ conversations(profiles: []) { totalCount } }") == before
    press(page, "g", "s")
    expect(rows(page).filter(has_text=STORY).first).to_be_visible()


def test_the_usage_on_the_page_is_that_of_the_api(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/usage?period=all&by=model")
    usage = ask(
        server,
        "{ usage(profiles: [], by: [MODEL]) { rows { model sessions cost { usd unknownSessions } }"
        " total { sessions cost { usd unknownSessions } } } }",
    )["usage"]
    table = page.get_by_role("region", name="Usage by model")
    expect(table.get_by_role("rowheader")).to_have_count(len(usage["rows"]))
    for row in usage["rows"]:
        header = page.get_by_role("rowheader", name=row["model"] or "no model", exact=True)
        line = table.get_by_role("row").filter(has=header)
        expect(line.get_by_role("cell").nth(SESSIONS)).to_have_text(f"{row['sessions']:,}")
        if (row["cost"]["usd"] or 0) >= 0.01:
            expect(line.get_by_role("cell").first).to_contain_text(f"${row['cost']['usd']:,.2f}")
    total = usage["total"]
    totals = page.get_by_label("Totals")
    expect(totals).to_contain_text(f"${total['cost']['usd']:,.2f}")
    expect(totals).to_contain_text(f"Sessions{total['sessions']:,}")
    expect(totals).to_contain_text(re.compile(rf"\b{total['cost']['unknownSessions']} sessions? without a price"))


def test_a_model_leads_to_its_conversations_and_back(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/usage?period=all&by=model")
    table = page.get_by_role("region", name="Usage by model")
    model = table.get_by_role("rowheader").get_by_role("link").first.inner_text()
    table.get_by_role("link", name=f"Conversations of {model}").click()
    expect(rows(page).first).to_be_visible()
    expect(page.get_by_role("button", name=model).first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name="Usage by model")).to_be_visible()


def test_days_are_those_of_the_browser_also_when_the_clocks_change(
    contexts: Callable[..., BrowserContext], server: Server
) -> None:
    zone, start, end = "Europe/Berlin", "2025-03-29T23:00:00Z", "2025-03-30T22:00:00Z"  # a day of 23 hours
    arguments = f'profiles: [], from: "{start}", to: "{end}", timeZone: "{zone}"'
    with sqlite3.connect(server.home / "state.db") as store:
        edges = {"before": -1, "first": 0, "last": 23 * 3600 - 1, "after": 23 * 3600}
        midnight = datetime.fromisoformat(start).timestamp()
        for name, offset in edges.items():
            store.execute(
                "INSERT INTO sessions (id, source, model, started_at, input_tokens, estimated_cost_usd, cost_status)"
                " VALUES (?, 'cli', ?, ?, 1000, 1.25, 'estimated')",
                (f"clocks-{name}", f"clocks/{name}", midnight + offset),
            )
    store.close()
    rows = ask(server, f"{{ usage(by: [MODEL], {arguments}) {{ rows {{ model sessions }} }} }}")["usage"]["rows"]
    counted = {row["model"]: row["sessions"] for row in rows}
    assert {"clocks/first", "clocks/last"} <= counted.keys()
    assert not {"clocks/before", "clocks/after"} & counted.keys()
    context = contexts(timezone_id=zone)
    page = opened(context, server, "/usage?period=custom&begin=2025-03-30&end=2025-03-30&by=model")
    table = page.get_by_role("region", name="Usage by model")
    expect(table.get_by_role("rowheader")).to_have_count(len(counted))
    for model, sessions in counted.items():
        line = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name=model or "no model", exact=True))
        expect(line.get_by_role("cell").nth(SESSIONS)).to_have_text(f"{sessions:,}")
    expect(page.get_by_role("gridcell")).to_have_count(1)
    expect(page.get_by_text(f"Days are those of {zone}.")).to_be_visible()


def test_the_calendar_is_walked_by_keyboard_and_narrows_the_page_to_a_day(
    context: BrowserContext, server: Server
) -> None:
    page = opened(context, server, "/usage?period=90d")
    grid = page.get_by_role("grid", name="Activity by day, cost")
    expect(grid.get_by_role("gridcell")).to_have_count(90)
    expect(grid.locator("[tabindex='0']")).to_have_count(1)
    page.get_by_role("button", name="Tokens").focus()
    page.keyboard.press("Tab")
    expect(grid.get_by_role("gridcell").and_(page.locator(":focus"))).to_have_count(1)
    page.keyboard.press("Home")
    first = page.locator(":focus")
    day = first.get_attribute("aria-label")
    assert day is not None
    assert re.match(r"[A-Z][a-z]{2} \d+ [A-Z][a-z]+ 20\d\d: ", day), day
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).not_to_have_attribute("aria-label", day)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"only=day%3A20\d\d-\d\d-\d\d"))
    expect(first).to_have_attribute("aria-selected", "true")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("only="))


def test_a_row_narrows_the_page_to_what_the_api_counts_for_it(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/usage?period=all&by=model")
    link = page.get_by_role("region", name="Usage by model").get_by_role("rowheader").get_by_role("link").first
    model = link.inner_text()
    link.click()
    page.get_by_role("group", name="Grouped by").get_by_role("button", name="Source").click()
    usage = ask(server, "{ usage(profiles: [], by: [MODEL, SOURCE]) { rows { model source sessions } } }")["usage"]
    expected = {row["source"]: row["sessions"] for row in usage["rows"] if row["model"] == model}
    table = page.get_by_role("region", name="Usage by source")
    expect(table.get_by_role("rowheader")).to_have_count(len(expected))
    for source, sessions in expected.items():
        line = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name=source, exact=True))
        expect(line.get_by_role("cell").nth(SESSIONS)).to_have_text(f"{sessions:,}")
    whole = ask(server, "{ usage(profiles: [], by: [MODEL]) { rows { model sessions } } }")["usage"]["rows"]
    (sessions,) = (row["sessions"] for row in whole if row["model"] == model)
    expect(page.get_by_label("Totals")).to_contain_text(f"Sessions{sessions:,}")
    page.reload()
    expect(table.get_by_role("rowheader")).to_have_count(len(expected))
    page.get_by_role("button", name=f"model: {model}").click()
    total = ask(server, "{ usage(profiles: [], by: []) { total { sessions } } }")["usage"]["total"]["sessions"]
    expect(page.get_by_label("Totals")).to_contain_text(f"Sessions{total:,}")
    expect(page).not_to_have_url(re.compile("only="))


def test_the_dearest_conversation_opens(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/usage?period=all")
    (dearest,) = ask(
        server,
        "{ conversations(profiles: [], first: 1, filter: { archived: INCLUDE }, orderBy: { field: COST })"
        " { nodes { id displayTitle cost { usd } costWithSubagents { usd } subagentCount } } }",
    )["conversations"]["nodes"]
    table = page.get_by_role("region", name="Most expensive conversations, a table")
    line = table.get_by_role("row").nth(1)
    expect(line.get_by_role("cell").nth(0)).to_contain_text(f"${dearest['cost']['usd']:,.2f}")
    assert dearest["subagentCount"] > 0
    expect(line.get_by_role("cell").nth(1)).to_contain_text(f"${dearest['costWithSubagents']['usd']:,.2f}")
    line.get_by_role("link", name=dearest["displayTitle"]).click()
    expect(page).to_have_url(re.compile(f"/c/{dearest['id']}"))
    expect(page.get_by_role("heading", name=dearest["displayTitle"])).to_be_visible()


def test_the_table_is_saved_as_a_file(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/usage?period=all&by=source")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    rows = ask(server, "{ usage(profiles: [], by: [SOURCE]) { rows { source sessions } } }")["usage"]["rows"]
    assert {line["source"]: int(line["sessions"]) for line in lines} == {row["source"]: row["sessions"] for row in rows}


def test_what_a_prune_would_take_is_told_and_kept(context: BrowserContext, server: Server) -> None:
    before = ask(server, "{ conversations(profiles: []) { totalCount } }")
    page = opened(context, server, "/stores")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="default", exact=True))
    card.get_by_role("button", name="Prune default").click()
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    dialog.get_by_role("textbox", name="Not active for, in days").fill("30")
    plan = ask(
        server,
        'mutation { pruneSessions(input: { profile: "default", olderThanDays: 30, dryRun: true })'
        " { sessionCount messageCount } }",
    )["pruneSessions"]
    expect(dialog.get_by_role("button", name=f"Delete {plan['sessionCount']:,} sessions")).to_be_enabled()
    expect(dialog.get_by_role("status", name="What would go")).to_contain_text(f"{plan['messageCount']:,}")
    dialog.get_by_role("button", name="Cancel").click()
    assert ask(server, "{ conversations(profiles: []) { totalCount } }") == before


def test_the_stores_show_what_the_api_finds(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/stores")
    profiles = ask(server, "{ profiles { name status health { findings { severity code } } } }")["profiles"]
    assert profiles
    for profile in profiles:
        card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=profile["name"], exact=True))
        for finding in profile["health"]["findings"]:
            if profile["status"] != "EMPTY" and finding["severity"] != "OK":
                expect(card.get_by_text(finding["code"], exact=True).first).to_be_visible()
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="default", exact=True))
    card.get_by_role("button", name="Largest parts, and who has it open").click()
    expect(card.get_by_role("row").first).to_contain_text(re.compile(r"\d [kM]?B"))
    expect(card.get_by_text(re.compile("^this server, process"))).to_be_visible()


def test_the_rail_is_walked_by_keyboard(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    page.get_by_role("link", name="Conversations").focus()
    for name in PLACES:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(heading(page, name)).to_be_visible()
        expect(current(page)).to_have_text(name)
        expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()


def test_two_keys_lead_to_each_place_and_back_to_the_same_list(page: Page) -> None:
    find(page, STORY)
    address = page.url
    page.get_by_role("searchbox").blur()
    for name, keys in PLACES.items():
        press(page, *keys.split())
        expect(heading(page, name)).to_be_visible()
        expect(current(page)).to_have_text(name)
    press(page, "g", "s")
    expect(page).to_have_url(address)
    expect(rows(page).filter(has_text=STORY).first).to_be_visible()
