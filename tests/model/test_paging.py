"""Cursors and pages: opaque, bound to their list, and exact at both ends."""

from __future__ import annotations

import base64
import functools
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.paging import (
    CursorCodec,
    Key,
    Page,
    PageRequest,
    merge_pages,
    page_request,
    slice_descending,
    slice_page,
)
from tests.model.strategies import DEEP_JSON, json_values

CODEC = CursorCodec(4, "conversations", "LAST_ACTIVE", ["EXCLUDE"], ["default"])
Slice = Callable[[Sequence[Key], PageRequest, Callable[[Key], Key]], Page[Key]]

measures = st.integers(0, 3) | st.sampled_from([0.5, 1.5])
keys: st.SearchStrategy[Key] = st.tuples(st.just(1), measures, st.sampled_from("abc"), st.sampled_from(["p", "q"]))
key_sets = st.lists(keys | st.tuples(st.just(0), st.just(0), st.sampled_from("abc"), st.just("p")), unique=True)


@st.composite
def requests(draw: st.DrawFn) -> PageRequest:
    """A page in either direction; its cursor's row need not exist any more."""
    backward = draw(st.booleans())
    cursor = draw(st.none() | keys)
    limit = draw(st.integers(0, 4))
    return PageRequest(limit, backward, None if backward else cursor, cursor if backward else None)


def itself(key: Key) -> Key:
    return key


def expected_page(shown: list[Key], request: PageRequest, descending: bool) -> Page[Key]:
    """The page out of a list in the order in which it is shown, by looking at every item."""

    def beyond(item: Key, cursor: Key) -> bool:
        return item < cursor if descending else item > cursor

    if request.backward:
        candidates = [item for item in shown if request.before is None or beyond(request.before, item)]
        later = shown[len(candidates) :]
        start = max(0, len(candidates) - request.limit)
        return Page(candidates[start:], bool(later), bool(candidates[:start]))
    candidates = [item for item in shown if request.after is None or beyond(item, request.after)]
    earlier = shown[: len(shown) - len(candidates)]
    return Page(candidates[: request.limit], bool(candidates[request.limit :]), bool(earlier))


def same(found: Page[Key], expected: Page[Key]) -> bool:
    return (list(found.items), found.has_next, found.has_previous) == (
        list(expected.items),
        expected.has_next,
        expected.has_previous,
    )


def code_of(call: Callable[[], object]) -> ErrorCode:
    with pytest.raises(HermesSessionsError) as caught:
        call()
    return caught.value.code


def asked(
    first: int | None = None, after: str | None = None, last: int | None = None, before: str | None = None
) -> Any:
    return page_request(CODEC, first, after, last, before, default_size=50, max_size=500)


# Requests


def test_without_arguments_the_first_default_page_is_meant() -> None:
    assert asked() == PageRequest(50)


def test_a_request_carries_the_decoded_cursor() -> None:
    cursor = CODEC.encode((1, 2.5, "a", "p"))
    assert asked(first=7, after=cursor) == PageRequest(7, after=(1, 2.5, "a", "p"))
    assert asked(last=7, before=cursor) == PageRequest(7, backward=True, before=(1, 2.5, "a", "p"))
    assert asked(before=cursor) == PageRequest(50, backward=True, before=(1, 2.5, "a", "p"))
    assert asked(first=0) == PageRequest(0)


@pytest.mark.parametrize(
    "arguments",
    [
        {"first": -1},
        {"last": -1},
        {"first": 10**9},
        {"first": 501},
        {"last": 501},
        {"first": 1, "last": 1},
        {"first": 1, "before": CODEC.encode((1,))},
        {"last": 1, "after": CODEC.encode((1,))},
    ],
)
def test_M7_sizes_that_make_no_sense_are_refused(arguments: dict[str, Any]) -> None:
    assert code_of(lambda: asked(**arguments)) is ErrorCode.BAD_USER_INPUT


@pytest.mark.parametrize("cursor", ["", "x", "=", "ä", "\x00", "W10", "bnVsbA", "MQ", "YWJj" * 1000])
def test_M7_a_cursor_that_is_none_is_refused(cursor: str) -> None:
    assert code_of(lambda: asked(first=1, after=cursor)) is ErrorCode.INVALID_CURSOR
    assert code_of(lambda: asked(last=1, before=cursor)) is ErrorCode.INVALID_CURSOR


