"""A target holds for stores of its size, and tells a missed figure from a missing one."""

from __future__ import annotations

from dataclasses import replace

from hermes_sessions.bench.report import Report
from hermes_sessions.bench.rows import FLOOR, Peer, Row
from hermes_sessions.bench.targets import targets_of

SESSIONS = Row("sessions", "50 sessions by start", 3.0, p95=4.0, items=50, against=FLOOR, base=1.0, sessions=5_000)
LIST = Row("conversations", "50 conversations by last activity", 5.0, p95=6.0, items=50, sessions=5_000)
WORKERS = Row("workers", "two workers", 1_700, "reads/s", against="one worker", base=1_000)


def verdicts(row: Row) -> list[bool | None]:
    return [target.is_met(row) for target in targets_of(row)]


def test_a_figure_at_its_limit_meets_the_target_and_one_beyond_does_not() -> None:
    assert verdicts(SESSIONS) == [True, None]
    assert verdicts(replace(SESSIONS, value=3.01)) == [False, None]
    assert verdicts(WORKERS) == [True]
    assert verdicts(replace(WORKERS, value=1_699)) == [False]


def test_another_server_is_a_limit_where_it_was_measured() -> None:
    assert verdicts(replace(SESSIONS, peers={"agentsview": Peer(4.0, 50)})) == [True, True]
    assert verdicts(replace(SESSIONS, peers={"agentsview": Peer(2.0, 50)})) == [True, False]
    assert verdicts(Row("common", "search", 51.0, peers={"Hermes": Peer(100.0, 20)})) == [False]
    assert verdicts(Row("common", "search", 50.0, peers={"Hermes": Peer(100.0, 20)})) == [True]


def test_the_size_of_the_store_decides_which_limit_holds() -> None:
    assert [target.text for target in targets_of(LIST)] == ["≤ 3 ms to 5,000 sessions"]
    assert [target.text for target in targets_of(replace(LIST, sessions=5_001))] == ["≤ 10 ms to 50,000 sessions"]
    assert verdicts(LIST) == [False]
    assert verdicts(replace(LIST, sessions=50_000)) == [True]
    assert targets_of(replace(LIST, sessions=50_001)) == []


def test_the_report_names_what_is_missed() -> None:
    printed = Report(operations=[SESSIONS, LIST], comparisons=[WORKERS]).markdown()
    assert "| 50 sessions by start | 50 | 3.00 | 4.00 | 1.00 | 3.00 | ≤ 3 ×, ≤ 1 × agentsview | yes, – |" in printed
    assert "| 5.00 | 6.00 | – | – | ≤ 3 ms to 5,000 sessions | **no** |" in printed
    assert "| two workers | – | 1,700 reads/s | – | one worker 1,000 | 1.70 | ≥ 1.7 × | yes |" in printed
    assert "Targets: 2 met, 1 missed, 1 not measured." in printed
    assert "Missed: 50 conversations by last activity (≤ 3 ms to 5,000 sessions)." in printed
