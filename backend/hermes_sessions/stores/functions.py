"""SQL functions for conditions that SQLite cannot express: its own stop at the NUL of structured content."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hermes_sessions.model.content import STRUCTURED_PREFIX, decode_content, opening_text, plain_text
from hermes_sessions.model.failures import says_failure
from hermes_sessions.model.reasoning import find_reasoning
from hermes_sessions.model.search.fields import calls_text, stored_text
from hermes_sessions.model.tool_calls import parse_tool_calls
from hermes_sessions.model.values import Warnings, text

OPENING_CHARACTERS = 300


def holds_text(content: Any, tool_calls: Any, needle: str) -> bool:
    """whether the literal text stands in the plain text or, as JSON spells it, in the tool calls."""
    plain = plain_text(decode_content(stored_text(content), Warnings()))
    return needle in plain.casefold() or needle in _unescaped(tool_calls).casefold()


def holds_reasoning(reasoning: Any, reasoning_content: Any, reasoning_details: Any, needle: str) -> bool:
    """whether the literal text stands in the stored reasoning; what stands in inline tags is content."""
    found = find_reasoning(reasoning, reasoning_content, text(reasoning_details), "")
    return needle in (found or "").casefold()


def _unescaped(stored: Any) -> str:
    """Tool calls with JSON's escapes taken out, so that non-ASCII text is found as typed."""
    raw = text(stored) or ""
    if "\\" not in raw:
        return raw
    try:
        spelled = json.dumps(json.loads(raw), ensure_ascii=False).replace("\\\\", "\\").replace('\\"', '"')
    except (ValueError, RecursionError):
        return raw
    # Arguments are JSON within the JSON, and some models escape there what is not ASCII.
    return spelled if "\\u" not in spelled else f"{spelled}\n{calls_text(parse_tool_calls(raw, Warnings()))}"


def is_failure(content: Any) -> bool:
    """whether the content of a tool's result says that it failed."""
    stored = stored_text(content) or ""
    if stored.startswith(STRUCTURED_PREFIX):
        stored = plain_text(decode_content(stored, Warnings()))
    return says_failure(text(stored) or "")


def opening(content: Any) -> str:
    """the beginning of the plain text of a content, of which the end may be missing."""
    return opening_text(stored_text(content) or "", OPENING_CHARACTERS)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "holds_text": holds_text,
    "holds_reasoning": holds_reasoning,
    "is_failure": is_failure,
    "opening": opening,
}
