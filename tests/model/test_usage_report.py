"""The cases U1 and U2, and every part of a report against a reference that looks at each group for itself."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.filters import ArchivedFilter, ListFilter
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import CostStatus, ModelUsage, Usage, UsageTable, add_cost, add_usage, cost_of
from hermes_sessions.model.usage_report import Booking, Period, ReportRow, UsageDimension, parts_of_session, time_zone
from hermes_sessions.model.usage_sums import UsageQuestion, joined, row_of, sum_up
from tests.model.builders import T, context, dollars, messages, session, tokens
from tests.model.strategies import rich_forests
from tests.model.usage_reference import HOUR, expected, facts, found_in, random_rows, row

DAY, MODEL, SOURCE, TASK = UsageDimension.DAY, UsageDimension.MODEL, UsageDimension.SOURCE, UsageDimension.TASK
EVER = Period()
Rows = dict[str, list[ModelUsage]]
Report = tuple[list[ReportRow], ReportRow]


def with_auxiliary(own: Session, rows: Sequence[ModelUsage]) -> Session:
    """The session as a store gives it: its totals hold the auxiliary calls."""
    auxiliary = [each for each in rows if each.task is not None]
    if not auxiliary:
        return own
    cost = add_cost([own.cost, *(each.cost for each in auxiliary)])
    return replace(
        own,
        usage=add_usage([own.usage, *(each.usage for each in auxiliary)]),
        cost=replace(cost, unknown_sessions=min(1, cost.unknown_sessions)),
        without_auxiliary=(own.usage, own.cost),
    )


Found = Callable[[Sequence[UsageDimension], str, Period], Report]


def report(found: Found, dimensions: Sequence[UsageDimension], zone: str = "UTC", period: Period = EVER) -> Report:
    return found(dimensions, zone, period)


def parts(
    sessions: Sequence[Session], rows: Rows | None = None, filter: ListFilter | None = None, *profiles: str
) -> Found:
    """Reports on a store, or on one for each profile."""
    known = UsageTable(rows or {})
    forest = Forest(with_auxiliary(each, known.get(each.id, ())) for each in sessions)

    def found(dimensions: Sequence[UsageDimension], zone: str, period: Period) -> Report:
        asked = [
            UsageQuestion(profile, tuple(dimensions), time_zone(zone), period, filter or ListFilter())
            for profile in profiles or ["default"]
        ]
        groups, total = joined([sum_up(forest, known, each, context(forest)) for each in asked])
        rows = [row_of(tally, dict(zip(dimensions, key, strict=True))) for key, tally in groups.items()]
        return rows, row_of(total, {})

    return found


def by(dimension: UsageDimension, found: Found, zone: str = "UTC") -> dict[str | None, ReportRow]:
    rows, _ = report(found, [dimension], zone)
    return {each.values[dimension]: each for each in rows}


def total(found: Found) -> ReportRow:
    return report(found, [])[1]


def at(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def five_costs() -> list[Session]:
    """The five costs of U1."""
    stored: list[tuple[float | None, float | None, str | None]] = [
        (None, 0.5, None),
        (None, 0.0, "unknown"),
        (None, 0.0, "included"),
        (0.9, 1.0, None),
        (None, None, None),
    ]
    return [session(f"s{number}", cost=cost_of(*each)) for number, each in enumerate(stored)]


def test_U1_together_the_costs_are_1_4_and_two_are_unknown() -> None:
    cost = total(parts(five_costs())).cost
    assert (cost.usd, cost.unknown_sessions, cost.status) == (1.4, 2, CostStatus.MIXED)


def test_U1_what_is_nowhere_known_is_none_and_counted() -> None:
    cost = total(parts([session("a"), session("b")])).cost
    assert (cost.usd, cost.unknown_sessions) == (None, 2)


def test_U1_an_auxiliary_call_counts_once() -> None:
    rows = {
        "s": [row("opus", tokens(1000), dollars(0.5)), row("haiku", tokens(200), dollars(0.01), task="compression")]
    }
    found = parts([session("s", usage=tokens(1000), cost=dollars(0.5))], rows)
    assert (total(found).cost.usd, total(found).usage.input_tokens) == (0.51, 1200)
    tasks = by(TASK, found)
    assert {task: (each.cost.usd, each.usage.input_tokens) for task, each in tasks.items()} == {
        None: (0.5, 1000),
        "compression": (0.01, 200),
    }


def test_U2_cached_and_fresh_input_are_told_apart_and_a_total_beyond_32_bits_is_a_number() -> None:
    used = Usage(input_tokens=477, cache_read_tokens=13_500_000)
    usage = total(parts([session("a", usage=used), session("b", usage=tokens(2**31))])).usage
    assert (usage.input_tokens, usage.cache_read_tokens) == (477 + 2**31, 13_500_000)
    assert usage.total_tokens == 2**31 + 477 + 13_500_000


def test_models_that_usage_rows_tell_apart_get_what_they_used_and_the_sessions_model_gets_the_rest() -> None:
    rows = {"s": [row("haiku", tokens(300), dollars(0.1)), row("sonnet", tokens(200), dollars(0.2))]}
    models = by(MODEL, parts([session("s", model="opus", usage=tokens(1000), cost=dollars(0.5))], rows))
    assert {name: (each.usage.input_tokens, each.cost.usd) for name, each in models.items()} == {
        "haiku": (300, 0.1),
        "sonnet": (200, 0.2),
        "opus": (500, 0.2),
    }


def test_a_session_that_the_rows_explain_has_no_rest() -> None:
    rows = [row("haiku", tokens(300), dollars(0.1)), row("sonnet", tokens(700), dollars(0.2))]
    found = parts_of_session("p", session("s", model="opus", usage=tokens(1000), cost=dollars(0.3)), rows)
    assert [part.model for part in found] == ["haiku", "sonnet"]


def test_rows_that_claim_more_than_the_session_used_take_no_more_than_that() -> None:
    rows = {"s": [row("haiku", tokens(300), dollars(0.4)), row("sonnet", tokens(900), dollars(0.4))]}
    models = by(MODEL, parts([session("s", usage=tokens(1000), cost=dollars(0.5))], rows))
    assert {name: (each.usage.input_tokens, each.cost.usd) for name, each in models.items()} == {
        "haiku": (300, 0.4),
        "sonnet": (700, 0.1),
    }


def test_a_cost_that_is_known_only_with_that_of_another_row_is_none_and_counted_there_but_not_in_the_total() -> None:
    found = parts([session("s", model="opus", cost=dollars(0.5), usage=tokens(9))], {"s": [row("haiku", tokens(4))]})
    models = by(MODEL, found)
    assert (models["haiku"].cost.usd, models["haiku"].cost.unknown_sessions) == (None, 1)
    assert (models["opus"].cost.usd, models["opus"].cost.unknown_sessions) == (0.5, 0)
    assert (total(found).cost.usd, total(found).cost.unknown_sessions) == (0.5, 0)


def test_a_session_of_several_models_counts_once_in_the_total_with_its_messages() -> None:
    rows = {"s": [row("haiku"), row("opus")]}
    found = parts([session("s", activity=messages(3, compacted=2))], rows)
    assert {name: (each.sessions, each.messages) for name, each in by(MODEL, found).items()} == {
        "haiku": (1, 5),
        "opus": (1, 5),
    }
    assert (total(found).sessions, total(found).messages) == (1, 5)


def test_the_same_id_in_two_profiles_is_two_sessions() -> None:
    found = parts([session("s")], None, None, "a", "b")
    assert total(found).sessions == 2
    assert [each.sessions for each in report(found, [SOURCE])[0]] == [2]
    assert {name: each.sessions for name, each in by(UsageDimension.PROFILE, found).items()} == {"a": 1, "b": 1}


def test_usage_is_booked_where_it_was_spent_else_to_the_last_day_else_to_the_start() -> None:
    start = at("2025-06-15T10:00Z")
    rows = {
        "spent": [row(first=start + 48 * HOUR, last=start + 49 * HOUR)],
        "long": [row(first=start + 24 * HOUR, last=start + 72 * HOUR)],
    }
    found = parts(
        [session(name, start=start) for name in ("spent", "long", "plain")] + [session("no", start=None)], rows
    )
    assert {day: dict(each.booked) for day, each in by(DAY, found).items()} == {
        "2025-06-15": {Booking.START: 1},
        "2025-06-17": {Booking.SPENT: 1},
        "2025-06-18": {Booking.LAST_SEEN: 1},
        None: {Booking.UNDATED: 1},
    }
    assert total(found).booked == {Booking.START: 1, Booking.SPENT: 1, Booking.LAST_SEEN: 1, Booking.UNDATED: 1}


def test_whether_it_was_one_day_depends_on_the_time_zone() -> None:
    seen = row(first=at("2025-06-15T20:00Z"), last=at("2025-06-15T23:00Z"))
    found = parts([session("s")], {"s": [seen]})
    assert dict(by(DAY, found)["2025-06-15"].booked) == {Booking.SPENT: 1}
    assert dict(by(DAY, found, "Europe/Berlin")["2025-06-16"].booked) == {Booking.LAST_SEEN: 1}


@pytest.mark.parametrize(
    ("zone", "day", "first", "after"),
    [
        ("Europe/Berlin", "2025-03-30", "2025-03-29T23:00Z", "2025-03-30T22:00Z"),  # 23 hours
        ("Europe/Berlin", "2025-10-26", "2025-10-25T22:00Z", "2025-10-26T23:00Z"),  # 25 hours
        ("America/New_York", "2025-03-09", "2025-03-09T05:00Z", "2025-03-10T04:00Z"),
        ("America/New_York", "2025-11-02", "2025-11-02T04:00Z", "2025-11-03T05:00Z"),
        ("Europe/Berlin", "2025-07-01", "2025-06-30T22:00Z", "2025-07-01T22:00Z"),
        ("UTC", "2025-07-01", "2025-07-01T00:00Z", "2025-07-02T00:00Z"),
    ],
)
def test_a_day_begins_and_ends_with_its_own_offsets(zone: str, day: str, first: str, after: str) -> None:
    moments = {"before": at(first) - 1, "first": at(first), "last": at(after) - 1, "after": at(after)}
    found = parts([session(name, start=moment) for name, moment in moments.items()])
    days = by(DAY, found, zone)
    assert days[day].sessions == 2
    assert sorted(each.sessions for each in days.values()) == [1, 1, 2]
    months = by(UsageDimension.MONTH, found, zone)
    assert months[day[:7]].sessions == (3 if day.endswith("-01") else 4)


def test_a_period_holds_its_start_and_not_its_end() -> None:
    found = parts(
        [session("a", start=T), session("b", start=T + 1), session("c", start=T + 2), session("d", start=None)]
    )
    [only] = report(found, [], period=Period(T + 1, T + 2))[0]
    assert only.sessions == 1
    assert report(found, [], period=Period(T))[1].sessions == 3
    assert report(found, [])[1].sessions == 4
    assert report(found, [DAY], period=Period(T + 9))[0] == []


def test_a_filter_decides_by_the_conversation_so_subagents_count_with_theirs() -> None:
    sessions = [
        session("chat", source="telegram", cost=dollars(1.0)),
        session("sub", "chat", source="subagent", start=T + 5, delegate_from="chat", cost=dollars(0.5)),
        session("job", source="cron", cost=dollars(4.0)),
    ]
    found = parts(sessions, filter=ListFilter(sources=frozenset({"telegram"})))
    assert {source: each.cost.usd for source, each in by(SOURCE, found).items()} == {"telegram": 1.0, "subagent": 0.5}


def test_rows_are_sorted_by_their_values_in_the_order_that_was_asked_for_none_last() -> None:
    found = parts([session("1", model="b", source="x"), session("2", model="a", source="y"), session("3", source="x")])
    rows, _ = report(found, [SOURCE, MODEL])
    assert [tuple(each.values.values()) for each in rows] == [("x", "b"), ("x", None), ("y", "a")]
    rows, _ = report(found, [MODEL, SOURCE])
    assert [tuple(each.values.values()) for each in rows] == [("a", "y"), ("b", "x"), (None, "x")]


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "Europe", "../etc/passwd", "/etc/localtime", "+01:00", "x\x00", "é"]
)
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(HermesSessionsError) as refused:
        time_zone(name)
    assert refused.value.code is ErrorCode.BAD_USER_INPUT


@given(
    rich_forests(),
    st.integers(0, 2**32),
    st.lists(st.sampled_from(UsageDimension), max_size=4, unique=True),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"]),
)
def test_a_report_is_that_of_the_reference(
    drawn: list[Session], seed: int, dimensions: list[UsageDimension], zone: str
) -> None:
    chance = random.Random(seed)
    rows = {each.id: random_rows(each, chance) for each in drawn}
    filter = chance.choice(
        [
            ListFilter(),
            ListFilter(archived=ArchivedFilter.EXCLUDE),
            ListFilter(sources=frozenset({"cli", "cron"})),
        ]
    )
    period = chance.choice([Period(), Period(T + 10), Period(None, T + 24 * HOUR), Period(T + 10, T + 40 * HOUR)])
    rows_found, total_found = report(parts(drawn, rows, filter), dimensions, zone, period)

    forest = Forest(drawn)
    every = [
        each
        for own in drawn
        for each in facts(own, rows[own.id], zone)
        if filter.archived is ArchivedFilter.INCLUDE or not forest.conversation_of(own.id).tip.archived
        if filter.sources is None or forest.conversation_of(own.id).head.source in filter.sources
        if period.start is None or (each.at is not None and each.at >= period.start)
        if period.end is None or (each.at is not None and each.at < period.end)
    ]
    keys = {tuple(each.values[dimension] for dimension in dimensions) for each in every}
    assert {tuple(each.values[dimension] for dimension in dimensions): found_in(each) for each in rows_found} == {
        key: expected([each for each in every if tuple(each.values[name] for name in dimensions) == key])
        for key in keys
    }
    assert len(rows_found) == len(keys)
    assert found_in(total_found) == expected(every)


@given(rich_forests(), st.integers(0, 2**32))
def test_the_total_is_the_sum_of_the_sessions(drawn: list[Session], seed: int) -> None:
    chance = random.Random(seed)
    rows = {each.id: random_rows(each, chance) for each in drawn}
    stored = [with_auxiliary(each, rows[each.id]) for each in drawn]
    row = total(parts(drawn, rows))
    assert row.usage == add_usage(each.usage for each in stored)
    assert row.cost.usd == add_cost(each.cost for each in stored).usd
