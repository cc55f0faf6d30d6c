"""The rows that a statement answers with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw
from databases.interfaces import Record

from hermes_sessions.stores.names import quoted

Bindings = dict[str, Any]


class Row(Record):
    """One row of an answer, by position or by column name."""

    __slots__ = ("_index", "_values")

    def __init__(self, index: dict[str, int], values: tuple[Any, ...]) -> None:
        self._index = index
        self._values = values

    @property
    def _mapping(self) -> dict[str, Any]:
        return dict(zip(self._index, self._values, strict=True))

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._index[key] if isinstance(key, str) else key]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)


def rows_of(connection: apsw.Connection, sql: str, bindings: Bindings) -> list[Row]:
    cursor = connection.execute(sql, bindings)
    try:
        index = {column[0]: at for at, column in enumerate(cursor.get_description())}
    except apsw.ExecutionCompleteError:
        return []
    return [Row(index, values) for values in cursor.fetchall()]


def rows_with_broken_text(connection: apsw.Connection, sql: str, bindings: Bindings) -> list[Row]:
    """The same answer where a text is not UTF-8: read as bytes, and decoded with replacement."""
    names = [column[0] for column in connection.execute(sql, bindings).get_description()]
    columns = ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END AS {name}"
        for name in map(quoted, names)
    )
    rows = rows_of(connection, f"SELECT {columns} FROM ({sql})", bindings)
    return [Row(row._index, tuple(map(_decoded, row))) for row in rows]


def _decoded(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
