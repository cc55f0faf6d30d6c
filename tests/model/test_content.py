"""Stored content: parts, plain text, previews' folding, and cuts."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes_sessions.model.content import (
    ImagePart,
    OtherPart,
    Part,
    TextPart,
    cut_to_bytes,
    decode_content,
    fold,
    is_summary_text,
    plain_text,
)
from hermes_sessions.model.values import Warnings
from tests.model.strategies import DEEP_JSON, contents, json_values

MARK = "\x00json:"
M1 = [
    {"type": "text", "text": "look at this"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
]


def decoded(stored: str | None) -> tuple[list[Part], tuple[str, ...]]:
    warnings = Warnings()
    return decode_content(stored, warnings), warnings.freeze()


def part(item: Any) -> Part:
    parts, warnings = decoded(MARK + json.dumps([item]))
    assert warnings == ()
    assert len(parts) == 1
    return parts[0]


def texts_of(each: Part) -> list[str]:
    """What of a part is handed out as text."""
    match each:
        case TextPart(text):
            return [text]
        case ImagePart(media_type, url, _):
            return [media_type or "", url or ""]
        case OtherPart(type, _):
            return [type or ""]


def test_M1_structured_content_is_a_text_and_an_image() -> None:
    parts, warnings = decoded(MARK + json.dumps(M1))
    assert parts == [TextPart("look at this"), ImagePart("image/png", "data:image/png;base64,AAAA", 3)]
    assert plain_text(parts) == "look at this"
    assert warnings == ()


def test_text_that_is_not_marked_is_text_even_where_it_looks_like_json() -> None:
    assert decoded('[{"type": "text"}]') == ([TextPart('[{"type": "text"}]')], ())
    assert decoded("json:[]") == ([TextPart("json:[]")], ())


@pytest.mark.parametrize("nothing", [None, ""])
def test_no_content_has_no_parts(nothing: str | None) -> None:
    assert decoded(nothing) == ([], ())


@pytest.mark.parametrize("broken", ["", "{", "not json", DEEP_JSON, "9" * 5000])
def test_marked_content_that_does_not_decode_is_its_raw_text_with_a_warning(broken: str) -> None:
    parts, warnings = decoded(MARK + broken)
    assert parts == [TextPart("json:" + broken)]
    assert len(warnings) == 1


def test_text_parts_are_joined_by_line_ends_and_other_parts_have_no_text() -> None:
    parts, _ = decoded(MARK + json.dumps(["a", {"text": "b"}, {"type": "audio", "text": "no"}, 7, *M1]))
    assert plain_text(parts) == "a\nb\nlook at this"


def test_an_object_is_one_part() -> None:
    assert decoded(MARK + '{"type": "text", "text": "a"}')[0] == [TextPart("a")]
    assert decoded(MARK + '"a"')[0] == [TextPart("a")]


@pytest.mark.parametrize("kind", ["text", "input_text", "output_text", None])
def test_the_names_of_text_parts(kind: str | None) -> None:
    assert part({"type": kind, "text": "a"}) == TextPart("a")


@pytest.mark.parametrize(
    ("item", "image"),
    [
        ({"type": "image_url", "image_url": "https://x/y.png"}, ImagePart(None, "https://x/y.png", None)),
        ({"type": "image_url", "image_url": {"url": "data:,abc"}}, ImagePart(None, "data:,abc", 3)),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "QUI="}},
            ImagePart("image/gif", "data:image/gif;base64,QUI=", 2),
        ),
        (
            {"type": "input_image", "image_url": "data:image/png;base64,QQ=="},
            ImagePart("image/png", "data:image/png;base64,QQ==", 1),
        ),
        ({"type": "image", "url": "http://x"}, ImagePart(None, "http://x", None)),
        ({"type": "image"}, ImagePart(None, None, None)),
        ({"type": "image_url", "image_url": {"url": 5}}, ImagePart(None, None, None)),
        ({"type": "image_url", "image_url": None}, ImagePart(None, None, None)),
    ],
)
def test_an_image_keeps_its_address_and_the_size_of_its_data(item: Any, image: ImagePart) -> None:
    assert part(item) == image


@pytest.mark.parametrize(
    ("item", "kind"), [({"type": "audio", "id": 1}, "audio"), ({"type": 5}, None), ([1], None), (7, None), (None, None)]
)
def test_an_unknown_part_is_kept_as_json(item: Any, kind: str | None) -> None:
    assert part(item) == OtherPart(kind, item)


@given(contents)
def test_no_content_makes_decoding_fail(stored: str) -> None:
    parts, warnings = decoded(stored)
    assert bool(parts) or stored in ("", MARK + "[]") or json.loads(stored.removeprefix(MARK)) == []
    assert len(warnings) <= 1
    plain_text(parts)


@given(contents)
def test_no_text_of_content_holds_NUL(stored: str) -> None:
    parts, _ = decoded(stored)
    assert "\x00" not in plain_text(parts)
    assert not any("\x00" in each.text for each in parts if isinstance(each, TextPart))


@given(json_values)
@example({"type": "image_url", "image_url": "https://x/\x00"})
@example({"type": "image", "source": {"media_type": "image/\x00", "data": "AA"}})
@example({"type": "\x00"})
def test_no_text_of_any_part_holds_NUL(value: Any) -> None:
    for each in decoded(MARK + json.dumps(value))[0]:
        assert not any("\x00" in text for text in texts_of(each)), each


@given(contents)
@example(MARK + '[{"type": "audio", "x": "\\ud800\\u0000"}, "\\udfff", 123456789012345678901234567890]')
def test_B2_whatever_content_is_stored_can_be_answered(stored: str) -> None:
    parts, _ = decoded(stored)
    orjson.dumps([*map(texts_of, parts), [each.json for each in parts if isinstance(each, OtherPart)]])


@given(st.text())
def test_unmarked_text_stays_as_it_is_except_for_NUL(stored: str) -> None:
    assert plain_text(decoded("x" + stored)[0]) == "x" + stored.replace("\x00", "\ufffd")


# Folding and cutting


@given(st.text(st.sampled_from("ab \t\n\u3000\u2028"), max_size=300), st.integers(1, 120))
def test_folded_text_has_single_spaces_and_at_most_so_many_characters(text: str, limit: int) -> None:
    assert fold(text, limit) == " ".join(text.split())[:limit].rstrip()


def test_a_preview_has_120_characters() -> None:
    assert fold("word " * 100) == ("word " * 24).rstrip()
    assert fold("x" * 20_000_000) == "x" * 120


@pytest.mark.parametrize("before", ["", "a"])
def test_any_amount_of_white_space_is_folded(before: str) -> None:
    assert fold(before + " " * 10_000 + "b") == f"{before} b".strip()


@given(st.text(max_size=60), st.integers(0, 80))
def test_a_cut_is_the_longest_beginning_of_whole_characters_that_fits(text: str, limit: int) -> None:
    kept, was_cut = cut_to_bytes(text, limit)
    longest = max(size for size in range(len(text) + 1) if len(text[:size].encode()) <= limit)
    assert (kept, was_cut) == (text[:longest], longest < len(text))


def test_a_cut_never_halves_a_character() -> None:
    assert cut_to_bytes("a😀b", 4) == ("a", True)
    assert cut_to_bytes("a😀b", 5) == ("a😀", True)
    assert cut_to_bytes("a😀b", 6) == ("a😀b", False)


@pytest.mark.parametrize("text", ["[CONTEXT COMPACTION] ...", "\n  [CONTEXT SUMMARY]: ..."])
def test_a_compaction_summary_is_known_by_its_beginning(text: str) -> None:
    assert is_summary_text(text)
    assert not is_summary_text("see " + text)
