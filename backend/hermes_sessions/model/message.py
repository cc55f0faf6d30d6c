"""One message as stored, its state, its tool calls, its reasoning, and the seams of a transcript."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Protocol

from hermes_sessions.model.content import (
    IMAGE_PREVIEW,
    STRUCTURED_PREFIX,
    ImagePart,
    Part,
    decode_content,
    fold,
    is_summary_text,
    plain_text,
)
from hermes_sessions.model.failures import says_failure
from hermes_sessions.model.values import (
    Decoded,
    Warnings,
    decoded,
    flag,
    label,
    moment,
    safe_json,
    stored_json,
    text,
    whole,
)

_COMPUTED = ("stored_bytes", "is_cut")


class MessageState(Enum):
    """LIVE is what the agent still sees, COMPACTED was summarised away, REWOUND was taken back by the user."""

    LIVE = "LIVE"
    COMPACTED = "COMPACTED"
    REWOUND = "REWOUND"


SHOWN_STATES = frozenset({MessageState.LIVE, MessageState.COMPACTED})


class SeamKind(Enum):
    CONTINUATION = "CONTINUATION"
    COMPACTION = "COMPACTION"
    REMOVED = "REMOVED"


class Placed(Protocol):
    """A message of a transcript that has several segments."""

    @property
    def segment(self) -> int: ...
    @property
    def state(self) -> MessageState: ...


def seam_between(before: Placed | None, here: Placed, *, is_summary: bool, follows_removed: bool) -> SeamKind | None:
    """Why a message does not simply follow the one before it; None where it does. `follows_removed` is about the
    session of a first message: something stood before it that is gone."""
    if before is None:
        return SeamKind.REMOVED if follows_removed else None
    if before.segment != here.segment:
        return SeamKind.CONTINUATION
    is_border = before.state is not here.state and MessageState.COMPACTED in (before.state, here.state)
    return SeamKind.COMPACTION if is_summary or is_border else None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` is the parsed JSON, None where it does not parse; `arguments_text` is what is stored."""

    id: str | None
    name: str | None
    arguments: Any
    arguments_text: str | None


class Message:
    """One row of `messages`, decoded as far as it is asked for: a page mostly shows a part of it.

    `row` holds the columns by name, `content` as text or bytes, and of what was read `is_cut`, and `stored_bytes`, the
    size of a content that was not read to its end.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row = row

    @property
    def id(self) -> int:
        return int(self._row["id"])

    @property
    def session_id(self) -> str:
        return text(self._row["session_id"]) or ""

    @property
    def role(self) -> str:
        return label(self._row["role"]) or "unknown"

    @property
    def state(self) -> MessageState:
        return message_state(self._row["active"], self._row["compacted"])

    @property
    def has_content(self) -> bool:
        return self._row["content"] is not None

    @cached_property
    def _content(self) -> Decoded[list[Part]]:
        stored = self._row["content"]
        return decoded(lambda warnings: decode_content(stored if isinstance(stored, str) else text(stored), warnings))

    @property
    def parts(self) -> list[Part]:
        return self._content.value

    @cached_property
    def text(self) -> str:
        return plain_text(self.parts)

    @cached_property
    def loaded_bytes(self) -> int:
        """The size in UTF-8 of the part of the plain text that was read."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def content_bytes(self) -> int:
        """The size in UTF-8 of the whole plain text."""
        return max(self.loaded_bytes, self._row["stored_bytes"]) if self._row["is_cut"] else self.loaded_bytes

    @property
    def is_cut(self) -> bool:
        """Whether the content is longer than what was read of it."""
        return bool(self._row["is_cut"]) and self.content_bytes > self.loaded_bytes

    @property
    def is_summary(self) -> bool:
        return is_summary(self._row["_compressed_summary"], self._row["role"], self.text)

    @property
    def is_error(self) -> bool:
        """Whether it is a tool's result that says that it failed."""
        return self.role == "tool" and says_failure(self.text)

    @cached_property
    def reasoning(self) -> str | None:
        row = self._row
        return find_reasoning(row["reasoning"], row["reasoning_content"], row["reasoning_details"], self.text)

    @cached_property
    def _tool_calls(self) -> Decoded[list[ToolCall]]:
        return decoded(lambda warnings: parse_tool_calls(self._row["tool_calls"], warnings))

    @property
    def tool_calls(self) -> list[ToolCall]:
        return self._tool_calls.value

    @property
    def tool_call_id(self) -> str | None:
        return label(self._row["tool_call_id"])

    @property
    def tool_name(self) -> str | None:
        return label(self._row["tool_name"])

    @cached_property
    def _timestamp(self) -> Decoded[float | None]:
        return decoded(lambda warnings: moment(self._row["timestamp"], "timestamp", warnings))

    @property
    def timestamp(self) -> float | None:
        return self._timestamp.value

    @cached_property
    def _token_count(self) -> Decoded[int | None]:
        return decoded(lambda warnings: whole(self._row["token_count"], "token_count", warnings))

    @property
    def token_count(self) -> int | None:
        return self._token_count.value

    @property
    def finish_reason(self) -> str | None:
        return label(self._row["finish_reason"])

    @property
    def stored(self) -> dict[str, Any]:
        """The row as read, by column name."""
        return {name: presentable(value) for name, value in self._row.items() if name not in _COMPUTED}

    @property
    def warnings(self) -> list[str]:
        """What could not be read as stored, in words."""
        all_decoded = (self._content, self._tool_calls, self._timestamp, self._token_count)
        return [words for each in all_decoded for words in each.warnings]


