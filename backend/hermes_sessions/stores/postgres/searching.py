"""One search in one store, from the words to the messages that hold them.

The index of words names the rows that may hold them, and rows without words in it are named with them; from the newest
backwards (or from the oldest forwards), within a limit of rows and of time. What the index cannot tell is read.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.values import UNHEARD, moment, text
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.backend import statement_timeout
from hermes_sessions.stores.postgres.cells import OTHERS, STRUCTURED, from_columns
from hermes_sessions.stores.postgres.lines import no_twin_sql
from hermes_sessions.stores.postgres.words import are_certain, query_of
from hermes_sessions.stores.search.inquiry import MAX_ROWS, shown_field
from hermes_sessions.stores.search.reading import READ_AT_ONCE, REASONING, SEARCHED_CELLS, how_held, shortfall

MORE_AT_ONCE = 4
"""How many times as many rows are asked for where those before did not suffice."""
WALK_SECONDS = 0.25

_Row = Mapping[str, Any]


class Searching:
    """On a connection in a transaction. `give_up_at` is a moment of the monotonic clock."""

    def __init__(self, connection: Connection, schema: str, asked: MessageSearch, give_up_at: float) -> None:
        self._connection = connection
        self._schema = schema
        self._asked = asked
        self._give_up_at = give_up_at
        self._is_certain = are_certain(asked.words)
        self._found: list[Match] = []
        self._reached: _Row | None = None

    async def search(self) -> SearchResult:
        try:
            await self._plan_anew()
            await self._search()
        except HermesSessionsError as error:
            if error.code is not ErrorCode.TIMEOUT:
                raise
            reached = self._reached["timestamp"] if self._reached is not None else None
            told = shortfall("Messages", reached, oldest_first=self._asked.oldest_first)
            return SearchResult(self._found, degraded=(told,), ran_out_of_time=True)
        is_capped = len(self._found) >= MAX_ROWS
        return SearchResult(self._found[:MAX_ROWS], is_capped)

    async def _plan_anew(self) -> None:
        """A plan that was made for all words suits none; and no plan here is worth compiling."""
        await self._fetch(
            "SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)", {}
        )

    async def _search(self) -> None:
        limit = MAX_ROWS
        while True:
            rows = await self._named(limit)
            for start in range(0, len(rows), READ_AT_ONCE):
                await self._take(rows[start : start + READ_AT_ONCE])
                if len(self._found) >= MAX_ROWS:
                    return
            if len(rows) < limit:
                return
            limit *= MORE_AT_ONCE

    async def _named(self, limit: int) -> list[_Row]:
        """The next rows that may hold the words, in the order of the search. PostgreSQL walks through all messages in
        that order where it expects many such rows. Where they lie far from the end that it begins at, collecting them
        all and then sorting takes less."""
        try:
            async with self._connection.raw_connection.transaction():
                return await self._rows(limit, "messages.id", WALK_SECONDS)
        except HermesSessionsError as error:
            if error.code is not ErrorCode.TIMEOUT:
                raise
            return await self._rows(limit, "messages.id + 0")

    async def _rows(self, limit: int, order: str, seconds: float = math.inf) -> list[_Row]:
        asked = self._asked
        conditions, values = _conditions(asked)
        if self._reached is not None:
            conditions.append(f"messages.id {'>' if asked.oldest_first else '<'} :reached")
            values["reached"] = self._reached["id"]
        rows = await self._fetch(
            f"""
            SELECT messages.id, messages.session_id, messages.role, messages.timestamp, messages.{OTHERS},
                   messages.words IS NULL AS is_unread
            FROM {self._schema}.messages
            WHERE (messages.words @@ CAST(:words AS tsquery) OR messages.words IS NULL)
              AND {" AND ".join((_shown_sql(self._schema), *conditions))}
            ORDER BY {order} {"ASC" if asked.oldest_first else "DESC"} LIMIT {limit}
            """,
            {"words": query_of(asked.words, asked.fields), **values},
            seconds,
        )
        return [from_columns(row) for row in rows]

    async def _take(self, rows: Sequence[_Row]) -> None:
        """Those of the rows that hold the words. One word is as it was typed wherever it stands."""
        is_known = self._is_certain and len(self._asked.words.each) == 1
        unknown = [row["id"] for row in rows if row["is_unread"] or not is_known]
        how = await self._how_held(unknown) if unknown else {}
        self._found += (self._match(row, how.get(row["id"], 2)) for row in rows if how.get(row["id"], 2))
        self._reached = rows[-1]

    async def _how_held(self, ids: Sequence[int]) -> dict[int, int]:
        """As `how_held` tells it of each row."""
        asked = self._asked
        names = [name for name in SEARCHED_CELLS if name not in REASONING or SearchField.REASONING in asked.fields]
        rows = await self._fetch(
            f"""
            SELECT id, role, {", ".join(names)}, {STRUCTURED}, {OTHERS}
            FROM {self._schema}.messages WHERE id = ANY(CAST(:ids AS bigint[]))
            """,
            {"ids": list(ids)},
        )
        return await asyncio.to_thread(_how_held, asked, rows)

    def _match(self, row: _Row, how: int) -> Match:
        role = text(row["role"]) or ""
        at = moment(row["timestamp"], "timestamp", UNHEARD)
        field = shown_field(role, self._asked.fields)
        return Match(row["id"], text(row["session_id"]) or "", role, at, field, how > 1)

    async def _fetch(self, sql: str, values: dict[str, Any], seconds: float = math.inf) -> list[Any]:
        left = self._give_up_at - time.monotonic()
        if left <= 0:
            raise HermesSessionsError(ErrorCode.TIMEOUT, "The search took too long.")
        token = statement_timeout.set(min(left, seconds))
        try:
            return await self._connection.fetch_all(sql, values)
        finally:
            statement_timeout.reset(token)


def _how_held(asked: MessageSearch, rows: Sequence[_Row]) -> dict[int, int]:
    found: dict[int, int] = {}
    for row in map(from_columns, rows):
        cells = [row.get(name) for name in SEARCHED_CELLS]
        found[row["id"]] = how_held(asked.words, asked.fields, row["role"], cells)
    return found


def _shown_sql(schema: str) -> str:
    """Messages that were not taken back, a compacted one and its copies once."""
    live = "coalesce(messages.active, 1) <> 0"
    return f"({live} OR (coalesce(messages.compacted, 0) <> 0 AND {no_twin_sql(schema)}))"


def _conditions(asked: MessageSearch) -> tuple[list[str], dict[str, Any]]:
    """Conditions on messages besides the words, and their values."""
    conditions: list[str] = []
    values: dict[str, Any] = {}
    if asked.session_ids is not None:
        conditions.append("messages.session_id = ANY(CAST(:in_sessions AS text[]))")
        values["in_sessions"] = sorted(asked.session_ids)
    if asked.roles is not None:
        conditions.append("messages.role = ANY(CAST(:in_roles AS text[]))")
        values["in_roles"] = sorted(asked.roles)
    if asked.after is not None:
        conditions.append("messages.timestamp >= :not_before")
        values["not_before"] = asked.after
    if asked.before is not None:
        conditions.append("messages.timestamp < :not_after")
        values["not_after"] = asked.before
    return conditions, values
