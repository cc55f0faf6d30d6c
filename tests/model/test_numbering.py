"""Titles are numbered as Hermes numbers them."""

from __future__ import annotations

import pytest

from hermes_sessions.model.writing.numbering import next_title


@pytest.mark.parametrize(
    ("title", "taken", "following"),
    [
        ("Plan", ["Plan"], "Plan #2"),
        ("Plan", ["Plan", "Plan #2"], "Plan #3"),
        ("Plan", ["Plan", "Plan #9"], "Plan #10"),
        ("Plan #3", ["Plan #3"], "Plan #4"),
        ("Plan #3", ["Plan", "Plan #3"], "Plan #4"),
        ("Plan #3", [], "Plan"),
        ("Plan", ["Planet", "Plan B #7"], "Plan"),
        ("Plan #2 #5", ["Plan #2 #5"], "Plan #2 #6"),
        ("Plan", ["Plan", "Plan #x", "Plan #2 copy"], "Plan #2"),
        ("Plan", ["PLAN #7"], "Plan #8"),
        ("ÄRA", ["ära #7"], "ÄRA"),
        ("50%_x", ["50%_x", "50a_x #4"], "50%_x #2"),
        ("#2", ["#2"], "#2 #2"),
        (None, [], "branch"),
        (None, ["branch"], "branch #2"),
    ],
)
def test_the_next_title_is_one_more_than_the_highest(title: str | None, taken: list[str], following: str) -> None:
    assert next_title(title, taken) == following


def test_a_name_gives_way_to_its_number_at_100_characters() -> None:
    full = "x" * 100
    assert next_title(full, [full]) == "x" * 97 + " #2"
    assert next_title(full, [full, "x" * 97 + " #2"]) == "x" * 97 + " #3"
    assert next_title("x" * 97 + " #9", ["x" * 97 + " #9"]) == "x" * 96 + " #2"
    assert next_title("a " * 50, ["a " * 50]) == "a " * 48 + "a #2"


def test_what_comes_out_is_free_however_often_it_is_taken() -> None:
    taken = ["y" * 100]
    for _ in range(200):
        following = next_title(taken[-1], taken)
        assert following not in taken
        assert len(following) <= 100
        taken.append(following)
