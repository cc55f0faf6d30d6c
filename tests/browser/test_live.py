"""The real Hermes writes in another process while somebody reads: all of it arrives, and nothing that is read moves."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Request, Route, WebSocketRoute, expect

from tests.browser.conftest import Server, serving
from tests.browser.dashboard import feed, grid, opened
from tests.builders import T, home_with, store_path
from tests.hermes.process import HermesProcess

MESSAGES = 60
TEXT = "A line of the conversation that is long enough to fill a good part of the reader's width.\n\n" * 4


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return home_with(tmp_path_factory.mktemp("live"), default=lambda store: store.session("old", "cli", start=T))


@pytest.fixture(scope="module")
def hermes(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HermesProcess]:
    """A Hermes at work on the conversation `talk`."""
    with HermesProcess(tmp_path_factory.mktemp("hermes")) as process:
        process.open(store_path(home))
        process.create_session("talk", "telegram")
        process.set_session_title("talk", "A long talk")
        for number in range(MESSAGES):
            process.append_message("talk", "user" if number % 2 == 0 else "assistant", f"Number {number}. {TEXT}")
        yield process


@pytest.fixture(scope="module")
def server(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(home, tmp_path_factory.mktemp("state")) as server:
        yield server


def reading(context: BrowserContext, server: Server, *, at: str) -> Page:
    """`talk` as it is read, at its first message (Home) or its last (End)."""
    page = opened(context, server, "/p/default/c/talk")
    expect(feed(page).get_by_text("Number 0.")).to_be_visible()
    feed(page).focus()
    page.keyboard.press(at)
    if at == "End":
        expect(page.get_by_role("article").last).to_be_in_viewport()
    return page


class HeldSockets:
    """The sockets of a page: what it sends waits until they are released, as on a slow way to the server."""

    def __init__(self, page: Page) -> None:
        self._held: list[tuple[WebSocketRoute, list[str | bytes]]] = []
        page.route_web_socket(re.compile("/graphql$"), self._hold)

    def _hold(self, socket: WebSocketRoute) -> None:
        frames: list[str | bytes] = []
        socket.on_message(lambda frame: frames.append(frame))
        self._held.append((socket, frames))

    def release(self, page: Page) -> WebSocketRoute:
        """The newest one, from now on without a wait."""
        until(page, lambda: bool(self._held and self._held[-1][1]))
        socket, frames = self._held.pop()
        server = socket.connect_to_server()
        for frame in frames:
            server.send(frame)
        socket.on_message(server.send)
        return socket


def until(page: Page, is_so: Callable[[], bool]) -> None:
    """Let the page go on until then: what a test holds back reaches it later than the page sends it."""
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


def asks_for_the_end(request: Request) -> bool:
    return '"last":' in (request.post_data or "")


def top_of(row: Locator) -> float:
    box = row.bounding_box()
    assert box is not None
    return box["y"]


def test_a_conversation_that_begins_stands_in_the_list(
    context: BrowserContext, server: Server, hermes: HermesProcess
) -> None:
    page = opened(context, server)
    expect(grid(page).get_by_text("A long talk")).to_be_visible()
    hermes.create_session("fresh", "cli")
    hermes.append_message("fresh", "user", "Just begun")
    hermes.set_session_title("fresh", "A fresh one")
    expect(grid(page).get_by_text("A fresh one")).to_be_visible()


def test_what_comes_below_waits_under_a_count_and_moves_nothing(
    context: BrowserContext, server: Server, hermes: HermesProcess
) -> None:
    page = reading(context, server, at="Home")
    page.mouse.move(900, 500)
    page.mouse.wheel(0, 700)
    row = page.get_by_role("article").filter(has_text="Number 4.")
    expect(row).to_be_in_viewport()
    before = top_of(row)
    for number in range(12):
        hermes.append_message("talk", "assistant", f"Late {number}. {TEXT}")
    expect(page.get_by_role("button", name="12 new messages: go to the end")).to_be_visible()
    assert abs(top_of(row) - before) <= 1
    page.get_by_role("button", name="12 new messages: go to the end").click()
    expect(page.get_by_text("Late 11.")).to_be_in_viewport()
    expect(page.get_by_role("button", name=re.compile("new message"))).to_be_hidden()


def test_what_is_written_while_no_socket_stands_is_counted(
    context: BrowserContext, server: Server, hermes: HermesProcess
) -> None:
    """Between the page's own question and its first socket, and between two sockets."""
    page = context.new_page()
    sockets = HeldSockets(page)
    page.goto(server.link("/p/default/c/talk"))
    expect(feed(page).get_by_text("Number 0.")).to_be_visible()
    for number in range(3):
        hermes.append_message("talk", "assistant", f"Before the socket {number}. {TEXT}")
    socket = sockets.release(page)
    expect(page.get_by_role("button", name="3 new messages: go to the end")).to_be_visible()
    socket.close(code=4000, reason="as if it broke")
    for number in range(2):
        hermes.append_message("talk", "assistant", f"Between two sockets {number}. {TEXT}")
    sockets.release(page)
    page.get_by_role("button", name="5 new messages: go to the end").click()
    expect(page.get_by_text("Between two sockets 1.")).to_be_in_viewport()


def test_one_who_reads_the_end_stays_there_while_more_is_written_below(
    context: BrowserContext, server: Server, hermes: HermesProcess
) -> None:
    page = reading(context, server, at="End")
    last = page.get_by_role("article").last
    expect(last).to_be_in_viewport()
    key = last.get_attribute("data-message")
    row = page.locator(f"[data-message='{key}']")
    before = top_of(row)
    hermes.append_message("talk", "user", f"One more. {TEXT}")
    expect(page.get_by_text("One more.")).to_be_attached()
    assert abs(top_of(row) - before) <= 1
    feed(page).focus()
    page.keyboard.press("End")
    expect(page.get_by_text("One more.")).to_be_in_viewport()


def test_the_end_is_the_last_message_also_of_those_that_come_while_it_is_on_its_way(
    context: BrowserContext, server: Server, hermes: HermesProcess
) -> None:
    page = opened(context, server, "/p/default/c/talk")
    expect(feed(page).get_by_text("Number 0.")).to_be_visible()
    held: list[Route] = []
    page.route("**/graphql", lambda route: held.append(route) if asks_for_the_end(route.request) else route.continue_())
    feed(page).focus()
    page.keyboard.press("End")
    until(page, lambda: bool(held))
    answer = held[0].fetch()
    hermes.append_message("talk", "assistant", f"Written meanwhile. {TEXT}")
    expect(page.get_by_role("button", name="1 new message: go to the end")).to_be_visible()
    held[0].fulfill(response=answer)
    expect(page.get_by_text("Written meanwhile.")).to_be_in_viewport()
    expect(page.get_by_role("button", name=re.compile("new message"))).to_be_hidden()


def test_a_compression_goes_on_behind_a_seam_and_a_new_title_stands_over_it(
    context: BrowserContext, server: Server, hermes: HermesProcess
) -> None:
    page = reading(context, server, at="End")
    hermes.compress("talk", "talk-2")
    hermes.append_message("talk-2", "user", "After the compression")
    hermes.set_session_title("talk-2", "A talk of two parts")
    expect(page.get_by_text("After the compression")).to_be_attached()
    expect(page.get_by_role("separator").last).to_contain_text("compression")
    expect(page.get_by_role("heading", name="A talk of two parts")).to_be_visible()
