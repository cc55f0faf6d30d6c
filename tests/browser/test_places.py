"""A person beside the conversations: brings back from the bin, reads what was spent, looks at the stores."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.test_accessibility import findings
from tests.browser.test_dashboard import STORY, ask, find, rows

PLACES = {"Usage": "g u", "Stores": "g p", "Bin": "g b"}


def place(context: BrowserContext, server: Server, path: str) -> Page:
    page = context.new_page()
    page.goto(server.link(path))
    return page


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", level=2, name=name, exact=True)


def current(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Places").locator("[aria-current=page]")


def test_what_was_deleted_is_found_in_the_bin_and_comes_back(page: Page, server: Server) -> None:
    before = ask(server, "{ conversations(profiles: []) { totalCount } }")
    find(page, STORY).click()
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    page.keyboard.press("#")
    expect(page.get_by_role("status").filter(has_text="Deleted")).to_be_visible()
    page.get_by_role("link", name="Bin").click()
    row = page.get_by_role("row").filter(has_text=STORY)
    entry = next(
        each for each in ask(server, "{ bin { title messageCount sessionIds } }")["bin"] if each["title"] == STORY
    )
    expect(row.get_by_role("cell").nth(1)).to_have_text(str(len(entry["sessionIds"])))
    expect(row.get_by_role("cell").nth(2)).to_have_text(f"{entry['messageCount']:,}")
    row.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("status").filter(has_text="Brought back")).to_contain_text(STORY)
    expect(row).to_be_hidden()
    assert ask(server, "{ conversations(profiles: []) { totalCount } }") == before
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(rows(page).filter(has_text=STORY).first).to_be_visible()


def test_the_usage_on_the_page_is_that_of_the_api(context: BrowserContext, server: Server) -> None:
    page = place(context, server, "/usage?period=all&by=model")
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
        expect(line.get_by_role("cell").last).to_have_text(f"{row['sessions']:,}")
        if (row["cost"]["usd"] or 0) >= 0.01:
            expect(line.get_by_role("cell").first).to_contain_text(f"${row['cost']['usd']:,.2f}")
    total = usage["total"]
    totals = page.get_by_label("Totals")
    expect(totals).to_contain_text(f"${total['cost']['usd']:,.2f}")
    expect(totals).to_contain_text(f"Sessions{total['sessions']:,}")
    expect(totals).to_contain_text(re.compile(rf"\b{total['cost']['unknownSessions']} sessions? without a price"))


def test_a_model_leads_to_its_conversations_and_back(context: BrowserContext, server: Server) -> None:
    page = place(context, server, "/usage?period=all&by=model")
    link = page.get_by_role("region", name="Usage by model").get_by_role("link").first
    model = link.inner_text()
    link.click()
    expect(rows(page).first).to_be_visible()
    expect(page.get_by_role("button", name=model).first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name="Usage by model")).to_be_visible()


def test_the_stores_show_what_the_api_finds(context: BrowserContext, server: Server) -> None:
    page = place(context, server, "/stores")
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
        for key in keys.split():
            page.keyboard.press(key)
        expect(heading(page, name)).to_be_visible()
        expect(current(page)).to_have_text(name)
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page).to_have_url(address)
    expect(rows(page).filter(has_text=STORY).first).to_be_visible()


@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_place_keeps_anybody_out(browser: Browser, server: Server, theme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    ready = {
        "/usage?period=all": "[role=img]",
        "/stores": "[aria-label='Findings of default']",
        "/bin": "section table, section [role=status]:has-text('empty')",
    }
    for path, sign in ready.items():
        page = place(context, server, path)
        expect(page.locator(sign)).to_be_visible()
        assert findings(page) == {}, path
        assert page.locator("section").first.evaluate("each => each.scrollWidth - each.clientWidth") == 0, path
        page.close()
    context.close()
