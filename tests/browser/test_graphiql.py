"""A person in GraphiQL, on a machine without internet."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import Server


def test_an_example_answers_and_nothing_leaves_the_origin(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.link("/graphiql"))
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("conversations")
    page.get_by_role("button", name=re.compile("^Execute query")).click()
    expect(page.locator(".graphiql-response")).to_contain_text("displayTitle")
    assert "token" not in page.url


def test_a_link_brings_its_query_along(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.link("/graphiql"))
    expect(page.locator(".graphiql-query-editor")).to_be_visible()
    page.goto(f"{server.origin}/graphiql?profile=work#query=%7B%20profile%20%7B%20name%20%7D%20%7D")
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("profile")
    page.get_by_role("button", name=re.compile("^Execute query")).click()
    expect(page.locator(".graphiql-response")).to_contain_text('"work"')


def test_a_subscription_runs_until_it_is_stopped(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.link("/graphiql"))
    expect(page.locator(".graphiql-query-editor")).to_be_visible()
    page.goto(f"{server.origin}/graphiql#query=subscription%20%7B%20sessionChanges%20%7B%20kind%20complete%20%7D%20%7D")
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("sessionChanges")
    page.get_by_role("button", name=re.compile("^Execute query")).click()
    expect(page.locator(".graphiql-response")).to_contain_text("SYNCED")
    page.get_by_role("button", name=re.compile("^Stop query")).click()
    expect(page.get_by_role("button", name=re.compile("^Execute query"))).to_be_visible()
