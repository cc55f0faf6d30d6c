"""Titles: cleaned, folded, at most 100 characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.titles import MAX_TITLE_LENGTH, clean_title

INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\u061c"
titles = st.text(max_size=120) | st.text(st.sampled_from("ab \t\n\x00\x1b\x7f\x85\x9f\u2028\u3000" + INVISIBLE))


@given(titles)
def test_a_clean_title_is_clean_already(title: str) -> None:
    try:
        cleaned = clean_title(title)
    except HermesSessionsError:
        assert len(title) > MAX_TITLE_LENGTH
        return
    if cleaned is not None:
        assert clean_title(cleaned) == cleaned
        assert 1 <= len(cleaned) <= MAX_TITLE_LENGTH
        assert not any(unicodedata.category(each) in ("Cc", "Cs") for each in cleaned)
        assert not set(cleaned) & set(INVISIBLE)
        assert cleaned == " ".join(cleaned.split())


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=100))
def test_a_plain_title_stays_as_it_is(title: str) -> None:
    assert clean_title(title) == title


@pytest.mark.parametrize("nothing", ["", "  \n", INVISIBLE, "\x00\x07", f" {INVISIBLE}\t{INVISIBLE} ", "\x1c\x85"])
def test_R5_only_invisible_characters_clear_the_title(nothing: str) -> None:
    assert clean_title(nothing) is None


def test_R5_white_space_is_folded_and_bidirectional_controls_go() -> None:
    assert clean_title("a\n\tb\u202ec") == "a bc"


def test_R5_a_hundred_characters_pass_and_one_more_does_not() -> None:
    assert clean_title("x" * 100) == "x" * 100
    with pytest.raises(HermesSessionsError) as caught:
        clean_title("x" * 101)
    assert caught.value.code is ErrorCode.TITLE_TOO_LONG


def test_R5_only_what_is_left_counts() -> None:
    assert clean_title("  " + "\u200b".join("x" * 100) + "\n" * 50) == "x" * 100


def test_white_space_between_words_is_one_space_also_where_something_invisible_stood() -> None:
    assert clean_title(" a \u200b b\u3000\u2028c\x1fd ") == "a b c d"
