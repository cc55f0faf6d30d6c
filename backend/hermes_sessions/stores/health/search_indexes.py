"""The full-text indexes of a store: which there are, and in what state.

Hermes 0.19.0 keeps `messages_fts` and `messages_fts_trigram`, with three triggers each. Later versions note in
`state_meta` what they have put off: `fts_stale`, `fts_trigram_stale` and `fts_cjk_stale` stand while an index is not
kept, and `fts_rebuild_high_water` and `fts_cjk_rebuild_high_water` while one is being filled.
"""

from __future__ import annotations

import re
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.health.facts import IndexState, SearchIndex
from hermes_sessions.model.values import text
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.health.facts import snapshot
from hermes_sessions.stores.names import quoted

EXPECTED_INDEXES = ("messages_fts", "messages_fts_trigram")
KNOWN_TOKENIZERS = frozenset({"unicode61", "ascii", "porter", "trigram"})

_TABLES = """
SELECT entries.name AS name, entries.sql AS sql FROM sqlite_master AS entries
WHERE entries.type = 'table' AND entries.name LIKE 'messages_fts%'
"""
_TRIGGERS = """
SELECT entries.sql AS sql FROM sqlite_master AS entries WHERE entries.type = 'trigger' AND entries.tbl_name = 'messages'
"""
_EVENT = re.compile(r"\b(INSERT|DELETE|UPDATE)\b(?:\s+OF\s[^;]*?)?\s+ON\s", re.IGNORECASE)
_TOKENIZER = re.compile(r"""tokenize\s*=\s*["']+\s*(\w+)""", re.IGNORECASE)
_CONTENT = re.compile(r"""[(,]\s*content\s*=\s*["']?(\w*)""", re.IGNORECASE)
_PARTS = ("data", "idx", "config")
"""Tables that every FTS5 table has for itself."""
_SMALLEST_STRUCTURE = 7  # bytes of an empty index: a cookie of four and three counts


async def search_indexes(connection: Connection, columns: Columns) -> list[SearchIndex]:
    """Those that Hermes 0.19.0 makes, present or not, and any other, by name."""
    async with snapshot(connection):
        every = {row["name"]: text(row["sql"]) or "" for row in await connection.fetch_all(_TABLES)}
        tables = {name: sql for name, sql in every.items() if sql.upper().startswith("CREATE VIRTUAL TABLE")}
        triggers = [text(row["sql"]) or "" for row in await connection.fetch_all(_TRIGGERS)]
        notes = await _notes(connection, columns)
        messages = await connection.fetch_val("SELECT count(*) FROM messages")
        return [
            await _look(connection, name, every, triggers, notes, messages)
            if name in tables
            else SearchIndex(name, IndexState.NONE)
            for name in sorted({*EXPECTED_INDEXES, *tables})
        ]


def has_known_tokenizer(sql: str) -> bool:
    """Whether the table that this statement made can be opened here; true for any ordinary table."""
    tokenizer = _TOKENIZER.search(sql)
    return tokenizer is None or tokenizer[1].lower() in KNOWN_TOKENIZERS


async def _notes(connection: Connection, columns: Columns) -> frozenset[str]:
    """The keys of `state_meta` about indexes."""
    if not columns.has("state_meta", "key"):
        return frozenset()
    rows = await connection.fetch_all("SELECT state_meta.key AS key FROM state_meta WHERE state_meta.key LIKE 'fts%'")
    return frozenset(text(row["key"]) or "" for row in rows)


async def _look(
    connection: Connection,
    name: str,
    tables: dict[str, str],
    triggers: list[str],
    notes: frozenset[str],
    messages: int,
) -> SearchIndex:
    """`tables` are those of all indexes with the statements that made them."""
    sql = tables[name]
    if not has_known_tokenizer(sql):
        return SearchIndex(name, IndexState.UNKNOWN_TOKENIZER)
    content = _CONTENT.search(sql)
    expected = messages if content is None or content[1] in ("", "messages") else None
    parts = _PARTS if content is not None else (*_PARTS, "content")
    is_whole = tables.keys() >= {f"{name}_{part}" for part in parts}
    indexed = await _probe(connection, name) if is_whole else None
    if indexed is None:
        return SearchIndex(name, IndexState.DAMAGED, None, expected)
    return SearchIndex(name, _state(name, triggers, notes, indexed, expected), indexed, expected)


def _state(name: str, triggers: list[str], notes: frozenset[str], indexed: int, expected: int | None) -> IndexState:
    kind = name.removeprefix("messages_fts")  # as in messages_fts_cjk; empty for the first index
    filling = "fts_cjk_rebuild_high_water" if kind == "_cjk" else "fts_rebuild_high_water"
    if filling in notes:
        return IndexState.BUILDING
    if f"fts{kind}_stale" in notes:
        return IndexState.STALE
    if not _is_kept(name, triggers):
        return IndexState.MISSING_TRIGGERS
    return IndexState.OK if expected in (None, indexed) else IndexState.STALE


def _is_kept(name: str, triggers: list[str]) -> bool:
    """Whether triggers bring each kind of change of messages into the index."""
    mine = [sql for sql in triggers if re.search(rf"\b{re.escape(name)}\b", sql.partition("BEGIN")[2])]
    events = {found[1].upper() for sql in mine if (found := _EVENT.search(sql)) is not None}
    return events == {"INSERT", "DELETE", "UPDATE"}


async def _probe(connection: Connection, name: str) -> int | None:
    """The number of indexed rows; None where the index is damaged, as far as that shows at little cost."""
    try:
        records: list[Any] = await connection.fetch_all(
            f"SELECT records.id AS id, length(records.block) AS size FROM {quoted(f'{name}_data')} AS records"
            " WHERE records.id IN (1, 10)"
        )
        sizes = {row["id"]: row["size"] for row in records}
        if 1 not in sizes or (sizes.get(10) or 0) < _SMALLEST_STRUCTURE:  # the averages and the structure
            return None
        version = f"SELECT 1 FROM {quoted(f'{name}_config')} AS noted WHERE noted.k = 'version'"
        if await connection.fetch_val(version) is None:
            return None
        index = quoted(name)
        await connection.fetch_all(f"SELECT rowid FROM {index} WHERE {index} MATCH :word LIMIT 1", {"word": "the"})
        return int(await connection.fetch_val(f"SELECT count(*) FROM {quoted(f'{name}_docsize')}"))
    except HermesSessionsError as error:
        if error.code in (ErrorCode.TIMEOUT, ErrorCode.STORE_BUSY, ErrorCode.STORE_UNREACHABLE):
            raise
        return None
