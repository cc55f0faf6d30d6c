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
from hermes_sessions.model.values import Warnings, moment, text
from hermes_sessions.stores.search.inquiry import MAX_ROWS, Inquiry

READ_AT_ONCE = 200
REASONING = ("reasoning", "reasoning_content", "reasoning_details")
_CELLS = ("content", "tool_name", "tool_calls", *REASONING)


def holds_words(spelled: str, role: Any, *cells: Any) -> int:
    """SQL function: 0 where a row does not hold the words, 2 where it holds them as they were typed, else 1."""
    words, fields = spelled_out(spelled)
    raw = [cell for cell in cells if isinstance(cell, bytes)]
    if words.are_missing_in(raw):
        return 0
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
            return held, f"{what} could be read only {_as_far_as(inquiry, reached)}; narrow the search."
        reached = batch[-1]
        if len(held) >= MAX_ROWS:
            inquiry.is_capped = True
            break
    return held, None


def _holding(inquiry: Inquiry, ids: Sequence[int]) -> list[Match]:
    has = inquiry.columns.has
    left_out = () if SearchField.REASONING in inquiry.asked.fields else REASONING
    read = [name if has("messages", name) and name not in left_out else None for name in _CELLS]
    cells = ", ".join(f"CAST(messages.{name} AS BLOB)" if name else "NULL" for name in read)
    rows = inquiry.fetch(
        f"""
        WITH held AS MATERIALIZED (  -- not folded into the outer one: it would call the function twice a row
            SELECT {inquiry.match_cells}, holds_words(:asked, messages.role, {cells}) AS how
            FROM json_each(:ids) AS wanted JOIN messages ON messages.id = wanted.value
            WHERE {inquiry.is_shown}
        )
        SELECT * FROM held WHERE held.how > 0
        """,
        {"asked": inquiry.asked.spelled(), "ids": json.dumps(list(ids))},
    )
    return [inquiry.match(*cells, phrase=how > 1) for *cells, how in rows]


def _as_far_as(inquiry: Inquiry, reached: int | None) -> str:
    if reached is None:
        return "in part"
    rows = inquiry.fetch(
        "SELECT messages.timestamp AS at FROM messages WHERE messages.id = :id", {"id": reached}, is_last=True
    )
    at = moment(rows[0]["at"], "timestamp", Warnings()) if rows else None
    if at is None:
        return "in part"
    direction = "up to" if inquiry.asked.oldest_first else "back to"
    return f"{direction} {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
