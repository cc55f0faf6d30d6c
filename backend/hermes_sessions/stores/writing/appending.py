"""Messages written to a live store, each once however often it is sent."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.writing.appending import NewMessage, times
from hermes_sessions.model.writing.inputs import refusal
from hermes_sessions.store_values import Appended
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.writing.shaping import add_to_counters

ROWS_AT_ONCE = 10
"""Fewer statements hold the write lock for a shorter time, as long as binding their values costs less than they do."""

Known = dict[str | None, int]
"""Numbers of stored messages by client id."""


async def append(
    connection: Connection, columns: Columns, chain: Sequence[str], messages: Sequence[NewMessage]
) -> Appended:
    """Writes to the last session of the chain what none of its sessions has yet, by client id.

    The client id stands in `platform_message_id`, where Hermes keeps the id that the sender gave a message.
    """
    known = await _known(connection, columns, chain, messages)
    moments = times(messages, time.time())
    unsent = _first_of_each(messages, known)
    numbers = await _insert(connection, columns, chain[-1], [(messages[at], moments[at]) for at in unsent])
    at_place = dict(zip(unsent, numbers, strict=True))
    known |= {messages[at].client_id: number for at, number in at_place.items()}
    calls = sum(messages[at].call_count for at in unsent)
    await add_to_counters(connection, columns, chain[-1], len(numbers), calls)
    ids = [at_place[at] if at in at_place else known[message.client_id] for at, message in enumerate(messages)]
    return Appended(chain[-1], ids, numbers)


def _first_of_each(messages: Sequence[NewMessage], known: Known) -> list[int]:
    """Places of the messages to write: those without a client id, and the first of each that is not stored yet."""
    seen = set(known)
    places: list[int] = []
    for at, message in enumerate(messages):
        if message.client_id is None or message.client_id not in seen:
            places.append(at)
            seen.add(message.client_id)
    return places


async def _known(
    connection: Connection, columns: Columns, chain: Sequence[str], messages: Sequence[NewMessage]
) -> Known:
    """Stored messages by client id; of copies that compaction carried along, the latest."""
    client_ids = [message.client_id for message in messages if message.client_id is not None]
    if not client_ids:
        return {}
    if not columns.has("messages", "platform_message_id"):
        raise refusal(
            "messages",
            "This store is of an early version that has no place for client ids, so a repeated call would write "
            "twice. Let Hermes open it once, or leave `clientId` out.",
            ErrorCode.UNSUPPORTED_STORE,
        )
    rows = await connection.fetch_all(
        """
        SELECT messages.id AS id, messages.platform_message_id AS client_id
        FROM json_each(:chain) AS chain JOIN messages ON messages.session_id = chain.value
        WHERE messages.platform_message_id IN (SELECT value FROM json_each(:client_ids)) ORDER BY messages.id
        """,
        {"chain": json.dumps(list(chain)), "client_ids": json.dumps(client_ids)},
    )
    return {row["client_id"]: row["id"] for row in rows}


async def _insert(
    connection: Connection, columns: Columns, session_id: str, messages: Sequence[tuple[NewMessage, float]]
) -> list[int]:
    """Their numbers, in order."""
    names = [name for name in _row(session_id, NewMessage("user"), 0.0) if columns.has("messages", name)]
    numbers: list[int] = []
    for start in range(0, len(messages), ROWS_AT_ONCE):
        rows = [_row(session_id, message, at) for message, at in messages[start : start + ROWS_AT_ONCE]]
        places = ", ".join(f"({', '.join(f':{name}_{at}' for name in names)})" for at in range(len(rows)))
        inserted = await connection.fetch_all(
            f"INSERT INTO messages ({', '.join(names)}) VALUES {places} RETURNING id",
            {f"{name}_{at}": row[name] for at, row in enumerate(rows) for name in names},
        )
        numbers += sorted(row["id"] for row in inserted)
    return numbers


def _row(session_id: str, message: NewMessage, at: float) -> dict[str, Any]:
    return {
        "session_id": session_id,
        "role": message.role,
        "content": message.content,
        "tool_call_id": message.tool_call_id,
        "tool_calls": message.tool_calls,
        "tool_name": message.tool_name,
        "timestamp": at,
        "token_count": message.token_count,
        "finish_reason": message.finish_reason,
        "reasoning": message.reasoning,
        "platform_message_id": message.client_id,
    }
