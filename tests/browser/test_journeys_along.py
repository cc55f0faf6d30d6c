"""Somebody looks for a word and lands on it, takes queries along and runs them, deletes and brings back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import TOKEN, Server, serving
from tests.browser.test_journeys import opened, reader, rows
from tests.builders import StoreBuilder, T, home_with

PARTS = 4
STEPS = 60
WHOLE = "/p/default/c/part1"


def fill(store: StoreBuilder) -> None:
    """A conversation of four segments, in whose second one a tool and a thought hold words of their own."""
    for part in range(1, PARTS + 1):
        is_last = part == PARTS
        at = T + 10_000 * part
        store.session(
            f"part{part}",
            parent=f"part{part - 1}" if part > 1 else None,
            start=at,
            end=None if is_last else at + 10_000,
            end_reason=None if is_last else "compression",
            title=f"Long way #{part}" if part > 1 else "Long way",
            cost=0.25 * part,
            model="sonnet",
        )
        for number in range(STEPS):
            store.message(f"part{part}", "assistant" if number % 2 else "user", f"Step {part}.{number}", at=at + number)
            if (part, number) == (2, 31):
                say_in_passing(store, at + number)
            if part == 3 and number in (10, 30, 50):
                store.message("part3", "user", f"About saffron, at {number}", at=at + number + 0.5)
    store.session("other", start=T + 100, end=T + 200, title="Another one", cost=1)
    store.message("other", content="Nothing to see", at=T + 101)


def say_in_passing(store: StoreBuilder, at: float) -> None:
    call = {"id": "call-1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}
    store.message("part2", "assistant", "Let me look.", at=at + 0.1, tool_calls=[call])
    output = "\n".join([f"file-{line}" for line in range(5)] + ["quicksilver"])
    answer = json.dumps({"output": output, "exit_code": 0})
    store.message("part2", "tool", answer, at=at + 0.2, tool_call_id="call-1", tool_name="terminal")
    store.message("part2", "assistant", "It is there.", at=at + 0.3, reasoning="Perhaps antimony would do as well.")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("along")
    with serving(home_with(folder / "home", default=fill), folder / "state") as started:
        yield started


def test_a_word_of_a_tool_in_the_second_of_four_segments_is_landed_on(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/?find=quicksilver")
    hits = rows(page, "Search results")
    expect(hits).to_have_count(1)
    expect(hits).to_contain_text("Part 2 of 4")
    hits.click()
    found = page.get_by_role("feed").get_by_text("quicksilver")
    expect(found).to_be_in_viewport()
    expect(page.get_by_role("feed").get_by_role("button", name=re.compile("Ran ls"))).to_have_attribute(
        "aria-expanded", "true"
    )
    # The document is the whole conversation: what stands before and after is there by scrolling.
    total = page.locator("[data-message]").first.get_attribute("aria-setsize")
    assert int(total or 0) > PARTS * STEPS


def test_a_thought_is_found_once_reasoning_is_searched_and_opens_where_it_stands(
    context: BrowserContext, server: Server
) -> None:
    page = opened(context, server, "/?find=antimony")
    expect(page.get_by_text("Nothing found for “antimony”")).to_be_visible()
    page.get_by_role("button", name="search it too").click()
    hits = rows(page, "Search results")
    expect(hits).to_contain_text("Reasoning")
    hits.click()
    expect(page.get_by_role("feed").get_by_text("Perhaps antimony would do as well.")).to_be_in_viewport()


def test_the_further_hits_of_a_conversation_are_a_link_to_all_of_them(context: BrowserContext, server: Server) -> None:
    page = opened(context, server, "/?find=saffron")
    hits = rows(page, "Search results")
    link = hits.get_by_role("link", name="+2 more in this conversation")
    expect(link).to_be_visible()
    page.get_by_role("searchbox", name="Search all messages").press("ArrowDown")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/p/default/c/part1\?.*within=saffron"))
    bar = (
        reader(page)
        .get_by_role("searchbox", name="Find in the transcript")
        .or_(reader(page).get_by_role("textbox", name="Find in the transcript"))
    )
    expect(bar).to_have_value("saffron")
    count = reader(page).get_by_role("search").get_by_role("status")
    expect(count).to_have_text(re.compile("^[123] of 3$"))
    first = count.inner_text()
    expect(page.get_by_role("feed").get_by_text("About saffron, at").first).to_be_visible()

    page.reload()
    expect(bar).to_have_value("saffron")
    expect(count).to_have_text(first)
    bar.press("Enter")
    expect(count).not_to_have_text(first)
    bar.press("Escape")
    expect(bar).to_be_hidden()
    expect(page).not_to_have_url(re.compile("within="))
    expect(hits).to_have_count(1)


# Where a query is taken: the view's address, the name of its menu, what must be told, and how the answer tells it.
Path = tuple[str, ...]
VIEWS: dict[str, tuple[str, str, str, Path]] = {
    "list": ("/", "Take the list's query", "[aria-label=Conversations] [role=row]", ("conversations", "displayTitle")),
    "reader": (WHOLE, "Take the conversation's query", "[role=feed] article", ("conversation", "content")),
    "lineage": (f"{WHOLE}?panel=lineage", "Take the lineage's query", "[role=treeitem]", ("session", "displayTitle")),
    "search": ("/?find=saffron", "Take the search's query", "[role=row]", ("search", "snippet")),
    "usage": (
        "/usage?period=all",
        "Take the query of the most expensive conversations",
        "table tbody tr",
        ("conversations", "displayTitle"),
    ),
}


def texts_under(name: str, answer: Any) -> list[str]:
    """Every text that stands under this name, however deep."""
    if isinstance(answer, list):
        return [text for each in answer for text in texts_under(name, each)]
    if not isinstance(answer, dict):
        return []
    own = [answer[name]] if isinstance(answer.get(name), str) else []
    return own + [text for key, each in answer.items() if key != name for text in texts_under(name, each)]


def take(page: Page, menu: str, item: str) -> None:
    page.get_by_role("button", name=menu).click()
    page.get_by_role("menuitem", name=item).click()


def copied(page: Page, menu: str, name: str) -> str:
    take(page, menu, f"Copy as {name}")
    expect(page.get_by_role("status").filter(has_text=f"Copied as {name}").first).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def output_of(*command: str) -> Any:
    """What a program of its own prints as JSON, which has the token from its environment alone."""
    environment = {**os.environ, "HERMES_SESSIONS_TOKEN": TOKEN}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("view", VIEWS)
def test_a_query_that_is_taken_along_has_the_rows_of_its_view(
    context: BrowserContext, server: Server, view: str
) -> None:
    take_along(context, server, *VIEWS[view])


def take_along(context: BrowserContext, server: Server, path: str, menu: str, shown: str, told_as: Path) -> None:
    field, name = told_as
    page = opened(context, server, path)
    expect(page.locator(shown).first).to_be_visible()
    told = " ".join(page.locator(shown).all_inner_texts())

    curl = copied(page, menu, "curl")
    python = copied(page, menu, "Python")
    take(page, menu, "Open in GraphiQL")
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("query", timeout=60_000)
    # GraphiQL asks for the schema, too.
    with page.expect_response(lambda answer: f"{field}(" in (answer.request.post_data or "")) as answered:
        page.get_by_role("button", name=re.compile("^Execute query")).click()
    answer = answered.value.json()
    assert "errors" not in answer
    expect(page.locator(".graphiql-response")).to_contain_text(field, timeout=60_000)

    data = answer["data"]
    texts = texts_under(name, data[field])
    assert texts
    assert [text for text in texts if text.removesuffix(" #4") not in told] == []
    assert TOKEN not in curl + python
    assert output_of("bash", "-c", curl)["data"] == data
    assert output_of(sys.executable, "-c", python) == data


def test_what_was_deleted_comes_back_from_the_bin_as_it_was(context: BrowserContext, server: Server) -> None:
    address = f"{WHOLE}?q=Long+way"
    page = opened(context, server, address)
    said = page.get_by_role("feed").get_by_role("article")
    expect(said.first).to_be_visible()
    facts = reader(page).locator("header").first.inner_text()
    before = contents(server)
    page.keyboard.press("#")
    expect(page.get_by_role("status").filter(has_text="Deleted “Long way")).to_be_visible()
    expect(rows(page).filter(has_text="Long way")).to_have_count(0)
    page.goto(f"{server.origin}{address}")
    expect(reader(page).get_by_text("NOT_FOUND")).to_be_visible()

    reader(page).get_by_role("button", name="Look in the bin").click()
    expect(page).to_have_url(re.compile("/bin"))
    entry = page.get_by_role("row").filter(has_text="Long way")
    entry.get_by_role("button", name=re.compile("Restore|Bring back")).first.click()
    expect(entry).to_have_count(0)
    assert contents(server) == before

    page.go_back()
    expect(page).to_have_url(re.compile(WHOLE))
    expect(said.first).to_be_visible()
    expect(reader(page).locator("header").first).to_have_text(re.compile(re.escape(facts.split("\n")[0])))
    assert reader(page).locator("header").first.inner_text() == facts
    expect(rows(page).filter(has_text="Long way")).to_have_count(1)


def contents(server: Server) -> list[list[tuple[Any, ...]]]:
    with StoreBuilder(server.home / "state.db") as store:
        return [store.sql(f"SELECT * FROM {table} ORDER BY 1, 2") for table in ("sessions", "messages")]
