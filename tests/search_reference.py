"""Search written down a second time, slow and literal: every row is read, every word is looked for everywhere."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

Row = dict[str, Any]
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "IDEOGRAPHIC")


def hits(rows: list[Row], text: str, *, tool: bool = True, content: bool = True) -> set[int]:
    """Ids of the messages that hold all words, copies of a compacted one once."""
    found = {row["id"]: row for row in rows if is_shown(row) and holds(row, text, tool, content)}
    for row in rows:
        for other in rows:
            if is_copy(row, other):
                found.pop(row["id"], None)
    return set(found)


def by_conversation(rows: list[Row], text: str, conversation_of: dict[str, str]) -> Counter[str]:
    """Conversation -> how many of its messages hold all words."""
    session_of = {row["id"]: row["session_id"] for row in rows}
    return Counter(conversation_of[session_of[id]] for id in hits(rows, text))


def is_shown(row: Row) -> bool:
    return bool(row["active"] or row["compacted"])


def is_copy(row: Row, other: Row) -> bool:
    """Whether the other stands for this compacted one."""
    same = all(
        row[name] == other[name]
        for name in ("session_id", "role", "content", "timestamp", "tool_call_id", "tool_calls")
    )
    is_compacted = not row["active"] and row["compacted"]
    is_better = other["active"] or (other["compacted"] and other["id"] > row["id"])
    return bool(same and is_compacted and is_better and row["id"] != other["id"])


def holds(row: Row, text: str, tool: bool, content: bool) -> bool:
    texts = [plain(each) for each in texts_of(row, tool, content)]
    return all(any(stands(plain(word), each) for each in texts) for word in text.split())


def texts_of(row: Row, tool: bool, content: bool) -> Iterator[str]:
    stored = row["content"] or ""
    if stored.startswith("\x00json:"):
        stored = "\n".join(part["text"] for part in json.loads(stored[6:]) if part["type"] == "text")
    if tool if row["role"] == "tool" else content:
        yield stored
    if not tool:
        return
    if row["role"] == "tool" and "\\" in stored:
        yield from values(stored)
    yield row["tool_name"] or ""
    for call in json.loads(row["tool_calls"] or "[]"):
        yield call["id"]
        yield call["function"]["name"]
        yield from values(call["function"]["arguments"])


def values(stored: str) -> Iterator[str]:
    """What JSON says, a name before each value."""

    def walk(value: Any, name: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, f"{key}: ")
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner, name)
        else:
            yield name + (value if isinstance(value, str) else json.dumps(value))

    try:
        value = json.loads(stored)
    except ValueError:
        return
    if isinstance(value, dict | list):
        yield from walk(value, "")


@cache
def plain(text: str) -> str:
    """Lower case, Latin letters without accents."""
    return "".join(plain_letter(letter) for letter in unicodedata.normalize("NFC", text))


def plain_letter(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    return base.lower() if base.isascii() and base.isalpha() else letter.lower().replace("ς", "σ")


def is_unspaced(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(UNSPACED) or unicodedata.category(letter) == "Co"


def stands(word: str, text: str) -> bool:
    anywhere = any(map(is_unspaced, word)) or not word[0].isalnum()
    places = (at for at in range(len(text)) if text[at] == word[0] and text.startswith(word, at))
    return any(anywhere or at == 0 or not text[at - 1].isalnum() or is_unspaced(text[at - 1]) for at in places)
