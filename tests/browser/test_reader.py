"""Somebody reads transcripts that are longer than any screen, and keeps the place."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import long_store
from tests.browser.conftest import Server, serving
from tests.browser.feed import Feed, Move

LONG = "/p/default/c/long"
LAST = long_store.MESSAGES
WHEEL = 120
TURN_BAR = 36
IS_NEAR = """(middle) => [...document.querySelectorAll("[data-message]")]
  .some((row) => Math.abs(row.dataset.message - middle) < middle / 50)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("reader")
    with serving(long_store.make_home(folder / "home"), folder / "state") as server:
        yield server


def open_at(page: Page, server: Server, path: str = LONG) -> Feed:
    page.goto(f"{server.origin}{path}")
    return Feed(page)


def unexplained(moves: list[Move], direction: int) -> list[Move]:
    """Frames in which rows in sight moved apart, against the wheel, or by what no wheel turned: a jump."""

    def is_wheel(move: Move) -> bool:
        steps = -move.least * direction / WHEEL
        # Where all that is loaded ends, less is left than a whole turn.
        return steps > -1 / WHEEL and (move.at_edge or abs(steps - round(steps)) * WHEEL <= 1)

    return [move for move in moves if move.most - move.least > 1 or not is_wheel(move)]


@pytest.mark.parametrize("direction", [-1, 1], ids=["back", "forth"])
def test_what_is_read_moves_by_the_wheel_alone_while_pages_come_and_go(
    page: Page, server: Server, direction: int
) -> None:
    feed = open_at(page, server, f"{LONG}?message=10001")
    page.get_by_role("feed").hover()
    feed.watch()
    stretches = {(feed.loaded()[0], feed.loaded()[-1])}
    most_rows = 0
    while len(stretches) < 10:
        for _ in range(12):
            page.mouse.wheel(0, direction * WHEEL)
            page.wait_for_timeout(15)
        stretches.add((feed.loaded()[0], feed.loaded()[-1]))
        most_rows = max(most_rows, feed.rows())
        if len(stretches) % 3 == 0:
            feed.rest()
    feed.rest()
    moves = feed.moves()
    assert sum(abs(move.least) > 1 for move in moves) > 50
    assert unexplained(moves, direction) == []
    assert most_rows <= 200
    assert 10001 not in feed.loaded()


def test_what_changes_above_does_not_move_what_is_read(page: Page, server: Server) -> None:
    feed = open_at(page, server, f"{LONG}?message=10001")
    page.get_by_role("feed").hover()
    page.mouse.wheel(0, 5 * WHEEL)
    feed.rest()
    feed.watch()
    landmark = feed.in_sight()[1]
    before = feed.top_of(landmark)
    opened = page.evaluate(
        """() => {
          const above = [...document.querySelectorAll("[role=feed] article button[aria-expanded=false]")]
            .filter((button) => button.getBoundingClientRect().bottom < reading.feed().getBoundingClientRect().top);
          above.forEach((button) => button.click());
          return above.length;
        }"""
    )
    feed.rest()
    assert opened > 0
    assert abs(feed.top_of(landmark) - before) <= 1
    assert unexplained(feed.moves(), 1) == []


def test_a_long_conversation_opens_at_once_and_goes_to_its_ends_and_its_middle(
    page: Page, server: Server, figure: Callable[[str], None]
) -> None:
    page.goto(server.origin)
    row = page.get_by_role("row").filter(has_text="Four parts").first
    row.click()
    expect(page.get_by_role("feed").get_by_text("Part 1, line 0", exact=True)).to_be_visible()
    took: dict[str, float] = {}

    def time_to(what: str, act: Callable[[], object], see: Callable[[], object]) -> None:
        begin = time.perf_counter()
        act()
        see()
        took[what] = 1000 * (time.perf_counter() - begin)

    row = page.get_by_role("row").filter(has_text="Twenty thousand messages").first
    question = page.get_by_role("feed").get_by_text("Question 1:")
    time_to("first turn", row.click, lambda: expect(question).to_be_visible())
    feed = Feed(page)
    page.get_by_role("feed").focus()
    last = page.locator(f"[data-message='{LAST}']")
    time_to("end", lambda: page.keyboard.press("End"), lambda: expect(last).to_be_in_viewport())
    feed.rest()
    assert feed.in_sight()[-1] == LAST
    assert feed.loaded()[-1] == LAST
    feed.press("Home")
    assert feed.in_sight()[0] == 1
    assert feed.top_of(1) > 0
    box = page.get_by_role("slider").bounding_box()
    assert box is not None
    x, y = box["x"] + 12, box["y"] + box["height"] / 2
    time_to("middle", lambda: page.mouse.click(x, y), lambda: page.wait_for_function(IS_NEAR, arg=LAST / 2))
    times = ", ".join(f"{what} {milliseconds:.0f}" for what, milliseconds in took.items())
    figure(f"reader: of {LAST} messages in ms: {times}")


def test_messages_tell_where_they_stand_in_the_whole(page: Page, server: Server) -> None:
    feed = open_at(page, server, f"{LONG}?message=12345")
    article = page.locator("[data-message='12345']")
    expect(article).to_have_attribute("aria-posinset", "12345")
    expect(article).to_have_attribute("aria-setsize", str(LAST))
    assert abs(feed.top_of(12345) - TURN_BAR) <= 1


