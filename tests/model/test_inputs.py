"""What cannot be stored, or would not come back as it was sent, is refused with its place in the input."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.writing.appending import NewMessage, new_message, times
from hermes_sessions.model.writing.inputs import json_text, stored_label, stored_text
from hermes_sessions.model.writing.new_session import branch_config, made_up_id, new_id

DEEP: Any = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "a\x00", "\x00json:[]"])
def test_text_that_sqlite_or_hermes_would_spoil_is_refused(text: str) -> None:
    for stored in (text, [text], {"a": {text: 1}}, {"a": [{"b": text}]}):
        with pytest.raises(HermesSessionsError) as caught:
            stored_text(stored, "x.y") if isinstance(stored, str) else json_text(stored, "x.y")
        assert caught.value.details["field"] == "x.y"


def test_other_text_is_kept_as_it_is() -> None:
    for text in ("", " \n\t", "日報 😀 \u200b", "e\u0301", "\x1b[0m"):
        assert stored_text(text, "x") == text
    assert json.loads(json_text({"é": ["😀", 1.5, None]}, "x")) == {"é": ["😀", 1.5, None]}


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], DEEP], ids=["nan", "infinity", "deep"])
def test_json_that_no_reader_takes_is_refused(value: Any) -> None:
    with pytest.raises(HermesSessionsError, match="nested too deep, or holds a number"):
        json_text(value, "x")


def test_a_label_is_one_line_without_space_around_it() -> None:
    assert stored_label("  a b ", "x") == "a b"
    assert stored_label(" ", "x") is None
    assert stored_label(None, "x") is None
    for words in ("a\nb", "a\u202eb", "x" * 201, "\ud800"):
        with pytest.raises(HermesSessionsError):
            stored_label(words, "x")


def test_an_id_with_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(HermesSessionsError, match="printable"):
        new_id("\ud800")


def test_a_made_up_id_has_the_form_of_hermes() -> None:
    assert made_up_id(datetime(2026, 3, 1, 9, 5, 7), "abcdef") == "20260301_090507_abcdef"


@pytest.mark.parametrize("parents", [None, [1], "text", 5])
def test_a_branch_of_what_has_no_settings_has_its_marker_alone(parents: Any) -> None:
    assert branch_config(parents, "p") == {"_branched_from": "p"}


def test_a_branch_keeps_settings_and_no_inherited_marker() -> None:
    parents = {"_branched_from": "a", "_delegate_from": "b", "_reset_from": "c", "x": 1}
    assert branch_config(parents, "p") == {"x": 1, "_branched_from": "p"}


def test_moments_follow_each_other_and_those_that_are_told_stay() -> None:
    def at(moment: float | None) -> NewMessage:
        return new_message("m", role="user", timestamp=moment)

    first, told, next_one, last = times([at(None), at(1.8e9), at(None), at(1.6e9)], 1.7e9)
    assert (first, told, last) == (1.7e9, 1.8e9, 1.6e9)
    assert told < next_one < told + 1
