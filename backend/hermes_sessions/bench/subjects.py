"""What the operations are about: found by reading every page of a store once, through the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_sessions.bench import documents
from hermes_sessions.bench.servers import Client
from hermes_sessions.bench.words import SearchWords, words_to_search

DEEP_PAGE = 1_000
Json = dict[str, Any]


@dataclass(frozen=True)
class Deep:
    """A deep page of a list: its number and the cursor that it follows. Page 1,000, else the last one that is full."""

    page: int
    after: str | None


@dataclass(frozen=True)
class Subjects:
    """A session with many messages, a beginning of its id that no other has (None: there is none), the greatest tree,
    words, deep pages, and the size of the store."""

    long_session: str
    prefix: str | None
    tree_root: str
    words: SearchWords
    deep_sessions: Deep
    deep_conversations: Deep
    deep_messages: Deep
    sessions: int
    conversations: int


def subjects_of(client: Client, store: Path) -> Subjects:
    """Raises RuntimeError where the store has no session."""
    sessions = list(_edges(client, documents.ALL_SESSIONS, {}, lambda data: data["sessions"]))
    if not sessions:
        raise RuntimeError(
            "The home has no sessions to measure. `hermes-sessions demo DIR` makes a home that has some."
        )
    conversations = list(_edges(client, documents.ALL_CONVERSATIONS, {}, lambda data: data["conversations"]))
    longest = str(client.ask(documents.LONGEST_SESSION, {})["sessions"]["nodes"][0]["id"])
    messages = _edges(client, documents.ALL_MESSAGES, {"id": longest}, lambda data: data["session"]["messages"])
    return Subjects(
        long_session=longest,
        prefix=unique_prefix(longest, [edge["node"]["id"] for edge in sessions]),
        tree_root=greatest_root({edge["node"]["id"]: edge["node"]["parentId"] for edge in sessions}),
        words=words_to_search(store),
        deep_sessions=_deep([edge["cursor"] for edge in sessions], 50),
        deep_conversations=_deep([edge["cursor"] for edge in conversations], 50),
        deep_messages=_deep([edge["cursor"] for edge in messages], 100),
        sessions=len(sessions),
        conversations=len(conversations),
    )


def unique_prefix(id: str, ids: Iterable[str]) -> str | None:
    """All of the id but its last character, where no other begins like that."""
    shorter = id[:-1]
    return shorter if shorter and sum(each.startswith(shorter) for each in ids) == 1 else None


def greatest_root(parents: Mapping[str, str | None]) -> str:
    """The root that most sessions stand below. Links that go in a circle, or to nobody, end where they do."""
    return Counter(_root(id, parents) for id in parents).most_common(1)[0][0]


def _root(id: str, parents: Mapping[str, str | None]) -> str:
    seen = {id}
    parent = parents[id]
    while parent is not None and parent in parents and parent not in seen:
        seen.add(parent)
        id, parent = parent, parents[parent]
    return id


def _edges(client: Client, document: str, variables: Json, connection: Callable[[Json], Json]) -> Iterator[Json]:
    after: str | None = None
    while True:
        page = connection(client.ask(document, {**variables, "after": after}))
        yield from page["edges"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


def _deep(cursors: list[str], size: int) -> Deep:
    page = max(1, min(DEEP_PAGE, len(cursors) // size))
    before = (page - 1) * size
    return Deep(page, cursors[before - 1] if before else None)
