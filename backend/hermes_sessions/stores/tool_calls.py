"""Which result answers which call of a tool."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

import orjson

from hermes_sessions.model.tool_calls import called_tools
from hermes_sessions.model.values import text
from hermes_sessions.stores.database import Connection

TOOL_WINDOW = 400
"""A result is looked for among this many messages after its call."""
NAME_WINDOWS = (16, TOOL_WINDOW)
"""Among so many messages before a result its call is looked for, one after the other."""

Place = tuple[str, int]
"""A session's id and that of a message in it."""


class Neighbours:
    """Which messages of some sessions, in any state, stand near to which."""

    def __init__(self, ids: Mapping[str, array[int]]) -> None:
        self._ids = ids

    def __len__(self) -> int:
        return sum(map(len, self._ids.values()))

    def before(self, place: Place) -> array[int]:
        own = self._ids.get(place[0], array("q"))
        end = bisect_left(own, place[1])
        return own[max(0, end - TOOL_WINDOW) : end]

    def after(self, place: Place) -> array[int]:
        own = self._ids.get(place[0], array("q"))
        start = bisect_right(own, place[1])
        return own[start : start + TOOL_WINDOW]


async def neighbours(connection: Connection, session_ids: Sequence[str]) -> Neighbours:
    """From an index alone. SQL itself would sort a whole session for each message that it is asked about."""
    rows = await connection.fetch_all(
        """
        SELECT sessions.key AS place, (
            SELECT json_group_array(messages.id) FROM messages WHERE messages.session_id = sessions.value
        ) AS ids
        FROM json_each(:sessions) AS sessions
        """,
        {"sessions": json.dumps(list(session_ids))},
    )
    return Neighbours({session_ids[place]: array("q", sorted(orjson.loads(ids))) for place, ids in rows})


async def tool_results(connection: Connection, near: Neighbours, calls: Sequence[Place]) -> dict[Place, dict[str, int]]:
    """Answers after each message with calls, nearest first where an id was used again."""
    windows = {call: near.after(call) for call in calls}
    rows = await connection.fetch_all(
        """
        SELECT messages.id AS id, messages.tool_call_id AS call_id
        FROM json_each(:ids) AS near CROSS JOIN messages ON messages.id = near.value
        WHERE messages.role = 'tool' AND messages.tool_call_id IS NOT NULL
        """,
        {"ids": _union(windows.values())},
    )
    answers = {row["id"]: text(row["call_id"]) or "" for row in rows}
    return {call: {answers[id]: id for id in reversed(window) if id in answers} for call, window in windows.items()}


async def tool_names(connection: Connection, near: Neighbours, results: Sequence[Place]) -> dict[Place, dict[str, str]]:
    """Names of tools called before each result, by the id of the call: the call that it answers, where there is one,
    and others that were looked at on the way. Most stand close before their result, so few rows are read for most."""
    answered = await _answered(connection, results)
    names: dict[Place, dict[str, str]] = {result: {} for result in results}
    for size in NAME_WINDOWS:
        missing = {place: near.before(place)[-size:] for place in results if answered.get(place[1]) not in names[place]}
        if missing:
            called = await _called(connection, missing.values())
            for place, window in missing.items():
                for id in window:
                    names[place].update(called.get(id, {}))
    return names


async def _answered(connection: Connection, results: Sequence[Place]) -> dict[int, str]:
    """The id of the call that each of these messages answers."""
    rows = await connection.fetch_all(
        "SELECT messages.id AS id, messages.tool_call_id AS call_id"
        " FROM json_each(:ids) AS wanted CROSS JOIN messages ON messages.id = wanted.value",
        {"ids": json.dumps([id for _, id in results])},
    )
    return {row["id"]: text(row["call_id"]) or "" for row in rows}


async def _called(connection: Connection, windows: Iterable[array[int]]) -> dict[int, dict[str, str]]:
    """The calls of the messages in these windows."""
    rows = await connection.fetch_all(
        """
        SELECT messages.id AS id, messages.tool_calls AS tool_calls
        FROM json_each(:ids) AS near CROSS JOIN messages ON messages.id = near.value
        WHERE messages.role = 'assistant' AND messages.tool_calls IS NOT NULL
        """,
        {"ids": _union(windows)},
    )
    return {row["id"]: called_tools(row["tool_calls"]) for row in rows}


def _union(windows: Iterable[array[int]]) -> str:
    return json.dumps(sorted({id for window in windows for id in window}))
