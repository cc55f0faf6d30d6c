"""Walks through connections page by page, while something else happens to the store."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.api.serving import Api, Json

Between = Callable[[list[str]], object]


@dataclass(frozen=True)
class List:
    """A connection and where it stands: `{field}` takes further arguments, `around` has `{field}` in it."""

    name: str
    around: str
    field: str

    def page(self, api: Api, more: str = "", **arguments: Any) -> Json:
        """One page; `more` are arguments as text, the others go by variables."""
        api_query = f"""
            query ($first: Int, $after: String, $last: Int, $before: String) {{
              {self.around.replace("{field}", self._selected(more))}
            }}"""
        answer: Any = api.ask(api_query, **arguments)
        while "edges" not in answer:
            [answer] = answer.values()
        return dict(answer)

    def _selected(self, more: str) -> str:
        return f"""
            {self.field}(first: $first, after: $after, last: $last, before: $before{", " + more if more else ""}) {{
              totalCount
              edges {{ cursor node {{ id }} }}
              pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }}
            }}"""


LISTS = [
    List("messages of a session", 'session(id: "s") { {field} }', "messages"),
    List("messages of a conversation", 'conversation(id: "s") { {field} }', "messages"),
    List("sessions", "{field}", "sessions"),
    List("conversations", "{field}", "conversations"),
]


def rows(page: Json) -> list[str]:
    return [edge["node"]["id"] for edge in page["edges"]]


def forwards(list: List, api: Api, size: int, between: Between, more: str = "") -> list[str]:
    """All ids, front to back; `between` is called with each page's ids before the next one is asked for."""
    found: list[str] = []
    after = None
    while True:
        page = list.page(api, more, first=size, after=after)
        found += rows(page)
        if not page["pageInfo"]["hasNextPage"]:
            return found
        after = page["pageInfo"]["endCursor"]
        between(rows(page))


def backwards(list: List, api: Api, size: int, between: Between, more: str = "") -> list[str]:
    """All ids, walked from the back, in the order of the list."""
    found: list[str] = []
    before = None
    while True:
        page = list.page(api, more, last=size, before=before)
        found = rows(page) + found
        if not page["pageInfo"]["hasPreviousPage"]:
            return found
        before = page["pageInfo"]["startCursor"]
        between(rows(page))


def forged(cursor: str, *key: Any) -> str:
    """The cursor with another key under the same seal."""
    version, seal, *_ = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    raw = json.dumps([version, seal, *key]).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
