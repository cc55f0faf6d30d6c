"""Coercion of stored cells: one bad cell costs one field."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import datetime
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes_sessions.model import values
from hermes_sessions.model.tool_calls import parse_tool_calls
from hermes_sessions.model.values import MAX_SAFE_INTEGER, Warnings
from tests.model.builders import T
from tests.model.strategies import DEEP_JSON, cells, loose_json, plain_json

Coercer = Callable[[Any, str, Warnings], Any]
NUMBERS: list[Coercer] = [values.whole, values.money, values.moment]


def coerce(coercer: Coercer, cell: Any) -> tuple[Any, tuple[str, ...]]:
    warnings = Warnings()
    return coercer(cell, "column", warnings), warnings.freeze()


@given(cells)
def test_no_cell_makes_a_coercer_raise(cell: Any) -> None:
    for coercer in (*NUMBERS, values.stored_json):
        coerce(coercer, cell)
    for simple in (values.text, values.label, values.flag):
        simple(cell)


@given(cells)
def test_a_cell_becomes_either_its_value_or_null_with_one_warning_that_names_the_column(cell: Any) -> None:
    for coercer in NUMBERS:
        value, warnings = coerce(coercer, cell)
        assert len(warnings) == (value is None and cell is not None)
        assert all("column" in warning and len(warning) < 150 for warning in warnings)


@given(cells)
def test_numbers_that_pass_are_finite_and_in_range(cell: Any) -> None:
    count = coerce(values.whole, cell)[0]
    amount = coerce(values.money, cell)[0]
    moment = coerce(values.moment, cell)[0]
    assert count is None or (type(count) is int and 0 <= count <= MAX_SAFE_INTEGER and count == cell)
    assert amount is None or (type(amount) is float and math.isfinite(amount) and amount >= 0)
    assert moment is None or (type(moment) is float and values.rfc3339(moment)[:2] in ("20", "19"))


@given(cells)
def test_a_text_never_holds_NUL_and_is_null_only_for_null(cell: Any) -> None:
    words = values.text(cell)
    assert (words is None) == (cell is None)
    assert "\x00" not in (words or "").encode().decode()


@given(st.text())
def test_a_text_without_NUL_stays_as_it_is(words: str) -> None:
    assert values.text(words) == words.replace("\x00", "\ufffd")


@pytest.mark.parametrize("blank", [None, "", " \t\n", b"", b"  "])
def test_a_blank_label_is_no_label(blank: Any) -> None:
    assert values.label(blank) is None
    assert values.label("a") == "a"


@pytest.mark.parametrize("wrong", [5.49e246, "yesterday", "", -1, 0, 1750000000000, T * 1000, math.nan, math.inf, b"1"])
def test_B1_an_implausible_moment_is_null_with_a_warning(wrong: Any) -> None:
    moment, warnings = coerce(values.moment, wrong)
    assert moment is None
    assert len(warnings) == 1


@pytest.mark.parametrize("right", [T, 1750000000, 946_684_800, 4_102_444_799.5])
def test_B1_a_plausible_moment_is_seconds_as_float(right: float) -> None:
    assert coerce(values.moment, right) == (float(right), ())


def test_B2_undecodable_bytes_in_a_text_column_are_replaced() -> None:
    assert values.text(b"\xffA\xc3(") == "\ufffdA\ufffd("


@pytest.mark.parametrize("coercer", NUMBERS)
@pytest.mark.parametrize("cell", [2**63 - 1, math.inf, -math.inf, math.nan, b"\xffA\xc3(", "many"])
def test_B2_a_number_beyond_its_range_is_null_with_a_warning(coercer: Coercer, cell: Any) -> None:
    value, warnings = coerce(coercer, cell)
    assert value is None
    assert len(warnings) == 1


def test_a_count_stored_as_a_whole_float_is_a_count() -> None:
    assert coerce(values.whole, 3.0) == (3, ())
    assert coerce(values.whole, MAX_SAFE_INTEGER) == (MAX_SAFE_INTEGER, ())
    assert coerce(values.whole, MAX_SAFE_INTEGER + 1)[0] is None
    assert coerce(values.whole, 2.5)[0] is None


@pytest.mark.parametrize(
    ("cell", "truth"), [(1, True), (0, False), (0.0, False), (2, True), ("1", False), (None, False)]
)
def test_a_flag_is_a_number_other_than_zero(cell: Any, truth: bool) -> None:
    assert values.flag(cell) is truth


@given(plain_json)
def test_stored_json_comes_back_as_it_is(value: Any) -> None:
    assert coerce(values.stored_json, json.dumps(value)) == (value, ())


@given(loose_json)
@example('["\\ud800", "\\u0000", {"\\udfff\\u0000": 1}]')
@example(f"[{2**64}, {-(2**64)}, 1e999, NaN, -Infinity]")
@example("[" * 400 + "]" * 400)
@example('{"a":' * 300 + "1" + "}" * 300)
def test_B2_whatever_json_is_stored_can_be_answered(stored: str) -> None:
    read, _ = coerce(values.stored_json, stored)
    assert b"\\u0000" not in orjson.dumps(read).replace(b"\\\\", b"")


def test_B2_what_other_readers_of_json_refuse_becomes_text() -> None:
    read, warnings = coerce(values.stored_json, f'[{2**63}, {2**63 - 1}, 1e999, "a\\ud800", "\\u0000", true]')
    assert read == [str(2**63), 2**63 - 1, "inf", "a\ufffd\ufffd\ufffd", "\ufffd", True]
    assert warnings == ()


@given(loose_json)
@example(f"[{2**63}, {2**63 - 1}, {-(2**63) - 1}, {-(2**63)}, 1e999, -1e999, NaN, -Infinity, -0, 1.50]")
@example(f"[{2**64}, {2**64 - 1}, {10**18}, {-(10**18)}, {10**25}, 0.{'1' * 30}, 1E5, -1e-999]")
@example('["\\ud800", "\\u0000", "é\\u00e9", {"\\udfff": 1}]')
@example('["\ud800"]')
@example('["\\\\u0000", "漢字 \U0001f600", "\\ud83d\\ude00", {"a": 1, "a": 2}]')
@example("[" * 100 + "1" + "]" * 100)
@example('[{"a":' * 50 + "[]" + "}]" * 50)
def test_json_that_is_safe_as_it_is_parsed_is_what_walking_through_it_gives(stored: str) -> None:
    def outcome(parse: Callable[[str], Any]) -> Any:
        try:
            return repr(parse(stored))
        except (ValueError, RecursionError) as error:
            return type(error)

    assert outcome(values.parsed_json) == outcome(lambda text: values.safe_json(json.loads(text)))


@given(loose_json)
def test_stored_text_that_is_no_json_is_null_with_a_warning(stored: str) -> None:
    read, warnings = coerce(values.stored_json, stored)
    assert warnings == () or read is None


@pytest.mark.parametrize("broken", ["{bad json", DEEP_JSON, "9" * 5000, b"\xff\xfe\x00", b"\xffA\xc3("])
def test_L11_json_that_does_not_parse_is_null_with_a_warning(broken: Any) -> None:
    read, warnings = coerce(values.stored_json, broken)
    assert read is None
    assert warnings == ("column: the stored text is not JSON",)


@pytest.mark.parametrize("empty", [None, ""])
def test_no_json_is_no_warning(empty: Any) -> None:
    assert coerce(values.stored_json, empty) == (None, ())


def test_a_moment_is_written_in_UTC_with_six_decimals() -> None:
    assert values.rfc3339(T) == "2025-06-15T15:06:40.000000Z"
    assert values.rfc3339(1750000000.123457) == "2025-06-15T15:06:40.123457Z"


@given(st.floats(values.EARLIEST_MOMENT, values.LATEST_MOMENT, exclude_max=True))
def test_a_written_moment_reads_back_to_the_microsecond(moment: float) -> None:
    assert datetime.fromisoformat(values.rfc3339(moment)).timestamp() == pytest.approx(moment, rel=0, abs=1e-6)


@pytest.mark.parametrize("empty", [None, "", b""])
def test_nothing_is_no_json_and_no_tool_calls_and_no_reason_to_warn(empty: str | bytes | None) -> None:
    warnings = Warnings()
    assert values.stored_json(empty, "tool_calls", warnings) is None
    assert parse_tool_calls(empty, warnings) == []
    assert warnings.freeze() == ()