def test_rows_and_memory_stay_flat_however_much_is_read_without_a_rest(
    page: Page, server: Server, figure: Callable[[str], None]
) -> None:
    page.set_viewport_size({"width": 720, "height": 320})  # as much is read with less to paint
    feed = open_at(page, server)
    session = page.context.new_cdp_session(page)

    def heap() -> float:
        session.send("HeapProfiler.collectGarbage")
        return float(session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6

    sizes: list[float] = []
    most_rows = 0
    for read in range(2_000, 10_001, 2_000):
        most_rows = max(most_rows, feed.read_on(read))
        sizes.append(heap())
    figure(f"reader: heap in MB after every 2,000 messages {sizes[0]:.0f} to {sizes[-1]:.0f}, at most {most_rows} rows")
    assert most_rows <= 200
    assert max(sizes) < 200
    assert sizes[-1] < sizes[0] * 1.5


def test_keys_go_on_past_what_is_loaded(page: Page, server: Server) -> None:
    feed = open_at(page, server)
    expect(page.get_by_role("slider", name="Place in the transcript")).to_be_visible()
    prompts = []
    for _ in range(9):
        feed.press("n")
        prompts.append(feed.cursor())
    assert prompts == [11, 21, 31, 41, 51, 61, 71, 81, 91]
    feed.press("!")
    assert feed.cursor() == 1003
    feed.press("!")
    assert feed.cursor() == 2003
    feed.press("[")
    assert feed.cursor() == 1003
    feed.press("}", "}")
    assert feed.cursor() == 1013
    for _ in range(24):
        feed.press("{")
    assert feed.cursor() == 893
    feed.press("End", "p", "p")
    assert feed.cursor() == LAST - 19


def test_words_are_found_in_all_messages_and_what_hides_them_opens(page: Page, server: Server) -> None:
    feed = open_at(page, server)
    page.get_by_role("feed").focus()
    page.keyboard.press("/")
    field = page.get_by_role("textbox", name="Find in the transcript")
    expect(field).to_be_focused()
    field.fill(long_store.NEEDLE)
    count = page.get_by_role("status").filter(has_text=re.compile("of 5$"))
    expect(count).to_have_text("1 of 5")
    feed.rest()
    field.press("Enter")
    expect(count).to_have_text("2 of 5")
    feed.rest()
    expect(page.get_by_role("feed").get_by_text(f"{long_store.NEEDLE} 4004")).to_be_in_viewport()
    marked = page.evaluate("[...CSS.highlights.get('found')].map((range) => range.toString())")
    assert marked == [long_store.NEEDLE]
    field.press("Shift+Enter")
    expect(count).to_have_text("1 of 5")
    field.press("Escape")
    expect(page.get_by_role("feed")).to_be_focused()
    assert page.evaluate("CSS.highlights.has('found')") is False


def test_the_rail_leads_anywhere(page: Page, server: Server) -> None:
    feed = open_at(page, server)
    rail = page.get_by_role("slider", name="Place in the transcript")
    box = rail.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    expect(rail).to_contain_text(f"of {LAST}")
    page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2)
    feed.rest()
    assert abs(feed.in_sight()[0] - LAST / 2) < LAST / 50
    rail.focus()
    feed.press("End")
    assert feed.cursor() == LAST - 9
    expect(rail).to_have_attribute("aria-valuetext", re.compile(f"^Prompt: Question {LAST - 9}.*of 20,000 messages$"))
    feed.press("ArrowUp")
    assert feed.cursor() == LAST - 19


def test_a_conversation_of_four_segments_is_read_from_its_first_message_to_its_tip(page: Page, server: Server) -> None:
    feed = open_at(page, server, "/p/default/c/s1")
    page.get_by_role("feed").hover()
    seams: set[str] = set()
    first = feed.in_sight()[0]
    expect(page.locator(f"[data-message='{first}']")).to_contain_text("Part 1, line 0")
    last = first + len(long_store.SEGMENTS) * long_store.LINES - 1
    read: set[int] = set()
    while last not in read:
        read.update(feed.in_sight())
        seams.update(page.get_by_role("separator").all_inner_texts())
        page.mouse.wheel(0, 500)
        feed.rest()
    assert read == set(range(first, last + 1))
    joined = sorted(re.findall(r"s\d → s\d", " ".join(seams)))
    assert joined == ["s1 → s2", "s2 → s3", "s3 → s4"]


def test_answers_alone_count_the_work_and_show_it_where_it_was_done(page: Page, server: Server) -> None:
    feed = open_at(page, server, f"{LONG}?message=5001")
    feed.press("f", "f", "f")
    expect(page).to_have_url(re.compile("mode=answers"))
    feed.rest()
    assert abs(feed.top_of(5001) - TURN_BAR) <= 1
    assert page.get_by_role("feed").get_by_role("button", name=re.compile("^Ran ls")).count() == 0
    quiet = page.locator(f"[data-key='{feed.quiet_in_sight()}']")
    quiet.get_by_role("button", name="1 tool call").click()
    expect(quiet.get_by_role("button", name=re.compile("^Ran ls"))).to_be_visible()


def test_the_place_is_kept_when_somebody_comes_back(page: Page, server: Server) -> None:
    feed = open_at(page, server, f"{LONG}?message=7001")
    page.get_by_role("feed").hover()
    page.mouse.wheel(0, 3 * WHEEL)
    feed.rest()
    landmark = feed.in_sight()[0]
    before = feed.top_of(landmark)
    page.get_by_role("row").filter(has_text="Four parts").first.click()
    expect(page.get_by_role("feed").get_by_text("Part 1, line 0", exact=True)).to_be_visible()
    page.get_by_role("row").filter(has_text="Twenty thousand messages").first.click()
    expect(page.locator(f"[data-message='{landmark}']")).to_be_visible()
    feed.rest()
    assert abs(feed.top_of(landmark) - before) <= 1
