"""The part of a text that shows why it was found, and where in it the words stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from hermes_sessions.model.search.folding import Folded, fold, folded_text
from hermes_sessions.model.search.words import Words

T = TypeVar("T")

WIDTH = 200
"""Characters of a snippet, dots included."""
LEAD = 50
"""Characters that are shown before the first word that was found."""
MAX_PLACES = 2_000
"""Places of a word that are compared to choose the best part."""
DOTS = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """`highlights` are (start, end) in characters of `text`, in order, none touching another."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def snippet_of(text: str, words: Words) -> Snippet:
    """The first part of the text that holds the most different words; its beginning where it holds none."""
    return _snippet(folded_text(text), words)


def snippet_of_best(texts: Iterable[tuple[T, str]], words: Words) -> tuple[T, Snippet]:
    """Of the first text that holds all words, else of the first that holds the most of them, with what it is named.
    Texts after one that holds all are not asked for."""
    most = -1
    for name, text in texts:
        folded = folded_text(text)
        held = words.count_in_folded(folded.folded)
        if held > most:
            most, best = held, (name, folded)
        if held == len(words.each):
            break
    name, folded = best
    return name, _snippet(folded, words)


def _snippet(text: Folded, words: Words) -> Snippet:
    whole = text.whole.replace("\x00", "\ufffd")
    start = _best_start(text.folded, words)
    begin = max(0, start - LEAD)
    if begin > 0:
        begin = _next_word(whole, begin, start)
    shown = " ".join(whole[begin : begin + 4 * WIDTH].split())
    head = DOTS if begin > 0 else ""
    room = WIDTH - len(head)
    tail = ""
    if len(shown) > room or begin + 4 * WIDTH < len(whole):
        shown, tail = shown[: room - 1].rstrip(), DOTS
    cut = head + shown + tail
    return Snippet(cut, _highlights(fold(cut), words))


def _best_start(folded: str, words: Words) -> int:
    """Where the window begins in which the most different words stand; the first of those that are equally good."""
    if len(words.each) == 1:
        return next(words.each[0].places(folded), 0)
    places: list[tuple[int, int]] = []
    for number, word in enumerate(words.each):
        for count, at in enumerate(word.places(folded)):
            if count == MAX_PLACES:
                break
            places.append((at, number))
    places.sort()
    best, best_start = 0, 0
    for at, _ in places:
        end = bisect_left(places, (at + WIDTH - LEAD, -1))
        start = bisect_left(places, (at, -1))
        different = len({number for _, number in places[start : min(end, start + 64)]})
        if different > best:
            best, best_start = different, at
            if best == len(words.each):
                break
    return best_start


def _next_word(text: str, begin: int, start: int) -> int:
    """`begin` moved to the start of a word, where there is one before `start`."""
    for at in range(begin, start):
        if text[at - 1].isspace():
            return at
    return begin


def _highlights(folded: str, words: Words) -> tuple[tuple[int, int], ...]:
    ranges = sorted((at, at + len(word.folded)) for word in words.each for at in word.places(folded))
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
