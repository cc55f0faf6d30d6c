"""What was typed, as the words that a text must hold; all of it is literal, nothing is syntax."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hermes_sessions.errors import bad_input
from hermes_sessions.model.search.folding import composed, fold, is_unspaced, starts_word

MAX_CHARACTERS = 1000
MAX_WORDS = 32

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_RUN = re.compile(r"[^\W_]+")
"""Letters and digits: what an index of words has; punctuation and signs are gaps to it."""


@dataclass(frozen=True, slots=True)
class Word:
    """One of the words that were typed: what stands between white space.

    `folded` is what is looked for. `raw` are the bytes that stand for it in ASCII text and in JSON alike, None where
    JSON may spell it differently, as it does a name with its colon.
    """

    written: str
    folded: str
    unspaced: bool
    raw: bytes | None

    @staticmethod
    def of(written: str) -> Word:
        folded = fold(written)
        is_same = folded.isascii() and not any(character in folded for character in '"\\/:')
        return Word(written, folded, is_unspaced(folded), folded.encode() if is_same else None)

    @property
    def is_plain(self) -> bool:
        """Letters and digits of ASCII alone: an index of words has it as it is typed."""
        return self.folded.isascii() and self.folded.isalnum() and self.written.isascii()

    @property
    def first_run(self) -> str:
        """The letters and digits that the word begins with; empty where it begins with a sign."""
        found = _RUN.match(self.folded)
        return found.group() if found else ""

    @property
    def longest_run(self) -> str:
        """Empty where an index of words knows nothing of it."""
        return max(_RUN.findall(self.folded), key=len, default="")

    def escaped(self) -> list[str]:
        """How JSON may hold the word where it escapes what is not ASCII; empty for plain ASCII."""
        if self.written.isascii():
            return []
        written = self.written
        spellings = dict.fromkeys((written, written.lower(), written.upper(), written.capitalize()))
        return [json.dumps(spelling)[1:-1] for spelling in spellings]

    def places(self, folded_text: str) -> Iterator[int]:
        """Where the word stands in a folded text: at the start of a word, or anywhere where there are no spaces."""
        at = folded_text.find(self.folded)
        while at >= 0:
            if self.unspaced or starts_word(folded_text, at):
                yield at
            at = folded_text.find(self.folded, at + 1)

    def stands_in(self, folded_text: str) -> bool:
        return next(self.places(folded_text), None) is not None


@dataclass(frozen=True, slots=True)
class Words:
    """All words that were typed, each once, in their order; a text must hold them all."""

    typed: str
    each: tuple[Word, ...]

    def stand_in(self, texts: Iterable[str]) -> bool:
        """Whether every word stands in one of the texts."""
        return self.stand_in_folded([fold(composed(text)) for text in texts if text])

    def stand_in_folded(self, texts: Sequence[str]) -> bool:
        return all(any(word.stands_in(text) for text in texts) for word in self.each)

    def are_missing_in(self, cells: Sequence[bytes]) -> bool:
        """True where a look at the bytes of stored cells suffices to tell that a word is in none of them."""
        joined = b"\n".join(cells)
        if not joined.isascii() or b"\\u" in joined:
            return False
        lower = joined.lower()
        return any(word.raw is not None and word.raw not in lower for word in self.each)

    def count_in_folded(self, text: str) -> int:
        """How many of the words stand in the text."""
        return sum(word.stands_in(text) for word in self.each)

    def phrase_stands_in(self, text: str) -> bool:
        """Whether they stand in the text one after the other, as they were typed but for signs and spaces."""
        return self.phrase_stands_in_folded(fold(composed(text)))

    def stand_as_typed_in_folded(self, text: str) -> bool:
        """Whether one word stands in the text; of several, whether they do so one after the other."""
        return self.stand_in_folded([text]) and (len(self.each) == 1 or self.phrase_stands_in_folded(text))

    def phrase_stands_in_folded(self, text: str) -> bool:
        return self.stand_in_folded([text]) and _phrase(self.typed).search(text) is not None


@lru_cache(maxsize=64)
def _phrase(typed: str) -> re.Pattern[str]:
    """Finds in folded text what was typed, whatever signs and spaces lie between the words."""
    first, *others = map(re.escape, _RUN.findall(fold(typed)) or [fold(typed)])
    # What stands before it is looked at behind it: a pattern that begins with letters is found several times as fast.
    start = first if is_unspaced(first[:1]) else rf"{first}(?<![^\W_]{first})"
    return re.compile(r"[\W_]+".join((start, *others)))


def words_of(text: str) -> Words:
    """Raises BAD_USER_INPUT for nothing at all, for a NUL, and for more than anybody types."""
    if "\x00" in text or _LONE_SURROGATE.search(text):
        raise bad_input("`text` holds a NUL or half of a surrogate pair, which no text of a store can hold.")
    if len(text) > MAX_CHARACTERS:
        raise bad_input(f"`text` has {len(text)} characters; search for at most {MAX_CHARACTERS}.")
    written = composed(text).split()
    if not written:
        raise bad_input("`text` is blank. Give at least one word, or list `conversations` instead.")
    each = tuple({word.folded: word for word in map(Word.of, written)}.values())
    if len(each) > MAX_WORDS:
        raise bad_input(f"`text` has {len(each)} words; search for at most {MAX_WORDS}.")
    return Words(" ".join(written), each)
