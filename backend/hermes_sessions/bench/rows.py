"""What a run gives: rows of figures, and whether they meet the targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FLOOR = "floor"


@dataclass(frozen=True)
class Peer:
    """What another server took for the same, and how much it gave."""

    ms: float
    items: int


@dataclass(frozen=True)
class Row:
    """One figure. `against` names what it is compared with, which took `base` of the same unit.

    `items` is how much came in the answer, `base_items` in the answer that it is compared with; `sessions` is the size
    of the store, which some targets depend on.
    """

    key: str
    name: str
    value: float
    unit: str = "ms"
    p95: float | None = None
    items: int | None = None
    against: str | None = None
    base: float | None = None
    base_items: int | None = None
    sessions: int = 0
    peers: Mapping[str, Peer] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        return self.value / self.base if self.base else None
