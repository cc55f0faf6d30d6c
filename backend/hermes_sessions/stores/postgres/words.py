"""The words of a message as an index of PostgreSQL keeps them, and what it is asked for.

A text gives as lexemes each run of letters and digits, alone and with the sign behind it, each character of scripts
without spaces together with the next one, and each sign. A word stands in a text only where the text has all lexemes
that the word gives, the last run as the beginning of one: the index names every row that holds the words, and perhaps a
few more. Of names like `first_second`, whose parts may be common, a run with its sign leaves few.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hermes_sessions.model.search.fields import SearchField, row_texts
from hermes_sessions.model.search.folding import UNSPACED_CLASS, composed, fold, is_unspaced
from hermes_sessions.model.search.words import Word, Words
from hermes_sessions.model.values import text
from hermes_sessions.stores.search.reading import SEARCHED_CELLS

WORDS = "words"
CUT = 24
"""Characters that are kept of a run: what goes on behind them is read."""
MAX_BYTES = 1_000_000
"""Of all lexemes of a row; PostgreSQL takes a little more."""

LETTERS = {SearchField.CONTENT: "c", SearchField.TOOL: "t", SearchField.REASONING: "r"}
"""What the lexemes of a field begin with."""

_END = "\x00\x00\x00"
"""Behind each lexeme in the form in which it is sent: the end of a text, and no positions."""
_RUN = re.compile(rf"[^\W_{UNSPACED_CLASS}]+")
_RUN_AND_SIGN = re.compile(rf"({_RUN.pattern})([^\w\s{UNSPACED_CLASS}]|_)?")
_UNSPACED = re.compile(rf"[{UNSPACED_CLASS}]+\S?")
_TOKEN = re.compile(rf"(?P<run>{_RUN.pattern})|(?P<unspaced>[{UNSPACED_CLASS}]+)|(?P<sign>.)", re.DOTALL)


def row_words(row: Mapping[str, Any]) -> bytes | None:
    """The value of the column for a row of SQLite, in the form that PostgreSQL receives. None where it does not fit."""
    role = text(row.get("role")) or ""
    content, tool_name, tool_calls, *reasoning = map(row.get, SEARCHED_CELLS)
    parts: list[str] = []
    for field, letter in LETTERS.items():
        texts = row_texts(frozenset({field}), role, content, tool_name, tool_calls, reasoning)
        parts += (letter + lexeme for lexeme in set().union(*(text_lexemes(fold(composed(each))) for each in texts)))
    try:
        lexemes = "".join(part + _END for part in parts).encode()
    except UnicodeEncodeError:
        return None
    is_whole = lexemes.count(0) == len(parts) * len(_END)
    fits = len(lexemes) - len(parts) * len(_END) <= MAX_BYTES
    return struct.pack("!i", len(parts)) + lexemes if is_whole and fits else None


def text_lexemes(folded: str) -> set[str]:
    """Those of a folded text, without the letter of its field."""
    runs = set(_RUN_AND_SIGN.findall(folded))
    lexemes = {run[:CUT] for run, _ in runs}
    lexemes.update(run[:CUT] + sign for run, sign in runs)
    lexemes.update(sign for sign in set(folded) if not sign.isalnum() and not sign.isspace())
    if is_unspaced(folded):
        for found in _UNSPACED.findall(folded):
            lexemes.update(_pairs(found))
    return lexemes


def _pairs(characters: str) -> Iterator[str]:
    yield from (characters[at : at + 2] for at in range(max(1, len(characters) - 1)))
    if is_unspaced(characters[-1]):
        yield characters[-1]


class Lexeme(NamedTuple):
    """`is_beginning`: every lexeme that begins with it will do."""

    letters: str
    is_beginning: bool = False

    def spelled(self, letter: str) -> str:
        quoted = (letter + self.letters).replace("\\", "\\\\").replace("'", "''")
        return f"'{quoted}'" + (":*" if self.is_beginning else "")


def query_of(words: Words, fields: frozenset[SearchField]) -> str:
    """A tsquery in its written form, for rows that may hold the words in these fields."""
    letters = [letter for field, letter in LETTERS.items() if field in fields]
    return " & ".join(f"({' | '.join(_in_field(word, letter) for letter in letters)})" for word in words.each)


def _in_field(word: Word, letter: str) -> str:
    return f"({' & '.join(lexeme.spelled(letter) for lexeme in word_lexemes(word))})"


def are_certain(words: Words) -> bool:
    """Whether the rows that the index names are just those that hold the words."""
    return all(_is_one_lexeme(word) for word in words.each)


def _is_one_lexeme(word: Word) -> bool:
    is_one = len(_TOKEN.findall(word.folded)) == 1 and len(word_lexemes(word)) == 1
    return is_one and len(word.folded) <= CUT


def word_lexemes(word: Word) -> Sequence[Lexeme]:
    """What a text has where the word stands in it."""
    found: dict[Lexeme, None] = {}
    told = 0  # a sign that its run tells of stands in very many texts
    for token in _TOKEN.finditer(word.folded):
        is_last = token.end() == len(word.folded)
        if token["run"]:
            if token.start() > 0 or not word.unspaced:  # else it may stand inside another run
                [(run, sign)] = _RUN_AND_SIGN.findall(word.folded, token.start(), token.end() + 1)
                found[Lexeme(run[:CUT] + sign, is_last)] = None
                told = token.end() + len(sign)
        elif token["unspaced"]:
            found |= dict.fromkeys(_word_pairs(word.folded, token.start(), token.end()))
        elif token.end() != told:
            found[Lexeme(token["sign"])] = None
    return list(found)


def _word_pairs(folded: str, start: int, end: int) -> Iterator[Lexeme]:
    yield from (Lexeme(folded[at : at + 2]) for at in range(start, end) if at + 1 < len(folded))
    if end - start == 1 and end == len(folded):
        yield Lexeme(folded[start], is_beginning=True)
