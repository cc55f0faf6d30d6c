"""How many lists one process answers in a second, and how many two do."""

from __future__ import annotations

import os
import statistics
from contextlib import ExitStack
from pathlib import Path

from hermes_sessions.bench.operations import SESSIONS
from hermes_sessions.bench.readers import READERS, Reading, readers
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import api
from hermes_sessions.bench.subjects import Subjects

TURNS = 5


def worker_row(home: Path, subjects: Subjects, seconds: float) -> Row:
    """One worker and two are read from in turn, `seconds` each in all. The first turn warms up and does not count:
    every worker has read the store then."""
    body, each = SESSIONS.body(subjects, 0), seconds / TURNS
    with ExitStack() as stack:
        one, two = (stack.enter_context(api(home, workers)).client.port for workers in (1, 2))
        together = stack.enter_context(readers())
        for port in (one, two):
            together.read(port, body, max(each, 1.0))
        turns = [(together.read(one, body, each), together.read(two, body, each)) for _ in range(TURNS)]
    alone, both = (
        statistics.median(reading.answers / each for reading in column) for column in zip(*turns, strict=True)
    )
    share = _share([reading for _, reading in turns], seconds)
    name = f"50 sessions by start, {READERS} clients (they took {share:.0%} of the processors), two workers"
    return Row("workers", name, both, "reads/s", against="one worker", base=alone, sessions=subjects.sessions)


def _share(readings: list[Reading], seconds: float) -> float:
    """Of the time of all processors: what the clients left no worker can have."""
    return sum(reading.seconds for reading in readings) / (seconds * (os.cpu_count() or 1))
