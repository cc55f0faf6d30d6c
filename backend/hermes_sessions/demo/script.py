"""Scenarios of the demo are scripts, so that they read as conversations; this turns a script into message rows.

A script is a list of blocks. `user:`, `agent:` and `think:` (the reasoning before the next agent block) hold text;
`image NAME:` is a picture sent by the user with the text as its caption; `call TOOL:` is a tool call with its main
argument as text; `result:` answers the oldest open call, `result 2:` with that exit code, `fails:` with an error. Calls
of `patch`, `write_file`, `todo` and `memory` answer themselves. `---` alone on a line separates sections: the first one
is always played, each further one by chance. `$name` is a slot that the scenario fills, `[31m` in a result
a terminal's escape sequence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from string import Template
from typing import Any

from hermes_sessions.demo import images, tools

Slots = dict[str, str]

HEAD = re.compile(r"^(user|agent|think|call|result|fails|image)(?: (\w+))?: ?(.*)$")
COLOUR = re.compile(r"\[(\d{1,2}m)")
CHANCE_OF_SECTION = 0.6


@dataclass(frozen=True)
class Scenario:
    """One kind of conversation: `slots` are the values that one telling picks from, entry by entry in step."""

    title: str
    script: str
    slots: tuple[Slots, ...] = ({},)
    sources: tuple[str, ...] = ("cli", "tui", "telegram")
    project: str | None = None


def entries(name: str, *values: str) -> tuple[Slots, ...]:
    """Slots with one name each: one telling for each value."""
    return tuple({name: value} for value in values)


@dataclass
class Row:
    """A message before it has a session and a moment; `pause` is the seconds since the one before."""

    role: str
    content: str | None
    pause: float
    cells: dict[str, Any] = field(default_factory=dict)


class Player:
    """Plays scripts of one store; `rng` decides on pauses, call ids and which sections are played."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def play(self, script: str, slots: Slots | None = None, *, whole: bool = False) -> list[Row]:
        """The rows of a script; `whole` plays every section."""
        first, *others = re.split(r"^---$", script.strip("\n"), flags=re.MULTILINE)
        sections = [first, *(section for section in others if whole or self._rng.random() < CHANCE_OF_SECTION)]
        scene = _Scene(self._rng)
        for head, detail, body in blocks(self.fill("\n".join(sections), slots or {})):
            scene.add(head, detail, body)
        return scene.rows

    @staticmethod
    def fill(text: str, slots: Slots) -> str:
        """The text with its slots filled; any other `$` stays."""
        return Template(text).safe_substitute(slots)


def blocks(text: str) -> list[tuple[str, str, str]]:
    """Split a script into (head, detail, body); lines without a head belong to the block above them."""
    found: list[tuple[str, str, list[str]]] = []
    for line in text.splitlines():
        if match := HEAD.match(line):
            found.append((match[1], match[2] or "", [match[3]]))
        elif found:
            found[-1][2].append(line)
    return [(head, detail, "\n".join(body).strip()) for head, detail, body in found]


class _Scene:
    """The rows so far, the thought before the next agent row, and the calls that wait for their results."""

    def __init__(self, rng: Random) -> None:
        self.rows: list[Row] = []
        self._rng = rng
        self._thought: str | None = None
        self._open: list[tuple[str, str]] = []

    def add(self, head: str, detail: str, body: str) -> None:
        match head:
            case "think":
                self._thought = body
            case "user":
                self._row("user", body)
            case "image":
                self._row("user", images.with_text(detail, body))
            case "agent":
                self._agent(body)
            case "call":
                self._call(detail, body)
            case "result":
                output = COLOUR.sub("\x1b[\\1", body)
                self._answer(lambda tool: tools.result(tool, output, int(detail or 0)))
            case "fails":
                self._answer(lambda tool: tools.failure(tool, body))

    def _row(self, role: str, content: str | None, **cells: Any) -> Row:
        row = Row(role, content, self._pause(role, content or ""), cells)
        self.rows.append(row)
        return row

    def _pause(self, role: str, content: str) -> float:
        """Agents write at a steady speed, tools are quick, people read, think and get coffee."""
        if role == "user":
            return 15 + self._rng.expovariate(1 / 120)
        if role == "tool":
            return 0.2 + self._rng.expovariate(1 / 3)
        return 2 + len(content) / 90 + self._rng.random() * 4

    def _agent(self, content: str) -> Row:
        thought = {"reasoning": self._thought} if self._thought else {}
        self._thought = None
        return self._row("assistant", content, finish_reason="stop", **thought)

    def _call(self, tool: str, body: str) -> None:
        """A call joins the agent's text just before it, or another call that has no result yet."""
        last = self.rows[-1] if self.rows else None
        if last is None or last.role != "assistant" or self._thought:
            last = self._agent("")
        call_id = f"call_{self._rng.getrandbits(64):016x}"
        last.cells["finish_reason"] = "tool_calls"
        last.cells.setdefault("tool_calls", []).append(tools.call(call_id, tool, body))
        if (answer := tools.own_answer(tool, body)) is not None:
            self._tool(call_id, tool, answer)
        else:
            self._open.append((call_id, tool))

    def _answer(self, make: Callable[[str], str]) -> None:
        call_id, tool = self._open.pop(0)
        self._tool(call_id, tool, make(tool))

    def _tool(self, call_id: str, tool: str, content: str) -> None:
        self._row("tool", content, tool_call_id=call_id, tool_name=tool)
