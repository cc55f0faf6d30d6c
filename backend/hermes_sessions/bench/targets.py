"""The targets: what a run should show. Limits are ratios wherever there is something to compare with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hermes_sessions.bench.rows import Row


@dataclass(frozen=True)
class Target:
    """`figure` is what must not exceed the limit, or not fall below it; None where it was not measured. A target holds
    for stores of up to `sessions`, the first such one of several for the same; None: of any size."""

    text: str
    figure: Callable[[Row], float | None]
    limit: float
    at_least: bool = False
    sessions: int | None = None

    def holds_for(self, row: Row) -> bool:
        return self.sessions is None or row.sessions <= self.sessions

    def is_met(self, row: Row) -> bool | None:
        """None where a figure is missing."""
        figure = self.figure(row)
        if figure is None:
            return None
        return figure >= self.limit if self.at_least else figure <= self.limit


def _ratio(limit: float, *, at_least: bool = False) -> Target:
    return Target(f"{'≥' if at_least else '≤'} {limit:g} ×", lambda row: row.ratio, limit, at_least)


def _value(limit: float, unit: str, sessions: int | None = None) -> Target:
    suffix = f" to {sessions:,} sessions" if sessions is not None else ""
    return Target(f"≤ {limit:g} {unit}{suffix}", lambda row: row.value, limit, sessions=sessions)


def _peer(name: str, limit: float = 1) -> Target:
    def figure(row: Row) -> float | None:
        return row.value / row.peers[name].ms if name in row.peers else None

    return Target(f"≤ {limit:g} × {name}", figure, limit)


_LIST = (_value(3, "ms", 5_000), _value(10, "ms", 50_000))
_TOTALS = (_value(30, "ms", 50_000),)
_DEPTH = (_ratio(1.2),)

TARGETS: Mapping[str, tuple[Target, ...]] = {
    "sessions": (_ratio(3), _peer("agentsview")),
    "conversations": _LIST,
    "messages": (_ratio(3), _peer("agentsview")),
    "session": (_ratio(3), _peer("agentsview")),
    "prefix against id": _DEPTH,
    "common": (_peer("Hermes", 0.5),),
    "rare": (_value(5, "ms"),),
    "counts": _TOTALS,
    "usage": _TOTALS,
    "made tree": (_value(10, "ms"),),
    "deep sessions": _DEPTH,
    "deep conversations": _DEPTH,
    "deep messages": _DEPTH,
    "grown conversations": _LIST,
    "grown counts": _TOTALS,
    "grown usage": _TOTALS,
    "grown memory": (_value(150, "MB", 50_000),),
    "load": (_ratio(5),),
    "start": (_value(1.5, "s"),),
    "memory": (_value(150, "MB", 50_000),),
    "workers": (_ratio(1.7, at_least=True),),
}
"""By the key of the row."""


def targets_of(row: Row) -> list[Target]:
    """The targets that hold for a row, the narrowest of each figure."""
    chosen: list[Target] = []
    for target in TARGETS.get(row.key, ()):
        sized = target.sessions is not None and any(each.sessions is not None for each in chosen)
        if target.holds_for(row) and not sized:
            chosen.append(target)
    return chosen
