"""A conversation's title, moments, flags and totals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import Usage, add_cost, add_usage
from tests.model.builders import T, dollars, messages, plan_chain, plan_subagents, session, tokens
from tests.model.strategies import rich_forests


def conversation(*segments: Session) -> Conversation:
    """One conversation of segments named a, b, c ..., each compressed into the next."""
    forest = Forest(segments)
    found = forest.conversation_of("a")
    assert found.segments == segments
    return found


def segment(id: str, **columns: object) -> Session:
    parent = None if id == "a" else chr(ord(id) - 1)
    return session(id, parent, end=T + 1, reason="compression", **columns)  # type: ignore[arg-type]


def test_L1_totals_are_those_of_all_segments() -> None:
    plan = Forest(plan_chain()).conversation_of("d1")
    assert (plan.started_at, plan.usage, plan.cost.usd) == (T, tokens(7000), 7.0)
    assert (plan.title, plan.source, plan.tip.source) == ("Plan #3", "telegram", "desktop")


def test_L2_subagents_count_in_the_totals_with_subagents_only() -> None:
    plan = Forest(plan_chain() + plan_subagents()).conversation_of("d1")
    assert (plan.cost.usd, plan.cost_with_subagents.usd) == (7.0, 8.2)


def test_L2_a_subagent_of_a_subagent_counts_once() -> None:
    deeper = session("sub3", "sub1", delegate_from="sub1", cost=dollars(0.1), usage=tokens(5))
    plan = Forest([*plan_chain(), *plan_subagents(), deeper]).conversation_of("sub3")
    assert plan.cost_with_subagents.usd == 8.3
    assert plan.usage_with_subagents == tokens(7005)


def test_A1_one_archived_segment_makes_the_conversation_mixed_and_the_tip_decides() -> None:
    mixed = conversation(segment("a", archived=True), session("b", "a"))
    whole = conversation(segment("a", archived=True), session("b", "a", archived=True))
    assert (mixed.archived, mixed.archived_mixed) == (False, True)
    assert (whole.archived, whole.archived_mixed) == (True, False)


def test_the_title_is_the_tips_else_the_nearest_earlier_one() -> None:
    assert conversation(segment("a", title="A"), segment("b", title="B"), session("c", "b")).title == "B"
    assert conversation(segment("a", title="A"), session("b", "a", title="")).title == "A"
    assert conversation(session("a")).title is None


def test_the_last_activity_is_the_newest_moment_of_any_segment_else_the_start() -> None:
    early = segment("a", activity=messages(1, T + 30))
    assert conversation(early, session("b", "a", last_activity_at=T + 20)).last_active_at == T + 30
    assert conversation(early, session("b", "a", last_activity_at=T + 40)).last_active_at == T + 40
    assert conversation(session("a", start=T + 7)).last_active_at == T + 7
    assert conversation(session("a", start=None)).last_active_at is None


@pytest.mark.parametrize(("now", "live"), [(T - 1, False), (T, True), (T + 300, True), (T + 300.1, False)])
def test_a_conversation_is_live_for_five_minutes_and_not_from_the_future(now: float, live: bool) -> None:
    assert conversation(segment("a"), session("b", "a", activity=messages(1, T))).is_live(now) is live


def test_a_conversation_whose_tip_has_ended_is_not_live() -> None:
    assert not conversation(session("a", end=T)).is_live(T)
    assert not conversation(session("a", reason="cli_close")).is_live(T)


def test_a_conversation_counts_live_and_compacted_messages_of_all_segments() -> None:
    first = segment("a", activity=messages(2, compacted=3, rewound=4))
    assert conversation(first, session("b", "a", activity=messages(1))).message_count == 6


def test_M6_a_conversation_with_only_rewound_rows_is_not_empty() -> None:
    assert not conversation(session("a", end=T, activity=messages(0, rewound=1))).is_empty
    assert not conversation(session("a", end=T, activity=messages(0, compacted=1))).is_empty
    assert conversation(session("a", end=T)).is_empty
    assert not conversation(segment("a", activity=messages(1)), session("b", "a")).is_empty


@given(rich_forests())
def test_own_totals_add_up_the_segments(sessions: list[Session]) -> None:
    for each in Forest(sessions).conversations.values():
        assert each.usage == Usage(*(sum(column) for column in zip(*map(columns, each.segments), strict=True)))
        known = [part.cost.usd for part in each.segments if part.cost.usd is not None]
        assert each.cost.usd == (pytest.approx(math.fsum(known)) if known else None)
        assert each.cost.unknown_sessions == len(each.segments) - len(known)
        assert each.message_count == sum(part.activity.live + part.activity.compacted for part in each.segments)


def columns(each: Session) -> list[int]:
    return [getattr(each.usage, column) for column in Usage.__slots__]


@given(rich_forests())
def test_totals_of_all_conversations_and_their_side_rows_are_those_of_the_store(sessions: list[Session]) -> None:
    conversations = Forest(sessions).conversations.values()
    beside = [each for conversation in conversations for each in conversation.side_rows]
    usage = [each.usage_with_subagents for each in conversations] + [each.usage for each in beside]
    cost = [each.cost_with_subagents for each in conversations] + [each.cost for each in beside]
    assert add_usage(usage) == add_usage(each.usage for each in sessions)
    assert add_cost(cost) == add_cost(each.cost for each in sessions)


@given(rich_forests())
def test_what_a_conversation_shows_comes_from_its_segments(sessions: list[Session]) -> None:
    for each in Forest(sessions).conversations.values():
        moments = [at for part in each.segments for at in (part.activity.newest, part.last_activity_at) if at]
        titles = [part.title for part in each.segments if part.title]
        assert each.last_active_at == (max(moments) if moments else each.head.started_at)
        assert each.title == (titles[-1] if titles else None)
        assert each.archived is each.segments[-1].archived
        assert each.archived_mixed == any(part.archived is not each.archived for part in each.segments)
