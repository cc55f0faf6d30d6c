"""Tokens and money: told apart, added up, never guessed."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.model.usage import Cost, CostStatus, Usage, UsageTable, add_cost, add_usage, cost_of
from tests.model.strategies import amounts, costs, usages
from tests.model.usage_reference import row

ESTIMATED = cost_of(None, 0.5, "estimated")
UNKNOWN = cost_of(None, 0.0, "unknown")
INCLUDED = cost_of(None, 0.0, "included")
ACTUAL = cost_of(0.9, 1.0, "actual")
NO_FIGURE = cost_of(None, None, None)


def test_U1_each_cost_by_itself() -> None:
    assert Cost(0.5, None, 0.5, CostStatus.ESTIMATED, 0) == ESTIMATED
    assert Cost(None, None, None, CostStatus.UNKNOWN, 1) == UNKNOWN
    assert Cost(0.0, None, None, CostStatus.INCLUDED, 0) == INCLUDED
    assert Cost(0.9, 0.9, 1.0, CostStatus.ACTUAL, 0) == ACTUAL
    assert Cost(None, None, None, CostStatus.UNKNOWN, 1) == NO_FIGURE


def test_U1_together_they_are_1_40_and_two_are_unknown() -> None:
    total = add_cost([ESTIMATED, UNKNOWN, INCLUDED, ACTUAL, NO_FIGURE])
    assert (total.usd, total.unknown_sessions, total.status) == (1.4, 2, CostStatus.MIXED)
    assert (total.actual_usd, total.estimated_usd) == (0.9, 1.5)


def test_U1_an_auxiliary_row_adds_its_cost_once() -> None:
    assert add_cost([ESTIMATED, cost_of(None, 0.01, "estimated")]).usd == 0.51


def test_U2_fresh_input_and_cache_reads_are_told_apart() -> None:
    usage = Usage(input_tokens=477, cache_read_tokens=13_500_000)
    assert (usage.input_tokens, usage.cache_read_tokens, usage.total_tokens) == (477, 13_500_000, 13_500_477)


def test_U2_a_total_goes_beyond_32_bits() -> None:
    assert add_usage([Usage(cache_read_tokens=2**31), Usage(output_tokens=1)]).total_tokens == 2**31 + 1


def test_reasoning_is_part_of_output_and_not_added_again() -> None:
    assert Usage(output_tokens=10, reasoning_tokens=8).total_tokens == 10


@given(amounts, amounts, st.sampled_from([None, "", "UNKNOWN", " unknown ", "none", "estimated", "actual"]))
def test_without_a_figure_that_can_be_believed_a_cost_is_null_and_never_zero(
    actual: float | None, estimated: float | None, status: str | None
) -> None:
    cost = cost_of(actual, estimated, status)
    known = {figure for figure in (actual, estimated) if figure is not None}
    assert cost.usd in known | {None}
    assert (cost.usd is None) == (cost.unknown_sessions == 1) == (cost.status is CostStatus.UNKNOWN)
    if (status or "").strip().lower() != "unknown":
        assert (cost.usd is None) == (not known)


@given(st.lists(usages, max_size=5))
def test_usage_adds_up_column_by_column(parts: list[Usage]) -> None:
    total = add_usage(parts)
    for column in Usage.__slots__:
        assert getattr(total, column) == sum(getattr(part, column) for part in parts)
    assert total.total_tokens == sum(part.total_tokens for part in parts)


@given(st.lists(costs, max_size=6))
def test_costs_add_up_what_is_known_and_count_what_is_not(parts: list[Cost]) -> None:
    total = add_cost(parts)
    known = [part for part in parts if part.usd is not None]
    assert total.unknown_sessions == len(parts) - len(known)
    for column in ("usd", "actual_usd", "estimated_usd"):
        figures = [getattr(part, column) for part in known if getattr(part, column) is not None]
        assert getattr(total, column) == (pytest.approx(sum(figures)) if figures else None)


@given(st.lists(costs, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_adding_does_not_show(parts: list[Cost], chance: random.Random) -> None:
    shuffled = list(parts)
    chance.shuffle(shuffled)
    assert add_cost(shuffled) == add_cost(parts)


@given(st.lists(costs, max_size=4), st.lists(costs, max_size=4))
def test_sums_of_sums_are_sums(some: list[Cost], others: list[Cost]) -> None:
    assert add_cost([add_cost(some), add_cost(others)]) == add_cost(some + others)


@given(costs)
def test_what_tells_nothing_changes_no_sum(cost: Cost) -> None:
    assert add_cost([cost]) == add_cost([cost, Cost()])


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ([], CostStatus.UNKNOWN),
        ([UNKNOWN, NO_FIGURE], CostStatus.UNKNOWN),
        ([INCLUDED, INCLUDED], CostStatus.INCLUDED),
        ([ESTIMATED, INCLUDED], CostStatus.ESTIMATED),
        ([ACTUAL, UNKNOWN], CostStatus.ACTUAL),
        ([ACTUAL, ESTIMATED], CostStatus.MIXED),
    ],
)
def test_the_status_of_a_sum_says_how_far_it_can_be_believed(parts: list[Cost], status: CostStatus) -> None:
    assert all(add_cost(order).status is status for order in itertools.permutations(parts))


def test_a_sum_of_nothing_known_is_null() -> None:
    assert add_cost([UNKNOWN, NO_FIGURE]).usd is None
    assert add_cost([INCLUDED]).usd == 0.0


def test_tenths_of_a_dollar_add_up_to_what_people_expect() -> None:
    assert add_cost([cost_of(None, 0.1, None), cost_of(None, 0.2, None)]).usd == 0.3


def test_two_tables_differ_in_the_sessions_whose_rows_do() -> None:
    before = UsageTable({"same": [row()], "gone": [row()], "other": [row()]})
    after = UsageTable({"same": [row()], "other": [row("haiku")], "new": [row()]})
    assert before.differing(before) == set()
    assert after.differing(before) == before.differing(after) == {"gone", "other", "new"}


def test_a_table_knows_what_was_read_again_since_the_one_that_it_follows() -> None:
    before = UsageTable({"a": [row()], "b": [row()]})
    after = before.without({"a", "new"})
    assert dict(after) == {"b": before["b"]}
    after["a"] = [row()]
    assert after.differing(before) == {"a", "new"}
    assert after.differing(UsageTable(before)) == set()
