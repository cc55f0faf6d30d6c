"""Two servers on one home, and programs that go to the other one when their own dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import httpx

from tests.api.serving import Json
from tests.builders import StoreBuilder, T, store_path
from tests.postgres.writers import Writer
from tests.processes import Replica, client_of, replica
from tests.soak.home import make_home

OTHERS = 4_000
"""Sessions without messages, so that reading what has changed takes as long as several questions."""
PAUSE = 0.1


@dataclass(frozen=True)
class Pair:
    """What is served where. `folders` are those of the servers' users."""

    home: Path
    folders: Sequence[Path]
    environment: dict[str, str]
    servers: Sequence[Replica]

    @property
    def ports(self) -> list[int]:
        return [server.port for server in self.servers]

    @property
    def path(self) -> Path:
        return store_path(self.home)

    @property
    def is_one_state(self) -> bool:
        return bool(self.environment)

    def again(self, number: int) -> AbstractContextManager[Replica]:
        """One of them once more, as whatever looks after it would start it: at the same port."""
        port = str(self.ports[number])
        return replica(self.folders[number], "--home", str(self.home), "--port", port, environment=self.environment)


def crowded_home(home: Path) -> Path:
    make_home(home, 0)
    with StoreBuilder(store_path(home)) as store:
        store.sql("BEGIN")
        for number in range(OTHERS):
            store.session(f"other{number}", start=T - 1_000 - number)
        store.sql("COMMIT")
    return home


def kill(pid: int) -> None:
    """At once, without a chance to close anything."""
    os.kill(pid, signal.SIGKILL)


@dataclass
class Mover(Writer):
    """Goes to the next port when one does not answer, and repeats there what it asked. At most ten questions a
    second."""

    ports: Sequence[int] = ()
    moves: int = 0
    _open: httpx.Client | None = None

    @contextmanager
    def _client(self) -> Iterator[Self]:
        try:
            yield self
        finally:
            self._leave()

    def post(self, url: str, *, json: Json) -> httpx.Response:
        time.sleep(PAUSE)
        while True:
            self._open = self._open or client_of(self.port, self.profile)
            try:
                return self._open.post(url, json=json)
            except httpx.TransportError:
                self._leave()
                self.moves += 1
                self.port = self.ports[(self.ports.index(self.port) + 1) % len(self.ports)]
                time.sleep(PAUSE)

    def _leave(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None
