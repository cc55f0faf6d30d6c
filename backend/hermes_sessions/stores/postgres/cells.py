"""Rows as SQLite holds them, in tables whose columns have types.

SQLite keeps any value in any column, and Hermes' stores have such cells. What a column cannot hold goes as JSON into
`cells` of the same row, in the form of `stores/cells.py`, and comes back from there: a row is what it was.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.stores.cells import InexactText, decoded_cells, encoded_cell

OTHERS = "cells"
STRUCTURED = "is_structured"


class Kind(Enum):
    TEXT = "text"
    WHOLE = "bigint"
    REAL = "double precision"


def _columns(**names: str) -> dict[str, Kind]:
    return {name: Kind[kind.upper()] for kind, all in names.items() for name in all.split()}


COLUMNS: Mapping[str, Mapping[str, Kind]] = {
    "sessions": _columns(
        text="id source user_id session_key chat_id chat_type thread_id display_name origin_json model model_config"
        " system_prompt parent_session_id end_reason cwd git_branch git_repo_root billing_provider billing_base_url"
        " billing_mode cost_status cost_source pricing_version title title_source handoff_state handoff_platform"
        " handoff_error compression_failure_error profile_name",
        whole="expiry_finalized message_count tool_call_count input_tokens output_tokens cache_read_tokens"
        " cache_write_tokens reasoning_tokens api_call_count compression_fallback_streak rewind_count archived",
        real="started_at ended_at last_activity_at estimated_cost_usd actual_cost_usd"
        " compression_failure_cooldown_until",
    ),
    "messages": _columns(
        text="session_id role content tool_call_id tool_calls tool_name effect_disposition finish_reason reasoning"
        " reasoning_content reasoning_details codex_reasoning_items codex_message_items platform_message_id"
        " api_content display_kind",
        whole="id token_count observed active compacted _compressed_summary",
        real="timestamp",
    ),
    "session_model_usage": _columns(
        text="session_id model billing_provider billing_base_url billing_mode task cost_status cost_source",
        whole="api_call_count input_tokens output_tokens cache_read_tokens cache_write_tokens reasoning_tokens",
        real="estimated_cost_usd actual_cost_usd first_seen last_seen",
    ),
}
"""What both sides have under one name. The tables have further columns, which no row of SQLite has."""

FILLED: Mapping[str, frozenset[str]] = {
    "sessions": frozenset({"compression_fallback_streak", "rewind_count", "archived"}),
    "messages": frozenset({"active", "compacted"}),
    "session_model_usage": frozenset(COLUMNS["session_model_usage"])
    - {"session_id", "model", "cost_status", "cost_source", "first_seen", "last_seen"},
}
"""Columns that are never empty in Hermes' tables: they have a default for what is not known."""

_KEYS = {"session_model_usage": ("model", "billing_provider", "billing_base_url", "billing_mode", "task")}
"""Columns that must hold something: of what they cannot hold they have the JSON, too, which no other cell has."""


def to_columns(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The values to insert for a row of SQLite. Columns that it does not have are left to their defaults."""
    kinds = COLUMNS[table]
    values: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, cell in row.items():
        if name in kinds and _fits(cell, kinds[name]):
            values[name] = cell
        elif name == "content" and _is_structured(cell):
            values |= {name: cell[len(STRUCTURED_PREFIX) :], STRUCTURED: True}
        else:
            others[name] = encoded_cell(cell)
            if name in kinds:
                values[name] = json.dumps(others[name]) if name in _KEYS.get(table, ()) else None
    if others:
        values[OTHERS] = json.dumps(others)
    return values


def from_columns(record: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of the row, out of such columns as were selected. It needs `cells` among them, and with `content` the
    flag that tells its form."""
    row = dict(record)
    if row.pop(STRUCTURED, False):
        row["content"] = STRUCTURED_PREFIX + row["content"]
    others = row.pop(OTHERS)
    if others is not None:
        row |= {name: cell for name, cell in decoded_cells(json.loads(others)).items() if name in row}
    return row


def as_read(row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells with text that is no UTF-8 as a statement of SQLite gives it: decoded with replacement."""
    return {
        name: cell.decode("utf-8", "replace") if isinstance(cell, InexactText) else cell for name, cell in row.items()
    }


def whole_row(table: str) -> str:
    """A select list for `all_cells`: without what is computed from the other columns."""
    return ", ".join([*COLUMNS[table], OTHERS, *([STRUCTURED] if table == "messages" else [])])


def all_cells(table: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Every cell of a whole row, also those that the table has no column for."""
    row = {name: record[name] for name in COLUMNS[table]}
    if record.get(STRUCTURED):
        row["content"] = STRUCTURED_PREFIX + row["content"]
    others = record[OTHERS]
    return row if others is None else row | decoded_cells(json.loads(others))


def _fits(cell: Any, kind: Kind) -> bool:
    if cell is None:
        return True
    if kind is Kind.TEXT:
        return type(cell) is str and "\x00" not in cell
    if kind is Kind.WHOLE:
        return type(cell) is int
    return type(cell) is float and math.isfinite(cell)


def _is_structured(cell: Any) -> bool:
    prefix = len(STRUCTURED_PREFIX)
    return type(cell) is str and cell.startswith(STRUCTURED_PREFIX) and "\x00" not in cell[prefix:]
