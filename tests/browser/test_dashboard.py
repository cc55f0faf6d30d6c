"""A person in the dashboard: finds a conversation, reads it, shapes it, and takes things back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TOKEN, Server
from tests.browser.dashboard import STORY, ask, feed, find, ledger, open_story, rows


def count(answer: dict[str, Any]) -> int:
    return int(answer["conversations"]["totalCount"])


def test_the_token_leaves_the_address_at_once(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    assert "token" not in page.url


def test_the_list_accounts_for_every_conversation(page: Page, server: Server) -> None:
    page.get_by_role("button", name=re.compile(r"^All\d+$")).click()
    listed = ask(server, "{ conversations(profiles: [], filter: {minMessages: 1}) { totalCount } }")
    every = ask(server, "{ conversations(profiles: [], filter: {archived: INCLUDE}) { totalCount } }")
    expect(ledger(page)).to_contain_text(f"{count(listed)} of {count(every)}")
    ledger(page).get_by_role("button", name=re.compile("archived$")).click()
    expect(page).to_have_url(re.compile("archived"))


def test_a_tool_call_unfolds_with_its_result(page: Page) -> None:
    reader = open_story(page)
    call = reader.get_by_role("button", name=re.compile("Searched the web for Celta train"))
    call.click()
    expect(reader.get_by_text("19:56").first).to_be_visible()


def test_a_word_that_only_a_tool_said_is_found_and_read_where_it_stands(page: Page) -> None:
    page.get_by_role("searchbox", name="Filter by title, preview or id").fill("Pinheiro")
    page.get_by_role("button", name="Search all messages for “Pinheiro”").click()
    hits = page.get_by_role("grid", name="Search results").get_by_role("row")
    expect(hits).to_have_count(1)
    expect(hits).to_contain_text("Result of web_search")
    expect(hits.locator("mark")).to_have_text("Pinheiro")

    page.get_by_role("searchbox", name="Search all messages").press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/p/default/c/[^?]+\?q=Pinheiro&find=Pinheiro&message=\d+$"))
    result = page.get_by_role("region", name="Reader").get_by_text("Rafael Bordalo Pinheiro")
    expect(result).to_be_in_viewport()
    expect(hits).to_have_attribute("aria-selected", "true")

    page.get_by_role("button", name="Back to the list").click()
    expect(page.get_by_role("searchbox", name="Filter by title, preview or id")).to_have_value("Pinheiro")
    expect(result).to_be_visible()


def test_the_lineage_shows_cost_with_subagents_and_opens_a_node(page: Page) -> None:
    open_story(page)
    page.keyboard.press("i")
    tree = page.get_by_role("tree", name="Lineage")
    expect(tree.get_by_role("treeitem")).to_have_count(6)
    subagent = tree.get_by_role("treeitem", name=re.compile("^Subagent Find three quiet places"))
    subagent.click()
    expect(page).to_have_url(re.compile("/s/"))
    expect(page.get_by_role("region", name="Reader").get_by_role("heading", level=2)).to_contain_text("Find three")


def test_a_deep_link_opens_what_it_names_and_back_works(page: Page, server: Server) -> None:
    open_story(page)
    address = page.url
    other = page.context.new_page()
    other.goto(f"{address}#token={TOKEN}")
    expect(other.get_by_role("heading", name=STORY)).to_be_visible()
    other.close()
    page.go_back()
    expect(page.get_by_role("heading", name=STORY)).to_be_hidden()


def test_renaming_in_place_is_stored(page: Page, server: Server) -> None:
    find(page, "Weekend in Trieste").click()
    reader = page.get_by_role("region", name="Reader")
    expect(reader.get_by_role("heading", name=re.compile("Weekend in Trieste"))).to_be_visible()
    expect(feed(page)).to_be_focused()
    page.keyboard.press("r")
    reader.get_by_role("textbox").fill("Trieste, by bus")
    page.keyboard.press("Enter")
    expect(reader.get_by_role("heading", name="Trieste, by bus")).to_be_visible()
    found = ask(server, '{ conversations(profiles: [], filter: {text: "Trieste, by bus"}) { totalCount } }')
    assert found["conversations"] == {"totalCount": 1}


@pytest.mark.parametrize(("key", "done"), [("e", "Archived"), ("#", "Deleted")])
def test_what_was_archived_or_deleted_comes_back_by_undo(page: Page, server: Server, key: str, done: str) -> None:
    before = ask(server, "{ conversations(profiles: []) { totalCount } }")
    row = find(page, STORY)
    row.click()
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    page.keyboard.press(key)
    toast = page.get_by_role("status").filter(has_text=done)
    expect(toast).to_be_visible()
    assert ask(server, "{ conversations(profiles: []) { totalCount } }") != before
    toast.get_by_role("button", name="Undo").click()
    expect(rows(page).filter(has_text=STORY).first).to_be_visible()
    assert ask(server, "{ conversations(profiles: []) { totalCount } }") == before


def test_profiles_are_switched(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Profile")).click()
    page.get_by_role("menuitemcheckbox").filter(has_text="research").click()
    expect(page).to_have_url(re.compile("research"))
    expect(page.get_by_role("button", name="Profile: research")).to_be_visible()
    expect(rows(page).first).to_be_visible()


def test_the_query_of_a_view_is_taken_and_answers(page: Page, server: Server) -> None:
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name="Take the list's query").click()
    page.get_by_role("menuitem", name="Copy as curl").click()
    expect(page.get_by_role("status").filter(has_text="Copied as curl")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl ")
    assert "/graphql" in copied
    assert TOKEN not in copied


def test_the_query_of_a_view_is_opened_in_graphiql(page: Page) -> None:
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name="Take the list's query").click()
    page.get_by_role("menuitem", name="Open in GraphiQL").click()
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("conversations")
    page.get_by_role("button", name=re.compile("^Execute query")).click()
    expect(page.locator(".graphiql-response")).to_contain_text("cursor")


def test_without_a_token_the_page_asks_for_one(page: Page, server: Server) -> None:
    stranger = page.context.browser.new_context()  # type: ignore[union-attr]
    visit = stranger.new_page()
    visit.goto(server.origin)
    visit.get_by_role("textbox").fill(TOKEN)
    visit.keyboard.press("Enter")
    expect(rows(visit).first).to_be_visible()
    stranger.close()
