"""Bodies as large as they may be, and larger ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from tests.importing.moving import IMPORT

USUAL = 990_000


def _filled(head: str, unit: str, tail: str, size: int = USUAL) -> bytes:
    """Many times the unit between both."""
    return (head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail).encode()


def _document(head: str, unit: str, tail: str, size: int = USUAL) -> Callable[[], bytes]:
    """As a body; `size` is that of the document, which JSON may write with more bytes."""
    return lambda: json.dumps({"query": _filled(head, unit, tail, size).decode()}).encode()


def _filter(head: str, unit: str, tail: str) -> Callable[[], bytes]:
    """Variables of a query with a filter."""
    query = "query ($filter: SessionFilter) { sessions(first: 1, filter: $filter) { nodes { id } } }"
    return lambda: _filled(f'{{"query":{json.dumps(query)},"variables":{{{head}', unit, f"{tail}}}}}")


def _import(head: str, unit: str, tail: str) -> Callable[[int], bytes]:
    """An import whose document is this part of the body, by the size of the body."""
    before = f'{{"query":{json.dumps(IMPORT)},"variables":{{"dryRun":true,"document":{head}'
    return lambda size: _filled(before, unit, f"{tail}}}}}", size)


def _session(head: str, unit: str, tail: str) -> Callable[[int], bytes]:
    """An import of one session that goes on like this."""
    begin, end = (json.dumps(text)[1:-1] for text in ('{"id":"a","source":"x","started_at":1,' + head, tail))
    return _import(f'"{begin}', json.dumps(unit)[1:-1], f'{end}}}"')


_NUMBERS = ",".join(f'"s{n:06}"' for n in range(80_000))
Bodies = Mapping[str, Callable[[], bytes]]

DOCUMENTS: Bodies = {
    "a field 100,000 times": _document("{ server {", " version", " } }"),
    "directives 50,000 times": _document("{ server { version", " @skip(if: false)", " } }"),
    "a text": _document('{ session(id: "', "a", '") { id } }'),
    "a block": _document('{ session(id: """', "a", '""") { id } }'),
    "a block of lines": _document('{ session(id: """', "\n  a", '""") { id } }', 700_000),
    "a text of escapes": _document('{ session(id: "', "\\u00e9", '") { id } }', 800_000),
    "a text of long escapes": _document('{ session(id: "', "\\u{1F600}", '") { id } }', 800_000),
    "a text without end": _document('{ session(id: "', "a", ""),
    "a text of 16 MB": _document('{ session(id: "', "a", '") { id } }', 16_000_000),
    "a block of 16 MB": _document('{ session(id: """', "a", '""") { id } }', 16_000_000),
    "a whole number": _document("{ sessions(first: ", "9", ") { nodes { id } } }"),
    "a number": _document("{ sessions(first: 1.", "9", ") { nodes { id } } }"),
    "a comment": _document("{ server { version } } #", "a", ""),
    "comments": _document("{ server { version } }", "#\n", "", 600_000),
    "commas": _document("{ server { version } }", ",", ""),
    "a field's name": _document("{ ", "sessions", " }"),
    "an argument's name": _document("{ sessions(", "first", ": 1) { nodes { id } } }"),
    "a type's name": _document("query ($a: ", "Session", ") { server { version } }"),
    "a fragment's name": _document("{ ...", "A", " }"),
    "an operation's name": lambda: json.dumps(
        {"query": "{ server { version } }", "operationName": "a" * USUAL}
    ).encode(),
}
VARIABLES: Bodies = {
    "brackets": _filter('"filter":', "[", ""),
    "brackets that a parser bears": lambda: _filter('"filter":' + "[" * 900, " ", "]" * 900)(),
    "a list where an object is": _filter('"filter":[', "{},", "1]"),
    "objects where texts are": _filter('"filter":{"sources":[', "{},", "1]}"),
    "numbers that nobody declared": _filter('"x":[', "1,", "1]"),
    "objects that nobody declared": _filter('"x":[', "{},", "1]"),
    "a name twice": _filter("", '"a":1,', '"a":2'),
    "a list of texts": _filter('"filter":{"sources":[' + _NUMBERS, " ", "]}"),
    "a name that is nearly right": _filter('"filter":{"', "sources", '":1}'),
    "a text where an object is": _filter('"filter":"', "x", '"'),
    "a number": _filter('"filter":', "9", ""),
    "a number beyond all": lambda: _filter('"filter":1e999999999', " ", "")(),
}
IMPORTS: Mapping[str, Callable[[int], bytes]] = {
    "a body of empty objects": _import("[", "{},", "1]"),
    "a body of lists in lists": _import("[", "[[[]]],", "1]"),
    "a body of numbers": _import("[", "1.5,", "1]"),
    "a body of texts": _import("[", '"ab",', "1]"),
    "a body of brackets": _import("", "[", ""),
    "brackets": _import('"', "[", '"'),
    "objects in objects": _import('"', '{\\"a\\":', '"'),
    "a cell of empty lists": _session('"model_config":[', "[],", "1]"),
    "a cell of numbers": _session('"model_config":[', "1.5,", "1]"),
    "a cell of texts": _session('"model_config":[', '"ab",', "1]"),
    "a number": _session('"model_config":', "9", ""),
    "a text": _session('"model_config":"', "a", '"'),
    "a text of escapes": _session('"model_config":"', "\\u00e9", '"'),
    "a text of backslashes": _session('"model_config":"', "\\\\", '"'),
    "lines": _session('"model_config":1', "\n", ""),
    "a name twice": _session('"a":1', ',"a":1', ""),
    "sessions": _import('"', json.dumps('{"id":"a","source":"x","started_at":1}\n')[1:-1], '"'),
    "messages": _session('"messages":[', '{"role":"user","timestamp":1},', '{"role":"user","timestamp":1}]'),
    "messages that are none": _session('"messages":[', "1,", "1]"),
}
