"""What belongs to one session and no list reads: its wide columns, its usage by model, and its preview."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes_sessions.model.message import preview_of
from hermes_sessions.model.usage import ModelUsage
from hermes_sessions.model.values import Warnings, stored_json, text
from hermes_sessions.store_values import Details
from hermes_sessions.stores.contents import MAX_STRUCTURED_BYTES
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.details import USAGE_COLUMNS, model_usage_from_row
from hermes_sessions.stores.postgres.cells import OTHERS, STRUCTURED, from_columns
from hermes_sessions.stores.postgres.contents import cut_sql
from hermes_sessions.stores.previews import PREVIEW_BYTES

PREVIEW_ROWS = (8, 64, 2**31 - 1)
"""How many of a session's first rows are looked at, one after the other."""


async def details(connection: Connection, schema: str, session_ids: Sequence[str]) -> dict[str, Details]:
    rows = await connection.fetch_all(
        f"""
        SELECT id, model_config, system_prompt, {OTHERS} FROM {schema}.sessions WHERE id = ANY(CAST(:ids AS text[]))
        """,
        {"ids": list(session_ids)},
    )
    found: dict[str, Details] = {}
    for row in map(from_columns, rows):
        warnings = Warnings()
        config = stored_json(row["model_config"], "model_config", warnings)
        found[row["id"]] = Details(config, text(row["system_prompt"]) or None, warnings.freeze())
    return found


async def usage_by_model(
    connection: Connection, schema: str, session_ids: Sequence[str]
) -> dict[str, list[ModelUsage]]:
    rows = await connection.fetch_all(
        f"{_usage_sql(schema)} WHERE session_id = ANY(CAST(:ids AS text[])) ORDER BY number", {"ids": list(session_ids)}
    )
    return _by_session(rows)


async def all_usage(connection: Connection, schema: str) -> dict[str, list[ModelUsage]]:
    return _by_session(await connection.fetch_all(f"{_usage_sql(schema)} ORDER BY number"))


def _usage_sql(schema: str) -> str:
    return f"SELECT {', '.join(USAGE_COLUMNS)}, {OTHERS} FROM {schema}.session_model_usage"


def _by_session(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[ModelUsage]]:
    found: dict[str, list[ModelUsage]] = {}
    for row in map(from_columns, rows):
        found.setdefault(row["session_id"], []).append(model_usage_from_row(row))
    return found


async def previews(connection: Connection, schema: str, session_ids: Sequence[str]) -> dict[str, str | None]:
    """The preview of each session. Most have it among their first rows; only the others are looked at further."""
    found: dict[str, str] = {}
    for rows in PREVIEW_ROWS:
        missing = [session_id for session_id in session_ids if session_id not in found]
        if missing:
            found |= await _previews(connection, schema, missing, rows)
    return {session_id: found.get(session_id) for session_id in session_ids}


async def _previews(connection: Connection, schema: str, session_ids: Sequence[str], rows: int) -> dict[str, str]:
    records = await connection.fetch_all(
        f"""
        SELECT early.session_id AS session_id, early.content AS content, early.{STRUCTURED}, early.{OTHERS}
        FROM unnest(CAST(:ids AS text[])) AS wanted (id) CROSS JOIN LATERAL (
            SELECT session_id, id, role, active, _compressed_summary, display_kind, {STRUCTURED}, {OTHERS},
                   {cut_sql(PREVIEW_BYTES, MAX_STRUCTURED_BYTES)} AS content
            FROM {schema}.messages WHERE messages.session_id = wanted.id ORDER BY messages.id LIMIT :rows
        ) AS early
        WHERE early.role = 'user' AND coalesce(early.active, 1) <> 0 AND coalesce(early._compressed_summary, 0) = 0
          AND coalesce(early.display_kind, '') NOT ILIKE 'hidden%'
        ORDER BY early.id
        """,
        {"ids": list(session_ids), "rows": rows},
    )
    contents: dict[str, list[str]] = {}
    for row in map(from_columns, records):
        if row["content"] is not None:
            contents.setdefault(row["session_id"], []).append(_text_of(row["content"]))
    previews = {session_id: preview_of(own) for session_id, own in contents.items()}
    return {session_id: preview for session_id, preview in previews.items() if preview is not None}


def _text_of(content: Any) -> str:
    """With the NUL that marks structured content left in place."""
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else str(content)
