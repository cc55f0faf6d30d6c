"""What is measured: for each operation the GraphQL document and, where there are such, the routes of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from hermes_sessions.bench.words import SearchWords

_SESSION_FIELDS = """
    id source model title startedAt endedAt endReason archived messageCount toolCallCount cwd gitBranch parentId
    usage { inputTokens outputTokens cacheReadTokens reasoningTokens } cost { estimatedUsd actualUsd }
"""
_MESSAGE_FIELDS = """
    id role content toolCalls { id name argumentsText } toolCallId toolName timestamp tokenCount reasoning
"""
_CONVERSATION_FIELDS = "id displayTitle source model lastActiveAt messageCount archived cost { usd status }"


@dataclass(frozen=True)
class Subjects:
    """What the operations are about: a session with many messages, the greatest tree, words."""

    long_session: str
    tree_root: str
    deep_cursor: str | None
    words: SearchWords


@dataclass(frozen=True)
class Operation:
    """`floor` is the path of the floor's route, `texts` what is searched for, one after the other; a search goes to
    Hermes' own dashboard, too. `count` tells from the answer how much came."""

    name: str
    document: str
    variables: Callable[[Subjects], dict[str, Any]]
    floor: Callable[[Subjects], str] | None
    count: Callable[[dict[str, Any]], int]
    texts: Callable[[Subjects], tuple[str, ...]] | None = None

    def is_possible(self, subjects: Subjects) -> bool:
        """Whether the store has what the operation is about."""
        return self.texts is None or bool(self.texts(subjects))

    def variables_of(self, subjects: Subjects, turn: int) -> dict[str, Any]:
        """The variables of one of many requests."""
        text = self._text(subjects, turn)
        return self.variables(subjects) if text is None else {"text": text}

    def hermes_path(self, subjects: Subjects, turn: int) -> str | None:
        """The address that answers the same in Hermes' dashboard; None where there is none."""
        text = self._text(subjects, turn)
        return None if text is None else f"/api/sessions/search?{urlencode({'q': text, 'limit': 20})}"

    def _text(self, subjects: Subjects, turn: int) -> str | None:
        texts = self.texts(subjects) if self.texts is not None else ()
        return texts[turn % len(texts)] if texts else None


def _search(name: str, texts: Callable[[Subjects], tuple[str, ...]]) -> Operation:
    return Operation(
        f"search, {name}",
        "query ($text: String!) { search(text: $text, first: 20) { totalCount edges { node { snippet "
        "highlights { start end } hitsInConversation session { id model source startedAt } } } } }",
        lambda _: {},
        None,
        lambda data: len(data["search"]["edges"]),
        texts,
    )


OPERATIONS = [
    Operation(
        "50 sessions by start",
        f"query {{ sessions(first: 50) {{ nodes {{ {_SESSION_FIELDS} }} }} }}",
        lambda _: {},
        lambda _: "/sessions",
        lambda data: len(data["sessions"]["nodes"]),
    ),
    Operation(
        "50 conversations by last activity",
        f"query {{ conversations(first: 50) {{ nodes {{ {_CONVERSATION_FIELDS} }} }} }}",
        lambda _: {},
        None,
        lambda data: len(data["conversations"]["nodes"]),
    ),
    Operation(
        "50 conversations, deep page",
        "query ($after: String) { conversations(first: 50, after: $after) { nodes { %s } } }" % _CONVERSATION_FIELDS,
        lambda subjects: {"after": subjects.deep_cursor},
        None,
        lambda data: len(data["conversations"]["nodes"]),
    ),
    Operation(
        "100 messages",
        "query ($id: ID!) { session(id: $id) { messages(first: 100) { nodes { %s } } } }" % _MESSAGE_FIELDS,
        lambda subjects: {"id": subjects.long_session},
        lambda subjects: f"/messages?id={subjects.long_session}",
        lambda data: len(data["session"]["messages"]["nodes"]),
    ),
    Operation(
        "one session by id",
        "query ($id: ID!) { session(id: $id) { %s } }" % _SESSION_FIELDS,
        lambda subjects: {"id": subjects.long_session},
        lambda subjects: f"/session?id={subjects.long_session}",
        lambda data: int(data["session"] is not None),
    ),
    Operation(
        "one session by prefix",
        "query ($id: ID!) { session(id: $id) { %s } }" % _SESSION_FIELDS,
        lambda subjects: {"id": subjects.long_session[:-1]},
        lambda subjects: f"/prefix?id={subjects.long_session[:-1]}",
        lambda data: int(data["session"] is not None),
    ),
    Operation(
        "lineage tree",
        """query ($id: ID!) { session(id: $id) { lineage { nodes { depth parentId session {
            id title source startedAt messageCount model endReason cost { usd } } } } } }""",
        lambda subjects: {"id": subjects.tree_root},
        lambda subjects: f"/tree?id={subjects.tree_root}",
        lambda data: len(data["session"]["lineage"]["nodes"]),
    ),
    _search("two common words", lambda subjects: subjects.words.common_pairs),
    _search("a rare word", lambda subjects: subjects.words.rare),
    _search("a CJK phrase", lambda subjects: subjects.words.cjk),
    _search("a path or name", lambda subjects: subjects.words.paths),
]
