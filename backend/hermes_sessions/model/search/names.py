"""Ids and titles of all sessions of a store, folded once and put together, so that one look goes through them all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from hermes_sessions.model.search.folding import composed, fold
from hermes_sessions.model.search.words import Words
from hermes_sessions.model.session import Session

ID_PART = 6
"""Characters from which on a part of an id counts as a hit: shorter ones stand in ids by chance, or are years."""


class _Lines:
    """Texts, one on a line. A needle has no line end, so it never stands in two of them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.each = [" ".join(fold(composed(text)).split()) for text in texts]
        self._text = "\n".join(self.each) + "\n"
        self._starts: list[int] = []
        start = 0
        for line in self.each:
            self._starts.append(start)
            start += len(line) + 1
        self._starts.append(start)

    def with_text(self, needle: str) -> Iterator[int]:
        """Numbers of the lines that hold it."""
        at = self._text.find(needle)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield number
            at = self._text.find(needle, self._starts[number + 1])


class Names:
    """Of these sessions; they are named by their number among them."""

    def __init__(self, sessions: Sequence[Session]) -> None:
        self.sessions = sessions
        self._ids = _Lines(session.id for session in sessions)
        self._titles = _Lines(session.title or "" for session in sessions)

    def titled(self, words: Words) -> Iterator[int]:
        """Those whose title holds all words."""
        longest = max((word.folded for word in words.each), key=len)
        for number in self._titles.with_text(longest):
            if words.stand_in_folded([self._titles.each[number]]):
                yield number

    def with_id_like(self, typed: str) -> Iterator[int]:
        """Those whose id holds a text."""
        if len(typed) >= ID_PART:
            yield from self._ids.with_text(typed)
