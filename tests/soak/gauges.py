"""What a server and the files around it weigh, looked at four times a second."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

EVERY = 0.25
EVERY_USS = 40
"""Own memory alone is asked for this seldom: the kernel walks through all pages for it."""


class Sample(NamedTuple):
    """Of all processes of a server together. Memory and sizes are bytes, `uss` is None where it was not asked for;
    `cpu` are seconds of a core since the start."""

    at: float
    rss: int
    uss: int | None
    files: int
    threads: int
    cpu: float
    wal: int
    bin: int


@dataclass
class Gauges:
    """`pid` is that of a server, or None where only the files are looked at."""

    pid: int | None
    store: Path
    bin: Path | None = None
    samples: list[Sample] = field(default_factory=list)

    def look(self, *, at_uss: bool = False) -> Sample:
        processes = [] if self.pid is None else _family(self.pid)
        return Sample(
            time.monotonic(),
            sum(each.memory_info().rss for each in processes),
            sum(each.memory_full_info().uss for each in processes) if at_uss else None,
            sum(each.num_fds() for each in processes),
            sum(each.num_threads() for each in processes),
            sum(sum(each.cpu_times()[:2]) for each in processes),
            size_of(Path(f"{self.store}-wal")),
            0 if self.bin is None else size_of(self.bin),
        )

    def between(self, start: float, end: float) -> Sequence[Sample]:
        return [each for each in self.samples if start <= each.at < end]

    def _run(self, ending: threading.Event) -> None:
        while not ending.wait(EVERY):
            self.samples.append(self.look(at_uss=len(self.samples) % EVERY_USS == 0))


def _family(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def size_of(path: Path) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


@contextlib.contextmanager
def looking(gauges: Gauges) -> Iterator[None]:
    ending = threading.Event()
    thread = threading.Thread(target=gauges._run, args=(ending,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(timeout=30)
    assert not thread.is_alive()
