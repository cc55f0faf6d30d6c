"""Small stores for tests, written cell by cell: anything that SQLite takes goes in, also what Hermes would never write.

    with StoreBuilder(tmp_path / "state.db") as store:
        store.session("d1", source="telegram", start=T, end=T + 100, end_reason="compression", title="Plan")
        store.message("d1", "user", "hello")

A builder that stays open is also a second writer beside the code under test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import apsw

from hermes_sessions.stores import hermes_schema

T = 1750000000.0

SCHEMA_8: Mapping[str, str] = {
    "sessions": """
        id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT, system_prompt TEXT,
        parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
        message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
        input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, title TEXT""",
    "messages": """
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,
        token_count INTEGER, finish_reason TEXT""",
}
"""The columns of an early store: no archive, no costs, no folders, no soft-deleted messages."""

ADDED_BY_SCHEMA_30 = """
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE session_turn_leases (
    conversation_id TEXT PRIMARY KEY, holder TEXT NOT NULL, acquired_at REAL NOT NULL, expires_at REAL NOT NULL
);
CREATE TABLE conversation_generations (
    source TEXT NOT NULL, session_key TEXT NOT NULL, generation INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, session_key)
);
ALTER TABLE sessions ADD COLUMN title_source TEXT;
ALTER TABLE sessions ADD COLUMN last_activity_at REAL;
ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN last_read_at REAL;
ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT REFERENCES system_prompts(hash);
ALTER TABLE sessions ADD COLUMN tool_names TEXT;
ALTER TABLE sessions ADD COLUMN transport_profile TEXT;
ALTER TABLE messages ADD COLUMN _compressed_summary INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN display_kind TEXT;
ALTER TABLE messages ADD COLUMN display_metadata TEXT;
ALTER TABLE messages ADD COLUMN display_identity TEXT;
ALTER TABLE messages ADD COLUMN display_order REAL;
UPDATE schema_version SET version = 30;
"""


def external_search_index(columns: Sequence[str]) -> tuple[str, ...]:
    """The full-text index of other Hermes versions: it holds no text of its own and reads `messages`."""
    names = ", ".join(columns)
    add = f"INSERT INTO messages_fts(rowid, {names}) VALUES (new.id, {', '.join(f'new.{c}' for c in columns)});"
    remove = (
        f"INSERT INTO messages_fts(messages_fts, rowid, {names})"
        f" VALUES ('delete', old.id, {', '.join(f'old.{c}' for c in columns)});"
    )
    return (
        f"CREATE VIRTUAL TABLE messages_fts USING fts5({names}, content='messages', content_rowid='id')",
        f"CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN {add} END",
        f"CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN {remove} END",
        f"CREATE TRIGGER messages_fts_update AFTER UPDATE ON messages BEGIN {remove} {add} END",
    )


def schema_of(columns: Mapping[str, str] | None, schema30: bool) -> Sequence[str]:
    """The statements that make a store: Hermes 0.19.0's, a poorer one of `columns`, or a richer one of schema 30."""
    if columns is not None:
        tables = [f"CREATE TABLE {table} ({declared})" for table, declared in columns.items()]
        version = ["CREATE TABLE schema_version (version INTEGER NOT NULL)", "INSERT INTO schema_version VALUES (8)"]
        return [*tables, *version, *external_search_index(["content"])]
    if schema30:
        kept = [statement for statement in hermes_schema.STATEMENTS if "messages_fts" not in statement]
        return [*kept, ADDED_BY_SCHEMA_30, *external_search_index(["content", "tool_name", "tool_calls"])]
    return hermes_schema.STATEMENTS


@cache
def empty_store(statements: tuple[str, ...]) -> bytes:
    """The file that these statements make: copying it takes a fifth of the time that they take."""
    memory = apsw.Connection(":memory:")
    with memory:
        for statement in statements:
            memory.execute(statement)
    return memory.serialize("main")


