"""A server in a process of its own on a home whose profiles meet faults, and what its users are told."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.api.serving import Api, Json, Refusal, Server
from tests.postgres.writers import writing
from tests.processes import PROGRAM, Replica, replica
from tests.web.serving import Served

NEIGHBOUR = "neighbour"
"""The profile that has no fault, and goes on being read and changed."""
RENAME = """
    mutation ($id: ID!, $title: String!) {
      renameSession(input: {id: $id, title: $title}) { userErrors { code message } }
    }"""
TITLES = "{ conversations(first: 50) { nodes { id title } } }"
EVERYTHING = """
    query ($id: ID!) {
      conversations(first: 200) { totalCount nodes { id title archived messageCount preview cost { usd } } }
      session(id: $id) {
        messageCount usageByModel { usage { totalTokens } } lineage { nodes { session { id } } }
        messages(first: 50) { nodes { content(maxBytes: 100) } }
      }
      search(text: "words") { totalCount degraded edges { node { __typename } } }
      bin { binId sessionIds }
    }"""
PAUSE = 0.05


@dataclass(frozen=True)
class Faulty:
    """A running server and its process."""

    server: Server
    replica: Replica

    def ready(self, profile: str) -> Json:
        """What /readyz says of one profile. Fails where the others are not ready: they have no fault."""
        with self.replica.client() as client:
            answer = client.get("/readyz")
        assert answer.status_code == 200, answer.text
        said = {each["name"]: dict(each) for each in answer.json()["profiles"]}
        assert said[NEIGHBOUR]["ready"], answer.text
        return said.get(profile, {})

    def trouble(self) -> str:
        """What went wrong in the server that it did not expect, by its log, or what of SQLite's got into it."""
        said = re.search(r"(Traceback|Error|apsw|sqlite3).{,5000}", self.replica.log.read_text(), re.DOTALL)
        return said[0] if said else ""


@contextmanager
def faulty(folder: Path, home: Path, *options: str, module: str = PROGRAM, **environment: str) -> Iterator[Faulty]:
    """Serves the home. What the server says of faults is expected by it, which its log shows in the end."""
    with (
        replica(folder, "--home", str(home), *options, environment=environment, module=module) as process,
        ExitStack() as clients,
    ):
        found = Faulty(Server(home, folder / "state", Served(process.port), clients), process)
        yield found
        assert found.trouble() == ""


def told(work: Callable[[], Json]) -> tuple[str, str]:
    """(code, sentence) with which a change or a question is refused, among its errors or as a user's. Fails where it is
    done."""
    try:
        payload = work()
    except Refusal as refusal:
        return refusal.errors[0]["extensions"]["code"], refusal.message
    errors = payload.get("userErrors")
    assert errors, payload
    return errors[0]["code"], errors[0]["message"]


def done(work: Callable[[], Json]) -> Json:
    """What is answered. Fails where it is refused."""
    payload = work()
    assert payload.get("userErrors", []) == [], payload
    return payload


def rename(api: Api, id: str, title: str) -> Json:
    return dict(api.ask(RENAME, id=id, title=title)["renameSession"])


def read(api: Api, id: str = "told") -> Json:
    """A list, a session with its messages, a search, and the bin."""
    return api.ask(EVERYTHING, id=id)


def titles(api: Api) -> dict[str, str | None]:
    """By conversation."""
    return {node["id"]: node["title"] for node in api.ask(TITLES)["conversations"]["nodes"]}


def until_done(work: Callable[[], object], within: float = 20) -> float:
    """Repeated until it is not refused; gives the seconds that this took."""
    started = time.monotonic()
    while True:
        try:
            work()
        except (AssertionError, KeyError):
            if time.monotonic() - started > within:
                raise
            time.sleep(PAUSE)
        else:
            return time.monotonic() - started


@dataclass
class Neighbour:
    """Somebody who reads and changes a profile that has no fault."""

    api: Api
    rounds: int = 0
    slowest: float = 0.0

    def run(self, ending: threading.Event) -> None:
        while not ending.wait(PAUSE):
            started = time.monotonic()
            title = f"Round {self.rounds}"
            assert rename(self.api, "steady", title)["userErrors"] == []
            assert titles(self.api) == {"steady": title}
            self.rounds += 1
            self.slowest = max(self.slowest, time.monotonic() - started)

    def go_on(self) -> None:
        """Waits for a whole round: one that is under way may have begun before what should not disturb it."""
        rounds = self.rounds
        until_done(lambda: self._assert_more_than(rounds + 1))

    def _assert_more_than(self, rounds: int) -> None:
        assert self.rounds > rounds


@contextmanager
def undisturbed(faulty: Faulty) -> Iterator[Neighbour]:
    """The other profile is read and changed while the block runs, and every change is seen at once. To be entered when
    the fault is there, so that it is there until the neighbour has gone on."""
    neighbour = Neighbour(faulty.server.api(NEIGHBOUR))
    with writing([neighbour]):
        yield neighbour
        neighbour.go_on()
