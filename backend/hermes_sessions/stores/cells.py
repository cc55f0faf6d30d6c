"""Rows written as JSON and read back exactly: bytes that are no UTF-8, infinities and numbers beyond 2^53 included."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.names import quoted


def exact_select(columns: Sequence[str]) -> str:
    """A select list that gives each cell as its type and its exact bytes."""
    return ", ".join(
        f"typeof({name}) AS {kind}, CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END AS {name}"
        for name, kind in ((quoted(column), quoted(f"type:{column}")) for column in columns)
    )


def encode_row(row: Any, columns: Sequence[str]) -> str:
    """The JSON of one row that `exact_select` read."""
    return json.dumps(encoded_cells(row, columns), ensure_ascii=False)


def encoded_cells(row: Any, columns: Sequence[str]) -> dict[str, Any]:
    """The same as values: what JSON has no word for is an object of one key, see `model/export/rows.py`."""
    return {name: _encode(row[f"type:{name}"], row[name]) for name in columns}


def decode_row(encoded: str) -> dict[str, Any]:
    """The cells of a row; text that is no UTF-8 as `InexactText`."""
    return decoded_cells(json.loads(encoded))


def decoded_cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """Back from `encoded_cells`."""
    return {name: _decode(cell) for name, cell in row.items()}


class InexactText(bytes):
    """The bytes of a TEXT cell that are no UTF-8. They are bound as a blob and cast back to text."""


def encoded_cell(value: Any) -> Any:
    """One cell as a value, from what `decoded_cells` gives."""
    if isinstance(value, InexactText):
        return {"text": base64.b64encode(value).decode()}
    return _encode({bytes: "blob", float: "real"}.get(type(value), ""), value)


def _encode(kind: str, value: Any) -> Any:
    if kind == "text":
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return {"text": base64.b64encode(value).decode()}
    if kind == "blob":
        return {"blob": base64.b64encode(value).decode()}
    if kind == "real" and not math.isfinite(value):
        return {"real": str(value)}
    return value


def _decode(cell: Any) -> Any:
    if not isinstance(cell, dict):
        return cell
    [(kind, value)] = cell.items()
    if kind == "real":
        return float(value)
    raw = base64.b64decode(value)
    return InexactText(raw) if kind == "text" else raw


async def insert_row(connection: Connection, table: str, row: Mapping[str, Any]) -> None:
    """Inserts the cells under their column names, which come from `pragma_table_info`."""
    await insert_rows(connection, table, [row])


async def insert_rows(connection: Connection, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """In their order. A way to the connection's thread and back for each row would take longer than to insert it."""
    for sql, alike in groupby((_insertion(table, row) for row in rows), key=lambda each: each[0]):
        await connection.raw_connection.run_each(sql, [values for _, values in alike])


def _insertion(table: str, row: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """The statement and its values."""
    names = ", ".join(map(quoted, row))
    places = ", ".join("CAST(? AS TEXT)" if isinstance(cell, InexactText) else "?" for cell in row.values())
    return (
        f'INSERT INTO "{table}" ({names}) VALUES ({places})',
        tuple(bytes(cell) if isinstance(cell, InexactText) else cell for cell in row.values()),
    )
