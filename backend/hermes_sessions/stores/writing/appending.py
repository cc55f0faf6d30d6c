"""Messages written to a store, each once however often it is sent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.writing.appending import NewMessage, times
from hermes_sessions.model.writing.inputs import refusal
from hermes_sessions.store_values import Appended
from hermes_sessions.stores.store_rows import StoreRows
from hermes_sessions.stores.writing.sessions import add_to_counters

Known = dict[str | None, int]
"""Numbers of stored messages by client id."""


async def append(rows: StoreRows, chain: Sequence[str], messages: Sequence[NewMessage]) -> Appended:
    """Writes to the last session of the chain what none of its sessions has yet, by client id.

    The client id stands in `platform_message_id`, where Hermes keeps the id that the sender gave a message.
    """
    known = await _known(rows, chain, messages)
    moments = times(messages, time.time())
    unsent = _first_of_each(messages, known)
    numbers = await rows.insert_messages([_row(chain[-1], messages[at], moments[at]) for at in unsent])
    at_place = dict(zip(unsent, numbers, strict=True))
    known |= {messages[at].client_id: number for at, number in at_place.items()}
    calls = sum(messages[at].call_count for at in unsent)
    await add_to_counters(rows, chain[-1], len(numbers), calls)
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


async def _known(rows: StoreRows, chain: Sequence[str], messages: Sequence[NewMessage]) -> Known:
    client_ids = [message.client_id for message in messages if message.client_id is not None]
    if not client_ids:
        return {}
    if not rows.has("messages", "platform_message_id"):
        raise refusal(
            "messages",
            "This store is of an early version that has no place for client ids, so a repeated call would write "
            "twice. Let Hermes open it once, or leave `clientId` out.",
            ErrorCode.UNSUPPORTED_STORE,
        )
    known: Known = {}
    known.update(await rows.known_messages(chain, client_ids))
    return known


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
