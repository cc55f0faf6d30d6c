"""The benchmark finds the greatest tree, and a beginning of an id that names one session alone."""

from __future__ import annotations

from hermes_sessions.bench.subjects import greatest_root, unique_prefix


def test_the_root_with_most_sessions_below_it_is_found() -> None:
    assert greatest_root({"a": None, "b": "a", "c": None, "d": "c", "e": "d"}) == "c"


def test_links_to_nobody_and_in_a_circle_end() -> None:
    assert greatest_root({"a": "gone", "b": "a", "c": "c"}) == "a"
    assert greatest_root({"a": "b", "b": "a"}) in ("a", "b")


def test_a_prefix_is_given_where_no_other_session_has_it() -> None:
    assert unique_prefix("abc1", ["abc1", "abd1", "b"]) == "abc"
    assert unique_prefix("abc1", ["abc1", "abc2"]) is None
    assert unique_prefix("a", ["a", "b"]) is None
