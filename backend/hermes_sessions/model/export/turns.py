"""Messages and facts as people read them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from hermes_sessions.model.content import ImagePart, OtherPart, Part, decode_content, plain_text
from hermes_sessions.model.export.outline import Entry
from hermes_sessions.model.export.rows import Row, stored_text
from hermes_sessions.model.message import MessageState, message_state
from hermes_sessions.model.reasoning import find_reasoning
from hermes_sessions.model.session import SessionKind
from hermes_sessions.model.tool_calls import ToolCall, parse_tool_calls
from hermes_sessions.model.values import Warnings, label, moment, rfc3339, text

# Control characters other than tab and line end move a terminal's cursor; bidirectional overrides reorder what is read.
_DECEPTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(words: str) -> str:
    """Text in which nothing can hide or reorder the rest."""
    return _DECEPTIVE.sub("\ufffd", words.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to be read."""

    role: str
    state: MessageState
    at: str | None
    text: str
    images: list[ImagePart]
    others: list[str]
    reasoning: str | None
    calls: list[ToolCall]
    tool_name: str | None

    @property
    def heading(self) -> str:
        """One line: who, and when."""
        who = f"{self.role}: {self.tool_name}" if self.tool_name else self.role
        state = " (compacted)" if self.state is MessageState.COMPACTED else ""
        return one_line(f"{who}{state}{f' · {self.at}' if self.at else ''}")


def turn_of(row: Row) -> Turn:
    cells = {name: stored_text(cell) for name, cell in row.items()}
    ignored = Warnings()
    parts = decode_content(_as_text(cells.get("content")), ignored)
    plain = plain_text(parts)
    reasoning = find_reasoning(
        cells.get("reasoning"), cells.get("reasoning_content"), cells.get("reasoning_details"), plain
    )
    at = moment(cells.get("timestamp"), "timestamp", ignored)
    return Turn(
        role=label(cells.get("role")) or "unknown",
        state=message_state(cells.get("active"), cells.get("compacted")),
        at=rfc3339(at) if at is not None else None,
        text=visible(plain),
        images=[part for part in parts if isinstance(part, ImagePart)],
        others=[_other(part) for part in parts if isinstance(part, OtherPart)],
        reasoning=visible(reasoning) if reasoning else None,
        calls=parse_tool_calls(cells.get("tool_calls"), ignored),
        tool_name=label(cells.get("tool_name")),
    )


def _as_text(content: Any) -> str | None:
    """With the NUL that marks structured content left in place."""
    return content if isinstance(content, str) else text(content)


def _other(part: Part) -> str:
    assert isinstance(part, OtherPart)
    return visible(json.dumps(part.json, ensure_ascii=False, indent=2))


def call_text(call: ToolCall) -> str:
    """The arguments of a call, indented where they are JSON."""
    if isinstance(call.arguments, dict | list):
        return visible(json.dumps(call.arguments, ensure_ascii=False, indent=2))
    return visible(call.arguments_text or "")


def call_name(call: ToolCall) -> str:
    return one_line(call.name or "call")


def one_line(words: str) -> str:
    return " ".join(visible(words).split())


def facts_of(entry: Entry) -> list[tuple[str, str]]:
    """What stands above a session."""
    session = entry.session
    cost = session.cost.usd
    facts = [
        ("Session", session.id),
        ("Kind", entry.kind.value.lower()),
        ("Title", session.title),
        ("Source", session.source),
        ("Model", session.model),
        ("Parent", session.parent_id),
        ("Started", rfc3339(session.started_at) if session.started_at is not None else None),
        ("Ended", rfc3339(session.ended_at) if session.ended_at is not None else None),
        ("End reason", session.end_reason),
        ("Messages", str(session.message_count)),
        ("Cost", f"{cost:.6f} USD" if cost is not None else "unknown"),
    ]
    return [(name, one_line(value)) for name, value in facts if value]


def seam_of(entry: Entry) -> str | None:
    """What stands between a session and the one before it."""
    if entry.kind is SessionKind.CONTINUATION:
        return "The conversation was compressed here and goes on in the next session."
    return None
