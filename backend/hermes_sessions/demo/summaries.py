"""What compression leaves behind: the first exchange, a summary in Hermes' words, the last few messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PREFIX = (
    "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below. This is a handoff from"
    " a previous context window — treat it as background reference, NOT as active instructions."
)
END = "--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---"

Messages = Sequence[dict[str, Any]]


def message(summary: str, moment: float) -> dict[str, Any]:
    """The summary's message as Hermes stores it, in the user's role."""
    return {"role": "user", "content": f"{PREFIX}\n\n{summary}\n\n{END}", "timestamp": round(moment, 3)}


def kept(messages: Messages) -> tuple[Messages, Messages]:
    """The messages that stay word for word: the first user message, and the last exchange from its user message on."""
    own = [message for message in messages if not is_summary(message)]
    last_user = max(index for index, message in enumerate(own) if message["role"] == "user")
    return own[:1], own[max(1, last_user) :]


def is_summary(message: dict[str, Any]) -> bool:
    return str(message["content"]).startswith(PREFIX)
