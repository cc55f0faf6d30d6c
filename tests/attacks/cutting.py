"""Requests of every kind, to be cut off at any moment; and what must be whole of each afterwards."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.attacks.victim import heads
from tests.builders import StoreBuilder, T
from tests.importing.moving import IMPORT, exact, message, session

SESSIONS = 150
MESSAGES = 7
TURNS = 5
ARCHIVED = 50
BROUGHT = 30
"""Sessions of an import."""

Make = Callable[[int, random.Random], bytes]


def fill(store: StoreBuilder) -> None:
    for number in range(SESSIONS):
        id = f"s{number:03}"
        store.session(id, start=T + number, end=T + number + 1, end_reason="cli_close", title=f"Session {number}")
        for turn in range(MESSAGES):
            store.message(id, "user" if turn % 2 == 0 else "assistant", f"turn {turn} of {id}, some words", at=T + turn)
    store.session("long", start=T)
    for _ in range(40):
        store.message("long", "user", "a" * 200_000)


def post(query: str, **variables: Any) -> bytes:
    body = json.dumps({"query": query, "variables": variables}).encode()
    return heads("POST /graphql HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body)}") + body


def _change(field: str, type: str, input: dict[str, Any]) -> bytes:
    query = f"mutation ($input: {type}!) {{ {field}(input: $input) {{ userErrors {{ code message }} }} }}"
    return post(query, input=input)


def _appended(number: int, chance: random.Random) -> bytes:
    messages = [{"role": "user", "content": f"appended {number}"} for _ in range(TURNS)]
    return _change("appendMessages", "AppendMessagesInput", {"id": "s000", "messages": messages, "force": True})


def _archived(number: int, chance: random.Random) -> bytes:
    ids = [f"s{each:03}" for each in range(1, ARCHIVED + 1)]
    archived = {"ids": ids, "archived": bool(number % 2), "errorPolicy": "SKIP_FAILED"}
    return _change("archiveSessions", "ArchiveSessionsInput", archived)


def _deleted(number: int, chance: random.Random) -> bytes:
    """Some that were there at first, and some of the first half of what was brought since."""
    ids = [f"s{each:03}" for each in chance.sample(range(60, SESSIONS), 3)]
    ids += [f"in{max(0, number - back)}-{chance.randrange(BROUGHT // 2)}" for back in range(1, 30)]
    return _change("deleteSessions", "DeleteSessionsInput", {"ids": ids, "errorPolicy": "SKIP_FAILED", "force": True})


def _imported(number: int, chance: random.Random) -> bytes:
    rows = [session(f"in{number}-{each}", *[message("word " * 20)] * MESSAGES) for each in range(BROUGHT)]
    return post(IMPORT, document=json.dumps(exact(*rows)))


REQUESTS: dict[str, Make] = {
    "pages": lambda number, chance: post(
        "{ sessions(first: 100) { nodes { id title preview messages(first: 5) { nodes { content } } } } }"
    ),
    "searches": lambda number, chance: post(
        f'{{ search(text: "words {number}") {{ edges {{ node {{ __typename }} }} }} }}'
    ),
    "outlines": lambda number, chance: post('{ session(id: "long") { messages(first: 40) { nodes { content } } } }'),
    "exports": lambda number, chance: heads(
        f"GET /export/default/long.{chance.choice(['json', 'jsonl', 'md', 'html'])} HTTP/1.1"
    ),
    "appends": _appended,
    "archives": _archived,
    "deletions": _deleted,
    "imports": _imported,
}


def is_whole(store: StoreBuilder) -> None:
    """Every change is there with all of its parts, or not at all."""
    assert store.sql("PRAGMA integrity_check") == [("ok",)]
    appended = store.sql("SELECT content, count(*) FROM messages WHERE content LIKE 'appended %' GROUP BY 1")
    assert {count for _, count in appended} == {TURNS}
    counts = store.sql(
        "SELECT (SELECT count(*) FROM messages AS m WHERE m.session_id = s.id) FROM sessions AS s"
        " WHERE (s.id LIKE 's%' OR s.id LIKE 'in%') AND s.id <> 's000'"
    )
    assert {*counts} == {(MESSAGES,)}
    archived = f"SELECT count(DISTINCT archived) FROM sessions WHERE id BETWEEN 's001' AND 's{ARCHIVED:03}'"
    assert store.sql(archived) == [(1,)]
    brought = f"""
        SELECT count(*) FROM sessions
        WHERE id GLOB 'in*-*' AND CAST(substr(id, instr(id, '-') + 1) AS INTEGER) >= {BROUGHT // 2}
        GROUP BY substr(id, 1, instr(id, '-'))
    """
    assert {*store.sql(brought)} <= {(BROUGHT - BROUGHT // 2,)}
    assert store.sql("SELECT count(*) FROM messages WHERE session_id NOT IN (SELECT id FROM sessions)") == [(0,)]
    [(there,)] = store.sql("SELECT count(*) FROM sessions WHERE id LIKE 's0%' AND id <= 's059'")
    assert there == 60, "what was not to be deleted is there"
