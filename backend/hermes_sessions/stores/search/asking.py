"""What Hermes' full-text indexes know about the words of a search.

Of most messages an index of words knows all there is to know: of plain words, in contents that are plain text. The
others are suspects: what is JSON has escapes, names and ids that no reader sees as words, and signs are no part of an
index. Those are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from hermes_sessions.model.search.fields import INDEXED_FIELDS
from hermes_sessions.model.search.folding import ACCENTED, ACCENTED_TWICE
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.words import Word
from hermes_sessions.stores.search.indexes import (
    ESCAPE_LETTERS,
    ESCAPES,
    EVERYWHERE,
    INSIDE,
    LAST,
    TRIGRAMS,
    WORDS,
    Ranges,
    SearchIndexes,
)
from hermes_sessions.stores.search.inquiry import MAX_ROWS, Inquiry

STRUCTURED_WORD = "json"
"""How an index of words has the mark that structured contents begin with."""

# A space stands before every word that begins a line, or follows one.
_SPACED_CONTENT = "' ' || replace(lower(messages.content), char(10), ' ')"

_TWO_ACCENTS = (min(map(min, ACCENTED_TWICE.values())), max(map(max, ACCENTED_TWICE.values())) + LAST)
"""Between which texts those lie that begin with a letter with two accents."""
ESCAPED_ACCENTS = ("u00", "u01", "u1e")
"""How the escapes of Latin letters with an accent begin."""


class Asking:
    """Asks the indexes of one store for the messages that may hold the words: all that do, and a few more.

    Raises STORE_DAMAGED where they cannot be read.
    """

    def __init__(self, inquiry: Inquiry, indexes: SearchIndexes) -> None:
        self._inquiry = inquiry
        self._indexes = indexes
        self._words = [word for word in inquiry.asked.words.each if word.longest_run]

    @property
    def can_tell(self) -> bool:
        """False where every row has to be read: there is no index, or nothing that one could know."""
        return self._indexes.words and bool(self._words)

    def certain(self) -> list[Match]:
        """Messages that hold the words for sure. Of very many, the first in the order of the search."""
        words = self._inquiry.asked.words.each
        knows_all = self._inquiry.asked.fields >= INDEXED_FIELDS and not self._indexes.is_stale
        if not (knows_all and all(word.is_plain for word in words)):
            return []
        spelled = [word.folded for word in words]
        typed = " ".join(spelled)
        is_one = len(words) == 1
        found = self._plain_texts_with(" AND ".join(map(_beginning, spelled)), typed if is_one else None)
        if len(found) == MAX_ROWS:
            self._inquiry.go_no_further_than(found[-1].message_id)
        return found if is_one else found + self._plain_texts_with(_beginning(typed), typed)

    def _plain_texts_with(self, expression: str, typed: str | None) -> list[Match]:
        """Without those that hold what structured contents begin with. Of messages that call tools only those whose
        content has `typed` behind a space or at the start of a line: the index does not tell it from the calls."""
        inquiry = self._inquiry
        in_content = f"instr({_SPACED_CONTENT}, ' ' || :typed) > 0" if typed is not None else "0"
        rows = inquiry.rows(
            f"""
            SELECT {inquiry.match_cells} FROM {WORDS} JOIN messages ON messages.id = {WORDS}.rowid
            WHERE {WORDS} MATCH :expression AND (messages.tool_calls IS NULL OR {in_content})
              AND {inquiry.is_shown} AND {inquiry.conditions or "1"}
            ORDER BY {WORDS}.rowid {inquiry.order} LIMIT {MAX_ROWS}
            """,
            {"expression": f"({expression}) NOT {_beginning(STRUCTURED_WORD)}", "typed": typed},
        )
        inquiry.is_capped |= len(rows) == MAX_ROWS
        return [inquiry.match(*row, phrase=typed is not None) for row in rows]

    def ask(self) -> set[int]:
        unspaced = [word for word in self._words if word.unspaced]
        if unspaced:  # they are rarer than other words, which are looked for in what they give
            return set.intersection(*[self._holding_characters(word) for word in unspaced])
        spelled = [" OR ".join(map(_beginning, _spellings(word))) for word in self._words]
        found = set(self._match(WORDS, " AND ".join(f"({each})" for each in spelled)))
        accented = self._with_two_accents(self._words)
        for word in self._words:  # rare ways to hold one of the words: whether the others stand there is read
            found.update(self._spelled_oddly(word, accented[word]))
            found.update(self._inside_others(word))
        return found

    def _spelled_oddly(self, word: Word, accented: Sequence[str]) -> list[int]:
        """Rows where JSON or the index spells letters of the word in another way."""
        spellings = [*word.escaped(), *accented]
        spellings += [letter + each for letter in ESCAPE_LETTERS for each in word.escaped() if each[0].isalnum()]
        if self._indexes.escapes_accents:
            spellings += _with_escaped_accent(word)
        return self._match(WORDS, " OR ".join(map(_beginning, spellings))) if spellings else []

    def _with_two_accents(self, words: Sequence[Word]) -> dict[Word, list[str]]:
        """Each word up to a letter with two accents, which the index keeps, as far as it has any such word."""
        places = [(word, at) for word in words for at, letter in enumerate(word.folded) if letter in ACCENTED_TWICE]
        found: dict[Word, list[str]] = {word: [] for word in words}
        for number in self._ranges_with_words([_two_accents(word.folded[:at]) for word, at in places]):
            word, at = places[number]
            found[word] += (word.folded[:at] + accented for accented in ACCENTED_TWICE[word.folded[at]])
        return found

    def _ranges_with_words(self, ranges: Ranges) -> list[int]:
        """Which of these ranges of the words of the index are not empty, by their numbers."""
        if not ranges:
            return []
        return self._inquiry.ids(
            """
            SELECT ranges.key AS id FROM json_each(:ranges) AS ranges WHERE EXISTS (
                SELECT 1 FROM temp.word_list AS words
                WHERE words.term >= ranges.value ->> 0 AND words.term < ranges.value ->> 1
            )
            """,
            {"ranges": json.dumps(ranges)},
        )

    def _inside_others(self, word: Word) -> list[int]:
        """Rows where the word begins inside a word of the index, behind an escape or in a text without spaces."""
        if not word.first_run or word.first_run not in self._indexes.inside:
            return []
        found = self._places(word.first_run, INSIDE)
        if self._indexes.escapes_accents:  # an escape, and the word up to its first letter with an accent
            found += self._places(word.folded, ESCAPES, "length(term) > 5 AND instr(:word, substr(term, 6)) = 1")
        return found

    def _holding_characters(self, word: Word) -> set[int]:
        accented = self._with_two_accents([word])
        found = set(self._spelled_oddly(word, accented[word]))
        if self._indexes.trigrams_whole:
            found.update(self._in_trigrams(word))
            # A trigram index ends at the NUL of structured content.
            found.update(self._places(word.longest_run, INSIDE))
        else:
            found.update(self._places(word.longest_run, EVERYWHERE))
        return found

    def _in_trigrams(self, word: Word) -> list[int]:
        if len(word.folded) > 2:
            return self._match(TRIGRAMS, f"{_quoted(word.folded)} OR {_quoted(word.written)}")
        # Shorter than what the index is made of: every trigram that begins with it.
        end = word.folded + LAST
        beginning = "SELECT doc FROM temp.trigram_places WHERE term >= :word AND term < :end"
        return self._of_documents(beginning, word=word.folded, end=end)

    # Statements

    def _match(self, table: str, expression: str) -> list[int]:
        """Ids of matching rows. Without conditions the index alone is asked."""
        conditions = self._inquiry.conditions
        join = f"JOIN messages ON messages.id = {table}.rowid AND {conditions}" if conditions else ""
        return self._inquiry.ids(
            f"""
            SELECT {table}.rowid AS id FROM {table} {join}
            WHERE {table} MATCH :expression AND {self._inquiry.in_reach(f"{table}.rowid")}
            """,
            {"expression": expression},
        )

    def _places(self, run: str, ranges: Ranges, condition: str = "instr(term, :word) > 0") -> list[int]:
        """Ids of rows with a word, out of these ranges of the words of the index, that holds the letters."""
        parts = (
            f"SELECT doc FROM temp.word_places WHERE term >= '{first}' AND term < '{end}' AND {condition}"
            for first, end in ranges
        )
        return self._of_documents(" UNION ALL ".join(parts), word=run)

    def _of_documents(self, documents: str, **values: Any) -> list[int]:
        """Ids of the rows in question among those that a statement gives as `doc`."""
        return self._inquiry.ids(
            f"""
            SELECT messages.id AS id FROM (SELECT DISTINCT doc FROM ({documents})) AS places
            JOIN messages ON messages.id = places.doc
            WHERE {self._inquiry.conditions or "1"} AND {self._inquiry.in_reach("messages.id")}
            """,
            values,
        )


def _quoted(literal: str) -> str:
    """A string of FTS5: all of it is text."""
    return '"' + literal.replace('"', '""') + '"'


def _beginning(spelling: str) -> str:
    """What begins with the spelling; a word that ends in a sign ends there."""
    return _quoted(spelling) + (" *" if spelling[-1].isalnum() else "")


def _two_accents(beginning: str) -> tuple[str, str]:
    """The range of words that go on with a letter with two accents."""
    first, end = _TWO_ACCENTS
    return (beginning + first, beginning + end)


def _spellings(word: Word) -> Iterator[str]:
    """The word as an index has it, also where it begins a line in JSON."""
    for spelling in dict.fromkeys((word.folded, word.written)):
        yield spelling
        if spelling[0].isalnum():
            yield from (letter + spelling for letter in ESCAPE_LETTERS)


def _with_escaped_accent(word: Word) -> Iterator[str]:
    """The word up to its first letter with an accent, where JSON spells that one as an escape."""
    rest = word.folded[1:2]
    for accented in ACCENTED.get(word.folded[0], ()):
        escape = f"u{ord(accented):04x}"
        yield from (f"{escape}{rest}", f"{escape} u")
    for at in range(1, len(word.folded)):
        if word.folded[at] in ACCENTED:
            beginnings = (letter + word.folded[:at] for letter in ("", *ESCAPE_LETTERS))
            yield from (f"{beginning} {escape}" for beginning in beginnings for escape in ESCAPED_ACCENTS)
