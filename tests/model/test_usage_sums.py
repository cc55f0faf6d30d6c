"""The sums of a usage report that follow changes of a store are those that are made from nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.model.filters import ArchivedFilter, Audience, ListFilter
from hermes_sessions.model.lineage import Change, Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import UsageTable, add_cost, cost_of
from hermes_sessions.model.usage_report import Period, UsageDimension, time_zone
from hermes_sessions.model.usage_sums import UsageQuestion, UsageSums, renew_sums, row_of, sum_up
from tests.model.builders import T, context, dollars, session, tokens
from tests.model.strategies import amounts
from tests.model.test_families import following, histories
from tests.model.test_usage_report import with_auxiliary
from tests.model.usage_reference import HOUR, random_rows, row

FILTERS = [
    ListFilter(),
    ListFilter(archived=ArchivedFilter.EXCLUDE),
    ListFilter(audience=Audience.CHATS, min_messages=1),
    ListFilter(sources=frozenset({"cli", "cron"})),
]
PERIODS = [Period(), Period(T + 10), Period(None, T + 24 * HOUR)]


def question(*by: UsageDimension, filter: ListFilter = FILTERS[0], period: Period = PERIODS[0]) -> UsageQuestion:
    return UsageQuestion("default", by, time_zone("Europe/Berlin"), period, filter)


def asked(forest: Forest, table: UsageTable, question: UsageQuestion) -> UsageSums:
    """As the API asks: kept with the forest, and renewed."""
    found = forest.derive(
        "sums",
        lambda: sum_up(forest, table, question, context(forest)),
        lambda before, change: renew_sums(before, change, forest, table, question, context(forest)),
    )
    if found.table is not table:
        found = renew_sums(found, Change({}, {}), forest, table, question, context(forest))
        forest.keep("sums", found, is_renewable=True)
    return found


def everything(sums: UsageSums) -> tuple[Any, ...]:
    return (sums.groups, sums.total)


@settings(max_examples=400)
@given(
    histories(),
    st.lists(st.sampled_from(UsageDimension), max_size=2, unique=True),
    st.sampled_from(FILTERS),
    st.sampled_from(PERIODS),
    st.randoms(use_true_random=False),
)
def test_sums_are_renewed_to_what_they_are_from_nothing(
    moments: list[list[Session]],
    by: Sequence[UsageDimension],
    filter: ListFilter,
    period: Period,
    chance: random.Random,
) -> None:
    """Also where usage rows change without their session, and where some moments pass without a question."""
    asking = question(*by, filter=filter, period=period)
    rows = {each.id: random_rows(each, chance) for each in moments[0]}
    forest = Forest(with_auxiliary(each, rows[each.id]) for each in moments[0])
    asked(forest, UsageTable(rows), asking)
    for sessions in moments[1:]:
        rows = {
            each.id: rows[each.id] if each.id in rows and chance.random() < 0.7 else random_rows(each, chance)
            for each in sessions
        }
        told = [with_auxiliary(each, rows[each.id]) for each in sessions]
        forest = following(forest, told) if chance.random() < 0.8 else forest
        if chance.random() < 0.7:
            table = UsageTable(rows)
            fresh = sum_up(Forest(forest.sessions.values()), table, asking, context(forest))
            assert everything(asked(forest, table, asking)) == everything(fresh)


def test_only_what_has_changed_is_summed_up_again() -> None:
    class Unread(UsageTable):
        """Tells which sessions' rows are read."""

        def get(self, key: str, default: Any = None) -> Any:
            read.append(key)
            return super().get(key, default)

    read: list[str] = []
    table = Unread({"a": [row("opus")]})
    forest = Forest(session(name) for name in "abcd")
    asked(forest, table, question(UsageDimension.MODEL))
    assert sorted(read) == list("abcd")
    read.clear()
    asked(forest.after([session("b", title="B")]), table, question(UsageDimension.MODEL))
    assert set(read) == {"b"}


def test_a_group_that_nobody_is_in_any_more_is_gone() -> None:
    forest, table = Forest([session("a", model="opus"), session("b", model="haiku")]), UsageTable()
    asking = question(UsageDimension.MODEL)
    assert set(asked(forest, table, asking).groups) == {("opus",), ("haiku",)}
    assert set(asked(forest.after([session("a", model="haiku")]), table, asking).groups) == {("haiku",)}


@given(st.lists(st.tuples(amounts, amounts), max_size=8), st.data())
def test_money_that_comes_and_goes_leaves_the_sum_of_what_stays(
    stored: list[tuple[float | None, float | None]], data: st.DataObject
) -> None:
    """To the last digit, whatever was there in between."""
    sessions = [session(f"s{number}", cost=cost_of(*each, None)) for number, each in enumerate(stored)]
    leaving = data.draw(st.sets(st.sampled_from([each.id for each in sessions]))) if sessions else set()
    forest, table, asking = Forest([session("first"), *sessions]), UsageTable(), question()
    asked(forest, table, asking)
    total = row_of(asked(forest.after([], leaving), table, asking).total, {})
    cost = add_cost(each.cost for each in sessions if each.id not in leaving)
    assert (total.cost.usd, total.cost.actual_usd, total.cost.estimated_usd) == (
        cost.usd,
        cost.actual_usd,
        cost.estimated_usd,
    )
    assert total.cost.status is cost.status


def test_a_small_sum_survives_a_large_one_that_was_there() -> None:
    small, large = session("small", cost=dollars(1e-9)), session("large", cost=dollars(9e11), usage=tokens(2**60))
    dust = session("dust", cost=dollars(5e-324))
    forest, table = Forest([small, large, dust]), UsageTable()
    asked(forest, table, question())
    total = row_of(asked(forest.after([], ["large"]), table, question()).total, {})
    assert (total.cost.usd, total.usage.input_tokens) == (1e-9, 0)
