"""Profile names, session ids, prefixes and node ids."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.ids import NodeType, decode_node_id, encode_node_id, prefix_end, profile_name, session_id
from tests.model.strategies import DEEP_JSON, json_values

# Few characters, so that prefixes are met, among them the ends of every range that UTF-8 knows.
edges = st.text(st.sampled_from("ab%_\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"), max_size=4)


def refused(call: Any, *arguments: Any) -> bool:
    with pytest.raises(HermesSessionsError) as caught:
        call(*arguments)
    return caught.value.code is ErrorCode.BAD_USER_INPUT


@pytest.mark.parametrize(
    ("typed", "name"), [("work", "work"), (" Work\n", "work"), ("0-a_b", "0-a_b"), ("a" * 64,) * 2]
)
def test_a_profile_name_is_trimmed_and_lower_cased(typed: str, name: str) -> None:
    assert profile_name(typed) == name


@pytest.mark.parametrize(
    "bad", ["", " ", "-a", "_a", "a" * 65, "../a", "a/b", "a\\b", "a.b", "a b", "a\x00", "a\nb", "é", "..", "a\u2028"]
)
def test_a_profile_name_that_could_leave_its_folder_is_refused(bad: str) -> None:
    assert refused(profile_name, bad)


@given(st.text(max_size=70) | st.text(st.sampled_from("aZ09-_ "), max_size=70))
def test_an_accepted_profile_name_holds_nothing_but_its_alphabet_and_is_its_own_name(typed: str) -> None:
    try:
        name = profile_name(typed)
    except HermesSessionsError:
        return
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert profile_name(name) == name


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\x00", "a\x00", "a\nb", "\x7f", "a\x85", "\u3000"])
def test_R3_a_blank_id_or_one_with_control_characters_is_refused(blank: str) -> None:
    assert refused(session_id, blank)


@pytest.mark.parametrize("id", ["d1", "a b", " a", "100%_", "Ä", "'; --", "BR"])
def test_an_id_is_taken_exactly_as_typed(id: str) -> None:
    assert session_id(id) == id


@given(edges.filter(bool), edges)
def test_the_range_of_a_prefix_holds_exactly_the_texts_that_start_with_it(prefix: str, text: str) -> None:
    end = prefix_end(prefix)
    assert (prefix <= text and (end is None or text < end)) == text.startswith(prefix)


@given(st.text(min_size=1), st.text())
def test_the_range_of_a_prefix_holds_what_continues_it_also_in_the_order_of_bytes(prefix: str, rest: str) -> None:
    end = prefix_end(prefix)
    raw = (prefix + rest).encode()
    assert prefix.encode() <= raw
    assert end is None or raw < end.encode()


def test_only_a_prefix_of_greatest_characters_has_no_end() -> None:
    assert prefix_end("\U0010ffff") is None
    assert prefix_end("a\U0010ffff") == "b"
    assert prefix_end("\ud7ff") == "\ue000"


@given(st.sampled_from(["Profile", "Session", "Conversation", "Message"]), st.lists(st.text(), max_size=3))
def test_a_node_id_reads_back_as_what_it_was_made_of(kind: NodeType, parts: list[str]) -> None:
    node_id = encode_node_id(kind, *parts)
    assert decode_node_id(node_id) == (kind, parts)
    assert set(node_id) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@given(st.text(), st.text(), st.text(), st.text())
def test_P5_the_same_id_in_two_profiles_has_two_node_ids(profile: str, id: str, other: str, other_id: str) -> None:
    assume((profile, id) != (other, other_id))
    assert encode_node_id("Session", profile, id) != encode_node_id("Session", other, other_id)
    assert encode_node_id("Session", profile, id) != encode_node_id("Conversation", profile, id)


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "foreign", ["", "x", "===", "ä", "Session:1", encoded(b"[]"), encoded(b'"Session"'), encoded(b"1")]
)
def test_a_node_id_of_somebody_else_is_refused(foreign: str) -> None:
    assert refused(decode_node_id, foreign)


@pytest.mark.parametrize(
    "value", [["Store", "default"], ["Session", 1], ["Session", None], [["Session"], "a"], {"Session": 1, "default": 2}]
)
def test_a_node_id_of_another_shape_is_refused(value: Any) -> None:
    assert refused(decode_node_id, encoded(json.dumps(value).encode()))


@given(st.text() | st.binary().map(encoded) | json_values.map(lambda value: encoded(json.dumps(value).encode())))
def test_no_text_makes_reading_a_node_id_fail_in_another_way(text: str) -> None:
    try:
        kind, parts = decode_node_id(text)
    except HermesSessionsError:
        assert refused(decode_node_id, text)
    else:
        assert decode_node_id(encode_node_id(kind, *parts)) == (kind, parts)


def test_a_node_id_of_endless_depth_is_refused() -> None:
    assert refused(decode_node_id, encoded(DEEP_JSON.encode()))
