"""Sessions in files: looked through once, so that nothing is written before all of it is known to be good, then read
session by session.

Read are our own JSON, JSON lines as Hermes exports them (ours, too), and lists of such sessions.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, BinaryIO

from hermes_sessions.model.export.jsons import FORMAT_NAME
from hermes_sessions.model.export.rows import PARENT_LINK, ParentLink, Row, stored_text
from hermes_sessions.model.importing.cells import exact_row, hermes_row
from hermes_sessions.model.importing.incoming import Incoming
from hermes_sessions.model.importing.scanning import JsonReader

PAGE_ROWS = 150
PAGE_BYTES = 4_000_000
_OUTER = ("format", "profile", "sessions")


@dataclass(frozen=True)
class Document:
    """One file. `open` gives it from the beginning, as often as it is asked."""

    name: str
    open: Callable[[], AbstractContextManager[BinaryIO]]


@dataclass(frozen=True)
class _Place:
    """Where a session stands: offsets in bytes, also of its messages (from, to), None where it has none."""

    document: Document
    start: int
    end: int
    messages: tuple[int, int] | None
    is_exact: bool


class DocumentSessions:
    """The sessions of some files. Raises BAD_USER_INPUT with file and line for what cannot be read."""

    def __init__(self, documents: Sequence[Document], progress: Callable[[int], None] = lambda _: None) -> None:
        self.incoming: list[Incoming] = []
        for document in documents:
            with document.open() as file:
                for incoming in _outline(document, JsonReader(file, document.name)):
                    self.incoming.append(incoming)
                    progress(incoming.messages)

    async def session(self, incoming: Incoming) -> Row:
        return self._columns(incoming.place)[0]

    async def usage(self, incoming: Incoming) -> Sequence[Row]:
        return self._columns(incoming.place)[1]

    async def messages(self, incoming: Incoming) -> AsyncIterator[Sequence[Row]]:
        place: _Place = incoming.place
        if place.messages is None:
            return
        with place.document.open() as file:
            reader = JsonReader(file, place.document.name)
            reader.seek(place.messages[0])
            for page in _pages(reader, place.is_exact):
                yield page

    def _columns(self, place: _Place) -> tuple[Row, Sequence[Row]]:
        """The object without its messages, parsed at once."""
        first, last = place.messages or (place.end, place.end)
        with place.document.open() as file:
            reader = JsonReader(file, place.document.name)
            raw = reader.raw(place.start, first) + (b"null" if last < place.end else b"") + reader.raw(last, place.end)
            columns = json.loads(raw)
            columns.pop("messages", None)
            usage = columns.pop("usage", None) if place.is_exact else None
            row = _row(reader, columns, "session", place.is_exact, place.start)
            return row, [exact_row(each, "usage") for each in usage or ()]


def _outline(document: Document, reader: JsonReader) -> Iterator[Incoming]:
    if not reader.peek():
        return
    for is_exact in _sessions(reader):
        yield _look_through(document, reader, is_exact)


def _sessions(reader: JsonReader) -> Iterator[bool]:
    """Stands before each session in turn; gives whether it is one of our own format."""
    while reader.peek():
        if reader.peek() == b"[":
            for _ in reader.items():
                yield False
        elif _is_outer(reader):
            yield from _listed(reader)
        else:
            yield False


def _is_outer(reader: JsonReader) -> bool:
    """Whether the object here is not a session but holds them."""
    start = reader.offset
    first = next(reader.names(), None)
    reader.seek(start)
    return first in _OUTER


def _listed(reader: JsonReader) -> Iterator[bool]:
    is_exact = False
    has_sessions = False
    for key in reader.names():
        if key == "sessions":
            has_sessions = True
            for _ in reader.items():
                yield is_exact
        elif key == "format":
            start = reader.offset
            if has_sessions or reader.value() != FORMAT_NAME:
                raise reader.error(f"The format must be {FORMAT_NAME!r} and stand before the sessions.", start)
            is_exact = True
        else:
            reader.skip()
    if not has_sessions:
        raise reader.error("The file has no sessions: it needs the key 'sessions'.")


def _look_through(document: Document, reader: JsonReader, is_exact: bool) -> Incoming:
    """Checks all of a session, and keeps what a plan needs."""
    start, messages = reader.offset, 0
    span: tuple[int, int] | None = None
    columns: dict[str, Any] = {}
    usage: Sequence[Row] = []
    for key in reader.names():
        if key == "messages" and reader.peek() == b"[":
            begun = reader.offset
            messages = sum(len(page) for page in _pages(reader, is_exact))
            span = (begun, reader.offset)
        elif key == "messages":
            _no_list(reader)
        elif key == "usage" and is_exact:
            usage = _usage(reader)
        else:
            columns[key] = reader.value()
    size = reader.offset - start
    row = _row(reader, columns, "session", is_exact, start)
    if row.get("id") is None:
        raise reader.error("The session has no 'id'.", start)
    return Incoming(
        id=str(stored_text(row["id"])),
        parent=row.get("parent_session_id"),
        title=row.get("title"),
        parent_link=_parent_link(columns) if is_exact else None,
        messages=messages,
        usage=len(usage),
        size=size,
        fault=None if isinstance(row["id"], str) else "Its id is no text.",
        place=_Place(document, start, reader.offset, span, is_exact),
    )


def _parent_link(columns: dict[str, Any]) -> ParentLink | None:
    return next((link for link in ParentLink if link.value == columns.get(PARENT_LINK)), None)


def _no_list(reader: JsonReader) -> None:
    start = reader.offset
    if reader.value() is not None:
        raise reader.error("The messages of a session must be a list.", start)


def _usage(reader: JsonReader) -> list[Row]:
    return [_row(reader, reader.value(), "usage", True) for _ in reader.items()]


def _pages(reader: JsonReader, is_exact: bool) -> Iterator[Sequence[Row]]:
    """At most 150 messages, and at most 4 MB unless it is one."""
    page: list[Row] = []
    begun = reader.offset
    for number in reader.items():
        start = reader.offset
        page.append(_row(reader, reader.value(), "message", is_exact, start, f"messages[{number}]: "))
        if len(page) == PAGE_ROWS or reader.offset - begun > PAGE_BYTES:
            yield page
            page, begun = [], reader.offset
    if page:
        yield page


def _row(reader: JsonReader, raw: Any, kind: str, is_exact: bool, start: int | None = None, where: str = "") -> Row:
    known = {name: cell for name, cell in raw.items() if name != PARENT_LINK} if kind == "session" else raw
    try:
        return exact_row(known, kind) if is_exact else hermes_row(known, kind)
    except RecursionError:
        raise reader.error(f"{where}The {kind} is nested too deep.", start) from None
    except ValueError as error:
        raise reader.error(f"{where}{error}", start) from None
