"""Whether a run was as good at its end as in its middle, and the lines that tell of it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.soak.figures import Took, between, in_milliseconds, percentile
from tests.soak.gauges import Gauges, Sample

MB = 1_000_000


@dataclass(frozen=True)
class Run:
    """What was measured from the end of warming up to the end of the load."""

    start: float
    end: float
    gauges: Gauges
    reads: Mapping[str, Sequence[Took]]
    writes: Mapping[str, Sequence[Took]]
    agents: Sequence[Took]
    foreign: Sequence[Took]

    @property
    def thirds(self) -> list[tuple[float, float]]:
        step = (self.end - self.start) / 3
        return [(self.start + step * number, self.start + step * (number + 1)) for number in range(3)]

    def middle_and_last(self, of: Callable[[Sample], float]) -> tuple[float, float]:
        """Medians over the second and the third third."""
        _, second, third = (statistics.median(map(of, self.gauges.between(*each))) for each in self.thirds)
        return second, third

    def table(self, period: float) -> list[str]:
        """A line for each period, in the form of the documents."""
        lines = [
            "| from s | core % | RSS MB | own MB | files | threads | WAL MB | bin MB "
            "| reads p50 / p99 / max | writes p50 / p99 / max | agents' writes | foreign writes |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        at = self.start
        while at < self.end - period / 2:
            lines.append(self._line(at, at + period))
            at += period
        return lines

    def _line(self, start: float, end: float) -> str:
        samples = self.gauges.between(start, end)
        own = [each.uss for each in samples if each.uss is not None]
        cells = [
            f"{start - self.start:.0f}",
            f"{100 * (samples[-1].cpu - samples[0].cpu) / (samples[-1].at - samples[0].at):.0f}",
            f"{statistics.median(each.rss for each in samples) / MB:.1f}",
            f"{own[-1] / MB:.1f}" if own else "",
            _range([each.files for each in samples]),
            _range([each.threads for each in samples]),
            f"{max(each.wal for each in samples) / MB:.1f}",
            f"{max(each.bin for each in samples) / MB:.1f}",
            in_milliseconds(between(together(self.reads), start, end)),
            in_milliseconds(between(together(self.writes), start, end)),
            in_milliseconds(between(self.agents, start, end)),
            in_milliseconds(between(self.foreign, start, end)),
        ]
        return f"| {' | '.join(cells)} |"

    def by_operation(self) -> list[str]:
        """Median and p99 of each operation in the second and in the last third."""
        _, second, third = self.thirds
        lines = []
        for operation, took in {**self.reads, **self.writes, "agents": self.agents, "foreign": self.foreign}.items():
            before, after = between(took, *second), between(took, *third)
            lines.append(f"{operation}: {len(took)}; {in_milliseconds(before)}, then {in_milliseconds(after)}")
        return lines


def _range(values: Sequence[int]) -> str:
    return f"{min(values)}–{max(values)}"


def together(took: Mapping[str, Sequence[Took]]) -> list[Took]:
    return [each for some in took.values() for each in some]


def slower(run: Run, took: Sequence[Took], share: float) -> tuple[float, float]:
    """A percentile of the second and of the last third, in seconds."""
    _, second, third = run.thirds
    return percentile(between(took, *second), share), percentile(between(took, *third), share)
