"""A plan for many sessions is the union of the plans for each, with nothing in it twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.model.bulk import archiving_plan, deletions_plan
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import Scope, deletion_plan, in_scope
from tests.model import strategies
from tests.model.builders import T, plan_chain, plan_subagents

picks = st.lists(st.integers(0, 30), max_size=8)


def names(rows: list[Session], numbers: list[int]) -> list[str]:
    return [rows[number % len(rows)].id for number in numbers]


@given(strategies.rich_forests(), picks, st.sampled_from(Scope))
def test_a_plan_of_many_deletions_is_the_union_of_the_single_ones(
    rows: list[Session], numbers: list[int], scope: Scope
) -> None:
    forest, ids = Forest(rows), names(rows, numbers)
    singles = [deletion_plan(forest, forest.sessions[id], scope) for id in ids]
    plan = deletions_plan(forest, ids, (), scope).deletion
    assert len(plan.ids) == len(set(plan.ids))
    assert set(plan.ids) == {id for single in singles for id in single.ids}
    stays = {child.id for single in singles for child in single.detached} - set(plan.ids)
    assert sorted(child.id for child in plan.detached) == sorted(stays)


@given(strategies.rich_forests(), picks, st.integers(0, 30), st.sampled_from(Scope))
def test_a_busy_session_keeps_everything_that_would_go_with_it(
    rows: list[Session], numbers: list[int], number: int, scope: Scope
) -> None:
    forest, ids = Forest(rows), names(rows, numbers)
    [busy] = names(rows, [number])
    plan = deletions_plan(forest, ids, (), scope, {busy: "is live"})
    assert busy not in plan.deletion.ids
    kept = [id for id in ids if busy in deletion_plan(forest, forest.sessions[id], scope).ids]
    assert [skipped.id for skipped in plan.skipped] == list(dict.fromkeys(kept))


@given(strategies.rich_forests(), picks, st.sampled_from(Scope), st.booleans())
def test_a_plan_of_many_archivings_holds_every_session_whose_flag_changes_once(
    rows: list[Session], numbers: list[int], scope: Scope, archived: bool
) -> None:
    forest, ids = Forest(rows), names(rows, numbers)
    plan = archiving_plan(forest, ids, (), scope, archived)
    changed = [session.id for step in plan.steps for session in step.sessions]
    wanted = {member.id for id in ids for member in in_scope(forest, forest.sessions[id], scope)}
    assert len(changed) == len(set(changed))
    assert set(changed) == {id for id in wanted if forest.sessions[id].archived is not archived}


def test_steps_and_skipped_ids_are_in_the_order_of_the_input() -> None:
    forest = Forest(plan_chain() + plan_subagents())
    plan = deletions_plan(forest, ["x", "sub1", "gone", "d2"], {"gone"}, Scope.CONVERSATION)
    assert [(step.id, [session.id for session in step.sessions]) for step in plan.steps] == [
        ("sub1", ["sub1"]),
        ("d2", ["d1", "d2", "d3", "sub2", "d3s"]),
    ]
    assert [(each.id, each.fails) for each in plan.skipped] == [("x", True), ("gone", False)]


def test_a_conversation_that_has_become_active_again_is_spared() -> None:
    forest = Forest(plan_chain())
    [spared] = deletions_plan(forest, ["d1"], (), Scope.CONVERSATION, idle_since=T).skipped
    assert (spared.id, spared.code.value) == ("d1", "SESSION_BUSY")
    assert deletions_plan(forest, ["d1"], (), Scope.CONVERSATION, idle_since=T + 1).skipped == ()