def presentable(value: Any) -> Any:
    """A stored cell as a JSON value: structured content decoded, NUL replaced, bytes and non-numbers as text."""
    if isinstance(value, str) and value.startswith(STRUCTURED_PREFIX):
        decoded_value = stored_json(value[len(STRUCTURED_PREFIX) :], "content", Warnings())
        return text(value) if decoded_value is None else decoded_value
    return text(value) if isinstance(value, str | bytes) else safe_json(value)


def message_state(active: Any, compacted: Any) -> MessageState:
    """From the flags; a store without these columns, or a null in them, has only live messages."""
    if active is None or active:
        return MessageState.LIVE
    return MessageState.COMPACTED if compacted else MessageState.REWOUND


def is_summary(marked: Any, role: Any, plain: str) -> bool:
    """Whether a message stands for compacted ones: by its column, else by how its text begins."""
    return flag(marked) or (role != "tool" and is_summary_text(plain[:200]))


def parse_tool_calls(stored: Any, warnings: Warnings) -> list[ToolCall]:
    """The calls of a row. What does not parse is kept raw, as one call without a name, with a warning."""
    if stored is None or stored == "":
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
            parsed = safe_json(json.loads(arguments)) if arguments.strip() else None
        except (ValueError, RecursionError):
            parsed = None
            warnings.add("tool_calls: the arguments of a call are not JSON; kept as text")
    return ToolCall(*_names(item), parsed, text(raw))


_THINK_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)


def find_reasoning(reasoning: Any, reasoning_content: Any, reasoning_details: Any, content: str) -> str | None:
    """`reasoning`, else `reasoning_content`, else the text in `reasoning_details`, else inline think tags."""
    for stored in (reasoning, reasoning_content):
        words = text(stored)
        if words and words.strip():
            return words
    details = _details_text(stored_json(reasoning_details, "reasoning_details", Warnings()))
    if details:
        return details
    if "<" not in content:
        return None
    return "\n".join(_between_think_tags(content)) or None


def _between_think_tags(content: str) -> Iterator[str]:
    """What stands between a tag and the next one that closes it, in one pass however many are never closed."""
    opened: tuple[str, int] | None = None
    for tag in _THINK_TAG.finditer(content):
        name = tag.group(2).lower()
        if not tag.group(1):
            opened = opened or (name, tag.end())
        elif opened is not None and opened[0] == name:
            yield content[opened[1] : tag.start()].strip()
            opened = None


def _details_text(value: Any) -> str:
    items = value if isinstance(value, list) else [value]
    words = [item.get("text") or item.get("summary") for item in items if isinstance(item, dict)]
    return "\n".join(word for word in words if isinstance(word, str) and word.strip())


def preview_of(contents: list[str]) -> str | None:
    """The preview out of the contents of the first live user messages, in order; None when none has text or image."""
    saw_image = False
    for stored in contents:
        parts = decode_content(stored, Warnings())
        saw_image = saw_image or any(isinstance(part, ImagePart) for part in parts)
        words = fold(plain_text(parts))
        if words and not is_summary_text(words):
            return words
    return IMAGE_PREVIEW if saw_image else None
