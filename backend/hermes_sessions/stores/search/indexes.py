"""The full-text indexes that Hermes keeps beside its messages: which there are, and what they lack."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from hermes_sessions.model.search.folding import FIRST_UNSPACED
from hermes_sessions.stores.database import Connection

WORDS = "messages_fts"
TRIGRAMS = "messages_fts_trigram"

# The vocabularies of the indexes, row by row, where a connection can see them (fts5vocab is part of FTS5).
PREPARE = f"""
    PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE temp.word_list USING fts5vocab(main, {WORDS}, row);
    CREATE VIRTUAL TABLE temp.word_places USING fts5vocab(main, {WORDS}, instance);
    CREATE VIRTUAL TABLE temp.trigram_places USING fts5vocab(main, {TRIGRAMS}, instance);
"""
ESCAPE_LETTERS = "ntrbf"
"""In stored JSON, a word at the start of a line follows the letter of its escape without a gap."""

Ranges = Sequence[tuple[str, str]]
LAST = "\U0010ffff"
EVERYWHERE: Ranges = [("", LAST)]
ESCAPES: Ranges = [("u0", "ug")]
INSIDE: Ranges = [
    *ESCAPES,
    (FIRST_UNSPACED, LAST),
    *((letter + FIRST_UNSPACED, letter + LAST) for letter in ESCAPE_LETTERS),
]
"""Where an index, in the order of its words, has those inside which another may begin: behind an escape, and in texts
without spaces, also at the start of a line in JSON."""
MAX_INSIDE = 50_000

_TOKENIZE = re.compile(r"""tokenize\s*=\s*(?:'([^']*)'|"([^"]*)"|(\w+))""", re.IGNORECASE)
# As Hermes declares them. Another one, or other options, would find other things than we mean.
_KNOWN_TOKENIZERS = {
    WORDS: re.compile(r"unicode61( remove_diacritics [12])?"),
    TRIGRAMS: re.compile(r"trigram( case_sensitive 0)?"),
}
_TRIGGERS = {f"{WORDS}_insert", f"{WORDS}_update"}


@dataclass(frozen=True)
class SearchIndexes:
    """What can be asked.

    `lacks_rows`: messages that the index of words may not have, as while Hermes builds it. `is_stale`: Hermes does not
    keep it at present. `lacks_tools`: it has no tool names and calls. `cuts_results`: it has only the beginning of
    long tool results. `trigrams_whole`: there are trigrams of every row as one text. `escapes_accents`: JSON in it
    spells letters with accents as escapes. `inside`: letters that stand inside its words of
    the kinds in which another word may begin.
    """

    words: bool = False
    lacks_rows: bool = False
    is_stale: bool = False
    lacks_tools: bool = False
    cuts_results: bool = False
    trigrams_whole: bool = False
    escapes_accents: bool = False
    inside: Container[str] = ""


async def look_at_indexes(connection: Connection) -> SearchIndexes:
    """Raises STORE_DAMAGED where an index cannot be read, and UNSUPPORTED_STORE where it lacks a table of its own."""
    rows = await connection.fetch_all(
        "SELECT sqlite_master.name AS name, sqlite_master.sql AS sql FROM sqlite_master"
        " WHERE sqlite_master.name GLOB 'messages_fts*' OR sqlite_master.name = 'state_meta'"
    )
    made_by = {row["name"]: row["sql"] or "" for row in rows}
    if not _is_usable(WORDS, made_by) or f"{WORDS}_docsize" not in made_by:
        return SearchIndexes()
    sources = [sql.lower() for name, sql in made_by.items() if not name.startswith(TRIGRAMS)]
    is_stale = not made_by.keys() >= _TRIGGERS or ("state_meta" in made_by and await _is_called_stale(connection))
    return SearchIndexes(
        words=True,
        lacks_rows=is_stale or await _differs_in_rows(connection),
        is_stale=is_stale,
        lacks_tools=not any("tool_calls" in sql for sql in sources),
        cuts_results=any("substr(" in sql for sql in sources),
        trigrams_whole=_is_usable(TRIGRAMS, made_by) and not _reads_elsewhere(made_by[TRIGRAMS]),
        escapes_accents=await _escapes_accents(connection),
        inside=await _inside(connection),
    )


def _is_usable(table: str, made_by: dict[str, str]) -> bool:
    """Whether it is an FTS5 table with a tokenizer that we know."""
    sql = made_by.get(table, "")
    if "using fts5" not in sql.lower():
        return False
    named = _TOKENIZE.search(sql)
    tokenizer = " ".join((named.group(1) or named.group(2) or named.group(3)).lower().split()) if named else "unicode61"
    return _KNOWN_TOKENIZERS[table].fullmatch(tokenizer) is not None


def _reads_elsewhere(sql: str) -> bool:
    """Whether the table keeps no text of its own: then it is one of several columns, of a part of the messages."""
    return re.search(r"\bcontent\s*=", sql, re.IGNORECASE) is not None


async def _is_called_stale(connection: Connection) -> bool:
    return await connection.fetch_val("SELECT 1 FROM state_meta WHERE state_meta.key = 'fts_stale'") is not None


async def _differs_in_rows(connection: Connection) -> bool:
    counts = await connection.fetch_one(
        f"SELECT (SELECT count(*) FROM messages) AS stored, (SELECT count(*) FROM {WORDS}_docsize) AS indexed"
    )
    return bool(counts["stored"] != counts["indexed"])


async def _escapes_accents(connection: Connection) -> bool:
    found = await connection.fetch_val(
        """
        SELECT 1 FROM (
            SELECT term FROM temp.word_list WHERE term >= 'u00c0' AND term < 'u0250'
            UNION ALL SELECT term FROM temp.word_list WHERE term >= 'u1e00' AND term < 'u1f00'
        ) WHERE term GLOB 'u[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*' LIMIT 1
        """
    )
    return found is not None


class _Anything:
    def __contains__(self, _: object) -> bool:
        return True


async def _inside(connection: Connection) -> Container[str]:
    """Those words in one text, so that a look at it tells what stands in none of them; too many are not kept."""
    parts = (f"SELECT term FROM temp.word_list WHERE term >= '{first}' AND term < '{end}'" for first, end in INSIDE)
    rows = await connection.fetch_all(f"{' UNION ALL '.join(parts)} LIMIT {MAX_INSIDE}")
    return "\n".join(row["term"] for row in rows) if len(rows) < MAX_INSIDE else _Anything()
