"""What belongs to one session and no list reads: its wide columns, and its usage by model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hermes_sessions.model.usage import ModelUsage
from hermes_sessions.model.values import Warnings, label, moment, stored_json, text
from hermes_sessions.store_values import Details
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.rows import TOKEN_COLUMNS, usage_from_row, usage_row_cost

USAGE_COLUMNS = (
    "session_id",
    "model",
    "billing_provider",
    "task",
    *TOKEN_COLUMNS,
    "estimated_cost_usd",
    "actual_cost_usd",
    "cost_status",
    "first_seen",
    "last_seen",
)


async def details(connection: Connection, columns: Columns, session_ids: Sequence[str]) -> dict[str, Details]:
    """System prompts stand in the row, or, in later schemas, once for all sessions in a table of their own."""
    shared = columns.has("system_prompts", "prompt") and columns.has("sessions", "system_prompt_hash")
    prompt = "system_prompts.prompt" if shared else "NULL"
    join = "LEFT JOIN system_prompts ON system_prompts.hash = sessions.system_prompt_hash" if shared else ""
    rows = await connection.fetch_all(
        f"""
        SELECT {columns.select("sessions", ("id", "model_config", "system_prompt"))}, {prompt} AS shared_prompt
        FROM json_each(:ids) AS wanted JOIN sessions ON sessions.id = wanted.value {join}
        """,
        {"ids": json.dumps(list(session_ids))},
    )
    found: dict[str, Details] = {}
    for row in rows:
        warnings = Warnings()
        config = stored_json(row["model_config"], "model_config", warnings)
        prompt_text = text(row["system_prompt"]) or text(row["shared_prompt"])
        found[text(row["id"]) or ""] = Details(config, prompt_text, warnings.freeze())
    return found


async def usage_by_model(
    connection: Connection, columns: Columns, session_ids: Sequence[str]
) -> dict[str, list[ModelUsage]]:
    if not columns.has("session_model_usage", "session_id"):
        return {}
    rows = await connection.fetch_all(
        f"""
        SELECT {columns.select("session_model_usage", USAGE_COLUMNS)}
        FROM json_each(:ids) AS wanted JOIN session_model_usage ON session_model_usage.session_id = wanted.value
        ORDER BY session_model_usage.rowid
        """,
        {"ids": json.dumps(list(session_ids))},
    )
    return _by_session(rows)


def _by_session(rows: Iterable[Any]) -> dict[str, list[ModelUsage]]:
    found: dict[str, list[ModelUsage]] = {}
    for row in rows:
        found.setdefault(text(row["session_id"]) or "", []).append(model_usage_from_row(row))
    return found


def model_usage_from_row(row: Any) -> ModelUsage:
    warnings = Warnings()
    return ModelUsage(
        model=label(row["model"]) or "unknown",
        provider=label(row["billing_provider"]),
        task=label(row["task"]),
        usage=usage_from_row(row, warnings),
        cost=usage_row_cost(row, warnings),
        first_seen=moment(row["first_seen"], "first_seen", warnings),
        last_seen=moment(row["last_seen"], "last_seen", warnings),
    )
