"""A fork ends at the message that was chosen, never between a call and its result."""

from __future__ import annotations

import json

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.writing.forking import Turn, turn, turns_to_copy


def calling(id: int, *calls: str | None) -> Turn:
    return turn(id, "assistant", json.dumps([{"id": call, "function": {"name": "f"}} for call in calls]), None)


def result(id: int, answers: str | None) -> Turn:
    return turn(id, "tool", None, answers)


def said(id: int, role: str = "user") -> Turn:
    return turn(id, role, None, None)


def copied(turns: list[Turn], last: int | None) -> list[int]:
    return [each.id for each in turns_to_copy(turns, last)]


EXCHANGE = [said(1), calling(2, "a", "b"), result(3, "b"), result(4, "a"), said(5, "assistant")]


@pytest.mark.parametrize(("last", "number"), [(1, 1), (2, 4), (3, 4), (4, 4), (5, 5), (None, 5)])
def test_an_exchange_is_copied_whole(last: int | None, number: int) -> None:
    assert copied(EXCHANGE, last) == [1, 2, 3, 4, 5][:number]


@pytest.mark.parametrize(
    "turns",
    [
        [said(1), calling(2, "a")],
        [said(1), calling(2, "a", "b"), result(3, "a")],
        [said(1), calling(2, "a"), result(3, "x")],
        [said(1), calling(2, None, None), result(3, None)],
    ],
    ids=["no result", "one of two", "another's", "without ids"],
)
def test_an_exchange_without_all_its_results_is_refused(turns: list[Turn]) -> None:
    with pytest.raises(HermesSessionsError, match="Fork at message 1, before it") as caught:
        turns_to_copy(turns, None)
    assert (caught.value.code, caught.value.details["field"]) == (ErrorCode.BAD_USER_INPUT, "messageId")


def test_an_open_exchange_in_the_middle_is_as_it_was() -> None:
    assert copied([said(1), calling(2, "a"), said(3), said(4, "assistant")], 3) == [1, 2, 3]


def test_results_without_a_call_and_calls_without_ids_are_copied() -> None:
    assert copied([result(1, "a"), result(2, "b")], 1) == [1, 2]
    assert copied([said(1), calling(2, None), result(3, None)], 2) == [1, 2, 3]


def test_calls_that_do_not_parse_count_as_one() -> None:
    odd = turn(1, "assistant", "not json", None)
    assert copied([odd, result(2, "x")], 1) == [1, 2]
    with pytest.raises(HermesSessionsError, match="Fork at another message"):
        turns_to_copy([odd], None)


def test_nothing_is_copied_of_nothing() -> None:
    assert copied([], None) == []


def test_a_message_of_elsewhere_is_not_found() -> None:
    with pytest.raises(HermesSessionsError, match="Message 9 is no live message") as caught:
        turns_to_copy(EXCHANGE, 9)
    assert caught.value.code is ErrorCode.NOT_FOUND
