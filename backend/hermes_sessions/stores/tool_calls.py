"""Which result answers which call of a tool."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.model.message import parse_tool_calls
from hermes_sessions.model.values import Warnings, text
from hermes_sessions.stores.database import Connection

TOOL_WINDOW = 400
"""A result is looked for among this many messages after its call."""


async def tool_results(
    connection: Connection, calls: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], dict[str, int]]:
    """Answers after each message with calls, nearest first where an id was used again."""
    rows = await connection.fetch_all(
        """
        SELECT calls.key AS call, messages.tool_call_id AS call_id, messages.id AS id
        FROM json_each(:calls) AS calls JOIN messages ON messages.id IN (
            SELECT later.id FROM messages AS later
            WHERE later.session_id = json_extract(calls.value, '$[0]') AND later.id > json_extract(calls.value, '$[1]')
            ORDER BY later.id LIMIT :window
        )
        WHERE messages.role = 'tool' AND messages.tool_call_id IS NOT NULL
        ORDER BY messages.id DESC
        """,
        {"calls": json.dumps(list(calls)), "window": TOOL_WINDOW},
    )
    answers: dict[tuple[str, int], dict[str, int]] = {call: {} for call in calls}
    for row in rows:
        answers[calls[row["call"]]][text(row["call_id"]) or ""] = row["id"]
    return answers


async def tool_names(
    connection: Connection, results: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], dict[str, str]]:
    """Names of the tools called before each result, by the id of the call."""
    rows = await connection.fetch_all(
        """
        SELECT results.key AS result, messages.tool_calls AS tool_calls
        FROM json_each(:results) AS results JOIN messages ON messages.id IN (
            SELECT earlier.id FROM messages AS earlier
            WHERE earlier.session_id = json_extract(results.value, '$[0]')
              AND earlier.id < json_extract(results.value, '$[1]')
            ORDER BY earlier.id DESC LIMIT :window
        )
        WHERE messages.role = 'assistant' AND messages.tool_calls IS NOT NULL
        ORDER BY messages.id
        """,
        {"results": json.dumps(list(results)), "window": TOOL_WINDOW},
    )
    names: dict[tuple[str, int], dict[str, str]] = {result: {} for result in results}
    for row in rows:
        names[results[row["result"]]].update(_called(row["tool_calls"]))
    return names


def _called(stored: Any) -> Mapping[str, str]:
    calls = parse_tool_calls(stored, Warnings())
    return {call.id: call.name for call in calls if call.id and call.name}
