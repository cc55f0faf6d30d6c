"""Rows that are read to find out whether they hold the words of a search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.search.fields import SearchField, row_texts
from hermes_sessions.model.search.folding import composed, fold
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.query import spelled_out
from hermes_sessions.model.search.words import Words
from hermes_sessions.model.values import Warnings, moment, text
from hermes_sessions.stores.lines import cell_sql
from hermes_sessions.stores.search.inquiry import MAX_ROWS, Inquiry

READ_AT_ONCE = 200
REASONING = ("reasoning", "reasoning_content", "reasoning_details")
SEARCHED_CELLS = ("content", "tool_name", "tool_calls", *REASONING)


def holds_words(spelled: str, role: Any, *cells: Any) -> int:
    """SQL function: 0 where a row does not hold the words, 2 where it holds them as they were typed, else 1."""
    words, fields = spelled_out(spelled)
    raw = [cell for cell in cells if isinstance(cell, bytes)]
    return 0 if words.are_missing_in(raw) else how_held(words, fields, role, cells)


def how_held(words: Words, fields: frozenset[SearchField], role: Any, cells: Sequence[Any]) -> int:
    """The same for cells in the order of `SEARCHED_CELLS`, whatever they are."""
    content, tool_name, tool_calls, *reasoning = cells
    folded: list[str] = []
    for each in row_texts(fields, text(role) or "", content, tool_name, tool_calls, reasoning):
        folded.append(fold(composed(each)))
        if words.stand_as_typed_in_folded(folded[-1]):
            return 2  # whatever the rest of the row holds: most calls of tools need not be parsed
    return int(words.stand_in_folded(folded))


def read(inquiry: Inquiry, ids: Sequence[int], what: str) -> tuple[list[Match], str | None]:
    """Those of the messages that hold the words; and a sentence where the time did not suffice for all."""
    held: list[Match] = []
    reached: int | None = None
    for start in range(0, len(ids), READ_AT_ONCE):
        batch = ids[start : start + READ_AT_ONCE]
        try:
            held += _holding(inquiry, batch)
        except HermesSessionsError as error:
            if error.code is not ErrorCode.TIMEOUT:
                raise
            return held, shortfall(what, _moment_of(inquiry, reached), oldest_first=inquiry.asked.oldest_first)
        reached = batch[-1]
        if len(held) >= MAX_ROWS:
            inquiry.is_capped = True
            break
    return held, None


def _holding(inquiry: Inquiry, ids: Sequence[int]) -> list[Match]:
    has = inquiry.columns.has
    left_out = () if SearchField.REASONING in inquiry.asked.fields else REASONING
    read = [name if has("messages", name) and name not in left_out else None for name in SEARCHED_CELLS]
    cells = ", ".join(cell_sql(name) if name else "NULL" for name in read)
    rows = inquiry.fetch(
        f"""
        WITH held AS MATERIALIZED (  -- not folded into the outer one: it would call the function twice a row
            SELECT {inquiry.match_cells}, holds_words(:asked, {cell_sql("role")}, {cells}) AS how
            FROM json_each(:ids) AS wanted JOIN messages ON messages.id = wanted.value
            WHERE {inquiry.is_shown}
        )
        SELECT * FROM held WHERE held.how > 0
        """,
        {"asked": inquiry.asked.spelled(), "ids": json.dumps(list(ids))},
    )
    return [inquiry.match(*cells, phrase=how > 1) for *cells, how in rows]


def _moment_of(inquiry: Inquiry, message_id: int | None) -> Any:
    if message_id is None:
        return None
    rows = inquiry.fetch(
        "SELECT messages.timestamp AS at FROM messages WHERE messages.id = :id", {"id": message_id}, is_last=True
    )
    return rows[0]["at"] if rows else None


def shortfall(what: str, reached: Any, *, oldest_first: bool) -> str:
    """What to say where the time did not suffice. `reached`: the cell with the moment of the last message read."""
    at = moment(reached, "timestamp", Warnings())
    if at is None:
        return f"{what} could be read only in part; narrow the search."
    direction = "up to" if oldest_first else "back to"
    when = f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
    return f"{what} could be read only {direction} {when}; narrow the search."
