"""What a store takes from outside, made the same for both engines: the clock, and ids that are made up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hermes_sessions.store import Store
from hermes_sessions.stores import bin as file_bin
from hermes_sessions.stores import shaping
from hermes_sessions.stores.postgres import bin as postgres_bin
from tests.builders import T


class Surroundings:
    """`now` stands until somebody moves it. Each engine gets the same ids, in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = T + 10_000
        self._engine = ""
        self._made: Counter[tuple[str, str]] = Counter()
        patch.setattr(time, "time", lambda: self.now)
        patch.setattr(shaping, "made_up_id", lambda *_: self._next("made"))
        for module in (file_bin, postgres_bin):
            patch.setattr(module, "secrets", self)
            for moment in ("earliest", "latest"):
                patch.setattr(module, moment, lambda: self.now)

    def begin(self) -> None:
        self.now = T + 10_000
        self._made.clear()

    @contextmanager
    def of(self, store: Store) -> Iterator[None]:
        self._engine = store.engine.value
        yield

    def token_urlsafe(self, _: int) -> str:
        return self._next("bin")

    def _next(self, kind: str) -> str:
        self._made[self._engine, kind] += 1
        return f"{kind}-{self._made[self._engine, kind]}"
