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


def observe(page: Page) -> None:
    """From the next address on."""
    page.add_init_script(OBSERVE)


def painted(page: Page) -> float:
    """Milliseconds from the address to the largest paint."""
    return float(page.evaluate("measured.paint"))


def shifted(page: Page) -> float:
    """How far things moved that nobody touched, as a share of the view: the sum of all shifts."""
    return float(page.evaluate("measured.shift"))


def slowest_answer(page: Page) -> str:
    """From an input to the frame that shows its effect, the slowest since the last call. Under 16 ms none is told."""
    page.wait_for_timeout(300)
    durations: list[float] = page.evaluate("measured.events.splice(0)")
    return f"{max(durations):.0f} ms" if durations else "under 16 ms"


def fling(page: Page, frames: int) -> dict[str, Any]:
    """Scrolls the grid from top to bottom: `times` between frames in milliseconds, the most rows `mounted` at once."""
    measured: dict[str, Any] = page.evaluate(FLING, frames)
    return measured


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def heap(page: Page) -> float:
    """Megabytes of live objects, after a collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return float(session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


def scripted(page: Page) -> float:
    """Milliseconds of the processor, not of the clock, that the page's scripts have taken since it was opened."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "ScriptDuration")) * 1000
