"""Previews of sessions, from the first user messages that have any text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hermes_sessions.model.message import preview_of
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.contents import MAX_STRUCTURED_BYTES, content_as_text, cut_sql
from hermes_sessions.stores.database import Connection

PREVIEW_BYTES = 16_384
PREVIEW_ROWS = (8, 64, -1)
"""How many of a session's first rows are looked at, one after the other; -1 is all."""
PREVIEW_BATCH = 500


async def previews(connection: Connection, columns: Columns, session_ids: Sequence[str]) -> dict[str, str | None]:
    """The preview of each session. Most have it among their first rows; only the others are looked at further."""
    found: dict[str, str] = {}
    for rows in PREVIEW_ROWS:
        missing = [session_id for session_id in session_ids if session_id not in found]
        for at in range(0, len(missing), PREVIEW_BATCH):
            found |= await _previews(connection, columns, missing[at : at + PREVIEW_BATCH], rows)
    return {session_id: found.get(session_id) for session_id in session_ids}


async def _previews(connection: Connection, columns: Columns, session_ids: Sequence[str], rows: int) -> dict[str, str]:
    conditions = ["messages.role = 'user'"]
    if columns.has("messages", "active"):
        conditions.append("coalesce(messages.active, 1) <> 0")
    if columns.has("messages", "_compressed_summary"):
        conditions.append("coalesce(messages._compressed_summary, 0) = 0")
    if columns.has("messages", "display_kind"):
        conditions.append("coalesce(messages.display_kind, '') NOT LIKE 'hidden%'")
    answer = await connection.fetch_all(
        f"""
        SELECT messages.session_id AS session_id, messages.id AS id, {cut_sql(":cut", ":whole")} AS content,
               octet_length(messages.content) AS stored_bytes
        FROM json_each(:ids) AS wanted JOIN messages ON messages.id IN (
            SELECT early.id FROM messages AS early WHERE early.session_id = wanted.value ORDER BY early.id LIMIT :rows
        )
        WHERE {" AND ".join(conditions)}
        ORDER BY messages.id
        """,
        {"ids": json.dumps(list(session_ids)), "rows": rows, "cut": PREVIEW_BYTES, "whole": MAX_STRUCTURED_BYTES},
    )
    contents: dict[str, list[str]] = {}
    for row in answer:
        content = content_as_text(row["content"], row["stored_bytes"])
        if content is not None:
            contents.setdefault(row["session_id"], []).append(str(content))
    previews = {session_id: preview_of(own) for session_id, own in contents.items()}
    return {session_id: preview for session_id, preview in previews.items() if preview is not None}
