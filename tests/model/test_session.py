"""One session's moments and counts."""

from __future__ import annotations

import pytest

from tests.model.builders import T, messages, session


@pytest.mark.parametrize(
    ("newest", "last_activity_at", "expected"),
    [(T + 5, T + 9, T + 9), (T + 9, T + 5, T + 9), (T - 5, None, T - 5), (None, None, T)],
)
def test_the_last_activity_is_the_newest_known_moment_else_the_start(
    newest: float | None, last_activity_at: float | None, expected: float
) -> None:
    row = session("a", activity=messages(1, newest), last_activity_at=last_activity_at)
    assert row.last_active_at == expected


def test_a_row_without_any_moment_was_never_active_and_is_not_live() -> None:
    row = session("a", start=None)
    assert row.last_active_at is None
    assert not row.is_live(T)


@pytest.mark.parametrize(("now", "live"), [(T - 0.1, False), (T, True), (T + 300, True), (T + 301, False)])
def test_an_open_row_is_live_for_five_minutes_and_then_merely_never_closed(now: float, live: bool) -> None:
    assert session("a").is_live(now) is live
    assert not session("a").has_ended


def test_M5_the_count_of_messages_is_what_a_transcript_shows() -> None:
    row = session("a", activity=messages(1, compacted=1, rewound=1), counted_messages=7)
    assert row.message_count == 2
    assert row.activity.rows == 3


def test_the_stamp_changes_when_a_message_changes_its_state() -> None:
    assert messages(2).stamp != messages(1, compacted=1).stamp
