"""What is measured over a run: durations with their moments, and the figures made of them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Took(NamedTuple):
    """One operation: when it began, by the monotonic clock, and the seconds that it took."""

    at: float
    seconds: float


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed; 0 where there are none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def between(took: Sequence[Took], start: float, end: float) -> list[float]:
    """Seconds of what began then."""
    return [each.seconds for each in took if start <= each.at < end]


def in_milliseconds(values: Sequence[float]) -> str:
    """Median, p99 and maximum."""
    if not values:
        return "none"
    shown = (1000 * statistics.median(values), 1000 * percentile(values, 0.99), 1000 * max(values))
    return "{:.1f} / {:.1f} / {:.0f} ms".format(*shown)


def spread(values: Sequence[float], start: float, end: float) -> list[Took]:
    """Durations whose moments nobody noted, as if they had been spread evenly over the run."""
    step = (end - start) / max(1, len(values))
    return [Took(start + number * step, seconds) for number, seconds in enumerate(values)]
