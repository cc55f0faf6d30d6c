"""What a page measures of itself: paints, shifts, answers to input, frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

OBSERVE = """
  window.measured = { paint: 0, shift: 0, events: [] };
  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe("largest-contentful-paint", (entry) => { measured.paint = entry.startTime; });
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) measured.shift += entry.value; });
  observe("event", (entry) => measured.events.push(entry.duration), { durationThreshold: 16 });
"""

FLING = """
  (frames) => new Promise((resolve) => {
    const grid = document.querySelector("[role=grid]");
    const measured = { times: [], mounted: 0 };
    let before = null;
    const step = (now) => {
      if (before !== null) measured.times.push(now - before);
      before = now;
      measured.mounted = Math.max(measured.mounted, grid.querySelectorAll("[role=row]").length);
      if (measured.times.length === frames) return resolve(measured);
      grid.scrollTop = ((measured.times.length + 1) / frames) * (grid.scrollHeight - grid.clientHeight);
      requestAnimationFrame(step);
    };
    grid.scrollTop = 0;
    requestAnimationFrame(step);
  })
"""


class Measures:
    """Of a page, from before its first address on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(OBSERVE)
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def paint(self) -> float:
        """Milliseconds from the address to the largest paint."""
        return float(self.page.evaluate("measured.paint"))

    def shift(self) -> float:
        """How far things moved that nobody touched, as a share of the view: the sum of all shifts."""
        return float(self.page.evaluate("measured.shift"))

    def slowest_answer(self) -> str:
        """From an input to the frame that shows its effect, the slowest since the last call."""
        self.page.wait_for_timeout(300)
        durations: list[float] = self.page.evaluate("measured.events.splice(0)")
        return f"{max(durations):.0f} ms" if durations else "under 16 ms"

    def scripts(self) -> float:
        """Milliseconds of the processor, not of the clock, that scripts have taken."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(each["value"] for each in metrics if each["name"] == "ScriptDuration"))

    def heap(self) -> float:
        """Megabytes of live objects, after a collection."""
        self._session.send("HeapProfiler.collectGarbage")
        return float(self._session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6

    def fling(self, frames: int) -> dict[str, Any]:
        """Scrolls the grid from top to bottom: `times` between frames in ms, the most rows `mounted` at once."""
        measured: dict[str, Any] = self.page.evaluate(FLING, frames)
        return measured


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
