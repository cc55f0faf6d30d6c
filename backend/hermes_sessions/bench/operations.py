"""What is measured: for each operation the GraphQL document and, where there is one, the floor's route."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
    """Ids that the operations are about: a session with many messages, and the greatest tree."""

    long_session: str
    tree_root: str
    deep_cursor: str | None


@dataclass(frozen=True)
class Operation:
    """`floor` is the path of the floor's route; `count` tells from the answer how much came."""

    name: str
    document: str
    variables: Callable[[Subjects], dict[str, Any]]
    floor: Callable[[Subjects], str] | None
    count: Callable[[dict[str, Any]], int]


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
]
