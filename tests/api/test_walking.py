"""The case M7: pages survive what others write, and a cursor holds for its own list alone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from tests.api.serving import Api, Refusal, Server
from tests.api.walking import LISTS, List, backwards, forged, forwards, rows
from tests.builders import StoreBuilder, T, home_with

Walk = Callable[..., list[str]]
SIZES = [1, 7, 100]
ROWS = 110
BY_NAME = pytest.mark.parametrize("list", LISTS, ids=lambda list: list.name)


def is_doomed(number: int) -> bool:
    return number % 4 == 2


def many(store: StoreBuilder, rows: int = ROWS) -> None:
    """Session s with many messages, and as many sessions; equal starts, so that ids decide."""
    store.session("s", start=T)
    for number in range(rows):
        store.message("s", content=f"m{number}", at=T + number)
        store.session(f"x{number:03}", start=T + 1 + number // 3)


class Disturber:
    """Another program: deletes the doomed row that was seen last, and adds one, after each page."""

    def __init__(self, store: StoreBuilder, is_about_messages: bool) -> None:
        self._store = store
        self._is_about_messages = is_about_messages
        self._numbers = count(1)
        self.gone: set[str] = set()
        self.added: set[str] = set()

    def __call__(self, seen: list[str]) -> None:
        doomed = [id for id in seen if self._may_go(id)]
        if doomed:
            self._delete(doomed[-1])
        number = next(self._numbers)
        if number < 10:
            self._add(number)

    def _may_go(self, id: str) -> bool:
        if self._is_about_messages:
            return is_doomed(int(id)) and id not in self.added
        return id.startswith("x") and is_doomed(int(id[1:]))

    def _delete(self, id: str) -> None:
        table = "messages" if self._is_about_messages else "sessions"
        self._store.sql(f"DELETE FROM {table} WHERE id = ?", (id,))
        self.gone.add(id)

    def _add(self, number: int) -> None:
        if self._is_about_messages:
            self.added.add(str(self._store.message("s", content="added", at=T + 10_000)))
        else:
            self.added.add(self._store.session(f"new{number}", start=T + 10_000 + number))


@contextlib.contextmanager
def disturbed(api: Api, list: List) -> Iterator[Disturber]:
    with api.store() as store:
        yield Disturber(store, list.field == "messages")


@BY_NAME
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("walk", [forwards, backwards])
def test_M7_a_walk_gives_every_row_once_while_others_append_and_delete(
    server: Server, list: List, size: int, walk: Walk
) -> None:
    api = server.profile(lambda store: many(store, rows=ROWS if size == 100 else 45))
    whole = rows(list.page(api, first=500))
    with disturbed(api, list) as disturber:
        walked = walk(list, api, size, disturber)
    assert len(walked) == len(set(walked))
    lasting = [id for id in whole if id not in disturber.gone]
    assert [id for id in walked if id not in disturber.gone | disturber.added] == lasting
    assert [id for id in walked if id not in disturber.added] == whole
    assert disturber.added
    assert disturber.gone


@BY_NAME
def test_M7_forwards_and_backwards_give_the_same_rows(server: Server, list: List) -> None:
    api = server.profile(many)
    whole = rows(list.page(api, first=500))
    for size in (7, 100):
        assert forwards(list, api, size, between=lambda _: None) == whole
        assert backwards(list, api, size, between=lambda _: None) == whole


@pytest.mark.parametrize("direction", ["ASC", "DESC"])
@pytest.mark.parametrize("list", LISTS[2:], ids=lambda list: list.name)
def test_M7_walks_in_both_directions_of_an_order(server: Server, list: List, direction: str) -> None:
    api = server.profile(many)
    order = f"orderBy: {{field: STARTED, direction: {direction}}}"
    whole = rows(list.page(api, order, first=500))
    assert whole == sorted(
        whole, key=lambda id: (T if id == "s" else T + 1 + int(id[1:]) // 3, id), reverse=direction == "DESC"
    )
    assert forwards(list, api, 7, lambda _: None, order) == whole == backwards(list, api, 7, lambda _: None, order)


WRONG_ARGUMENTS = [
    ({"first": -1}, "BAD_USER_INPUT"),
    ({"last": -1}, "BAD_USER_INPUT"),
    ({"first": 501}, "BAD_USER_INPUT"),
    ({"last": 501}, "BAD_USER_INPUT"),
    ({"first": 10, "last": 10}, "BAD_USER_INPUT"),
    ({"first": "ten"}, "BAD_USER_INPUT"),
    ({"after": ""}, "INVALID_CURSOR"),
    ({"first": 5, "after": ""}, "INVALID_CURSOR"),
    ({"last": 5, "before": ""}, "INVALID_CURSOR"),
    ({"after": "rubbish"}, "INVALID_CURSOR"),
    ({"after": "W10"}, "INVALID_CURSOR"),
    ({"after": "\x00"}, "INVALID_CURSOR"),
    ({"after": "é" * 10}, "INVALID_CURSOR"),
    ({"after": "W" * 5000}, "INVALID_CURSOR"),
]


def code_of(list: List, api: Api, more: str = "", **arguments: object) -> str:
    with pytest.raises(Refusal) as refused:
        list.page(api, more, **arguments)
    return refused.value.code


@BY_NAME
@pytest.mark.parametrize(("arguments", "code"), WRONG_ARGUMENTS)
def test_M7_wrong_arguments_are_clear_errors(
    server: Server, list: List, arguments: dict[str, object], code: str
) -> None:
    assert code_of(list, server.profile(lambda store: store.session("s")), **arguments) == code


@BY_NAME
@pytest.mark.parametrize("first", [10**9, 10**10])
def test_M7_a_page_of_a_thousand_million_is_refused(server: Server, list: List, first: int) -> None:
    assert code_of(list, server.profile(lambda store: store.session("s")), first=first) == "QUERY_TOO_EXPENSIVE"


@BY_NAME
def test_M7_a_page_of_none_has_exact_flags(server: Server, list: List) -> None:
    page = list.page(server.profile(many), first=0)
    assert page["edges"] == []
    assert page["pageInfo"] == {"hasNextPage": True, "hasPreviousPage": False, "startCursor": None, "endCursor": None}


FORGED = [(), ("x",), (None, None), ({}, []), ("s", {}), ("s", "x"), (1, {}, "x", "y"), ("a", "b", "c", "d")]


@BY_NAME
@pytest.mark.parametrize("key", FORGED, ids=repr)
def test_M7_a_forged_key_is_an_invalid_cursor(server: Server, list: List, key: tuple[object, ...]) -> None:
    api = server.profile(lambda store: [store.session("s"), store.message("s")])
    cursor = list.page(api, first=1)["pageInfo"]["endCursor"]
    assert code_of(list, api, after=forged(cursor, *key)) == "INVALID_CURSOR"


@BY_NAME
def test_M7_a_damaged_cursor_is_refused(server: Server, list: List) -> None:
    api = server.profile(many)
    cursor = list.page(api, first=1)["pageInfo"]["endCursor"]
    for damaged in (cursor[:-3], cursor[3:], cursor + "AAAA", cursor.swapcase(), f" {cursor}"):
        assert code_of(list, api, after=damaged) == "INVALID_CURSOR"


def test_M7_a_cursor_of_another_field_is_refused(server: Server) -> None:
    api = server.profile(many)
    cursors = {list.name: list.page(api, first=1)["pageInfo"]["endCursor"] for list in LISTS}
    for list in LISTS:
        for origin, cursor in cursors.items():
            if origin != list.name:
                assert code_of(list, api, after=cursor) == "INVALID_CURSOR"


def test_M7_a_cursor_of_another_session_is_refused(server: Server) -> None:
    def two(store: StoreBuilder) -> None:
        for id in ("s", "t"):
            store.session(id)
            store.message(id)

    api = server.profile(two)
    other = List("messages of t", 'session(id: "t") { {field} }', "messages")
    cursor = other.page(api, first=1)["pageInfo"]["endCursor"]
    assert code_of(LISTS[0], api, after=cursor) == "INVALID_CURSOR"


@pytest.mark.parametrize("list", LISTS[2:], ids=lambda list: list.name)
@pytest.mark.parametrize(
    "more",
    ["orderBy: {field: TITLE}", "orderBy: {direction: ASC}", "filter: {live: false}", 'filter: {sources: ["cli"]}'],
)
def test_M7_a_cursor_of_another_order_or_filter_is_refused(server: Server, list: List, more: str) -> None:
    api = server.profile(many)
    cursor = list.page(api, first=1)["pageInfo"]["endCursor"]
    assert code_of(list, api, more, after=cursor) == "INVALID_CURSOR"
    own = list.page(api, more, first=1)["pageInfo"]["endCursor"]
    assert code_of(list, api, after=own) == "INVALID_CURSOR"


@pytest.mark.parametrize("list", LISTS[:2], ids=lambda list: list.name)
@pytest.mark.parametrize("more", ['filter: {roles: ["user"]}', "filter: {states: [LIVE]}", 'filter: {text: "m"}'])
def test_M7_a_cursor_of_another_message_filter_is_refused(server: Server, list: List, more: str) -> None:
    api = server.profile(many)
    cursor = list.page(api, first=1)["pageInfo"]["endCursor"]
    assert code_of(list, api, more, after=cursor) == "INVALID_CURSOR"


@BY_NAME
def test_M7_a_cursor_of_another_profile_is_refused(server: Server, list: List) -> None:
    one, other = server.profile(many), server.profile(many)
    cursor = list.page(one, first=1)["pageInfo"]["endCursor"]
    assert code_of(list, other, after=cursor) == "INVALID_CURSOR"


def test_M7_a_cursor_of_other_profiles_is_refused(server: Server) -> None:
    home_with(server.home, one=many, two=many)
    api = server.api("one")
    conversations = LISTS[3]
    cursor = conversations.page(api, 'profiles: ["one", "two"]', first=1)["pageInfo"]["endCursor"]
    assert code_of(conversations, api, 'profiles: ["one"]', after=cursor) == "INVALID_CURSOR"
    swapped = conversations.page(api, 'profiles: ["two", "one"]', first=1, after=cursor)
    assert rows(swapped) == rows(conversations.page(api, 'profiles: ["one", "two"]', first=1, after=cursor))
