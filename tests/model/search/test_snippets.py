"""Snippets: their highlights are exactly the words, wherever and however they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.model.search.folding import fold, folded_text
from hermes_sessions.model.search.snippets import MAX_PLACES, WIDTH, Snippet, snippet_of, snippet_of_best
from hermes_sessions.model.search.words import words_of

WORDS = "cafe 今天 \U0001d4b3 שלום b"
texts = st.lists(
    st.sampled_from(
        [
            "cafe\u0301",
            "CAFÉ",
            "今天",
            "\U0001d4b3\U0001d4b4",
            "😀",
            "שלום",
            "b",
            "\x00",
            "\n ",
            " ",
            "x" * 60,
            "\u200f",
        ]
    ),
    max_size=60,
).map("".join)


def shown(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.highlights]


@given(texts)
def test_every_highlight_is_made_of_words_and_none_touches_another(text: str) -> None:
    words = words_of(WORDS)
    snippet = snippet_of(text, words)
    assert len(snippet.text) <= WIDTH
    assert "\x00" not in snippet.text
    ends = [-1, *(end for _, end in snippet.highlights)]
    assert all(start > before for (start, _), before in zip(snippet.highlights, ends, strict=False))
    for part in map(fold, shown(snippet)):
        assert any(part.startswith(word.folded) for word in words.each)
        assert any(part.endswith(word.folded) for word in words.each)


@given(texts)
def test_a_text_that_holds_a_word_shows_one(text: str) -> None:
    words = words_of(WORDS)
    if words.count_in_folded(folded_text(text).folded):
        assert snippet_of(text, words).highlights


@pytest.mark.parametrize(
    ("typed", "text", "parts"),
    [
        ("cafe", "un cafe\u0301!", ["café"]),
        ("𝒳", "😀 𝒳 😀", ["𝒳"]),
        ("שלום", "אמר שלום לכם", ["שלום"]),
        ("old port", "the old port", ["old", "port"]),
        ("aa", "aaa", ["aa"]),
        ("天天", "天天天", ["天天天"]),
        ("absent", "nothing here", []),
        ("x", "", []),
    ],
)
def test_highlights(typed: str, text: str, parts: list[str]) -> None:
    assert shown(snippet_of(text, words_of(typed))) == parts


def test_the_part_with_the_most_words_is_shown() -> None:
    text = "port " + "x " * 500 + "the old port " + "y " * 500
    snippet = snippet_of(text, words_of("old port"))
    assert shown(snippet) == ["old", "port"]
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")


@pytest.mark.parametrize(
    ("texts", "best"),
    [
        (["the port", "the old port", "port, old"], 1),
        (["nothing", "an old one", "a port"], 1),
        (["nothing", "nor here"], 0),
    ],
)
def test_the_first_text_with_the_most_words_is_shown(texts: list[str], best: int) -> None:
    words = words_of("old port")
    assert snippet_of_best(enumerate(texts), words) == (best, snippet_of(texts[best], words))


def test_no_text_is_made_after_one_that_holds_all_words() -> None:
    texts = iter([("content", "the old port"), ("calls", "port, old")])
    assert snippet_of_best(texts, words_of("old port"))[0] == "content"
    assert next(texts) == ("calls", "port, old")


def test_a_very_long_text_with_very_many_places_is_no_obstacle() -> None:
    snippet = snippet_of("port " * 50 * MAX_PLACES, words_of("port old"))
    assert shown(snippet)[0] == "port"
    assert len(snippet.text) <= WIDTH