@pytest.mark.parametrize(
    "binding",
    [
        ("sessions", "LAST_ACTIVE", ["EXCLUDE"], ["default"]),
        ("conversations", "STARTED", ["EXCLUDE"], ["default"]),
        ("conversations", "LAST_ACTIVE", ["INCLUDE"], ["default"]),
        ("conversations", "LAST_ACTIVE", ["EXCLUDE"], ["work"]),
        ("conversations", "LAST_ACTIVE", ["EXCLUDE", "default"]),
    ],
)
def test_M7_a_cursor_of_another_field_order_filter_or_profile_is_refused(binding: tuple[Any, ...]) -> None:
    foreign = CursorCodec(4, *binding).encode((1, 2, "a", "p"))
    assert code_of(lambda: asked(first=1, after=foreign)) is ErrorCode.INVALID_CURSOR


# Cursors

cursor_keys = st.tuples(
    st.sampled_from([0, 1]), st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(), st.text(), st.text()
)


@given(cursor_keys)
def test_a_cursor_reads_back_as_the_key_that_it_was_made_of(key: Key) -> None:
    cursor = CODEC.encode(key)
    assert CODEC.decode(cursor) == key
    assert cursor.isascii()
    assert CursorCodec(4, "conversations", "LAST_ACTIVE", ["EXCLUDE"], ["default"]).decode(cursor) == key


@given(cursor_keys, st.data())
def test_a_tampered_cursor_is_refused_or_names_a_place_but_fails_in_no_other_way(key: Key, data: st.DataObject) -> None:
    cursor = CODEC.encode(key)
    at = data.draw(st.integers(0, len(cursor) - 1))
    assert_harmless(cursor[:at] + data.draw(st.characters() | st.just("")) + cursor[at + 1 :])
    assert_harmless(cursor[:at])


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_any_text_in_place_of_a_cursor_is_refused(text: str) -> None:
    assert code_of(lambda: CODEC.decode(text)) is ErrorCode.INVALID_CURSOR


@given(st.lists(json_values, max_size=4))
def test_a_sealed_cursor_with_the_wrong_shape_is_refused_or_names_a_place(key: list[Any]) -> None:
    assert_harmless(CODEC.encode(tuple(key)))


def assert_harmless(cursor: str) -> None:
    items: list[Key] = [(0, 0, "a", "p"), (1, 1, "b", "p"), (1, 1.5, "c", "q")]
    try:
        key = CODEC.decode(cursor)
    except HermesSessionsError:
        assert code_of(lambda: CODEC.decode(cursor)) is ErrorCode.INVALID_CURSOR
        return
    for take, request in [
        (slice_page, PageRequest(3, after=key)),
        (slice_page, PageRequest(3, backward=True, before=key)),
        (slice_descending, PageRequest(3, after=key)),
    ]:
        try:
            assert len(take(items, request, itself).items) <= 3
        except HermesSessionsError:
            assert code_of(functools.partial(take, items, request, itself)) is ErrorCode.INVALID_CURSOR


def test_a_cursor_of_another_version_or_of_endless_depth_is_refused() -> None:
    version, *rest = json.loads(base64.urlsafe_b64decode(CODEC.encode((1,)) + "=="))
    older = base64.urlsafe_b64encode(json.dumps([version - 1, *rest]).encode()).decode()
    assert code_of(lambda: CODEC.decode(older)) is ErrorCode.INVALID_CURSOR
    assert code_of(lambda: CODEC.decode(base64.b64encode(DEEP_JSON.encode()).decode())) is ErrorCode.INVALID_CURSOR


# Pages


@given(key_sets, requests())
def test_a_page_is_exactly_what_a_look_at_every_item_gives(items: list[Key], request: PageRequest) -> None:
    found = slice_page(sorted(items), request, itself)
    assert same(found, expected_page(sorted(items), request, descending=False))


