"""A cursor in JSON text that is too large to be parsed at once: it walks the outer brackets and parses what is inside.

Nothing larger than one value is held. Errors name the file and the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from hermes_sessions.errors import ErrorCode, HermesSessionsError

CHUNK = 1 << 18
MAX_DEPTH = 400
"""Deeper than anything that an agent writes, and less than what a parser can bear."""
MAX_VALUE_BYTES = 1 << 28
MAX_NAMES = 1000
"""Of one object whose values are taken one by one: more columns than any store has."""
MAX_BESIDE_TEXTS = 4_000_000
"""Of one value: its numbers, commas and spaces in bytes, and eight for each bracket or text. Parsed at once, they take
ten times that in memory."""

_SPACE = re.compile(rb"[ \t\r\n]*")
_MARK = re.compile(rb'["\[\]{}]')
_SCALAR = re.compile(rb"[^,\]}\s]*")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class JsonReader:
    """Stands before a value, or before what ends or separates values. `name` is what errors call the file."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self._file = file
        self.seek(0)
        self._fill(len(_BYTE_ORDER_MARK))
        if self._buffer.startswith(_BYTE_ORDER_MARK):
            self._at = len(_BYTE_ORDER_MARK)

    @property
    def offset(self) -> int:
        """In bytes from the beginning of the file."""
        return self._start + self._at

    def seek(self, offset: int) -> None:
        self._file.seek(offset)
        self._buffer, self._start, self._at = b"", offset, 0

    def raw(self, start: int, end: int) -> bytes:
        """The bytes between two offsets, which were looked through before."""
        self.seek(start)
        self._fill(end - start)
        return self._buffer[: end - start]

    def error(self, what: str, offset: int | None = None) -> HermesSessionsError:
        """BAD_USER_INPUT at the line of the offset, by default of here."""
        left = self.offset if offset is None else offset
        self._file.seek(0)
        line = 1
        while left > 0 and (chunk := self._file.read(min(left, CHUNK))):
            line += chunk.count(b"\n")
            left -= len(chunk)
        return HermesSessionsError(
            ErrorCode.BAD_USER_INPUT, f"{self.name}, line {line}: {what}", {"field": "document", "line": line}
        )

    def peek(self) -> bytes:
        """The next byte that is no white space; nothing at the end of the file."""
        while True:
            self._at = self._match_end(_SPACE, self._at)
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            self._drop()
            if not self._more():
                return b""

    def take(self, byte: bytes) -> None:
        found = self.peek()
        if found != byte:
            end = "the file ends" if not found else f"{found.decode('utf-8', 'replace')!r} stands"
            raise self.error(f"{end} where {byte.decode()!r} is needed. The file is cut off or no JSON.")
        self._at += 1

    def value(self) -> Any:
        """The next value, parsed whole."""
        start = self.offset
        end = self._value_end()
        raw, self._at = self._buffer[self._at : end], end
        try:
            return json.loads(raw.decode())
        except UnicodeDecodeError:
            raise self.error("The text is not UTF-8.", start) from None
        except (ValueError, RecursionError):
            raise self.error("This is no JSON.", start) from None

    def skip(self) -> None:
        """Over the next value."""
        self._at = self._value_end()

    def names(self) -> Iterator[str]:
        """The names of an object; after each the caller takes its value."""
        self.take(b"{")
        if self.peek() == b"}":
            self.take(b"}")
            return
        seen: set[str] = set()
        while True:
            if self.peek() != b'"':
                self.take(b'"')
            start = self.offset
            key = self.value()
            if key in seen:
                raise self.error(f"{key!r} stands twice in one object.", start)
            seen.add(key)
            if len(seen) > MAX_NAMES:
                raise self.error(f"An object has more than {MAX_NAMES} names.", start)
            self.take(b":")
            self.peek()
            yield key
            if self.peek() != b",":
                self.take(b"}")
                return
            self.take(b",")

    def items(self) -> Iterator[int]:
        """The numbers of a list's values, from 0; after each the caller takes the value."""
        self.take(b"[")
        if self.peek() == b"]":
            self.take(b"]")
            return
        number = 0
        while True:
            self.peek()
            yield number
            number += 1
            if self.peek() != b",":
                self.take(b"]")
                return
            self.take(b",")

    def _value_end(self) -> int:
        """The place in the buffer behind the value that begins here."""
        first = self.peek()
        self._drop()
        if first == b'"':
            return self._string_end(self._at + 1)
        if first in (b"[", b"{"):
            return self._closed_end()
        at = self._at
        while (end := self._match_end(_SCALAR, at)) == len(self._buffer) and self._more():
            at = end
        if end == self._at:
            raise self.error("The file ends in the middle." if not first else "A value is missing here.")
        return end

    def _closed_end(self) -> int:
        depth, at, beside = 0, self._at, 0
        while True:
            mark = _MARK.search(self._buffer, at)
            end = len(self._buffer) if mark is None else mark.end()
            beside += end - at + 8
            if beside > MAX_BESIDE_TEXTS:
                raise self.error(f"A value has more than {MAX_BESIDE_TEXTS} bytes beside its texts.")
            at = end
            if mark is None:
                self._more_or_fail()
                continue
            match mark.group():
                case b'"':
                    at = self._string_end(at)
                case b"[" | b"{":
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise self.error(f"A value is nested deeper than {MAX_DEPTH} levels.")
                case _:
                    depth -= 1
                    if depth == 0:
                        return at

    def _string_end(self, at: int) -> int:
        """Behind the quote that ends a string; `at` is somewhere in it, not behind a backslash."""
        while True:
            quote = self._buffer.find(b'"', at)
            if quote < 0:
                at = len(self._buffer)
                while at > 0 and self._buffer[at - 1 : at] == b"\\":
                    at -= 1
                self._more_or_fail()
                continue
            escapes = quote
            while escapes > at and self._buffer[escapes - 1 : escapes] == b"\\":
                escapes -= 1
            if (quote - escapes) % 2 == 0:
                return quote + 1
            at = quote + 1

    def _match_end(self, pattern: re.Pattern[bytes], at: int) -> int:
        found = pattern.match(self._buffer, at)
        assert found is not None, "these patterns match nothing, too"
        return found.end()

    def _drop(self) -> None:
        """Forgets what was read, once it is half of the buffer: dropping each value would copy the rest each time."""
        if 2 * self._at >= len(self._buffer):
            self._buffer, self._start, self._at = self._buffer[self._at :], self._start + self._at, 0

    def _more(self) -> bool:
        """Reads on. As much as there is already: a long value costs a few rounds only."""
        if len(self._buffer) - self._at > MAX_VALUE_BYTES:
            raise self.error(f"A value is larger than {MAX_VALUE_BYTES} bytes.")
        chunk = self._file.read(max(CHUNK, len(self._buffer) - self._at))
        self._buffer += chunk
        return bool(chunk)

    def _more_or_fail(self) -> None:
        if not self._more():
            raise self.error("The file ends in the middle of a value.")

    def _fill(self, size: int) -> None:
        if len(self._buffer) < size:
            self._buffer += self._file.read(size - len(self._buffer))