class StoreBuilder:
    """One store, written through a connection of its own; makes the file when there is none."""

    def __init__(
        self,
        path: Path,
        *,
        columns: Mapping[str, str] | None = None,
        schema30: bool = False,
        foreign_keys: bool = False,
    ) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(empty_store(tuple(schema_of(columns, schema30))))
        self._connection = apsw.Connection(str(path))
        self._connection.set_busy_timeout(5000)
        self.sql("PRAGMA journal_mode = WAL")
        self.sql("PRAGMA synchronous = OFF")
        self.sql(f"PRAGMA foreign_keys = {int(foreign_keys)}")
        self._soft_delete_columns = {"active", "compacted"} & self.columns("messages")
        self._has_counters = {"message_count", "tool_call_count"} <= self.columns("sessions")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the last one of a store also empties its WAL."""
        self._connection.close()

    def sql(self, statement: str, bindings: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Run any statement and give its rows. `CAST(x'ff41c328' AS TEXT)` makes text that is not UTF-8."""
        return list(self._connection.execute(statement, bindings))

    def columns(self, table: str) -> set[str]:
        """The column names of a table; empty where there is no such table."""
        return {row[1] for row in self.sql(f"PRAGMA table_info({table})")}

    def index_no_more(self) -> None:
        """Keep what is added from now on out of the full-text tables: for large stores that nobody searches."""
        for trigger in ("messages_fts_insert", "messages_fts_trigram_insert"):
            self.sql(f"DROP TRIGGER {trigger}")

    def insert(self, table: str, row: Mapping[str, Any]) -> int:
        """Add one row, columns by name, and give its rowid."""
        names = ", ".join(f'"{name}"' for name in row)
        self.sql(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
        return self._connection.last_insert_rowid()

    def set(self, table: str, id: str | int, **columns: Any) -> None:
        """Change cells of the session or message with this id."""
        changes = ", ".join(f'"{name}" = ?' for name in columns)
        self.sql(f"UPDATE {table} SET {changes} WHERE id = ?", (*columns.values(), id))

    def session(
        self,
        id: str,
        source: str = "cli",
        *,
        start: Any = T,
        end: Any = None,
        end_reason: str | None = None,
        title: str | None = None,
        parent: str | None = None,
        branched_from: str | None = None,
        delegate_from: str | None = None,
        reset_from: str | None = None,
        input: Any = None,
        output: Any = None,
        cost: Any = None,
        actual: Any = None,
        **columns: Any,
    ) -> str:
        """Add a session and give its id; a cell that is not named takes the column's default.

        `cost` is the estimated one in USD. `branched_from`, `delegate_from` and `reset_from` are the markers in
        `model_config`; `columns` are any further ones by name and win over everything else.
        """
        markers = {"_branched_from": branched_from, "_delegate_from": delegate_from, "_reset_from": reset_from}
        named = {name: value for name, value in markers.items() if value is not None}
        row = {
            "id": id,
            "source": source,
            "parent_session_id": parent,
            "started_at": start,
            "ended_at": end,
            "end_reason": end_reason,
            "title": title,
            "model_config": json.dumps(named) if named else None,
            "input_tokens": input,
            "output_tokens": output,
            "estimated_cost_usd": cost,
            "actual_cost_usd": actual,
        }
        self.insert("sessions", {name: value for name, value in row.items() if value is not None} | columns)
        return id

    def message(
        self,
        session: str,
        role: str = "user",
        content: Any = "hello",
        *,
        at: Any = None,
        active: Any = 1,
        compacted: Any = 0,
        tool_calls: Any = None,
        **columns: Any,
    ) -> int:
        """Add a message, count it in its session as Hermes does (live ones only), and give its id.

        `at` is seconds since the epoch, by default `T`. A list or an object as `content` is encoded as Hermes does;
        a list as `tool_calls` becomes JSON, text stays as it is.
        """
        calls = len(tool_calls) if isinstance(tool_calls, list) else int(tool_calls is not None)
        row = {
            "session_id": session,
            "role": role,
            "content": stored_content(content),
            "timestamp": T if at is None else at,
            "tool_calls": json.dumps(tool_calls) if isinstance(tool_calls, list) else tool_calls,
        }
        flags = {"active": active, "compacted": compacted}
        flags = {name: flag for name, flag in flags.items() if name in self._soft_delete_columns}
        number = self.insert("messages", row | flags | columns)
        if active == 1 and self._has_counters:
            self.sql(
                "UPDATE sessions SET message_count = message_count + 1, tool_call_count = tool_call_count + ?"
                " WHERE id = ?",
                (calls, session),
            )
        return number

    def usage(
        self,
        session: str,
        model: str = "anthropic/claude-sonnet-4.5",
        *,
        task: str = "",
        cost: Any = 0.0,
        **columns: Any,
    ) -> None:
        """Add a usage row; a `task` makes it an auxiliary call. `cost` is the estimated one in USD."""
        row = {"session_id": session, "model": model, "task": task, "estimated_cost_usd": cost}
        self.insert("session_model_usage", row | columns)


def stored_content(content: Any) -> Any:
    """A message's content as Hermes keeps it: structured content is a NUL byte, `json:` and JSON."""
    return "\x00json:" + json.dumps(content) if isinstance(content, (list, dict)) else content


def home_with(home: Path, **profiles: Callable[[StoreBuilder], object]) -> Path:
    """Make a Hermes home and give it back: `home_with(tmp_path, default=plan_chain, beta=full_plan)`."""
    for name, fill in profiles.items():
        with StoreBuilder(store_path(home, name)) as store:
            fill(store)
    return home


def store_path(home: Path, profile: str = "default") -> Path:
    """Where a home keeps the store of a profile."""
    return home / "state.db" if profile == "default" else home / "profiles" / profile / "state.db"


def plan_chain(store: StoreBuilder) -> None:
    """Case L1: the conversation d1, d2, d3 and the stale sibling d3s."""
    store.session("d1", "telegram", start=T, end=T + 100, end_reason="compression", title="Plan", input=1000, cost=1.0)
    store.session(
        "d2",
        "telegram",
        parent="d1",
        start=T + 100,
        end=T + 200,
        end_reason="compression",
        title="Plan #2",
        input=2000,
        cost=2.0,
    )
    store.session("d3", "desktop", parent="d2", start=T + 200, title="Plan #3", input=4000, cost=4.0)
    store.session("d3s", "desktop", parent="d2", start=T + 205, end=T + 210, end_reason="ws_orphan_reap")
    store.message("d3s", at=T + 206)


def plan_subagents(store: StoreBuilder) -> None:
    """Case L2: subagents of two segments; after `plan_chain`."""
    store.session("sub1", parent="d3", start=T + 220, delegate_from="d3", cost=0.5)
    store.session("sub2", parent="d2", start=T + 120, delegate_from="d2", cost=0.7)


def plan_branch(store: StoreBuilder) -> None:
    """Case L3: a branch from the middle segment; after `plan_chain`."""
    store.session("br1", parent="d2", start=T + 150, branched_from="d2")


def plan_early_child(store: StoreBuilder) -> None:
    """Case L6: an untagged child that started before its parent's end; after `plan_chain`."""
    store.session("leg", parent="d1", start=T + 50, end=T + 60, end_reason="cli_close")


def full_plan(store: StoreBuilder) -> None:
    """Cases L1, L2, L3 and L6 together, as case A2 wants them."""
    for build in (plan_chain, plan_subagents, plan_branch, plan_early_child):
        build(store)
