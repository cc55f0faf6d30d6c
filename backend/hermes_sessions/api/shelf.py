"""What was made once and may be wanted again, for as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Shelf(Generic[K, V]):
    """Values by key, each with a weight. When they weigh more than `room` together, those go that were not asked for
    the longest; the newest stays whatever it weighs."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._held: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.weight = 0

    def __contains__(self, key: K) -> bool:
        return key in self._held

    def __getitem__(self, key: K) -> V:
        self._held.move_to_end(key)
        return self._held[key][0]

    def __len__(self) -> int:
        return len(self._held)

    def put(self, key: K, value: V, weight: int) -> V:
        """Gives the value back. The key must be a new one."""
        self._held[key] = (value, weight)
        self.weight += weight
        while self.weight > self._room and len(self._held) > 1:
            _, (_, gone) = self._held.popitem(last=False)
            self.weight -= gone
        return value
