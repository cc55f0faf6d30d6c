"""One message as stored, its state, and the seams of a transcript."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, Protocol

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
from hermes_sessions.model.lazy import lazy
from hermes_sessions.model.reasoning import find_reasoning
from hermes_sessions.model.tool_calls import ToolCall, parse_tool_calls
from hermes_sessions.model.values import (
    UNHEARD,
    Warnings,
    flag,
    label,
    moment,
    safe_json,
    stored_json,
    text,
    whole,
)


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


class MessageRow(NamedTuple):
    """The cells of one row of `messages` as they are read: None also where the store has no such column.

    Of a content that is longer than a page reads, `content` is the beginning: then `is_cut`, and `stored_bytes` is the
    size of the whole.
    """

    id: Any
    session_id: Any
    role: Any
    tool_call_id: Any
    tool_calls: Any
    tool_name: Any
    timestamp: Any
    token_count: Any
    finish_reason: Any
    reasoning: Any
    reasoning_content: Any
    reasoning_details: Any
    active: Any
    compacted: Any
    platform_message_id: Any
    observed: Any
    effect_disposition: Any
    compressed_summary: Any
    display_kind: Any
    content: Any
    stored_bytes: int
    is_cut: bool


MESSAGE_COLUMNS = tuple(
    "_compressed_summary" if name == "compressed_summary" else name for name in MessageRow._fields[:-2]
)
"""The columns that the cells are read from, `content` last. What follows it in a row is no column."""


class Message:
    """One row of `messages`, decoded as far as it is asked for: a page mostly shows a part of it."""

    def __init__(self, row: MessageRow) -> None:
        self._row = row

    @property
    def id(self) -> int:
        return int(self._row.id)

    @property
    def session_id(self) -> str:
        return text(self._row.session_id) or ""

    @property
    def role(self) -> str:
        return label(self._row.role) or "unknown"

    @property
    def state(self) -> MessageState:
        return message_state(self._row.active, self._row.compacted)

    @property
    def has_content(self) -> bool:
        return self._row.content is not None

    @lazy
    def _content(self) -> tuple[list[Part], tuple[str, ...]]:
        """Its parts, and what could not be read of it."""
        warnings, stored = Warnings(), self._row.content
        parts = decode_content(stored if isinstance(stored, str) else text(stored), warnings)
        return parts, warnings.freeze()

    @property
    def parts(self) -> list[Part]:
        return self._content[0]

    @lazy
    def text(self) -> str:
        stored = self._row.content
        if isinstance(stored, str) and not stored.startswith(STRUCTURED_PREFIX):
            return text(stored) or ""  # as most are: they need no parts
        return plain_text(self.parts)

    @lazy
    def loaded_bytes(self) -> int:
        """The size in UTF-8 of the part of the plain text that was read."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def content_bytes(self) -> int:
        """The size in UTF-8 of the whole plain text."""
        return max(self.loaded_bytes, self._row.stored_bytes) if self._row.is_cut else self.loaded_bytes

    @property
    def is_cut(self) -> bool:
        """Whether the content is longer than what was read of it."""
        return bool(self._row.is_cut) and self.content_bytes > self.loaded_bytes

    @property
    def is_summary(self) -> bool:
        return is_summary(self._row.compressed_summary, self._row.role, self.text)

    @property
    def is_error(self) -> bool:
        """Whether it is a tool's result that says that it failed."""
        return self.role == "tool" and says_failure(self.text)

    @property
    def reasoning(self) -> str | None:
        row = self._row
        return find_reasoning(row.reasoning, row.reasoning_content, row.reasoning_details, self.text)

    @lazy
    def _calls(self) -> tuple[list[ToolCall], tuple[str, ...]]:
        if self._row.tool_calls in (None, "", b""):
            return [], ()
        warnings = Warnings()
        return parse_tool_calls(self._row.tool_calls, warnings), warnings.freeze()

    @property
    def tool_calls(self) -> list[ToolCall]:
        return self._calls[0] if self._row.tool_calls else []  # as of most messages

    @property
    def tool_call_id(self) -> str | None:
        return label(self._row.tool_call_id)

    @property
    def tool_name(self) -> str | None:
        return label(self._row.tool_name)

    @property
    def timestamp(self) -> float | None:
        return moment(self._row.timestamp, "timestamp", UNHEARD)

    @property
    def token_count(self) -> int | None:
        return whole(self._row.token_count, "token_count", UNHEARD)

    @property
    def finish_reason(self) -> str | None:
        return label(self._row.finish_reason)

    @property
    def stored(self) -> dict[str, Any]:
        """The row as read, by column name."""
        return dict(zip(MESSAGE_COLUMNS, map(presentable, self._row), strict=False))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What could not be read as stored, in words."""
        numbers = Warnings()
        moment(self._row.timestamp, "timestamp", numbers)
        whole(self._row.token_count, "token_count", numbers)
        return (*self._content[1], *self._calls[1], *numbers.freeze())


def presentable(value: Any) -> Any:
    """A stored cell as a JSON value: structured content decoded, NUL replaced, bytes and non-numbers as text."""
    if isinstance(value, str) and value.startswith(STRUCTURED_PREFIX):
        decoded = stored_json(value[len(STRUCTURED_PREFIX) :], "content", Warnings())
        return text(value) if decoded is None else decoded
    return text(value) if isinstance(value, str | bytes) else safe_json(value)


def message_state(active: Any, compacted: Any) -> MessageState:
    """From the flags; a store without these columns, or a null in them, has only live messages."""
    if active is None or active:
        return MessageState.LIVE
    return MessageState.COMPACTED if compacted else MessageState.REWOUND


def is_summary(marked: Any, role: Any, plain: str) -> bool:
    """Whether a message stands for compacted ones: by its column, else by how its text begins."""
    return flag(marked) or (role != "tool" and is_summary_text(plain[:200]))


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
