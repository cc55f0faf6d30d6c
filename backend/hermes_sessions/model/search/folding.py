"""Text as search compares it: case and accents of Latin letters do not count, everything else is literal."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

UNSPACED_CLASS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3041-\u9fff\ua000-\ua4cf\uac00-\ud7ff"
    "\ue000-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Scripts that put no space between words, and private signs: there, words are found anywhere."""
_UNSPACED = re.compile(f"[{UNSPACED_CLASS}]")
FIRST_UNSPACED = "\u0e00"
"""The first character of such a script, in code point order."""

_MARKED = re.compile("[\u00c0-\u024f\u1e00-\u1effς]")


def _bases() -> dict[str, str]:
    """Letters with a mark -> the letter alone: one character for one, so that a text keeps its length."""
    bases = {"ς": "σ"}
    for letter in map(chr, (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))):
        decomposed = unicodedata.normalize("NFD", letter)
        if len(decomposed) > 1:
            bases[letter] = decomposed[0]
    return bases


_BASES = _bases()


def _accented(marks: int) -> dict[str, str]:
    """Lower letter -> the letters that it stands for, with at least so many marks."""
    found: dict[str, str] = {}
    for letter, base in _BASES.items():
        if len(unicodedata.normalize("NFD", letter)) > marks:
            found[base.lower()] = found.get(base.lower(), "") + letter
    return found


ACCENTED = _accented(1)
ACCENTED_TWICE = _accented(2)


def composed(text: str) -> str:
    """Letters and their marks as one character each, so that both spellings of an accent are the same."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Lower case without Latin accents. As long as `text`, so that positions are the same in both."""
    if text.isascii():
        return text.lower()
    lower = text.lower()
    if len(lower) != len(text):  # as with a dotted capital I
        lower = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return _MARKED.sub(lambda found: _BASES.get(found.group(), found.group()), lower)


class Folded(NamedTuple):
    """A text with composed letters, and as search compares it: positions are the same in both."""

    whole: str
    folded: str


def folded_text(text: str) -> Folded:
    whole = composed(text)
    return Folded(whole, fold(whole))


def is_unspaced(text: str) -> bool:
    """Whether the text has a character of a script that puts no space between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def starts_word(folded: str, at: int) -> bool:
    """Whether a word may begin at this position."""
    if at == 0 or not folded[at].isalnum():
        return True
    before = folded[at - 1]
    return not before.isalnum() or is_unspaced(before)
