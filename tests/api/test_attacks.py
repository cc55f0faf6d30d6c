"""Documents made to exhaust the server: each is answered or refused soon, and the next request is served.

The server is a process of its own: one that hangs must not hang the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from tests.api.serving import process_serving
from tests.builders import home_with, plan_chain

SECONDS = 10


def doubling(depth: int, step: str, last: str) -> str:
    """Fragments that each use the next one twice: `step` has {next} in it."""
    steps = [f"fragment F{n} on Session {{ {step.replace('{next}', f'...F{n + 1}')} }}" for n in range(depth)]
    return " ".join([f'{{ session(id: "d1") {{ ...F0 }} }} fragment F{depth} on Session {{ {last} }}', *steps])


ATTACKS = {
    "fragments that double each other": doubling(40, "{next} {next}", "id"),
    "inline fragments that double each other": doubling(40, "... on Session { {next} } ... on Node { {next} }", "id"),
    "fields that double each other": doubling(13, "parent { {next} } root { {next} }", "id"),
    "pages that double each other": doubling(8, "children { nodes { {next} } } root { {next} }", "id"),
    "aliases that double each other": doubling(12, "a: parent { {next} } b: parent { {next} }", "id"),
    "a thousand spreads of one fragment": "{ server { " + "...A " * 600 + "} } fragment A on Server { version }",
    "the same field many times": "{ server { " + "version " * 1900 + "} }",
    "overlapping selections": "{ " + "server { version } " * 400 + "}",
    "braces without end": "{" * 1900,
    "fields without end": "{ a" * 900,
    "types without end": "query ($a: " + "[" * 1900,
    "values without end": "{ session(id: " + "[" * 1900,
    "deep values": "{ session(id: " + "[" * 900 + "]" * 900 + ") { id } }",
    "deep inline fragments": "{ " + "... { " * 450 + "server { version } " + "} " * 450 + "}",
}


class Victim:
    """A server in a process, and a new one when it does not answer in time."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._running = ExitStack()
        self._start()

    def _start(self) -> None:
        self._client, _ = self._running.enter_context(process_serving(self._home, timeout=SECONDS))

    def post(self, query: str) -> httpx.Response:
        try:
            return self._client.post("/graphql", json={"query": query})
        except httpx.TimeoutException:
            self.close()
            self._start()
            raise

    def close(self) -> None:
        self._running.close()


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with closing(Victim(home_with(tmp_path_factory.mktemp("attacked") / "home", default=plan_chain))) as running:
        yield running


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_over_soon(victim: Victim, attack: str) -> None:
    answer = victim.post(ATTACKS[attack])
    assert answer.status_code == 200
    for error in answer.json().get("errors", []):
        code = error["extensions"]["code"]
        assert code in ("QUERY_TOO_EXPENSIVE", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED")
    assert victim.post("{ server { version } }").json()["data"]
