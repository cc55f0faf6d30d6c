"""From what matched to what is shown: hits with their weights, one for each conversation, in order."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from operator import attrgetter
from typing import Any, NamedTuple

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.filters import FilterContext, ListFilter, archived_test, audience_test, named_tests
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.paging import Key
from hermes_sessions.model.search.fields import MESSAGE_FIELDS, SearchField
from hermes_sessions.model.search.folding import fold
from hermes_sessions.model.search.names import Names
from hermes_sessions.model.search.words import Words
from hermes_sessions.model.session import Session, SessionKind

WEIGHTS = {
    SearchField.ID: 80,
    SearchField.TITLE: 60,
    SearchField.CONTENT: 40,
    SearchField.TOOL: 20,
    SearchField.REASONING: 0,
}
"""What relevance is made of: where the words stand,"""
PHRASE = 10
"""whether they stand there as they were typed,"""
MOST_FOR_HITS = 9
"""and one more for every doubling of the hits in the conversation. Among equals the newest comes first."""


class SearchSort(Enum):
    RELEVANCE = "RELEVANCE"
    NEWEST = "NEWEST"
    OLDEST = "OLDEST"


@dataclass(frozen=True)
class SearchFilter:
    """Conditions on hits. `kinds` is about the session that a hit stands in, `roles`, `after` (inclusive) and
    `before` (exclusive, seconds since 1970) about the hit; the rest about its conversation."""

    conversations: ListFilter = field(default_factory=ListFilter)
    conversation_id: str | None = None
    kinds: frozenset[SessionKind] | None = None
    roles: frozenset[str] | None = None
    after: float | None = None
    before: float | None = None
    fields: frozenset[SearchField] | None = None

    def binding(self) -> list[Any]:
        """What a cursor is bound to."""
        sets = (
            {kind.value for kind in self.kinds} if self.kinds is not None else None,
            self.roles,
            {field.value for field in self.fields} if self.fields is not None else None,
        )
        ordered = [sorted(values) if values is not None else None for values in sets]
        return [*self.conversations.binding(), self.conversation_id, *ordered, self.after, self.before]

    def looks_in(self, field: SearchField) -> bool:
        return self.fields is None or field in self.fields

    def spans(self, moment: float | None) -> bool:
        if self.after is None and self.before is None:
            return True
        if moment is None:
            return False
        return (self.after is None or moment >= self.after) and (self.before is None or moment < self.before)


class Match(NamedTuple):
    """A message that holds all words. `moment` is seconds since 1970; `phrase`: as they were typed."""

    message_id: int
    session_id: str
    role: str
    moment: float | None
    field: SearchField
    phrase: bool


class Hit(NamedTuple):
    """One place where the words were found. `message_id` is None for ids and titles."""

    session: Session
    field: SearchField
    weight: int
    moment: float | None
    message_id: int | None = None

    @property
    def place(self) -> tuple[int, str]:
        return (self.message_id or 0, self.session.id)

    @property
    def order(self) -> tuple[float, int, str]:
        """The newest last."""
        return (self.moment or 0.0, self.message_id or 0, self.session.id)


class Found(NamedTuple):
    """The best hit of a conversation, the number of all, and its place in the order."""

    key: Key
    hit: Hit
    conversation: Conversation
    hits: int


found_key: Callable[[Found], Key] = attrgetter("key")


def allowed_sessions(forest: Forest, filter: SearchFilter, context: FilterContext) -> dict[str, Conversation] | None:
    """Session id -> its conversation, for those in which hits count. None: no condition, so all of them."""
    tests = [
        test
        for test in (
            archived_test(filter.conversations),
            audience_test(filter.conversations, context),
            *named_tests(filter.conversations, context).values(),
        )
        if test
    ]
    if not tests and filter.kinds is None and filter.conversation_id is None:
        return None
    chosen: Iterable[Conversation] = forest.conversations.values()
    if filter.conversation_id is not None:
        chosen = [forest.conversation_of(filter.conversation_id)]
    return {
        session.id: conversation
        for conversation in chosen
        if all(test(conversation) for test in tests)
        for session in conversation.members
        if filter.kinds is None or forest.kind(session.id) in filter.kinds
    }


def name_hits(names: Names, allowed: Container[str] | None, words: Words, filter: SearchFilter) -> Iterator[Hit]:
    """Hits in ids and titles of the allowed sessions; None: of all. A filter by roles is about messages and leaves
    none."""
    if filter.roles is not None:
        return
    places = dict.fromkeys(names.titled(words), SearchField.TITLE) if filter.looks_in(SearchField.TITLE) else {}
    if filter.looks_in(SearchField.ID):
        places |= dict.fromkeys(names.with_id_like(fold(words.typed)), SearchField.ID)
    for number, where in places.items():
        session = names.sessions[number]
        if (allowed is None or session.id in allowed) and filter.spans(session.last_active_at):
            is_phrase = where is SearchField.TITLE and words.phrase_stands_in(session.title or "")
            yield Hit(session, where, WEIGHTS[where] + PHRASE * is_phrase, session.last_active_at)


def message_hit(match: Match, session: Session) -> Hit:
    weight = WEIGHTS[match.field] + PHRASE * match.phrase
    return Hit(session, match.field, weight, match.moment, match.message_id)


def in_order(
    hits: Iterable[Hit], conversation_of: Callable[[str], Conversation], sort: SearchSort, profile: str, *, each: bool
) -> list[Found]:
    """One entry for each conversation, or one for `each` hit, in ascending order of their keys."""
    groups: dict[object, tuple[Conversation, list[Hit]]] = {}
    for hit in hits:
        conversation = conversation_of(hit.session.id)
        groups.setdefault(hit.place if each else conversation.id, (conversation, []))[1].append(hit)
    return sorted((_found(*group, sort, profile) for group in groups.values()), key=found_key)


def _found(conversation: Conversation, hits: list[Hit], sort: SearchSort, profile: str) -> Found:
    best = hits[0] if len(hits) == 1 else _best(hits, sort)
    weight = best.weight + min(MOST_FOR_HITS, len(hits).bit_length() - 1) if sort is SearchSort.RELEVANCE else 0
    return Found((weight, *best.order, profile), best, conversation, len(hits))


def _best(hits: list[Hit], sort: SearchSort) -> Hit:
    if sort is SearchSort.RELEVANCE:
        return max(hits, key=lambda hit: (hit.weight, hit.order))
    choose = max if sort is SearchSort.NEWEST else min
    return choose(hits, key=lambda hit: hit.order)


def searched_fields(filter: SearchFilter) -> frozenset[SearchField]:
    """The fields of messages that are looked at. Reasoning is in no index, so it is read only when it is named."""
    if filter.fields is None:
        return MESSAGE_FIELDS - {SearchField.REASONING}
    return filter.fields & MESSAGE_FIELDS