@given(key_sets, requests())
def test_a_page_of_a_descending_list_is_exact_too(items: list[Key], request: PageRequest) -> None:
    found = slice_descending(sorted(items), request, itself)
    assert same(found, expected_page(sorted(items, reverse=True), request, descending=True))


@given(key_sets, keys, keys, st.booleans())
def test_between_two_cursors_there_is_what_lies_between_them(
    items: list[Key], one: Key, other: Key, backward: bool
) -> None:
    low, high = sorted([one, other])
    between = [item for item in sorted(items) if low < item < high]
    assert slice_page(sorted(items), PageRequest(99, backward, low, high), itself).items == between
    assert slice_descending(sorted(items), PageRequest(99, backward, high, low), itself).items == between[::-1]
    assert slice_page(sorted(items), PageRequest(99, backward, high, low), itself).items == []


@given(st.lists(key_sets, min_size=1, max_size=4), requests(), st.booleans())
def test_pages_of_several_lists_merge_to_the_page_of_their_union(
    lists: list[list[Key]], request: PageRequest, descending: bool
) -> None:
    # Like profiles: no item is in two lists, and an item's list is part of its key.
    marked = [[(*key, at) for key in items] for at, items in enumerate(lists)]
    take: Slice = slice_descending if descending else slice_page
    merged = merge_pages([take(sorted(items), request, itself) for items in marked], request, itself, descending)
    union = sorted((key for items in marked for key in items), reverse=descending)
    assert same(merged, expected_page(union, request, descending))


def test_no_lists_merge_to_an_empty_page() -> None:
    assert same(merge_pages([], PageRequest(5), itself, descending=True), Page([], False, False))


# Walks


def walk(items: list[Key], size: int, take: Slice, backward: bool, between: Callable[[], None]) -> list[Key]:
    """All pages, one after the other, with cursors that went out and came back."""
    seen: list[Key] = []
    cursor: str | None = None
    more = True
    while more:
        request = asked(last=size, before=cursor) if backward else asked(first=size, after=cursor)
        page = take(items, request, itself)
        seen = [*page.items, *seen] if backward else [*seen, *page.items]
        more = page.has_previous if backward else page.has_next
        if page.items:
            cursor = CODEC.encode(page.items[0 if backward else -1])
        between()
    return seen


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("take", [slice_page, slice_descending])
def test_M7_walking_while_others_append_and_delete_gives_each_lasting_row_once(
    size: int, backward: bool, take: Slice
) -> None:
    chance = random.Random(size)
    lasting: list[Key] = [(1, number // 3, f"s{number:03}", "p") for number in range(0, 230, 2)]
    items = sorted([*lasting, *((1, number // 3, f"s{number:03}", "p") for number in range(1, 230, 2))])

    def others_write() -> None:
        passing = [item for item in items if item not in lasting]
        for gone in chance.sample(passing, min(2, len(passing))):
            items.remove(gone)
        if chance.random() < 0.5:
            items.append((1, chance.randrange(77), f"x{chance.randrange(10**6)}", "p"))
            items.sort()

    seen = walk(items, size, take, backward, others_write)
    order = lasting if take is slice_page else lasting[::-1]
    assert [item for item in seen if item in lasting] == order
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("size", [1, 7, 100])
def test_M7_walking_forwards_and_backwards_gives_the_same_rows(size: int) -> None:
    items: list[Key] = [(1, number, "s", "p") for number in range(115)]
    for take in (slice_page, slice_descending):
        forwards = walk(items, size, take, False, lambda: None)
        assert forwards == walk(items, size, take, True, lambda: None)
        assert sorted(forwards) == items


@given(key_sets, st.integers(1, 4), st.booleans())
def test_the_deleted_row_of_a_cursor_does_not_move_the_next_page(items: list[Key], size: int, backward: bool) -> None:
    ordered = sorted(items)
    page = slice_page(ordered, PageRequest(size, backward), itself)
    if not page.items:
        return
    edge = page.items[0 if backward else -1]
    onward = PageRequest(size, backward, None if backward else edge, edge if backward else None)
    before = slice_page(ordered, onward, itself)
    after = slice_page([item for item in ordered if item != edge], onward, itself)
    assert list(before.items) == list(after.items)
