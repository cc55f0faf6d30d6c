"""Stores whose full-text indexes are laid out as various versions of Hermes leave them, whole or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.builders import StoreBuilder, external_search_index

Fill = Callable[[StoreBuilder], object]
Make = Callable[[Path, Fill], object]

_TRIGGERS = [f"messages_fts{table}_{event}" for table in ("", "_trigram") for event in ("insert", "delete", "update")]


def whole(path: Path, fill: Fill) -> None:
    """Hermes 0.19.0: words and trigrams of each message as one text."""
    with StoreBuilder(path) as store:
        fill(store)


def without_any(path: Path, fill: Fill) -> None:
    with StoreBuilder(path) as store:
        drop_indexes(store)
        fill(store)


def only_contents(path: Path, fill: Fill) -> None:
    """An early one: words of contents alone."""
    with StoreBuilder(path) as store:
        drop_indexes(store)
        for statement in external_search_index(["content"]):
            store.sql(statement)
        fill(store)


def over_views(path: Path, fill: Fill) -> None:
    """Later versions: three columns that cut long results, and trigrams of what people and models wrote."""
    with StoreBuilder(path) as store:
        index_over_views(store)
        fill(store)


def half_built(path: Path, fill: Fill) -> None:
    """Later versions while they build the index: rows above P and up to H are not in it yet."""
    with StoreBuilder(path) as store:
        index_over_views(store)
        for trigger in _TRIGGERS:
            store.sql(f"DROP TRIGGER {trigger}")
        fill(store)
        [(last,)] = store.sql("SELECT coalesce(max(id), 0) FROM messages")
        progress, high = last // 3, 2 * last // 3
        store.sql("INSERT INTO state_meta VALUES ('fts_rebuild_progress', ?)", (str(progress),))
        store.sql("INSERT INTO state_meta VALUES ('fts_rebuild_high_water', ?)", (str(high),))
        covered = {"messages_fts": "content, tool_name, tool_calls", "messages_fts_trigram": "content, tool_name"}
        for table, columns in covered.items():
            store.sql(
                f"INSERT INTO {table}(rowid, {columns}) SELECT id, {columns} FROM {table}_src WHERE id <= ? OR id > ?",
                (progress, high),
            )
        add_triggers(store)


def stale(path: Path, fill: Fill) -> None:
    """Hermes gave its index up: the triggers are gone, what was written since is not in it."""
    with StoreBuilder(path) as store:
        fill(_Later(store))  # type: ignore[arg-type]


def foreign_tokenizer(path: Path, fill: Fill) -> None:
    whole(path, fill)
    with StoreBuilder(path) as store:
        store.sql("PRAGMA writable_schema = ON")
        store.sql(
            "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE messages_fts USING fts5(content,"
            " tokenize=''their_own'')' WHERE name = 'messages_fts'"
        )


def damaged(path: Path, fill: Fill) -> None:
    whole(path, fill)
    with StoreBuilder(path) as store:
        store.sql("UPDATE messages_fts_data SET block = x'00ff00ff00ff'")


def partly_damaged(path: Path, fill: Fill) -> None:
    """The list of its parts is whole, the parts are not."""
    whole(path, fill)
    with StoreBuilder(path) as store:
        store.sql("UPDATE messages_fts_data SET block = x'00ff00ff00ff' WHERE id > 10")


def trigrams_damaged(path: Path, fill: Fill) -> None:
    whole(path, fill)
    with StoreBuilder(path) as store:
        store.sql("UPDATE messages_fts_trigram_data SET block = x'00ff00ff00ff'")


def without_sizes(path: Path, fill: Fill) -> None:
    """One of the tables behind the index is missing."""
    whole(path, fill)
    with StoreBuilder(path) as store:
        store.sql("PRAGMA writable_schema = ON")
        store.sql("DELETE FROM sqlite_master WHERE name = 'messages_fts_docsize'")


LAYOUTS: Mapping[str, Make] = {
    make.__name__: make for make in (whole, only_contents, over_views, half_built, stale, without_any)
}
"""Those that search answers in full."""
BROKEN: Mapping[str, Make] = {
    make.__name__: make for make in (foreign_tokenizer, damaged, partly_damaged, trigrams_damaged, without_sizes)
}
"""Those that it answers in full, too, and says in words why it took longer."""


class _Later:
    """Writes to a store whose index is given up after the tenth message."""

    def __init__(self, store: StoreBuilder) -> None:
        self._store = store
        self._left = 10

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def message(self, *arguments: Any, **columns: Any) -> int:
        if self._left == 0:
            drop_triggers(self._store)
            self._store.sql("INSERT INTO state_meta VALUES ('fts_stale', '1')")
        self._left -= 1
        return self._store.message(*arguments, **columns)


def drop_triggers(store: StoreBuilder) -> None:
    for trigger in _TRIGGERS:
        store.sql(f"DROP TRIGGER IF EXISTS {trigger}")


def drop_indexes(store: StoreBuilder) -> None:
    drop_triggers(store)
    for table in ("messages_fts", "messages_fts_trigram"):
        store.sql(f"DROP TABLE IF EXISTS {table}")


def index_over_views(store: StoreBuilder) -> None:
    """What later versions have in place of 0.19.0's indexes."""
    drop_indexes(store)
    store.sql(
        "CREATE VIEW messages_fts_src AS SELECT id,"
        " CASE WHEN role = 'tool' THEN substr(content, 1, 8192) ELSE content END AS content, tool_name, tool_calls"
        " FROM messages"
    )
    store.sql(
        "CREATE VIEW messages_fts_trigram_src AS SELECT id, content, tool_name FROM messages WHERE role <> 'tool'"
    )
    store.sql(
        "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls,"
        " content='messages_fts_src', content_rowid='id')"
    )
    store.sql(
        "CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tool_name,"
        " content='messages_fts_trigram_src', content_rowid='id', tokenize='trigram')"
    )
    add_triggers(store)


def add_triggers(store: StoreBuilder) -> None:
    cut = "CASE WHEN {row}.role = 'tool' THEN substr({row}.content, 1, 8192) ELSE {row}.content END"
    _add_triggers(
        store, "messages_fts", {"content": cut, "tool_name": "{row}.tool_name", "tool_calls": "{row}.tool_calls"}, ""
    )
    own = {"content": "{row}.content", "tool_name": "{row}.tool_name"}
    _add_triggers(store, "messages_fts_trigram", own, "WHEN {row}.role <> 'tool'")


def _add_triggers(store: StoreBuilder, table: str, columns: Mapping[str, str], when: str) -> None:
    names, values = ", ".join(columns), ", ".join(columns.values())
    add = f"INSERT INTO {table}(rowid, {names}) VALUES (new.id, {values.format(row='new')});"
    remove = f"INSERT INTO {table}({table}, rowid, {names}) VALUES ('delete', old.id, {values.format(row='old')});"
    for event, row, body in (("insert", "new", add), ("delete", "old", remove), ("update", "old", remove + add)):
        condition = when.format(row=row)
        store.sql(f"CREATE TRIGGER {table}_{event} AFTER {event} ON messages {condition} BEGIN {body} END")
