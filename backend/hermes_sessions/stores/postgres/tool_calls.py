"""Which result answers which call of a tool."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from hermes_sessions.model.tool_calls import called_tools
from hermes_sessions.model.values import text
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.cells import OTHERS, from_columns
from hermes_sessions.stores.tool_calls import NAME_WINDOWS, Neighbours, Place


async def neighbours(connection: Connection, schema: str, session_ids: Sequence[str]) -> Neighbours:
    """From the key alone."""
    rows = await connection.fetch_all(
        f"""
        SELECT session_id, array_agg(id) AS ids FROM {schema}.messages
        WHERE session_id = ANY(CAST(:sessions AS text[])) GROUP BY session_id
        """,
        {"sessions": list(session_ids)},
    )
    return Neighbours({row["session_id"]: array("q", sorted(row["ids"])) for row in rows})


async def tool_results(
    connection: Connection, schema: str, near: Neighbours, calls: Sequence[Place]
) -> dict[Place, dict[str, int]]:
    """Answers after each message with calls, nearest first where an id was used again."""
    windows = {call: near.after(call) for call in calls}
    rows = await connection.fetch_all(
        f"""
        SELECT id, tool_call_id, {OTHERS} FROM {schema}.messages
        WHERE id = ANY(CAST(:ids AS bigint[])) AND role = 'tool' AND (tool_call_id IS NOT NULL OR {OTHERS} IS NOT NULL)
        """,
        {"ids": _union(windows.values())},
    )
    found = map(from_columns, rows)
    answers = {row["id"]: text(row["tool_call_id"]) or "" for row in found if row["tool_call_id"] is not None}
    return {call: {answers[id]: id for id in reversed(window) if id in answers} for call, window in windows.items()}


async def tool_names(
    connection: Connection, schema: str, near: Neighbours, results: Sequence[Place]
) -> dict[Place, dict[str, str]]:
    """Names of tools called before each result, by the id of the call. Most stand close before their result."""
    answered = await _answered(connection, schema, results)
    names: dict[Place, dict[str, str]] = {result: {} for result in results}
    for size in NAME_WINDOWS:
        missing = {place: near.before(place)[-size:] for place in results if answered.get(place[1]) not in names[place]}
        if missing:
            called = await _called(connection, schema, missing.values())
            for place, window in missing.items():
                for id in window:
                    names[place].update(called.get(id, {}))
    return names


async def _answered(connection: Connection, schema: str, results: Sequence[Place]) -> dict[int, str]:
    rows = await connection.fetch_all(
        f"SELECT id, tool_call_id, {OTHERS} FROM {schema}.messages WHERE id = ANY(CAST(:ids AS bigint[]))",
        {"ids": [id for _, id in results]},
    )
    return {row["id"]: text(row["tool_call_id"]) or "" for row in map(from_columns, rows)}


async def _called(connection: Connection, schema: str, windows: Iterable[array[int]]) -> dict[int, dict[str, str]]:
    rows = await connection.fetch_all(
        f"""
        SELECT id, tool_calls, {OTHERS} FROM {schema}.messages
        WHERE id = ANY(CAST(:ids AS bigint[])) AND role = 'assistant'
          AND (tool_calls IS NOT NULL OR {OTHERS} IS NOT NULL)
        """,
        {"ids": _union(windows)},
    )
    return {row["id"]: called_tools(row["tool_calls"]) for row in map(from_columns, rows)}


def _union(windows: Iterable[array[int]]) -> list[int]:
    return sorted({id for window in windows for id in window})
