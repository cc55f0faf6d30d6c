"""A store with a hostile text in every column of every table that can hold one, by the columns of the schema."""

from __future__ import annotations

import json
from typing import Any

from tests.builders import StoreBuilder, T
from tests.hostile.payloads import AWAY, EVERYTHING, MARK, PAYLOADS, SVG

READ = f'reader<img id={MARK} src=x onerror="alert(1)">'
"""The id of the session to read: every payload in every column of its messages, as text and inside of JSON."""
CHILD = f"{READ}child"
TABLE = f"<img id={MARK} src=x onerror=alert(1)>\x1b[2J\u202e"
"""The name of a table that is not Hermes'."""
KEPT_APART = {"schema_version", TABLE}
"""Tables without a text column."""


def hostile(store: StoreBuilder) -> None:
    store.sql("PRAGMA foreign_keys = OFF")
    store.sql(f'CREATE TABLE "{TABLE}" (bytes BLOB)')
    store.sql(f'INSERT INTO "{TABLE}" VALUES (zeroblob(2000000))')
    for number, (name, text) in enumerate(PAYLOADS.items()):
        fill(
            store, "sessions", text, id=f"{text}", title=f"{text} {name}", parent_session_id=None, started_at=T + number
        )
        fill(store, "messages", text, session_id=text, role="user", timestamp=T + number, active=1)
        fill(store, "session_model_usage", text, session_id=text)
    for table in tables(store) - {"sessions", "messages", "session_model_usage"}:
        fill(store, table, EVERYTHING)
    fill(store, "sessions", EVERYTHING, id=READ, title=EVERYTHING, parent_session_id=None, started_at=T + 100)
    fill(store, "sessions", in_json(EVERYTHING), id=CHILD, title=f"{EVERYTHING} child", parent_session_id=READ)
    texts = (EVERYTHING, in_json(EVERYTHING), f"\x00json:{in_json(EVERYTHING)}")
    for session, roles in ((READ, ("user", "assistant", "tool", EVERYTHING)), (CHILD, ("user",))):
        for role in roles:
            for text in texts if role in ("user", "assistant") else texts[:1]:
                fill(store, "messages", text, session_id=session, role=role, timestamp=T + 101, active=1)


def fill(store: StoreBuilder, table: str, text: str, **given: Any) -> None:
    """Adds a row with the text in each column that is not given."""
    columns = text_columns(store, table)
    row = dict.fromkeys(columns, text) | dict.fromkeys(needed_numbers(store, table), T + 50)
    store.insert(table, row | given)


def in_json(text: str) -> str:
    """A list that does for tool calls, for parts of a message, and for details of reasoning."""
    call = {
        "id": text,
        "call_id": text,
        "type": text,
        "function": {"name": text, "arguments": json.dumps({text: text})},
    }
    parts = [
        {"type": "text", "text": text},
        {"type": "image_url", "image_url": {"url": f"{AWAY}/picture.png"}},
        {"type": "image_url", "image_url": {"url": SVG}},
        {"type": "image_url", "image_url": {"url": "javascript:alert(1)"}},
        {"type": text, text: text, "url": f"javascript:{text}", "text": text, "summary": text},
    ]
    return json.dumps([call, *parts])


def tables(store: StoreBuilder) -> set[str]:
    """The tables of Hermes' own, without those of the full-text index."""
    names = store.sql("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    return {name for name, _ in names if not name.startswith("sqlite_")} - KEPT_APART


def text_columns(store: StoreBuilder, table: str) -> list[str]:
    rows = store.sql(f"PRAGMA table_info({table})")
    return [name for _, name, kind, *_ in rows if kind.upper() in ("TEXT", "")]


def needed_numbers(store: StoreBuilder, table: str) -> list[str]:
    rows = store.sql(f"PRAGMA table_info({table})")
    return [name for _, name, kind, needed, default, _ in rows if kind == "REAL" and needed and default is None]


def missed(store: StoreBuilder) -> set[str]:
    """The text columns that hold no hostile text in any row."""
    found = {(table, column) for table in tables(store) for column in text_columns(store, table)}
    return {
        f"{table}.{column}"
        for table, column in found
        if not store.sql(f'SELECT 1 FROM {table} WHERE instr(CAST("{column}" AS BLOB), CAST(? AS BLOB))', (MARK,))
    }
