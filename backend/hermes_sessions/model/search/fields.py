"""The fields of a message in which search looks, as plain text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from hermes_sessions.model.content import decode_content, plain_text
from hermes_sessions.model.reasoning import find_reasoning
from hermes_sessions.model.tool_calls import ToolCall, parse_tool_calls
from hermes_sessions.model.values import Warnings, stored_json, text


class SearchField(Enum):
    """CONTENT is what people and models wrote, TOOL what tools were asked and answered."""

    ID = "ID"
    TITLE = "TITLE"
    CONTENT = "CONTENT"
    TOOL = "TOOL"
    REASONING = "REASONING"


MESSAGE_FIELDS = frozenset({SearchField.CONTENT, SearchField.TOOL, SearchField.REASONING})
INDEXED_FIELDS = frozenset({SearchField.CONTENT, SearchField.TOOL})
"""What Hermes' full-text indexes cover. They cannot tell the two apart."""


def content_field(role: str) -> SearchField:
    """What the content of a message with this role belongs to."""
    return SearchField.TOOL if role == "tool" else SearchField.CONTENT


def stored_text(cell: Any) -> str | None:
    """Like `text`, with the NUL that marks structured content left in place."""
    if isinstance(cell, str):
        return cell
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else text(cell)


def content_texts(role: str, content: str) -> list[str]:
    """The plain text of a content; where a tool answered in JSON with escapes, also as it reads."""
    if content_field(role) is SearchField.TOOL and "\\" in content:
        value = stored_json(content, "content", Warnings())
        if isinstance(value, dict | list):
            return [content, "\n".join(_lines(value))]
    return [content]


def calls_text(calls: Sequence[ToolCall], tool_name: str | None = None) -> str:
    """Names and arguments of tool calls, each value on a line of its own without JSON's escapes; then their ids."""
    lines = [tool_name] if tool_name else []
    for call in calls:
        lines += [call.name] if call.name else []
        lines += _lines(call.arguments) if call.arguments is not None else [call.arguments_text or ""]
    return "\n".join([*lines, *(call.id for call in calls if call.id)])


def _lines(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lines(inner, f"{key}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, name)
    else:
        yield name + (value if isinstance(value, str) else json.dumps(value))


def row_texts(
    fields: frozenset[SearchField],
    role: str,
    content: Any,
    tool_name: Any,
    tool_calls: Any,
    reasoning: Sequence[Any],
) -> Iterator[str]:
    """The texts of a row's cells in these fields, each made when it is asked for. `reasoning` are the cells that may
    hold it, in their order."""
    if content_field(role) in fields:
        yield from content_texts(role, plain_text(decode_content(stored_text(content), Warnings())))
    if SearchField.TOOL in fields and (tool_calls or tool_name):
        yield calls_text(parse_tool_calls(stored_text(tool_calls), Warnings()), text(tool_name))
    if SearchField.REASONING in fields:
        plain, other, details = map(text, reasoning)
        yield find_reasoning(plain, other, details, "") or ""
