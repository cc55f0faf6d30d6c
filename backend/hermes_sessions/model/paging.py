"""Keyset pages: opaque cursors that survive inserts and deletes, and pages with exact flags."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.model.lazy import lazy

CURSOR_VERSION = 1
_compact = json.JSONEncoder(separators=(",", ":")).encode
T = TypeVar("T")
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A checked request for a page. Exactly one direction; `after` and `before` are decoded keys."""

    limit: int
    backward: bool = False
    after: Key | None = None
    before: Key | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Items in the order of the list, whichever direction they were asked for in."""

    items: Sequence[T]
    has_next: bool
    has_previous: bool


class CursorCodec:
    """Makes and reads cursors of one list.

    `length` is that of its keys. `binding` names everything that a cursor must not be moved across: the field, its
    order, its filter and the profiles.
    """

    def __init__(self, length: int, *binding: Any) -> None:
        self._length = length
        self._binding = binding

    @lazy
    def _seal(self) -> str:
        """Made for the first cursor: many answers have none."""
        text = json.dumps(self._binding, sort_keys=True, default=str, ensure_ascii=True)
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    def encode(self, key: Key) -> str:
        return base64.urlsafe_b64encode(_compact([CURSOR_VERSION, self._seal, *key]).encode()).rstrip(b"=").decode()

    def decode(self, cursor: str) -> Key:
        """The key. Raises INVALID_CURSOR for damaged text, another version, or a cursor of another list."""
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
            decoded = json.loads(raw)
        except (binascii.Error, ValueError, RecursionError):
            decoded = None
        if not isinstance(decoded, list) or len(decoded) < 2:
            raise _invalid("This is no cursor of this server.")
        version, seal, *key = decoded
        if version != CURSOR_VERSION:
            raise _invalid("This cursor was made by another version of the server.")
        if seal != self._seal:
            raise _invalid("This cursor belongs to another field, order, filter or profile.")
        if len(key) != self._length or not all(isinstance(part, str | int | float | None) for part in key):
            raise _invalid("This is no cursor of this server.")
        return tuple(key)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands in a list; its cursor is made when it is asked for."""

    codec: CursorCodec
    key: Key

    @property
    def cursor(self) -> str:
        return self.codec.encode(self.key)


def _invalid(sentence: str) -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.INVALID_CURSOR, f"{sentence} Start again without `after` and `before`, with the same arguments."
    )


def page_request(
    codec: CursorCodec,
    first: int | None,
    after: str | None,
    last: int | None,
    before: str | None,
    *,
    default_size: int,
    max_size: int,
) -> PageRequest:
    """Checks the four arguments of a connection. Raises BAD_USER_INPUT or INVALID_CURSOR."""
    if first is not None and last is not None:
        raise bad_input("Give `first` or `last`, not both.")
    if last is None and before is not None and first is not None:
        raise bad_input("`before` goes with `last`: give `last` and `before`, or `first` and `after`.")
    if first is None and after is not None and last is not None:
        raise bad_input("`after` goes with `first`: give `first` and `after`, or `last` and `before`.")
    backward = last is not None or before is not None
    limit = last if last is not None else first if first is not None else default_size
    name = "last" if backward else "first"
    if not 0 <= limit <= max_size:
        raise bad_input(f"`{name}` is {limit}; it must be from 0 to {max_size}. Fetch more by further pages.")
    return PageRequest(
        limit=limit,
        backward=backward,
        after=codec.decode(after) if after is not None else None,
        before=codec.decode(before) if before is not None else None,
    )


def slice_page(items: Sequence[T], request: PageRequest, key: Callable[[T], Key]) -> Page[T]:
    """The page out of all items, in ascending order of `key`. Found by bisection: any depth costs the same."""
    start = 0 if request.after is None else _position(items, request.after, key, bisect_right)
    stop = len(items) if request.before is None else _position(items, request.before, key, bisect_left)
    if request.backward:
        start = max(start, stop - request.limit)
    else:
        stop = min(stop, start + request.limit)
    stop = max(start, stop)
    return Page(items[start:stop], has_next=stop < len(items), has_previous=start > 0)


def slice_descending(items: Sequence[T], request: PageRequest, key: Callable[[T], Key]) -> Page[T]:
    """Like `slice_page` for a list that is shown from its end: `items` still are in ascending order of `key`."""
    mirrored = PageRequest(request.limit, not request.backward, after=request.before, before=request.after)
    page = slice_page(items, mirrored, key)
    return Page(page.items[::-1], has_next=page.has_previous, has_previous=page.has_next)


def merge_pages(pages: Sequence[Page[T]], request: PageRequest, key: Callable[[T], Key], descending: bool) -> Page[T]:
    """One page out of the pages that the same request gave on several lists in the same order."""
    merged = sorted((item for page in pages for item in page.items), key=key, reverse=descending)
    cut = max(0, len(merged) - request.limit)
    has_next = any(page.has_next for page in pages)
    has_previous = any(page.has_previous for page in pages)
    if request.backward:
        return Page(merged[cut:], has_next, has_previous or cut > 0)
    return Page(merged[: request.limit], has_next or cut > 0, has_previous)


def _position(items: Sequence[T], at: Key, key: Callable[[T], Key], bisect: Callable[..., int]) -> int:
    try:
        return bisect(items, at, key=key)
    except TypeError:
        raise _invalid("This is no cursor of this server.") from None
