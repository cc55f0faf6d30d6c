"""Every cell of a store as its type and its bytes, so that two states can be compared exactly."""

from __future__ import annotations

from typing import Any

from tests.builders import StoreBuilder

Dump = dict[str, list[tuple[Any, ...]]]

KEYS = {"sessions": "id", "messages": "id", "session_model_usage": "session_id, model, task"}


def dump(store: StoreBuilder) -> Dump:
    """All rows of the tables that a deletion touches, in an order that does not depend on rowids."""
    return {table: _rows(store, table, key) for table, key in KEYS.items() if store.columns(table)}


def _rows(store: StoreBuilder, table: str, key: str) -> list[tuple[Any, ...]]:
    cells = ", ".join(
        f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in sorted(store.columns(table))
    )
    return store.sql(f"SELECT {cells} FROM {table} ORDER BY {key}")


def found(store: StoreBuilder, index: str, words: str) -> set[int]:
    """Ids of the messages that the full-text index finds for a phrase."""
    rows = store.sql(f"SELECT rowid FROM {index} WHERE {index} MATCH ?", (f'"{words}"',))
    return {row[0] for row in rows}


def loose_ends(store: StoreBuilder) -> list[tuple[Any, ...]]:
    """What `foreign_key_check` finds, without rowids."""
    return sorted((row[0], row[2], row[3]) for row in store.sql("PRAGMA foreign_key_check"))
