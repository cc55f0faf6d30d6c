"""Calls of tools, as a message holds them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hermes_sessions.model.values import Warnings, parsed_json, stored_json, text


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` is the parsed JSON, None where it does not parse; `arguments_text` is what is stored."""

    id: str | None
    name: str | None
    arguments: Any
    arguments_text: str | None


def parse_tool_calls(stored: Any, warnings: Warnings) -> list[ToolCall]:
    """The calls of a row. What does not parse is kept raw, as one call without a name, with a warning."""
    if stored is None or stored in ("", b""):
        return []
    own = Warnings()
    value = stored_json(stored, "tool_calls", own)
    if isinstance(value, dict):
        value = [value]
    if own.freeze() or not isinstance(value, list):
        warnings.add("tool_calls: the stored text is not a JSON list; kept raw")
        return [ToolCall(None, None, None, text(stored))]
    return [_tool_call(item, warnings) for item in value]


def called_tools(stored: Any) -> dict[str, str]:
    """Names of the tools by the ids of their calls, without what they were called with."""
    own = Warnings()
    value = stored_json(stored, "tool_calls", own) if stored not in (None, "") else None
    items = [value] if isinstance(value, dict) else value
    if own.freeze() or not isinstance(items, list):
        return {}
    calls = (_names(item) for item in items if isinstance(item, dict))
    return {id: name for id, name in calls if id and name}


def _names(item: dict[str, Any]) -> tuple[str | None, str | None]:
    """The id of a call and the name of the tool."""
    return text(item.get("id", item.get("call_id"))), text(_function(item).get("name"))


def _function(item: dict[str, Any]) -> dict[str, Any]:
    function = item.get("function")
    return function if isinstance(function, dict) else item


def _tool_call(item: Any, warnings: Warnings) -> ToolCall:
    if not isinstance(item, dict):
        warnings.add("tool_calls: an entry is not an object; kept raw")
        return ToolCall(None, None, item, json.dumps(item, ensure_ascii=False))
    function = _function(item)
    arguments = function.get("arguments", function.get("input"))
    raw = arguments if isinstance(arguments, str) else None if arguments is None else json.dumps(arguments)
    parsed = arguments
    if isinstance(arguments, str):
        try:
            parsed = parsed_json(arguments) if arguments.strip() else None
        except (ValueError, RecursionError):
            parsed = None
            warnings.add("tool_calls: the arguments of a call are not JSON; kept as text")
    return ToolCall(*_names(item), parsed, text(raw))
