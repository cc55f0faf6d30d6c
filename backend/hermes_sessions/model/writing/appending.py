"""Messages that are about to be stored: checked, and encoded as Hermes encodes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.model.writing.inputs import count, json_text, plausible_moment, refusal, stored_label, stored_text

MAX_MESSAGES = 500
ROLES = ("system", "user", "assistant", "tool")


@dataclass(frozen=True)
class NewMessage:
    """The cells of a message, as stored. `call_count` is what the session's counter grows by."""

    role: str
    content: str | None = None
    client_id: str | None = None
    tool_calls: str | None = None
    call_count: int = 0
    tool_call_id: str | None = None
    tool_name: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    token_count: int | None = None
    timestamp: float | None = None


def new_message(
    place: str,
    *,
    role: str,
    content: str | None = None,
    parts: Any = None,
    client_id: str | None = None,
    tool_calls: Any = None,
    tool_call_id: str | None = None,
    tool_name: str | None = None,
    reasoning: str | None = None,
    finish_reason: str | None = None,
    token_count: int | None = None,
    timestamp: float | None = None,
) -> NewMessage:
    """`place` is the message's path in the input. Raises BAD_USER_INPUT with the field's path below it."""
    if role not in ROLES:
        raise refusal(f"{place}.role", f"The role of a message is one of {', '.join(ROLES)}.")
    if role != "assistant" and (tool_calls or reasoning):
        field = "toolCalls" if tool_calls else "reasoning"
        raise refusal(f"{place}.{field}", f"Only a message of the assistant has `{field}`.")
    if role != "tool" and tool_call_id is not None:
        raise refusal(f"{place}.toolCallId", "Only a tool's message has a `toolCallId`: the call that it answers.")
    return NewMessage(
        role=role,
        content=_content(content, parts, place),
        client_id=stored_label(client_id, f"{place}.clientId"),
        tool_calls=_calls(tool_calls, f"{place}.toolCalls"),
        call_count=len(tool_calls or ()),
        tool_call_id=stored_label(tool_call_id, f"{place}.toolCallId"),
        tool_name=stored_label(tool_name, f"{place}.toolName"),
        reasoning=stored_text(reasoning, f"{place}.reasoning"),
        finish_reason=stored_label(finish_reason, f"{place}.finishReason", 64),
        token_count=count(token_count, f"{place}.tokenCount"),
        timestamp=plausible_moment(timestamp, f"{place}.timestamp"),
    )


def checked_batch(messages: Sequence[Any]) -> None:
    """Raises BAD_USER_INPUT for none or too many of them."""
    if not 1 <= len(messages) <= MAX_MESSAGES:
        raise refusal("messages", f"{len(messages)} messages were sent; a call takes from 1 to {MAX_MESSAGES}.")


def times(messages: Sequence[NewMessage], now: float) -> list[float]:
    """A moment for each: its own, else one that is later than those before it, as Hermes gives them out."""
    found: list[float] = []
    for message in messages:
        found.append(now if message.timestamp is None else message.timestamp)
        now = max(now + 1e-6, found[-1] + 1e-6)
    return found


def _content(content: str | None, parts: Any, place: str) -> str | None:
    if parts is None:
        return stored_text(content, f"{place}.content")
    if content is not None:
        raise refusal(f"{place}.parts", "A message has either `content` or `parts`. Send the text as a part.")
    if not (isinstance(parts, dict) or (isinstance(parts, list) and all(isinstance(part, dict) for part in parts))):
        raise refusal(f"{place}.parts", '`parts` is a JSON list of objects, as [{"type": "text", "text": "..."}].')
    return STRUCTURED_PREFIX + json_text(parts, f"{place}.parts")


def _calls(calls: Any, field: str) -> str | None:
    if calls is None or calls == []:
        return None
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise refusal(
            field,
            'It is a JSON list of objects, as [{"id": "c1", "type": "function", "function": {"name": "search", '
            '"arguments": "{}"}}].',
        )
    return json_text(calls, field)
