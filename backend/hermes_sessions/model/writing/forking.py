"""Where a fork of a conversation may end: never between a tool call and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.tool_calls import parse_tool_calls
from hermes_sessions.model.values import Warnings
from hermes_sessions.model.writing.inputs import refusal


@dataclass(frozen=True, slots=True)
class Turn:
    """A live message as far as tools are concerned: what it calls, and which call it answers."""

    id: int
    role: str
    calls: frozenset[str] = frozenset()
    call_count: int = 0
    answers: str | None = None


def turn(id: int, role: str, tool_calls: Any, answers: str | None) -> Turn:
    """A turn out of stored cells."""
    calls = parse_tool_calls(tool_calls, Warnings())
    return Turn(id, role, frozenset(call.id for call in calls if call.id is not None), len(calls), answers)


def message_number(text: str) -> int:
    """The number of a message. Raises BAD_USER_INPUT."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise refusal("messageId", "A message's id is a whole number; take it from a message's `id`.")
    return int(text)


def turns_to_copy(turns: Sequence[Turn], last: int | None) -> Sequence[Turn]:
    """The live messages up to the chosen one, and on to the last result where it stands in an exchange with tools.

    None chooses the last message. Raises NOT_FOUND for a message that is not among them, BAD_USER_INPUT where the
    results of the chosen exchange are not all there: a model refuses a transcript that ends like this.
    """
    if last is None:
        end = len(turns)
    else:
        places = [at for at, each in enumerate(turns) if each.id == last]
        if not places:
            raise refusal(
                "messageId",
                f"Message {last} is no live message of this session. Fork at one whose `state` is LIVE and whose "
                "`session` is this one.",
                ErrorCode.NOT_FOUND,
            )
        end = places[0] + 1
    while end < len(turns) and turns[end].role == "tool":
        end += 1
    _refuse_open_exchange(turns, end)
    return turns[:end]


def _refuse_open_exchange(turns: Sequence[Turn], end: int) -> None:
    start = end
    while start > 0 and turns[start - 1].role == "tool":
        start -= 1
    if start == 0:
        return
    caller, results = turns[start - 1], turns[start:end]
    answered = {result.answers for result in results}
    if caller.calls <= answered and len(results) >= caller.call_count:
        return
    before = f"at message {turns[start - 2].id}, before it," if start >= 2 else "at another message"
    raise refusal(
        "messageId",
        f"Message {caller.id} calls tools whose results are not all stored. Fork {before} or wait for the results.",
    )
