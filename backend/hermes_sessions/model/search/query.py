"""What a store is asked when its messages are searched, and what it answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.words import Words, words_of


@dataclass(frozen=True)
class MessageSearch:
    """Which messages are wanted; None means no condition. Moments are seconds since 1970.

    `oldest_first`: from which end a store begins, since it need not come to the other one.
    """

    words: Words
    fields: frozenset[SearchField]
    session_ids: frozenset[str] | None = None
    roles: frozenset[str] | None = None
    after: float | None = None
    before: float | None = None
    oldest_first: bool = False

    def spelled(self) -> str:
        """Words and fields as one text, for a database's function."""
        return json.dumps([self.words.typed, sorted(field.value for field in self.fields)])


@lru_cache(maxsize=64)
def spelled_out(spelled: str) -> tuple[Words, frozenset[SearchField]]:
    typed, fields = json.loads(spelled)
    return words_of(typed), frozenset(map(SearchField, fields))


@dataclass(frozen=True)
class SearchResult:
    """Messages that hold all words. `is_capped`: there may be more. `degraded`: sentences on what could not be done."""

    matches: Sequence[Match] = ()
    is_capped: bool = False
    degraded: Sequence[str] = ()
    ran_out_of_time: bool = False
