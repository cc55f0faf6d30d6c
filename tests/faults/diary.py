"""A user who changes a profile in every way that the API offers, and knows what must be there after each answer."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import httpx

from tests.api.serving import Json
from tests.api.shaping import PAYLOADS
from tests.importing import moving
from tests.processes import client_of

BULK = "changedIds binIds completed userErrors { code message }"
FIELDS = {
    **PAYLOADS,
    "renameSession": "userErrors { code message }",
    "archiveSession": "changedIds userErrors { code message }",
    "deleteSession": "deletedIds binId userErrors { code message }",
    "archiveSessions": BULK,
    "deleteSessions": BULK,
    "pruneSessions": BULK,
    "restoreSessions": BULK,
    "importSessions": "importedIds completed userErrors { code message }",
}

MOST_BINS = 20


@dataclass(frozen=True)
class Kept:
    """What is known of a session."""

    title: str | None = None
    archived: bool = False
    ended: bool = False
    tokens: int = 0
    contents: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """Sessions that are there, and those in the bin by id: what they come back as."""

    present: Mapping[str, Kept] = field(default_factory=dict)
    binned: Mapping[str, Kept] = field(default_factory=dict)

    def having(self, id: str, **changes: Any) -> State:
        return replace(self, present={**self.present, id: replace(self.present.get(id, Kept()), **changes)})

    def without(self, *ids: str) -> State:
        left = {id: kept for id, kept in self.present.items() if id not in ids}
        return State(left, {**self.binned, **{id: self.present[id] for id in ids}})

    def back(self, *ids: str) -> State:
        left = {id: kept for id, kept in self.binned.items() if id not in ids}
        return State({**self.present, **{id: self.binned[id] for id in ids}}, left)


Step = tuple[str, Json, State]
"""A mutation, its input, and what is there once it is done."""


class Diary:
    """Makes one change after the other until the server is gone. `state` is what was acknowledged, `pending` what would
    be there if the change under way were kept. Nobody else touches sessions whose ids begin with its name."""

    def __init__(self, name: str, profile: str, seed: int) -> None:
        self.name = name
        self.port = 0
        self.profile = profile
        self.state = State()
        self.pending: State | None = None
        self.acknowledged = 0
        self.is_cut_off = False
        self.kinds: set[str] = set()
        """Of what was acknowledged."""
        self._chance = random.Random(seed)
        self._numbers = count(1)
        self._bins: dict[str, tuple[str, ...]] = {}
        """Sessions by entry of the bin."""

    def run(self, ending: threading.Event) -> None:
        """Ends when the server does, or with `ending`. What is answered must be what was asked for."""
        self.is_cut_off = False
        with client_of(self.port, self.profile) as client:
            while not ending.is_set():
                name, input, after = self._next()
                self.pending = after
                try:
                    payload = mutate(client, name, input)
                except httpx.TransportError:
                    self.is_cut_off = True
                    return
                assert payload["userErrors"] == [], (name, input, payload)
                for bin_id in [payload.get("binId"), *payload.get("binIds", [])]:
                    if bin_id:
                        self._bins[bin_id] = tuple(self.state.present.keys() - after.present.keys())
                self.state, self.pending = after, None
                self.acknowledged += 1
                self.kinds.add(name)

    def settle(self, found: State) -> None:
        """After the server was gone: what was acknowledged is there, and of what was not all or nothing is."""
        assert found in (self.state, self.pending), (self.name, found, self.state, self.pending)
        self.state, self.pending = found, None

    def learn_bins(self, entries: list[Json]) -> None:
        """What the bin lists of this user's: just what is gone."""
        mine: dict[str, tuple[str, ...]] = {}
        for each in entries:  # newest first: an older one may be of a restoration that was cut off at its end
            ids = tuple(each["sessionIds"])
            assert not self.state.present.keys() >= set(ids), self.name
            if self.state.binned.keys() >= set(ids) and not {id for newer in mine.values() for id in newer} & set(ids):
                mine[each["binId"]] = ids
        assert sorted(id for ids in mine.values() for id in ids) == sorted(self.state.binned), self.name
        self._bins = mine

    def _next(self) -> Step:
        present = sorted(self.state.present)
        if len(present) < 3:
            return self._create()
        if len(self._bins) > MOST_BINS:
            return self._restore(present[0])
        id = self._chance.choice(present)
        steps: list[Callable[[str], Step]] = [
            self._append, self._append, self._rename, self._archive, self._archive_two, self._end_or_reopen,
            self._fork, self._use, self._delete, self._delete_two, self._restore, self._bring, self._prune,
        ]  # fmt: skip
        return self._chance.choice(steps)(id)

    def _new_id(self) -> str:
        return f"{self.name}-{next(self._numbers)}"

    def _create(self) -> Step:
        id = self._new_id()
        return "createSession", {"id": id, "source": "cli"}, self.state.having(id)

    def _append(self, id: str) -> Step:
        said = [f"{id} says {next(self._numbers)}" for _ in range(2)]
        messages = [{"clientId": text, "role": "user", "content": text} for text in said]
        after = self.state.having(id, contents=(*self.state.present[id].contents, *said))
        return "appendMessages", {"id": id, "scope": "SESSION", "messages": messages, "force": True}, after

    def _rename(self, id: str) -> Step:
        title = f"Title {next(self._numbers)} of {id}"
        return "renameSession", {"id": id, "scope": "SESSION", "title": title}, self.state.having(id, title=title)

    def _archive(self, id: str) -> Step:
        archived = not self.state.present[id].archived
        input = {"id": id, "scope": "SESSION", "archived": archived}
        return "archiveSession", input, self.state.having(id, archived=archived)

    def _archive_two(self, id: str) -> Step:
        ids = self._two(id)
        after = self.state.having(ids[0], archived=True).having(ids[1], archived=True)
        return "archiveSessions", {"ids": ids, "scope": "SESSION", "errorPolicy": "SKIP_FAILED"}, after

    def _end_or_reopen(self, id: str) -> Step:
        if self.state.present[id].ended:
            return "reopenSession", {"id": id, "scope": "SESSION"}, self.state.having(id, ended=False)
        return "endSession", {"id": id, "scope": "SESSION", "force": True}, self.state.having(id, ended=True)

    def _fork(self, id: str) -> Step:
        new = self._new_id()
        title = f"Fork {new}"
        after = self.state.having(new, title=title, contents=self.state.present[id].contents)
        return "forkSession", {"id": id, "newId": new, "title": title}, after

    def _use(self, id: str) -> Step:
        after = self.state.having(id, tokens=self.state.present[id].tokens + 7)
        return "recordUsage", {"id": id, "scope": "SESSION", "model": "m", "inputTokens": 7}, after

    def _delete(self, id: str) -> Step:
        input = {"id": id, "scope": "SESSION", "exact": True, "force": True}
        return "deleteSession", input, self.state.without(id)

    def _delete_two(self, id: str) -> Step:
        ids = self._two(id)
        return "deleteSessions", {"ids": ids, "scope": "SESSION", "force": True}, self.state.without(*ids)

    def _restore(self, id: str) -> Step:
        if not self._bins:
            return self._delete(id)
        bin_id = self._chance.choice(sorted(self._bins))
        return "restoreSessions", {"binId": bin_id}, self.state.back(*self._bins.pop(bin_id))

    def _bring(self, _: str) -> Step:
        """Two old sessions out of a file."""
        after, sessions = self.state, []
        for id in (self._new_id(), self._new_id()):
            texts = tuple(f"{id} said {turn}" for turn in range(3))
            messages = [moving.message(text) for text in texts]
            sessions.append(
                moving.session(id, *messages, title=f"Brought {id}", message_count=3, ended_at=1750000009.0)
            )
            after = after.having(id, title=f"Brought {id}", contents=texts, ended=True)
        return "importSessions", {"document": json.dumps(moving.exact(*sessions))}, after

    def _prune(self, id: str) -> Step:
        """What came out of a file and was left alone since is old."""
        old = [id for id, kept in self.state.present.items() if _is_old(id, kept)][:2]
        if not old:
            return self._bring(id)
        input = {"olderThanDays": 30, "filter": {"ids": old}, "includeArchived": True}
        return "pruneSessions", input, self.state.without(*old)

    def _two(self, id: str) -> list[str]:
        return [id, self._chance.choice(sorted(self.state.present.keys() - {id}))]


def _is_old(id: str, kept: Kept) -> bool:
    return kept.title == f"Brought {id}" and kept.ended and not kept.tokens and len(kept.contents) == 3


def mutate(client: httpx.Client, name: str, input: Json) -> Json:
    kind = f"{name[0].upper()}{name[1:]}Input!"
    document = f"mutation ($input: {kind}) {{ {name}(input: $input) {{ {FIELDS[name]} }} }}"
    answer = client.post("/graphql", json={"query": document, "variables": {"input": input}}).json()
    assert "errors" not in answer, (name, input, answer)
    return dict(answer["data"][name])
