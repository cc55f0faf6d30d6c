"""A message's state, tool calls, reasoning and preview."""

from __future__ import annotations

import json
import time
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes_sessions.model.message import (
    SHOWN_STATES,
    MessageState,
    message_state,
    preview_of,
)
from hermes_sessions.model.reasoning import find_reasoning
from hermes_sessions.model.tool_calls import ToolCall, parse_tool_calls
from hermes_sessions.model.values import Warnings
from tests.model.strategies import DEEP_JSON, NESTED_JSON, cells, contents, json_values, loose_json

IMAGE = '\x00json:[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]'


def calls_in(stored: Any) -> tuple[list[ToolCall], tuple[str, ...]]:
    warnings = Warnings()
    return parse_tool_calls(stored, warnings), warnings.freeze()


def call(id: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


# States


@pytest.mark.parametrize(
    ("active", "compacted", "state"),
    [
        (1, 0, MessageState.LIVE),
        (1, 1, MessageState.LIVE),
        (0, 1, MessageState.COMPACTED),
        (0, 0, MessageState.REWOUND),
        (0, None, MessageState.REWOUND),
        (None, None, MessageState.LIVE),
    ],
)
def test_M5_the_state_of_a_message(active: int | None, compacted: int | None, state: MessageState) -> None:
    assert message_state(active, compacted) is state


def test_M5_a_transcript_shows_live_and_compacted_messages() -> None:
    assert {MessageState.LIVE, MessageState.COMPACTED} == SHOWN_STATES


# Tool calls


def test_M3_a_call_gives_its_id_name_and_arguments() -> None:
    calls, warnings = calls_in(json.dumps([call("c1", "read_file", '{"path": "a"}')]))
    assert calls == [ToolCall("c1", "read_file", {"path": "a"}, '{"path": "a"}')]
    assert warnings == ()


def test_M3_what_does_not_parse_is_kept_raw_with_a_warning() -> None:
    calls, warnings = calls_in("not json")
    assert calls == [ToolCall(None, None, None, "not json")]
    assert len(warnings) == 1


def test_M3_arguments_that_do_not_parse_are_kept_as_text_with_a_warning() -> None:
    calls, warnings = calls_in(json.dumps([call("c1", "run", "{bad"), call("c2", "run", "{}")]))
    assert calls == [ToolCall("c1", "run", None, "{bad"), ToolCall("c2", "run", {}, "{}")]
    assert len(warnings) == 1


def test_M3_an_entry_that_is_no_object_is_kept_beside_the_others() -> None:
    calls, warnings = calls_in(json.dumps(["odd", call("c1", "run", "")]))
    assert calls == [ToolCall(None, None, "odd", '"odd"'), ToolCall("c1", "run", None, "")]
    assert len(warnings) == 1


def test_other_shapes_of_calls_are_understood() -> None:
    assert calls_in('{"call_id": "c1", "name": "run", "input": {"a": 1}}')[0] == [
        ToolCall("c1", "run", {"a": 1}, '{"a": 1}')
    ]
    assert calls_in('[{"id": 7}]')[0] == [ToolCall("7", None, None, None)]


@pytest.mark.parametrize("nothing", [None, "", "[]"])
def test_a_row_without_calls_has_none(nothing: Any) -> None:
    assert calls_in(nothing) == ([], ())


@given(cells | loose_json | json_values.map(lambda value: json.dumps([{"function": value}])))
@example(NESTED_JSON)
@example(json.dumps([call("c1", "run", DEEP_JSON)]))
@example(json.dumps([call("\ud800", "\ud800", '"\ud800"'), call("c1", "run", {"\ud800": "\ud800"}), "\ud800"]))
@example(json.dumps([call("c1", "run", f"[{10**30}]"), {"id": 10**30}]))
def test_no_cell_makes_reading_tool_calls_fail_or_lets_NUL_through(stored: Any) -> None:
    calls, warnings = calls_in(stored)
    for each in calls:
        assert not any("\x00" in (text or "") for text in (each.id, each.name, each.arguments_text))
    assert calls or not warnings
    orjson.dumps([[each.id, each.name, each.arguments, each.arguments_text] for each in calls])


# Reasoning


def test_reasoning_is_taken_from_the_first_place_that_has_words() -> None:
    details = '[{"type": "reasoning.text", "text": "c"}, {"summary": "d"}, {"data": "x"}]'
    inline = "<think>e</think> answer <thinking> f </thinking>"
    assert find_reasoning("a", "b", details, inline) == "a"
    assert find_reasoning(" \n", "b", details, inline) == "b"
    assert find_reasoning(None, "", details, inline) == "c\nd"
    assert find_reasoning(None, None, "not json", inline) == "e\nf"
    assert find_reasoning(None, None, "[]", "answer") is None
    assert find_reasoning(None, None, None, "") is None


def test_one_object_of_reasoning_details_counts_too() -> None:
    assert find_reasoning(None, None, '{"text": "a"}', "") == "a"


def test_think_tags_span_lines_and_must_be_closed_by_their_own_kind() -> None:
    assert find_reasoning(None, None, None, "<THINK>a\nb</think>") == "a\nb"
    assert find_reasoning(None, None, None, "<think>a</reasoning>") is None
    assert find_reasoning(None, None, None, "<think> </think>x") is None


@given(cells, cells, cells | loose_json, contents)
@example(None, None, json.dumps([{"text": "\x00"}]), "")
@example(None, None, json.dumps({"summary": "a\x00b"}), "")
@example(None, None, NESTED_JSON, "")
def test_no_cell_makes_finding_reasoning_fail_or_lets_NUL_through(
    reasoning: Any, reasoning_content: Any, details: Any, content: str
) -> None:
    # The content comes from decode_content, which let no NUL through.
    words = find_reasoning(reasoning, reasoning_content, details, content.replace("\x00", "\ufffd"))
    assert words is None or (words.strip() and "\x00" not in words)


def test_many_unclosed_think_tags_cost_time_in_proportion() -> None:
    started = time.process_time()
    assert find_reasoning(None, None, None, "<think>" * 5_000) is None
    assert time.process_time() - started < 0.5


# Previews


def test_M1_the_preview_of_structured_content_is_its_text() -> None:
    text = '\x00json:[{"type":"text","text":"look at this"},' + IMAGE.removeprefix("\x00json:[")
    assert preview_of([text]) == "look at this"


def test_M2_the_preview_is_the_first_text_else_the_image() -> None:
    assert preview_of([IMAGE, "what is it?"]) == "what is it?"
    assert preview_of([IMAGE, " \n"]) == "[image]"
    assert preview_of(["", "  "]) is None
    assert preview_of([]) is None


def test_a_compaction_summary_is_no_preview() -> None:
    assert preview_of(["[CONTEXT COMPACTION] earlier ...", "go on"]) == "go on"


def test_a_preview_is_folded_and_has_120_characters() -> None:
    assert preview_of(["a \n\t b" + "c" * 200]) == "a b" + "c" * 117


@given(st.lists(contents, max_size=3))
def test_no_content_makes_a_preview_fail_or_lets_NUL_through(stored: list[str]) -> None:
    preview = preview_of(stored)
    if preview is not None:
        assert 1 <= len(preview) <= 120
        assert "\x00" not in preview
        assert preview == " ".join(preview.split())
