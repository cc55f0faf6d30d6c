"""A person in a lineage: walks it by keyboard, believes its sums, and compares two branches of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.dashboard import ask, opened, reader, toast
from tests.browser.lineage_store import TARGET, add_lineages


@pytest.fixture(scope="module", autouse=True)
def stores(server: Server) -> None:
    add_lineages(server.home)


def tree(page: Page) -> Locator:
    found = page.get_by_role("tree", name="Lineage")
    expect(found).to_be_visible()
    return found


def go_to_tree(page: Page) -> None:
    """By Tab alone, from the end of the page on: the inspector is its last region."""
    tree(page)
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "tree":
            return
    raise AssertionError("Shift+Tab never reached the tree")


def active(page: Page) -> dict[str, str]:
    """The name and place of the row under the cursor, as a screen reader is told."""
    told: dict[str, str] = page.evaluate("""() => {
        const row = document.getElementById(document.activeElement.getAttribute('aria-activedescendant'));
        const place = ['level', 'setsize', 'posinset'].map((name) => [name, row.getAttribute(`aria-${name}`)]);
        return { text: row.innerText, ...Object.fromEntries(place) };
    }""")
    return told


def walk_to(page: Page, title: str) -> int:
    """Down from where the cursor is, one by one; gives the number of steps."""
    for steps in range(100):
        if title in active(page)["text"].splitlines():
            return steps
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(15)
    raise AssertionError(f"{title} was never reached")


def subtree_of(server: Server, session: str) -> list[dict[str, Any]]:
    """A session and all below it."""
    fields = "id messageCount usage { totalTokens } cost { usd unknownSessions }"
    below = f"descendants(first: 500) {{ nodes {{ {fields} }} }}"
    top = ask(server, f'{{ session(id: "{session}", profile: "default") {{ {fields} {below} }} }}')["session"]
    return [top, *top["descendants"]["nodes"]]


def depth_of(server: Server, session: str) -> int:
    nodes = "lineage { nodes { depth isFocus } }"
    answer = ask(server, f'{{ session(id: "{session}", profile: "default") {{ {nodes} }} }}')
    return int(next(node["depth"] for node in answer["session"]["lineage"]["nodes"] if node["isFocus"]))


def test_a_node_among_a_hundred_is_reached_and_opened_by_keyboard_alone(
    context: BrowserContext, server: Server
) -> None:
    page = opened(context, server, "/p/default/c/seg00?panel=lineage")
    go_to_tree(page)
    expect(page.get_by_text("100 sessions ·").first).to_be_visible()
    page.keyboard.press("Home")
    assert walk_to(page, TARGET) > 50
    assert active(page)["level"] == str(depth_of(server, "seg13-h") + 1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/p/default/s/seg13-h\?panel=lineage"))
    heading = reader(page).get_by_role("heading", level=2)
    expect(heading).to_have_text(TARGET)
    selected = tree(page).locator("[aria-selected=true]")
    expect(selected).to_contain_text(TARGET)
    expect(selected).to_be_in_viewport()


def test_keys_of_a_tree_walk_fold_and_find(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/default/c/seg00?panel=lineage")
    go_to_tree(page)
    page.keyboard.press("z")
    expect(page.get_by_label("The chosen session")).to_contain_text("seg13-h")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("The chosen session")).to_contain_text("seg13-w")
    page.keyboard.press("ArrowLeft")
    worker = tree(page).locator("[data-cursor]")
    expect(worker).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("The chosen session")).to_contain_text("seg13-b")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("The chosen session")).to_contain_text("seg13-h")
    page.get_by_role("button", name="Path to the root").click()
    expect(tree(page).get_by_role("treeitem")).to_have_count(16)
    page.get_by_role("button", name="Path to the root").click()
    tree(page).focus()
    page.keyboard.press("End")
    expect(page.get_by_label("The chosen session")).to_contain_text("seg19")
    page.keyboard.press("Home")
    expect(page.get_by_label("The chosen session")).to_contain_text("no parent_session_id")


def test_the_numbers_of_a_subtree_are_those_of_the_api(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/default/c/seg00?panel=lineage")
    go_to_tree(page)
    page.keyboard.press("Home")
    for number in (0, 13, 19):
        walk_to(page, f"Segment {number}")
        every = subtree_of(server, f"seg{number:02}")
        tokens = sum(each["usage"]["totalTokens"] for each in every)
        known = sum(each["cost"]["usd"] or 0 for each in every)
        unknown = sum(each["cost"]["unknownSessions"] for each in every)
        assert unknown > 0
        facts = page.get_by_label("The chosen session")
        expect(facts).to_contain_text(f"{len(every)} sessions · {sum(each['messageCount'] for each in every)} messages")
        expect(facts).to_contain_text(f"{tokens:,} tokens · ≥ ${known:,.2f}, {unknown} without a price")


def test_what_is_odd_about_parents_is_told_in_words(context: BrowserContext, server: Server) -> None:
    for session, words in {
        "alone": "Stands alone",
        "ring-a": "name each other as parents, in a circle",
        "orphan": "names a parent that is not in the store: long-gone",
    }.items():
        page = opened(context, server, f"/p/odd/c/{session}?panel=lineage")
        expect(page.get_by_role("complementary", name="Inspector")).to_contain_text(words)
        page.close()
    page = opened(context, server, "/p/odd/s/never-was?panel=lineage")
    expect(page.get_by_role("complementary", name="Inspector").get_by_role("alert")).to_contain_text("NOT_FOUND")


def test_a_session_is_shown_raw_and_its_columns_are_copied(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/default/c/fork?panel=raw")
    raw = page.get_by_role("region", name="Raw")
    expect(raw).to_contain_text("_branched_from")
    raw.get_by_role("button", name="Copy parentId").click()
    expect(toast(page, "Copied parentId")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "trunk"


def messages_of(server: Server, session: str) -> list[tuple[str, str]]:
    query = (
        f'{{ session(id: "{session}", profile: "default") {{ messages(first: 500) {{ nodes {{ role content }} }} }} }}'
    )
    return [(each["role"], each["content"]) for each in ask(server, query)["session"]["messages"]["nodes"]]


def test_two_branches_are_compared_from_their_first_difference_on(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/default/c/trunk?panel=lineage")
    go_to_tree(page)
    page.keyboard.press("Home")
    walk_to(page, "To the hills")
    page.keyboard.press("c")
    expect(page).to_have_url(re.compile(r"/p/default/compare/trunk/fork$"))
    feed = page.get_by_role("feed", name="Comparison")
    expect(feed).to_be_visible()

    trunk, fork = messages_of(server, "trunk"), messages_of(server, "fork")
    shared = next(index for index, (left, right) in enumerate(zip(trunk, fork, strict=False)) if left != right)
    beginning = feed.get_by_role("button", name=re.compile(f"^{shared} messages the same in both"))
    expect(beginning).to_have_attribute("aria-expanded", "false")
    expect(feed.get_by_text(f"First difference: message {shared + 1}, in turn 36")).to_be_visible()
    expect(feed.get_by_text("shared words")).to_have_count(0)
    prompts = feed.get_by_role("article", name="Turn 36: A and B differ").first
    expect(prompts.locator("mark")).to_have_text(["coast", "hills"])
    expect(feed.get_by_text("A ends here")).to_be_visible()
    expect(feed.get_by_role("article", name="Turn 37: B alone")).to_contain_text("And a third day?")

    page.keyboard.press("o")
    expect(beginning).to_have_attribute("aria-expanded", "true")
    expect(feed.get_by_text("shared words 0", exact=True)).to_have_count(1)
    page.keyboard.press("x")
    expect(page).to_have_url(re.compile(r"/p/default/compare/fork/trunk$"))
    page.keyboard.press("Escape")
    expect(tree(page).locator("[aria-selected=true]")).to_contain_text("To the hills")


def test_a_branch_is_compared_with_its_parent(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/p/default/c/fork?panel=lineage")
    tree(page)
    page.get_by_role("button", name="Compare with its parent").click()
    expect(page).to_have_url(re.compile(r"/p/default/compare/trunk/fork$"))
    page.get_by_role("link", name="To the hills").click()
    expect(page).to_have_url(re.compile(r"/p/default/c/fork$"))
