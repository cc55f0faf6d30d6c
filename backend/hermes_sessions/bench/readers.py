"""Clients that ask as fast as they are answered, each in a process of its own: threads would wait for each other, and
what is measured would be the client."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass

from hermes_sessions.bench.wire import Wire, request_bytes

READERS = 8
REQUESTS_PER_CONNECTION = 20
"""Then it is opened anew, so that connections spread over the workers whoever took the first ones."""


@dataclass(frozen=True)
class Reading:
    """`seconds` of processor time went into asking, not into answering."""

    answers: int
    seconds: float


class Readers:
    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def read(self, port: int, body: bytes, seconds: float) -> Reading:
        """All together, for so long."""
        readings = [self._pool.submit(_read, port, body, seconds) for _ in range(READERS)]
        done = [each.result() for each in readings]
        return Reading(sum(each.answers for each in done), sum(each.seconds for each in done))


@contextmanager
def readers() -> Iterator[Readers]:
    with ProcessPoolExecutor(READERS, multiprocessing.get_context("spawn")) as pool:
        yield Readers(pool)


def _read(port: int, body: bytes, seconds: float) -> Reading:
    request = request_bytes("POST", port, "/graphql", {"content-type": "application/json"}, body)
    answers, started, until = 0, time.process_time(), time.monotonic() + seconds
    with closing(Wire(port)) as wire:
        while time.monotonic() < until:
            status, _ = wire.exchange(request)
            if status != 200:
                raise RuntimeError(f"The API answered with status {status}.")
            answers += 1
            if answers % REQUESTS_PER_CONNECTION == 0:
                wire.close()
    return Reading(answers, time.process_time() - started)
