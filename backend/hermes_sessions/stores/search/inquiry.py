"""One search under way: its conditions, its order, the time that it has left, and what it knows of a row."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.search.fields import SearchField, content_field
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.query import MessageSearch
from hermes_sessions.model.values import UNHEARD, moment, text
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.lines import is_shown
from hermes_sessions.stores.sqlite.worker import Query

MAX_ROWS = 1_000
"""Messages that one way of finding them may give: ranking never looks at more."""
LAST_STATEMENT_SECONDS = 1.0
"""How far it came is looked up also when the time is up."""
_MATCH_COLUMNS = ("id", "session_id", "role", "timestamp")


class Inquiry:
    """`give_up_at` is a moment of the monotonic clock; statements after it raise TIMEOUT. It lives in the thread of a
    connection, where `query` runs a statement within so many seconds."""

    def __init__(self, query: Query, columns: Columns, asked: MessageSearch, give_up_at: float) -> None:
        self._query = query
        self.columns = columns
        self.asked = asked
        self.conditions, self._values = _conditions(asked)
        self.is_shown = is_shown(columns)
        self.match_cells = columns.select("messages", _MATCH_COLUMNS)
        self.order = "ASC" if asked.oldest_first else "DESC"
        self.is_capped = False
        self._reach: int | None = None
        self._give_up_at = give_up_at

    def where(self, condition: str) -> list[int]:
        """Ids of all messages in question for which an SQL condition holds, in the order of the search."""
        return self.ids(
            f"""
            SELECT messages.id AS id FROM messages
            WHERE {condition} AND {self.conditions or "1"} AND {self.in_reach("messages.id")}
            ORDER BY messages.id {self.order}
            """
        )

    def go_no_further_than(self, message_id: int) -> None:
        """Leaves out what comes behind this message in the order of the search."""
        self._reach = message_id

    def in_reach(self, column: str) -> str:
        """An SQL condition on a column of message ids."""
        if self._reach is None:
            return "1"
        return f"{column} {'<=' if self.asked.oldest_first else '>='} {int(self._reach)}"

    def ids(self, sql: str, values: dict[str, Any] | None = None) -> list[int]:
        """The column `id` of a statement's rows."""
        return [row["id"] for row in self.rows(sql, values)]

    def rows(self, sql: str, values: dict[str, Any] | None = None) -> list[Any]:
        """A statement's rows. The values of the conditions are bound where it names them."""
        return self.fetch(sql, {**self._named_in(sql), **(values or {})})

    def fetch(self, sql: str, values: dict[str, Any], *, is_last: bool = False) -> list[Any]:
        left = self._give_up_at - time.monotonic()
        if is_last:
            left = max(left, LAST_STATEMENT_SECONDS)
        if left <= 0:
            raise HermesSessionsError(ErrorCode.TIMEOUT, "The search took too long.")
        return self._query(sql, values, left)

    def match(self, id: int, session_id: Any, role: Any, at: Any, *, phrase: bool) -> Match:
        """A row that holds the words, from its `match_cells`."""
        name = text(role) or ""
        field = shown_field(name, self.asked.fields)
        return Match(id, text(session_id) or "", name, moment(at, "timestamp", UNHEARD), field, phrase)

    def in_order(self, ids: Iterable[int]) -> list[int]:
        return sorted(ids, reverse=not self.asked.oldest_first)

    def _named_in(self, sql: str) -> dict[str, Any]:
        return {name: value for name, value in self._values.items() if f":{name}" in sql}


@lru_cache(maxsize=64)
def shown_field(role: str, fields: frozenset[SearchField]) -> SearchField:
    """Where a hit in a message of this role stands, as far as can be told without reading it."""
    field = content_field(role)
    if field in fields:
        return field
    return SearchField.TOOL if SearchField.TOOL in fields else SearchField.REASONING


def _conditions(asked: MessageSearch) -> tuple[str, dict[str, Any]]:
    """Conditions on rows of `messages` besides the words; empty where there are none."""
    conditions: list[str] = []
    values: dict[str, Any] = {}
    if asked.session_ids is not None:
        conditions.append("messages.session_id IN (SELECT value FROM json_each(:in_sessions))")
        values["in_sessions"] = json.dumps(sorted(asked.session_ids))
    if asked.roles is not None:
        conditions.append("messages.role IN (SELECT value FROM json_each(:in_roles))")
        values["in_roles"] = json.dumps(sorted(asked.roles))
    if asked.after is not None:
        conditions.append("messages.timestamp >= :not_before")
        values["not_before"] = asked.after
    if asked.before is not None:
        conditions.append("messages.timestamp < :not_after")
        values["not_after"] = asked.before
    return " AND ".join(conditions), values
