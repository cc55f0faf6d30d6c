"""Lists: what a filter keeps, in order, what it leaves out and why, and what other values would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.filters import ArchivedFilter, Audience, ListFilter
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.listing import (
    Facets,
    Hidden,
    Selection,
    facets,
    select_conversations,
    select_sessions,
    with_folders_above,
)
from hermes_sessions.model.orders import OrderField, sort_key
from hermes_sessions.model.session import Session, SessionKind
from tests.model.builders import (
    AUTOMATION,
    T,
    context,
    listed_ids,
    messages,
    plan_chain,
    plan_subagents,
    session,
)
from tests.model.strategies import rich_forests


def maybe(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from([None, None, *values])


filters = st.builds(
    ListFilter,
    archived=st.sampled_from(ArchivedFilter),
    audience=st.sampled_from(Audience),
    kinds=maybe(frozenset({SessionKind.ROOT, SessionKind.BRANCH})),
    sources=maybe(frozenset({"cli", "cron"})),
    exclude_sources=maybe(frozenset({"cron"})),
    models=maybe(frozenset({"opus"})),
    workspace=maybe("/home/ann/site", "/srv"),
    text=maybe("plan", "s1"),
    started_after=maybe(T + 10),
    min_messages=maybe(1, 3),
    max_messages=maybe(3),
)


def select(forest: Forest, filter: ListFilter, order: OrderField = OrderField.STARTED) -> Selection:
    return select_conversations(forest, filter, order, "default", context(forest))


def selected_ids(forest: Forest, filter: ListFilter) -> list[str]:
    return sorted(item.id for item in select(forest, filter).items)


def naive_filter(forest: Forest, filter: ListFilter, item: Conversation) -> str | None:
    """The first reason to leave a conversation out; None for one that stays."""
    words = [word for part in item.segments for word in (part.id, part.title) if word]
    start, count = item.started_at, item.message_count
    checks: list[tuple[str, bool]] = [
        ("archived", filter.archived is ArchivedFilter.EXCLUDE and item.archived),
        ("other", filter.archived is ArchivedFilter.ONLY and not item.archived),
        ("automation", filter.audience is Audience.CHATS and item.source in AUTOMATION),
        ("other", filter.audience is Audience.AUTOMATION and item.source not in AUTOMATION),
        ("empty", filter.min_messages is not None and count < filter.min_messages and item.is_empty),
        ("other", filter.min_messages is not None and count < filter.min_messages),
        ("other", filter.max_messages is not None and count > filter.max_messages),
        ("other", filter.kinds is not None and forest.kind(item.id) not in filter.kinds),
        ("other", filter.sources is not None and item.head.source not in filter.sources),
        ("other", filter.exclude_sources is not None and item.head.source in filter.exclude_sources),
        ("other", filter.models is not None and item.tip.model not in filter.models),
        ("other", filter.workspace is not None and item.tip.cwd != filter.workspace),
        ("other", filter.text is not None and not any(filter.text in word.casefold() for word in words)),
        ("other", filter.started_after is not None and (start is None or start < filter.started_after)),
    ]
    return next((reason for reason, leaves_out in checks if leaves_out), None)


# Lists


@given(rich_forests(), filters)
def test_a_list_keeps_what_a_look_at_every_conversation_keeps_and_counts_the_others_by_reason(
    sessions: list[Session], filter: ListFilter
) -> None:
    forest = Forest(sessions)
    reasons = {id: naive_filter(forest, filter, forest.conversations[id]) for id in listed_ids(forest)}
    counted = Counter(reasons.values())
    selection = select(forest, filter)
    assert sorted(item.id for item in selection.items) == [id for id in reasons if reasons[id] is None]
    assert selection.hidden.archived == counted["archived"]
    assert selection.hidden.automation == counted["automation"]
    assert selection.hidden.empty == counted["empty"]
    assert selection.hidden.other_filters == counted["other"]


@given(rich_forests(), filters)
def test_kept_and_hidden_together_are_all_conversations_and_all_sessions(
    sessions: list[Session], filter: ListFilter
) -> None:
    forest = Forest(sessions)
    selection = select(forest, filter)
    hidden = selection.hidden
    conversations = [each for each in forest.conversations.values() if each.is_listed]
    left_out = hidden.archived + hidden.automation + hidden.empty + hidden.other_filters
    assert len(selection.items) + left_out == len(conversations)
    segments = sum(len(each.segments) for each in conversations)
    assert segments + hidden.subagents + hidden.side_rows == len(sessions)


@given(rich_forests(), filters, st.sampled_from(OrderField))
def test_a_list_is_in_a_total_order(sessions: list[Session], filter: ListFilter, order: OrderField) -> None:
    forest = Forest(sessions)
    for selection in (
        select(forest, filter, order),
        select_sessions(forest, filter, order, "default", context(forest)),
    ):
        keys = [selection.key(item) for item in selection.items]
        assert keys == sorted(set(keys))
        assert keys == [sort_key(item, order, "default") for item in selection.items]


@given(rich_forests(), st.builds(ListFilter, archived=st.sampled_from(ArchivedFilter), min_messages=maybe(1, 3)))
def test_a_list_of_sessions_holds_every_kind_and_hides_nothing_silently(
    sessions: list[Session], filter: ListFilter
) -> None:
    forest = Forest(sessions)
    wanted = {ArchivedFilter.EXCLUDE: [False], ArchivedFilter.INCLUDE: [False, True], ArchivedFilter.ONLY: [True]}
    found = select_sessions(forest, filter, OrderField.STARTED, "default", context(forest)).items
    assert sorted(item.id for item in found) == sorted(
        each.id
        for each in sessions
        if each.archived in wanted[filter.archived] and each.message_count >= (filter.min_messages or 0)
    )


def test_L1_L2_the_list_names_the_side_row_and_the_subagents_that_it_does_not_show() -> None:
    selection = select(Forest(plan_chain() + plan_subagents()), ListFilter())
    assert [item.id for item in selection.items] == ["d1"]
    assert selection.hidden == Hidden(subagents=2, side_rows=1)


def test_L8_an_orphaned_subagent_is_counted_among_the_hidden_subagents() -> None:
    selection = select(
        Forest([session("a", delegate_from="__orphaned__"), session("b", "a", source="tool")]), ListFilter()
    )
    assert selection.items == []
    assert selection.hidden == Hidden(subagents=2)


def test_a_conversation_is_hidden_for_the_first_reason_that_applies() -> None:
    forest = Forest(
        [
            session("a", source="cron", archived=True),
            session("b", source="cron"),
            session("c"),
            session("d", activity=messages(1), model="opus"),
            session("e", activity=messages(3)),
        ]
    )
    filter = ListFilter(
        archived=ArchivedFilter.EXCLUDE, audience=Audience.CHATS, min_messages=1, models=frozenset({"opus"})
    )
    assert select(forest, filter).hidden == Hidden(archived=1, automation=1, empty=1, other_filters=1)


def test_M6_a_conversation_of_rewound_rows_is_left_out_for_its_count_and_not_as_empty() -> None:
    forest = Forest([session("a", end=T, activity=messages(0, rewound=2)), session("b", end=T)])
    assert select(forest, ListFilter(min_messages=1)).hidden == Hidden(empty=1, other_filters=1)


def test_what_is_hidden_in_several_profiles_adds_up() -> None:
    assert Hidden(1, 2, 3, 4, 5, 6) + Hidden(10, 20, 30, 40, 50, 60) == Hidden(11, 22, 33, 44, 55, 66)
    assert Facets(Counter(a=1)) + Facets(Counter(a=2, b=1)) == Facets(Counter(a=3, b=1))


# Facets

Dimension = tuple[Callable[[Facets], Counter[str]], Callable[[ListFilter, str], ListFilter]]
DIMENSIONS: dict[str, Dimension] = {
    "sources": (
        lambda counts: counts.sources,
        lambda filter, value: replace(filter, sources=frozenset({value}), exclude_sources=None),
    ),
    "models": (lambda counts: counts.models, lambda filter, value: replace(filter, models=frozenset({value}))),
    "workspaces": (lambda counts: counts.workspaces, lambda filter, value: replace(filter, workspace=value)),
    "audiences": (lambda counts: counts.audiences, lambda filter, value: replace(filter, audience=Audience(value))),
}
VALUES = {
    "sources": ["cli", "telegram", "cron", "tool"],
    "models": ["opus", "haiku"],
    "workspaces": ["/home/ann/site", "/home/ann/api", "/srv"],
    "audiences": ["CHATS", "AUTOMATION"],
}


@pytest.mark.parametrize("dimension", DIMENSIONS)
@given(rich_forests(), filters)
def test_a_facet_is_the_length_of_the_list_with_only_that_value(
    dimension: str, sessions: list[Session], filter: ListFilter
) -> None:
    forest = Forest(sessions)
    counts_of, with_only = DIMENSIONS[dimension]
    brute_force = {value: len(select(forest, with_only(filter, value)).items) for value in VALUES[dimension]}
    assert dict(counts_of(with_folders_above(facets(forest, filter, context(forest))))) == {
        value: count for value, count in brute_force.items() if count
    }


def test_a_facet_of_a_folder_counts_what_lies_below_it_as_the_list_does() -> None:
    forest = Forest([session("a", cwd="/repo"), session("b", cwd="/repo/docs")])
    assert selected_ids(forest, ListFilter(workspace="/repo")) == ["a", "b"]
    counts = with_folders_above(facets(forest, ListFilter(), context(forest)))
    assert counts.workspaces == {"/repo": 2, "/repo/docs": 1}
