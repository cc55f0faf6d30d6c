"""Words are found in a transcript wherever they stand, and what hides them opens."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, serving
from tests.browser.dashboard import feed
from tests.builders import StoreBuilder, home_with

LINE = "a line of output that says nothing"


def long_output(lines: int, at: int, word: str) -> str:
    return "\n".join(word if number == at else f"{LINE} {number}" for number in range(lines))


def fill(store: StoreBuilder) -> None:
    store.session("s", title="Hidden words")
    store.message("s", "user", "Where is it?")
    store.message("s", "assistant", "I say nothing of it.", reasoning="Perhaps the Quicksilver is under the stairs.")
    tell(store, "write_file", {"path": "a.txt", "content": "x\ny\nantimony"}, "written")
    tell(store, "terminal", {"command": "cat a"}, json.dumps({"output": long_output(400, 200, "saffron")}))
    tell(store, "terminal", {"command": "cat b"}, json.dumps({"output": long_output(6_000, 3_000, "turmeric")}))
    tell(store, "terminal", {"command": "cat c"}, json.dumps({"output": long_output(60_000, 50_000, "cardamom")}))
    store.message("s", "assistant", "\n".join([LINE] * 3_000) + "\ncoriander\n" + "\n".join([LINE] * 300))
    for number in range(30):
        store.message("s", "assistant", f"Answer {number}.\n\n{LINE}")


def tell(store: StoreBuilder, tool: str, arguments: dict[str, str], answer: str) -> None:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    store.message("s", "assistant", "", tool_calls=[{"id": str(arguments), "type": "function", "function": function}])
    store.message("s", "tool", answer, tool_call_id=str(arguments), tool_name=tool)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("find")
    with serving(home_with(folder / "home", default=fill), folder / "state") as server:
        yield server


def finding(page: Page, server: Server, word: str, *, mode: str = "tools") -> Locator:
    """The feed, once the bar was opened by its key and the word was typed."""
    page.goto(f"{server.origin}/p/default/c/s?mode={mode}")
    transcript = feed(page)
    expect(transcript.get_by_role("article").first).to_be_visible()
    transcript.focus()
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Find in the transcript").fill(word)
    return transcript


def marked(page: Page) -> str:
    """What is marked as the hit that the reader is at."""
    return str(page.evaluate("[...CSS.highlights.get('found-here') ?? []].map(String).join()"))


def told(page: Page, text: str) -> Locator:
    return page.get_by_role("search").get_by_role("status").get_by_text(text)


@pytest.mark.parametrize("word", ["saffron", "turmeric"], ids=["in the middle", "beyond what the page brought"])
@pytest.mark.parametrize("mode", ["tools", "answers"])
def test_a_cut_opens_around_what_was_found_in_it(page: Page, server: Server, word: str, mode: str) -> None:
    transcript = finding(page, server, word, mode=mode)
    expect(transcript.get_by_text(word)).to_be_in_viewport()
    assert marked(page) == word
    row = transcript.get_by_role("article").filter(has_text=word)
    assert len(row.locator("pre").filter(has_text=word).inner_text().strip().splitlines()) < 40
    expect(row.get_by_role("button", name="more line")).to_have_count(2)


def test_a_long_text_of_a_message_opens_too(page: Page, server: Server) -> None:
    transcript = finding(page, server, "coriander")
    expect(transcript.get_by_text("coriander")).to_be_in_viewport()
    assert marked(page) == "coriander"


def test_what_is_too_far_in_to_be_shown_is_said_to_be_there(page: Page, server: Server) -> None:
    transcript = finding(page, server, "cardamom")
    expect(transcript.get_by_text("what was found stands in what is not shown")).to_be_visible()


def test_calls_open_over_what_was_found_in_their_arguments(page: Page, server: Server) -> None:
    transcript = finding(page, server, "antimony")
    expect(transcript.get_by_text("antimony")).to_be_in_viewport()
    assert marked(page) == "antimony"


@pytest.mark.parametrize("mode", ["tools", "answers"])
def test_reasoning_is_looked_at_when_asked_for_and_opens_where_it_stands(page: Page, server: Server, mode: str) -> None:
    transcript = finding(page, server, "quicksilver", mode=mode)
    expect(told(page, "nothing found")).to_be_visible()
    toggle = page.get_by_role("button", name="Find in reasoning, too")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    toggle.focus()
    page.keyboard.press("Enter")
    expect(told(page, "1 of 1")).to_be_visible()
    expect(transcript.get_by_text("Perhaps the Quicksilver")).to_be_in_viewport()
    assert marked(page) == "Quicksilver"
    page.reload()
    expect(feed(page).get_by_text("Perhaps the Quicksilver")).to_be_in_viewport()
    expect(toggle).to_have_attribute("aria-pressed", "true")


def test_reasoning_that_is_read_is_looked_at_unless_told_otherwise(page: Page, server: Server) -> None:
    finding(page, server, "quicksilver", mode="reasoning")
    expect(told(page, "1 of 1")).to_be_visible()
    page.get_by_role("button", name="Find in reasoning, too").click()
    expect(told(page, "nothing found")).to_be_visible()
