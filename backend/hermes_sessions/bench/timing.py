"""Asks several servers in turn, and takes the times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

BLOCK = 10
"""So many questions in turn to those that are compared, then as many to each of the others."""
OWN_SECONDS = 4.0
OTHERS_SECONDS = 2.0
"""Nobody is asked for longer, in one operation: what takes that long is known well enough."""
MIN_OWN = 20
MIN_OTHERS = 5

Ask = Callable[[int], object]
"""Sends one request and takes its answer. Its argument is the number of the turn."""


@dataclass
class Times:
    """Milliseconds of one request after another. The first tenth is warming up and does not count."""

    all: list[float] = field(default_factory=list)

    @property
    def counted(self) -> list[float]:
        return self.all[len(self.all) // 10 :]

    @property
    def median(self) -> float:
        return statistics.median(self.counted)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.counted, n=20, method="inclusive")[-1]

    def add(self, ask: Ask, turn: int) -> None:
        started = time.perf_counter()
        ask(turn)
        self.all.append((time.perf_counter() - started) * 1000)

    def is_enough(self, least: int, seconds: float) -> bool:
        return len(self.all) >= least and sum(self.all) >= seconds * 1000


def measured(own: Mapping[str, Ask], others: Mapping[str, Ask], rounds: int) -> dict[str, Times]:
    """The times of each by its name. Those of `own` are asked strictly in turn, so that noise of the machine meets them
    alike; `others` may be much slower, and are left out as soon as enough is known of them."""
    times = {name: Times() for name in [*own, *others]}
    for start in range(0, rounds, BLOCK):
        turns = range(start, min(start + BLOCK, rounds))
        for turn in turns:
            for name, ask in own.items():
                times[name].add(ask, turn)
        for name, ask in others.items():
            for turn in turns:
                if not times[name].is_enough(MIN_OTHERS, OTHERS_SECONDS):
                    times[name].add(ask, turn)
        if any(times[name].is_enough(MIN_OWN, OWN_SECONDS) for name in own):
            break
    return times
