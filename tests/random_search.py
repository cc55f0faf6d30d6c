"""Random stores full of what search may trip over, and words to look for in them."""

from __future__ import annotations

import json
import random

from tests.builders import StoreBuilder, T
from tests.search_reference import Row

# Not here: a Latin word right behind a word that begins in Latin letters and goes on without spaces (docs/stores.md).
PIECES = [
    "cafe", "café", "CAFÉ", "cafe\u0301", "résumé", "việt", "ete",
    "Été", "ab", "abc", "b", "Straße", "nab", "12", "2024",
    "今天", "讨论", "项目abc", " abc项目 ", " A股 ", "กินข้าว", "한국어",
    "Привет", "привет", "ΣΑΣ", "σας", "𝒳𝒴", "😀", "\ue0b0ab",
    "it's", "run.py", "a:b", "C++", "#tag", "61.2%", ".env",
    "user@host", "-x", "_b", "__init__", "\"quoted\"", "\\back", "/path/",
    "“ab", "…abc", "—café", "json", "text", "arguments", "id", "\x1bab",
]  # fmt: skip
GAPS = [" ", " ", " ", "\n", "\t", "", "", ", ", "\u3000", "\r\n"]
WORDS = [piece.strip("\x1b ") for piece in PIECES] + [
    "caf", "viet", "ÉTÉ", "ABC", "项", "目", "天讨", "论",
    "股", "ข้าว", "한", "국어", "ПРИВЕТ", "py", "host", "tag",
    "env", "back",    "u00e9", "nabc", "ncafé", "++", "…", "—", "*", '"', "absent", "o", "e", "c1", "run",
]  # fmt: skip


class Chance(random.Random):
    def text(self) -> str:
        return "".join(self.choice(PIECES) + self.choice(GAPS) for _ in range(self.randrange(1, 7)))

    def structured(self) -> str:
        parts = [{"type": "text", "text": self.text()} for _ in range(self.randrange(1, 3))]
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,abc/cafe+ete/AAAA"}}
        return "\x00json:" + json.dumps([*parts, image], ensure_ascii=self.random() < 0.7)

    def calls(self) -> str:
        arguments = json.dumps(
            {self.text(): self.text(), "deep": [{"x": self.text()}, 12, None]}, ensure_ascii=self.random() < 0.7
        )
        call = {
            "id": self.choice(["c1", "call_ab"]),
            "type": "function",
            "function": {"name": self.choice(["run", "read_file"]), "arguments": arguments},
        }
        return json.dumps([call], ensure_ascii=self.random() < 0.7)

    def result(self) -> str:
        if self.random() < 0.2:
            return "padding " * 1030 + self.text()
        if self.random() < 0.5:
            return json.dumps({"output": self.text(), "ok": True}, ensure_ascii=self.random() < 0.5)
        return self.text()


def fill_randomly(store: StoreBuilder, seed: int, messages: int = 40) -> dict[str, str]:
    """Writes two conversations of two segments, a fork, subagents and a side row; gives session -> conversation."""
    chance = Chance(seed)
    store.session("a1", start=T, end=T + 10, end_reason="compression")
    store.session("a2", parent="a1", start=T + 10)
    store.session("sub", parent="a1", delegate_from="a1", start=T + 5)
    store.session("subsub", parent="sub", delegate_from="sub", start=T + 6)
    store.session("side", parent="a1", start=T + 11, end=T + 12, end_reason="ws_orphan_reap")
    store.session("fork", parent="a1", branched_from="a1", start=T + 7)
    store.session("b", "telegram", start=T + 20)
    store.session("orphan", parent="gone", start=T + 30)
    store.message("a2", content="the tip is the open one", at=T + 100)
    conversation_of = dict.fromkeys(["a1", "a2", "sub", "subsub", "side"], "a1")
    conversation_of |= {id: id for id in ("fork", "b", "orphan")}
    for number in range(messages):
        active, compacted = chance.choice([(1, 0), (1, 0), (1, 0), (0, 1), (0, 0)])
        role = chance.choice(["user", "assistant", "tool"])
        content = chance.choice([chance.text, chance.text, chance.structured])() if role != "tool" else chance.result()
        session = chance.choice(sorted(conversation_of))
        columns = {
            "at": T + chance.randrange(100) if chance.random() < 0.5 else T + 200 + number,
            "tool_calls": chance.calls() if role == "assistant" and chance.random() < 0.6 else None,
            "tool_name": chance.choice([None, "read_file", "café_tool", "工具"]) if role == "tool" else None,
            "active": active,
            "compacted": compacted,
        }
        store.message(session, role, content, **columns)
        if chance.random() < 0.2:  # carried along
            store.message(session, role, content, **(columns | {"active": chance.choice([0, 1]), "compacted": 1}))
    return conversation_of


def rows_of(store: StoreBuilder) -> list[Row]:
    names = (
        "id",
        "session_id",
        "role",
        "content",
        "timestamp",
        "tool_call_id",
        "tool_calls",
        "tool_name",
        "active",
        "compacted",
    )
    return [dict(zip(names, row, strict=True)) for row in store.sql(f"SELECT {', '.join(names)} FROM messages")]


def questions(seed: int, number: int) -> list[str]:
    chance = Chance(seed)
    return [" ".join(chance.sample(WORDS, chance.choice([1, 1, 1, 2, 2, 3]))) for _ in range(number)]
