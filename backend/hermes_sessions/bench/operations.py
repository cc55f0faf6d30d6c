"""What is measured: for each operation its GraphQL document and, where there is one, the route of the floor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hermes_sessions.bench import documents
from hermes_sessions.bench.servers import Client, graphql_body
from hermes_sessions.bench.subjects import Subjects
from hermes_sessions.bench.timing import Ask

Json = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    """`key` is how targets and other servers name it, `floor` the path of the floor's route, `count` tells from the
    answer how much came, `texts` what is searched for, one after the other; `needs` is false where a store lacks
    something else."""

    key: str
    name: str
    document: str
    count: Callable[[Json], int]
    variables: Callable[[Subjects], Json] = lambda _: {}
    floor: Callable[[Subjects], str] | None = None
    texts: Callable[[Subjects], tuple[str, ...]] | None = None
    needs: Callable[[Subjects], object] = lambda _: True

    def is_possible(self, subjects: Subjects) -> bool:
        """Whether the store has what the operation is about."""
        return bool(self.needs(subjects) if self.texts is None else self.texts(subjects))

    def text(self, subjects: Subjects, turn: int) -> str:
        """What is searched for at this turn; empty where nothing is."""
        texts = self.texts(subjects) if self.texts is not None else ()
        return texts[turn % len(texts)] if texts else ""

    def body(self, subjects: Subjects, turn: int) -> bytes:
        variables = {"text": self.text(subjects, turn)} if self.texts is not None else self.variables(subjects)
        return graphql_body(self.document, variables)

    def following(self, after: str | None) -> Operation:
        """The same list behind a cursor."""
        return replace(self, variables=lambda subjects: {**self.variables(subjects), "after": after})

    def ask(self, client: Client, subjects: Subjects) -> Ask:
        """Sends the request of a turn to our server."""
        return lambda turn: client.post("/graphql", self.body(subjects, turn))


def _search(key: str, name: str, texts: Callable[[Subjects], tuple[str, ...]]) -> Operation:
    return Operation(key, f"search, {name}", documents.SEARCH, lambda data: len(data["search"]["edges"]), texts=texts)


SESSIONS = Operation(
    "sessions",
    "50 sessions by start",
    documents.SESSIONS,
    lambda data: len(data["sessions"]["nodes"]),
    floor=lambda _: "/sessions",
)
CONVERSATIONS = Operation(
    "conversations",
    "50 conversations by last activity",
    documents.CONVERSATIONS,
    lambda data: len(data["conversations"]["nodes"]),
)
MESSAGES = Operation(
    "messages",
    "100 messages",
    documents.MESSAGES,
    lambda data: len(data["session"]["messages"]["nodes"]),
    lambda subjects: {"id": subjects.long_session},
    lambda subjects: f"/messages?id={subjects.long_session}",
)
SESSION = Operation(
    "session",
    "one session by id",
    documents.SESSION,
    lambda data: int(data["session"] is not None),
    lambda subjects: {"id": subjects.long_session},
    lambda subjects: f"/session?id={subjects.long_session}",
)
PREFIX = Operation(
    "prefix",
    "one session by prefix",
    documents.SESSION,
    lambda data: int(data["session"] is not None),
    lambda subjects: {"id": subjects.prefix},
    lambda subjects: f"/prefix?id={subjects.prefix}",
    needs=lambda subjects: subjects.prefix,
)
TREE = Operation(
    "tree",
    "lineage tree, the greatest of the store",
    documents.TREE,
    lambda data: len(data["session"]["lineage"]["nodes"]),
    lambda subjects: {"id": subjects.tree_root},
    lambda subjects: f"/tree?id={subjects.tree_root}",
)
COUNTS = Operation("counts", "counts", documents.COUNTS, lambda data: int(data["profile"]["sessionCount"]))
USAGE = Operation("usage", "usage by day and model", documents.USAGE, lambda data: len(data["usage"]["rows"]))
OPERATIONS = (
    SESSIONS,
    CONVERSATIONS,
    MESSAGES,
    SESSION,
    PREFIX,
    COUNTS,
    USAGE,
    TREE,
    _search("common", "two common words", lambda subjects: subjects.words.common_pairs),
    _search("rare", "a rare word", lambda subjects: subjects.words.rare),
    _search("cjk", "a CJK phrase", lambda subjects: subjects.words.cjk),
    _search("paths", "a path or name", lambda subjects: subjects.words.paths),
)
