"""The home that is served, and who else writes to its store: the real Hermes, and a foreign program."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tests.builders import StoreBuilder, T, home_with
from tests.hermes import crowd
from tests.hermes.process import HermesProcess, Ledger
from tests.hermes.test_together import IN_PLACE, agents_on
from tests.soak import foreign

LONG = "long"
CHAIN = [f"chain-{number}" for number in range(12)]
"""A conversation of many segments."""
WORDS = ["much to read", "words f123", "turn 77", "chain"]
TALKS = 101
AGENTS_RATE = 10
FOREIGN_RATE = 50
"""Transactions a second; of the agents each."""
FOREIGN = Path(foreign.__file__)


def make_home(home: Path, further: int) -> Path:
    """4,000 messages in 400 old sessions, 1,500 in a long one, and a chain; of so many further messages a quarter is in
    the long one, the others in `TALKS` sessions."""

    def fill(store: StoreBuilder) -> None:
        crowd.fillers(store)
        store.sql("BEGIN")
        for number in range(TALKS):
            store.session(f"talk-{number}", start=T + number)
        for number in range(further):
            id = LONG if number % 4 == 0 else f"talk-{number % TALKS}"
            store.message(id, content=f"turn {number}. " + "much to read " * 10, at=T + number)
        for number, id in enumerate(CHAIN):
            is_last = number == len(CHAIN) - 1
            end = {} if is_last else {"end": T + number + 1, "end_reason": "compression"}
            store.session(id, parent=CHAIN[number - 1] if number else None, start=T + number, **end)
            for turn in range(20):
                store.message(id, content=f"chain {number}, turn {turn}", at=T + number)
        store.sql("COMMIT")

    return home_with(home, default=fill)


class Told(NamedTuple):
    """What the foreign program said at its end."""

    written: list[tuple[int, str]]
    seconds: list[float]
    errors: list[str]
    repeated: int


@dataclass
class Others:
    """Agents and the foreign program, and what they tell after their work. Moments are of the monotonic clock."""

    agents: Mapping[str, HermesProcess]
    _foreign: subprocess.Popen[str]
    began: float = 0.0
    ended: float = 0.0
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)
    told: Told | None = None

    @property
    def foreign(self) -> Told:
        assert self.told is not None
        return self.told

    @property
    def errors(self) -> list[str]:
        return [*self.foreign.errors, *(error for ledger in self.ledgers.values() for error in ledger.errors)]

    def begin(self) -> None:
        for id, agent in self.agents.items():
            agent.start_shift(id, per_second=AGENTS_RATE, in_place=IN_PLACE[id])
        assert self._foreign.stdin is not None
        self._foreign.stdin.write("\n")
        self._foreign.stdin.flush()
        self.began = time.monotonic()

    def end(self) -> None:
        self.ended = time.monotonic()
        answer, _ = self._foreign.communicate(timeout=60)
        told: dict[str, Any] = json.loads(answer)
        self.told = Told(**told | {"written": [(number, session) for number, session in told["written"]]})
        for id, agent in self.agents.items():
            self.ledgers[id] = agent.end_shift()
            self.complaints += agent.complaints()


@contextlib.contextmanager
def others_on(path: Path, folder: Path) -> Iterator[Others]:
    """They have made their sessions, and begin when they are told to."""
    folder.mkdir()
    command = [sys.executable, str(FOREIGN), str(path), str(FOREIGN_RATE)]
    with agents_on(path, folder) as agents, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            yield Others(agents, process)
            for agent in agents.values():
                agent.close()
        finally:
            process.kill()
