"""The feed of the reader as a test sees it: what is in sight, whether it is at rest, and how each frame moved it."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page

LOAD = """
() => {
  const feed = () => document.querySelector("[role=feed]");
  const messages = () => [...feed().querySelectorAll("[data-message]")];
  const inSight = () => {
    const box = feed().getBoundingClientRect();
    return messages().filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > box.top + 37 && top < box.bottom;
    });
  };
  const atRest = () => new Promise((resolve) => {
    let last = null, frames = 0;
    const look = () => {
      const now = feed() && feed().getAttribute("aria-busy") === "false" ? feed().scrollTop : null;
      frames = now !== null && now === last ? frames + 1 : 0;
      last = now;
      if (frames > 8) resolve(true); else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const isAtEdge = () => {
    const { scrollTop, clientHeight, scrollHeight } = feed();
    return scrollTop < 1 || scrollHeight - scrollTop - clientHeight < 1;
  };
  /** Each frame: how far the rows moved that were in sight before and are now, and whether all that is loaded ends. */
  const watch = () => {
    const moves = [];
    let before = new Map();
    const look = () => {
      const now = new Map(inSight().map((row) => [row.dataset.message, row.getBoundingClientRect().top]));
      const shared = [...now].filter(([id]) => before.has(id)).map(([id, top]) => top - before.get(id));
      if (shared.length) moves.push([Math.min(...shared), Math.max(...shared), isAtEdge()]);
      before = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    return moves;
  };
  /** Scrolls on without a rest until this message is loaded; gives the most rows that were there at once. */
  const readOn = (until) => new Promise((resolve) => {
    let rows = 0;
    const step = () => {
      rows = Math.max(rows, feed().querySelectorAll("article").length);
      if (Number(messages().at(-1)?.dataset.message) >= until) return resolve(rows);
      feed().scrollTop = feed().scrollHeight;
      requestAnimationFrame(step);
    };
    step();
  });
  window.reading = { feed, messages, inSight, atRest, readOn, watch, moves: null };
}
"""


class Move(NamedTuple):
    """The least and the greatest move of a row in sight, in pixels; `at_edge`: nothing more was loaded to go on to."""

    least: float
    most: float
    at_edge: bool


class Feed:
    """Of a page on which a transcript is open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.wait_for_selector("[role=feed] [data-message]")
        page.evaluate(LOAD)
        self.rest()

    def rest(self) -> None:
        """Wait until nothing loads and nothing moves."""
        self.page.evaluate("reading.atRest()")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.rest()

    def read_on(self, until: int) -> int:
        """Scroll on without a rest until this message is loaded. Gives the most rows that were mounted at once."""
        return int(self.page.evaluate("reading.readOn", until))

    def in_sight(self) -> list[int]:
        """Ids of the messages that can be read now, in their order."""
        return [int(id) for id in self.page.evaluate("reading.inSight().map((row) => row.dataset.message)")]

    def quiet_in_sight(self) -> str:
        """The key of the first line in sight that counts work: rows above it may come and go."""
        script = """() => [...reading.feed().querySelectorAll("[data-quiet]")].find(
            (row) => row.getBoundingClientRect().top > reading.feed().getBoundingClientRect().top).dataset.key"""
        return str(self.page.evaluate(script))

    def cursor(self) -> int:
        return int(self.page.evaluate("reading.feed().querySelector('[data-cursor]').dataset.message"))

    def loaded(self) -> list[int]:
        return [int(id) for id in self.page.evaluate("reading.messages().map((row) => row.dataset.message)")]

    def rows(self) -> int:
        return int(self.page.evaluate("reading.feed().querySelectorAll('article').length"))

    def top_of(self, message: int) -> float:
        """Pixels from the top of the feed."""
        script = """(id) => reading.feed().querySelector(`[data-message="${id}"]`).getBoundingClientRect().top
                            - reading.feed().getBoundingClientRect().top"""
        return float(self.page.evaluate(script, str(message)))

    def watch(self) -> None:
        self.page.evaluate("() => { reading.moves = reading.watch(); }")

    def moves(self) -> list[Move]:
        """Frame by frame, since the last call."""
        moves: list[Any] = self.page.evaluate("reading.moves.splice(0)")
        return [Move(*each) for each in moves]
