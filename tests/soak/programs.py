"""Programs that use the API at a steady rate, each in a thread with a connection of its own. What they note was
acknowledged."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import httpx

from tests.api.serving import Json
from tests.processes import client_of
from tests.soak.figures import Took

EXPECTED = {"STORE_BUSY", "TIMEOUT"}
"""Codes that may come where many write: the first one for anything, which is asked again then; the other one for a
change of many that was not finished in the time of one request."""


@dataclass
class Program:
    """`turn` is what it does, again and again, with `pause` seconds between two beginnings. `took` is by operation."""

    port: int
    pause: float
    turn: Callable[[Program, int], None]
    took: dict[str, list[Took]] = field(default_factory=dict)
    busy: Counter[str] = field(default_factory=Counter)
    _client: httpx.Client | None = None

    def run(self, ending: threading.Event) -> None:
        with client_of(self.port) as self._client:
            planned, number = time.monotonic(), 0
            while not ending.is_set():
                self.turn(self, number)
                number += 1
                planned = max(planned + self.pause, time.monotonic())
                ending.wait(planned - time.monotonic())

    def ask(self, operation: str, document: str, /, **variables: object) -> Json:
        """What the only field of the answer holds. Whoever is refused for being busy asks again."""
        while True:
            started = time.monotonic()
            answer = self.client.post("/graphql", json={"query": document, "variables": variables})
            self._note(operation, started)
            body: Json = answer.json()
            codes = _codes(body)
            assert EXPECTED.issuperset(codes), (operation, body)
            self.busy.update(f"{operation}: {code}" for code in codes)
            if "errors" not in body:
                [payload] = body["data"].values()
                if not codes or "completed" in payload:
                    return dict(payload)

    def download(self, operation: str, address: str) -> bytes:
        started = time.monotonic()
        answer = self.client.get(address)
        self._note(operation, started)
        assert answer.status_code == 200, answer.text
        return answer.content

    @property
    def client(self) -> httpx.Client:
        assert self._client is not None
        return self._client

    def _note(self, operation: str, started: float) -> None:
        self.took.setdefault(operation, []).append(Took(started, time.monotonic() - started))


def _codes(body: Json) -> list[str]:
    if "errors" in body:
        return [each["extensions"]["code"] for each in body["errors"]]
    [payload] = body["data"].values()
    return [each["code"] for each in (payload or {}).get("userErrors", ())]


def all_took(programs: Sequence[Program]) -> dict[str, list[Took]]:
    """By operation, in the order in which they began."""
    together: dict[str, list[Took]] = {}
    for program in programs:
        for operation, took in program.took.items():
            together.setdefault(operation, []).extend(took)
    return {operation: sorted(took) for operation, took in sorted(together.items())}
