"""A home with conversations that are long and uneven: 20,000 messages in one session, and one of four segments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.builders import StoreBuilder, T, home_with

LONG = "long"
MESSAGES = 20_000
NEEDLE = "quicksilver"
NEEDLE_EVERY = 4_000
SEGMENTS = ("s1", "s2", "s3", "s4")
LINES = 70
"""Of each segment, so that pages end inside."""

PARAGRAPH = "The tide tables say that the ferry leaves an hour earlier on Sundays, and the bakery is closed. "


def make_home(home: Path) -> Path:
    """Ids of messages count from 1 in the long conversation, so that an id is a position plus one."""
    return home_with(home, default=_fill)


def _fill(store: StoreBuilder) -> None:
    store.sql("BEGIN")
    store.session(LONG, start=T, title="Twenty thousand messages")
    rows = [_message(number) for number in range(1, MESSAGES + 1)]
    for row in rows:
        store.insert("messages", {"session_id": LONG, **row})
    store.set("sessions", LONG, message_count=MESSAGES)
    four_segments(store)
    store.sql("COMMIT")


def _message(number: int) -> dict[str, Any]:
    """By tens: a prompt, then answers of very different sizes, and calls with their results, of which few failed."""
    row: dict[str, Any] = {"timestamp": T + number, "role": "assistant"}
    place = number % 10
    if place == 1:
        return row | {"role": "user", "content": f"Question {number}: what about day {number // 10}?"}
    if place in (3, 7):
        arguments = json.dumps({"command": f"ls -l folder-{number}"})
        call = {"id": f"call-{number}", "type": "function", "function": {"name": "terminal", "arguments": arguments}}
        said = "" if place == 3 else f"Looking at folder {number}."
        return row | {"content": said, "tool_calls": json.dumps([call]), "reasoning": "Perhaps it is there."}
    if place in (4, 8):
        failed = number % 1000 == 4
        output = f"total {number}\n" + "\n".join(f"-rw-r--r-- file-{line}" for line in range(number % 90))
        if number % NEEDLE_EVERY == 4:
            output += f"\n{NEEDLE} {number}"
        answer = {"output": output, "exit_code": int(failed), "error": "no such folder" if failed else None}
        return row | {
            "role": "tool",
            "content": json.dumps(answer),
            "tool_call_id": f"call-{number - 1}",
            "tool_name": "terminal",
        }
    return row | {"content": _answer(number)}


def _answer(number: int) -> str:
    """From one line to several screens."""
    size = (number * 7919) % 23
    if size < 12:
        return f"Answer {number}, in short."
    if size < 20:
        return f"Answer {number}.\n\n" + "\n\n".join(PARAGRAPH * (1 + size % 4) for _ in range(size - 10))
    code = "\n".join(f"value_{line} = {line} * {number}" for line in range(size * 4))
    return f"## Answer {number}\n\n```python\n{code}\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


def four_segments(store: StoreBuilder) -> None:
    """One conversation of four segments, continued by compression; each has as many messages."""
    for index, id in enumerate(SEGMENTS):
        is_last = index == len(SEGMENTS) - 1
        store.session(
            id,
            parent=SEGMENTS[index - 1] if index else None,
            start=T + 10_000 * index,
            end=None if is_last else T + 10_000 * (index + 1),
            end_reason=None if is_last else "compression",
            title=f"Four parts #{index + 1}" if index else "Four parts",
        )
        for number in range(LINES):
            role = "assistant" if number % 2 else "user"
            store.message(id, role, f"Part {index + 1}, line {number}", at=T + 10_000 * index + number)


if __name__ == "__main__":
    import sys

    make_home(Path(sys.argv[1]))
