"""What users of the API do all at once while an agent works: each function goes on until `stop`, and checks answers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from tests.api.serving import Api, Json, Server
from tests.api.shaping import append, fork
from tests.api.streaming import CHANGES, MESSAGES, Stream, connected, subscribed
from tests.api.test_actions import live
from tests.api.test_bulk import archive, codes, delete, prune
from tests.api.test_restoring import restore
from tests.builders import StoreBuilder, T

NAMES = [f"f{number:03}" for number in range(400)]
ARCHIVED, DELETED, PRUNED, RENAMED = NAMES[:110], NAMES[110:215], NAMES[215:320], NAMES[320:325]
LONG = 1500
LAST = "the last one"
RENAME = (
    "mutation ($id: ID!, $title: String) { renameSession(input: {id: $id, title: $title}) { userErrors { code } } }"
)


def fillers(store: StoreBuilder) -> None:
    """Old sessions of ten messages, one long one, one where an agent is active, and one of ours to write to."""
    store.sql("BEGIN")
    for number, id in enumerate(NAMES):
        store.session(id, title=f"Title {id}", start=T + number, end=T + number + 60, end_reason="cli_close")
        for turn in range(10):
            store.message(id, content=f"words {turn} of {id} " * 10, at=T + number + turn)
        store.usage(id, cost=0.1)
    store.session("long", start=T, end=T + 9000, end_reason="cli_close")
    for turn in range(LONG):
        store.message("long", content=f"turn {turn}. " + "much to read " * 30, at=T + turn)
    store.session("ours", "nightly", start=time.time())
    live(store)
    store.sql("COMMIT")


@dataclass
class Outcome:
    """What the answers promise of the store."""

    archived: bool = False
    titles: dict[str, str] = field(default_factory=dict)
    appended: list[int] = field(default_factory=list)
    forks: list[tuple[str, str]] = field(default_factory=list)
    """(parent, fork)"""
    rounds: int = 0


def clean_up(api: Api, stop: threading.Event, outcome: Outcome, present: set[str]) -> None:
    """Prunes once, then archives or unarchives, deletes and restores, at least once. `present` is what a subscriber
    knows."""
    pruned = prune(api, olderThanDays=30, filter={"ids": [*PRUNED, "live"]}, permanent=True)
    assert (sorted(pruned["changedIds"]), pruned["completed"]) == (PRUNED, True)
    while True:
        outcome.archived = not outcome.archived
        done = archive(api, ids=[*ARCHIVED, "nobody"], archived=outcome.archived, errorPolicy="SKIP_FAILED")
        assert (done["changedIds"], codes(done)) == (ARCHIVED, [("nobody", "NOT_FOUND")])
        done = delete(api, ids=[*DELETED, "live", "nobody"], errorPolicy="SKIP_FAILED")
        assert (done["changedIds"], done["messageCount"]) == (DELETED, 10 * len(DELETED))
        assert codes(done) == [("live", "SESSION_BUSY"), ("nobody", "NOT_FOUND")]
        wait_until(lambda: present.isdisjoint(DELETED))
        restored: list[str] = []
        for bin_id in done["binIds"]:
            restored += restore(api, bin_id)["changedIds"]
            time.sleep(0.05)
        assert sorted(restored) == DELETED
        wait_until(lambda: present.issuperset(DELETED))
        outcome.rounds += 1
        if stop.wait(0.5):
            return


def rename(api: Api, stop: threading.Event, outcome: Outcome) -> None:
    for id in cycle(RENAMED):
        outcome.titles[id] = f"Name {time.time()}"
        assert api.ask(RENAME, id=id, title=outcome.titles[id])["renameSession"]["userErrors"] == []
        if stop.wait(0.4):
            return


def write(api: Api, stop: threading.Event, outcome: Outcome) -> None:
    """Each message is sent twice, as after an answer that got lost."""
    number = 0
    while not stop.wait(0.4):
        number += 1
        message = {"role": "user", "content": f"ours {number}", "clientId": f"c{number}"}
        first, again = append(api, "ours", message), append(api, "ours", message)
        assert (first["userErrors"], again["userErrors"], again["newIds"]) == ([], [], [])
        outcome.appended += map(int, first["newIds"])
    outcome.appended += map(int, append(api, "ours", {"role": "user", "content": LAST})["newIds"])


def branch_off(api: Api, stop: threading.Event, outcome: Outcome) -> None:
    """Forks an old session and the one that the agent is just writing to."""
    number = 0
    while not stop.wait(1):
        number += 1
        for parent in ("long", "alpha"):
            answer = fork(api, parent, title=f"Fork {number} of {parent}")
            if answer["userErrors"]:  # the agent is between a call and its result
                assert [error["code"] for error in answer["userErrors"]] == ["BAD_USER_INPUT"]
            else:
                outcome.forks.append((parent, answer["session"]["id"]))


def download(server: Server, stop: threading.Event) -> list[str]:
    """The contents of the long session's messages, read so slowly that the export lasts as long as the rest."""
    text = b""
    with server.served.client() as client, client.stream("GET", "/export/default/long.json") as answer:
        assert answer.status_code == 200
        for piece in answer.iter_bytes(4096):
            text += piece
            stop.wait(0.05)
    [session] = json.loads(text)["sessions"]
    return [message["content"] for message in session["messages"]]


