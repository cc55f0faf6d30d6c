"""Programs that change a profile through the API, each in a thread, and repeat what was not acknowledged."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import httpx

from tests.api.serving import Json
from tests.processes import client_of

APPEND = """
    mutation ($id: ID!, $client: String!, $text: String!) {
      appendMessages(input: {id: $id, messages: [{clientId: $client, role: "user", content: $text}]}) {
        newIds messages { id } userErrors { code message }
      }
    }"""
CREATE = """
    mutation ($id: ID!) { createSession(input: {id: $id, source: "cli"}) { changedIds userErrors { code message } } }
"""
RENAME = """
    mutation ($id: ID!, $title: String!) {
      renameSession(input: {id: $id, title: $title}) { session { title } userErrors { code message } }
    }"""
ARCHIVE = "mutation ($id: ID!) { archiveSession(input: {id: $id}) { changedIds userErrors { code message } } }"
DELETE = """
    mutation ($id: ID!) {
      deleteSession(input: {id: $id, exact: true, force: true}) { deletedIds userErrors { code message } }
    }"""

NOT_KNOWN = "it is not known whether it was kept"
PAUSE = 0.05
"""Seconds before something is repeated."""


class Asks(Protocol):
    """What a writer needs of a client."""

    def post(self, url: str, *, json: Json) -> httpx.Response: ...


@dataclass
class Writer:
    """Appends to a session that is there and has its name, and makes, renames, archives and deletes others. What it
    notes is acknowledged."""

    port: int
    profile: str
    name: str
    said: list[str] = field(default_factory=list)
    """Contents of messages, which are their client ids, too."""
    titles: dict[str, str | None] = field(default_factory=dict)
    """Of each session that was made."""
    archived: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    moments: list[float] = field(default_factory=list)
    """When something was acknowledged."""
    refusals: list[tuple[str, str]] = field(default_factory=list)
    """Codes and messages."""

    def run(self, ending: threading.Event) -> None:
        with self._client() as client:
            number = 0
            while not ending.is_set():
                number += 1
                self.say(client, f"{self.name} says {number}")
                if number % 3 == 0:
                    self._change_another(client, f"{self.name}-{number}", number)

    def _client(self) -> AbstractContextManager[Asks]:
        return client_of(self.port, self.profile)

    def say(self, client: Asks, text: str) -> None:
        self._acknowledged(client, APPEND, id=self.name, client=text, text=text)
        self.said.append(text)

    def _change_another(self, client: Asks, id: str, number: int) -> None:
        self._acknowledged(client, CREATE, id=id)
        self.titles[id] = None
        self._acknowledged(client, RENAME, id=id, title=f"Of {id}")
        self.titles[id] = f"Of {id}"
        if number % 2:
            self._acknowledged(client, ARCHIVE, id=id)
            self.archived.add(id)
        if number % 5 == 0:
            self._acknowledged(client, DELETE, id=id)
            self.deleted.add(id)

    def _acknowledged(self, client: Asks, document: str, /, **variables: str) -> None:
        """Sent until it is. What was kept without an answer is said by the answer to the repeated call."""
        is_repeated = False
        while (refusals := _refusals(client, document, variables)) and not (
            is_repeated and [code for code, _ in refusals] == ["ID_TAKEN"]
        ):
            self.refusals += refusals
            is_repeated = True
            time.sleep(PAUSE)
        self.moments.append(time.monotonic())


def _refusals(client: Asks, document: str, variables: dict[str, str]) -> list[tuple[str, str]]:
    body: Json = client.post("/graphql", json={"query": document, "variables": variables}).json()
    if "errors" in body:
        return [(each["extensions"]["code"], each["message"]) for each in body["errors"]]
    [payload] = body["data"].values()
    return [(each["code"], each["message"]) for each in payload["userErrors"]]


class Works(Protocol):
    """Goes on until `ending`."""

    def run(self, ending: threading.Event) -> None: ...


@contextmanager
def writing(writers: Sequence[Works]) -> Iterator[None]:
    """They write for as long as the block runs, and end with what they are about to do. What one of them failed with is
    raised also where the block fails, as it does where it waits for one that is no more."""
    ending = threading.Event()
    failures: list[BaseException] = []

    def run(writer: Works) -> None:
        try:
            writer.run(ending)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(writer,), daemon=True) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ending.set()
        for thread in threads:
            thread.join(timeout=30)
        if failures:
            raise failures[0]
    assert not any(thread.is_alive() for thread in threads)
