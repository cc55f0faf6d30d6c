"""Hits: what they weigh, which conversation they belong to, in which order they come."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.model.search.hits import (
    MOST_FOR_HITS,
    PHRASE,
    WEIGHTS,
    Found,
    Match,
    SearchFilter,
    SearchSort,
    in_order,
    message_hit,
    name_hits,
    searched_fields,
)
from hermes_sessions.model.search.names import Names
from hermes_sessions.model.search.words import words_of
from hermes_sessions.model.session import Session
from tests.model.builders import T, session

FOREST = Forest(
    [
        session("20260101_alpha", title="Old port"),
        session("20260102_beta", title="port, old"),
        session("20260103_gamma"),
        session("20260103_sub", parent="20260103_gamma", delegate_from="20260103_gamma"),
    ]
)


def hit(number: int, of: str = "20260103_gamma", field: SearchField = SearchField.CONTENT, at: float | None = T):  # type: ignore[no-untyped-def]
    match = Match(number, of, "user", at, field, False)
    return message_hit(match, FOREST.sessions[of])


def ordered(hits: list, sort: SearchSort = SearchSort.RELEVANCE, *, each: bool = False) -> list[Found]:  # type: ignore[type-arg]
    return in_order(hits, FOREST.conversation_of, sort, "default", each=each)


def test_ids_weigh_more_than_titles_than_contents_than_tools_than_reasoning() -> None:
    order = ["ID", "TITLE", "CONTENT", "TOOL", "REASONING"]
    weights = [WEIGHTS[SearchField(name)] for name in order]
    assert weights == sorted(weights, reverse=True)
    assert min(a - b for a, b in pairwise(weights)) > PHRASE + MOST_FOR_HITS
    assert PHRASE > MOST_FOR_HITS > 0


def test_a_subagents_hits_belong_to_its_conversation() -> None:
    [found] = ordered([hit(1), hit(2, "20260103_sub")])
    assert (found.conversation.id, found.hits) == ("20260103_gamma", 2)
    assert len(ordered([hit(1), hit(2, "20260103_sub")], each=True)) == 2


@pytest.mark.parametrize(("sort", "best"), [(SearchSort.RELEVANCE, 1), (SearchSort.NEWEST, 3), (SearchSort.OLDEST, 2)])
def test_the_best_hit_stands_for_its_conversation(sort: SearchSort, best: int) -> None:
    tool = SearchField.TOOL
    [found] = ordered([hit(1, at=T + 5), hit(2, field=tool, at=T), hit(3, field=tool, at=T + 9)], sort)
    assert found.hit.message_id == best


def test_keys_are_as_long_as_cursors_and_hits_without_a_moment_have_one() -> None:
    [found] = ordered([hit(1, at=None)])
    assert len(found.key) == 5
    assert None not in found.key


def names(typed: str, filter: SearchFilter | None = None) -> list[tuple[str, SearchField, int]]:
    sessions: list[Session] = list(FOREST.sessions.values())
    return [
        (each.session.id, each.field, each.weight)
        for each in name_hits(Names(list(sessions)), None, words_of(typed), filter or SearchFilter())
    ]


def test_titles_are_found_by_words_and_ids_by_any_long_part() -> None:
    title = WEIGHTS[SearchField.TITLE]
    assert names("old port") == [
        ("20260101_alpha", SearchField.TITLE, title + PHRASE),
        ("20260102_beta", SearchField.TITLE, title),
    ]
    assert [each[0] for each in names("1_ALPHA")] == ["20260101_alpha"]
    assert names("2026") == []
    assert names("old port", SearchFilter(roles=frozenset({"user"}))) == []
    assert names("old port", SearchFilter(fields=frozenset({SearchField.ID}))) == []


def test_reasoning_is_looked_at_only_when_it_is_named() -> None:
    assert searched_fields(SearchFilter()) == {SearchField.CONTENT, SearchField.TOOL}
    assert searched_fields(SearchFilter(fields=frozenset({SearchField.REASONING, SearchField.ID}))) == {
        SearchField.REASONING
    }