@asynccontextmanager
async def following(server: Server, api: Api, document: str, **variables: Any) -> AsyncIterator[Stream]:
    """A subscription that can be left at any time. The client's library stops reading at 16 messages that nobody took,
    and would then wait 10 seconds for the server's goodbye."""
    unlimited = {"max_queue": None}
    async with (
        connected(server, api, connect_args=unlimited) as session,
        subscribed(session, document, **variables) as stream,
    ):
        yield stream


class Listener:
    """Follows a conversation up to `LAST`, with a new connection for every `turn` events."""

    def __init__(self, server: Server, api: Api, id: str, turn: int) -> None:
        self._server, self._api = server, api
        self._cursor: str | None = None
        self.id, self.turn = id, turn
        self.seen: list[int] = []

    async def begin(self) -> None:
        """What is stored from now on is told."""
        async with following(self._server, self._api, MESSAGES, id=self.id) as stream:
            self._cursor = (await stream.next())["resumeCursor"]

    async def listen(self) -> None:
        while True:
            async with following(self._server, self._api, MESSAGES, id=self.id, after=self._cursor) as stream:
                for _ in range(self.turn):
                    event = await stream.next()
                    assert event["complete"], event
                    self._cursor = event["resumeCursor"]
                    if event["message"] is not None:
                        self.seen.append(int(event["message"]["id"]))
                        if event["message"]["content"] == LAST:
                            return


class Watcher:
    """Follows `sessionChanges` with a new connection for every `turn` events. `present` are the sessions that there
    are by what was told; each must be told once."""

    def __init__(self, server: Server, api: Api, present: set[str], turn: int) -> None:
        self._server, self._api, self._turn = server, api, turn
        self._cursor: str | None = None
        self.present = present
        self.told: dict[str, set[str]] = {"CREATED": set(), "DELETED": set(), "UPDATED": set()}

    async def watch(self) -> None:
        """Until a session `the-end` is told."""
        while "the-end" not in self.present:
            async with following(self._server, self._api, CHANGES, after=self._cursor) as stream:
                synced = await stream.next()
                assert (synced["kind"], synced["complete"]) == ("SYNCED", True)
                self._cursor = synced["resumeCursor"]
                for _ in range(self._turn):
                    self._note(await stream.next())
                    if "the-end" in self.present:
                        return

    def _note(self, event: Json) -> None:
        kind, id = event["kind"], event["sessionId"]
        assert event["complete"], event
        assert (id in self.present) == (kind != "CREATED"), event
        self.told[kind].add(id)
        if kind == "CREATED":
            self.present.add(id)
        elif kind == "DELETED":
            self.present.remove(id)
        self._cursor = event["resumeCursor"]


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)
