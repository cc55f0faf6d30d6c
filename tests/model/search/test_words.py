"""Words: what they are, where they stand, and what does not count."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.search.folding import composed, fold
from hermes_sessions.model.search.words import MAX_CHARACTERS, MAX_WORDS, words_of
from tests.search_reference import plain, stands

LETTERS = st.text(st.sampled_from("abAB éÉế今天กิ-.'\"\\“\n𝒳"), max_size=12)


@given(st.text())
def test_folding_keeps_every_position(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(LETTERS)
def test_folding_is_that_of_the_reference(text: str) -> None:
    assert fold(composed(text)) == plain(text)


@given(LETTERS, LETTERS)
def test_words_stand_where_the_reference_finds_them(typed: str, text: str) -> None:
    if typed.split():
        expected = all(stands(plain(word), plain(text)) for word in composed(typed).split())
        assert words_of(typed).stand_in([text]) == expected


@given(LETTERS, LETTERS)
def test_a_look_at_the_bytes_never_denies_a_word_that_is_there(typed: str, text: str) -> None:
    for stored in (text, json.dumps(text), json.dumps(text, ensure_ascii=False)):
        if typed.split() and words_of(typed).stand_in([text]):
            assert not words_of(typed).are_missing_in([stored.encode()])


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("CAFE", "un café"),
        ("café", "un cafe\u0301 noir"),
        ("STRASSE", "strasse"),
        ("viet", "Việt Nam"),
        ("σασ", "ΣΑΣ"),
        ("İ", "İstanbul"),
        ("hot", "hotel"),
        ("天讨", "今天讨论了"),
        ("docker", "使用docker部署"),
        ("run.py", "gateway/run.py"),
        ("c++", "in C++, mostly"),
        ("b a", "a\nb"),
    ],
)
def test_is_found(typed: str, text: str) -> None:
    assert words_of(typed).stand_in([text])


@pytest.mark.parametrize(
    ("typed", "text"), [("otel", "hotel"), ("a b", "a"), ("run-py", "run.py"), ("strasse", "Straße"), ("*", "all")]
)
def test_is_not_found(typed: str, text: str) -> None:
    assert not words_of(typed).stand_in([text])


def test_words_may_stand_in_different_texts() -> None:
    assert words_of("name value").stand_in(["the name", "a value"])


def test_a_phrase_is_the_words_as_typed() -> None:
    words = words_of("old  Port")
    assert words.phrase_stands_in("the OLD\nport")
    assert not words.phrase_stands_in("port, old")


def test_each_word_counts_once() -> None:
    assert [word.folded for word in words_of("Café cafe CAFE x").each] == ["cafe", "x"]


@pytest.mark.parametrize(
    "text", ["", " \u3000\n", "a\x00", "\udc00", "x" * (MAX_CHARACTERS + 1), " ".join(map(str, range(MAX_WORDS + 1)))]
)
def test_what_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(HermesSessionsError) as refused:
        words_of(text)
    assert refused.value.code is ErrorCode.BAD_USER_INPUT
    assert words_of(" ".join(map(str, range(MAX_WORDS)))).each


def test_normal_forms_are_the_same() -> None:
    for form in ("NFC", "NFD"):
        assert words_of(unicodedata.normalize(form, "Ünïcödé")).each[0].folded == "unicode"
