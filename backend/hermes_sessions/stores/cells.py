"""Rows written as JSON and read back exactly: bytes that are no UTF-8, infinities and numbers beyond 2^53 included."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.stores.database import Connection


def exact_select(columns: Sequence[str]) -> str:
    """A select list that gives each cell as its type and its exact bytes."""
    return ", ".join(
        f'typeof("{name}") AS "type:{name}", '
        f'CASE typeof("{name}") WHEN \'text\' THEN CAST("{name}" AS BLOB) ELSE "{name}" END AS "{name}"'
        for name in columns
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


async def insert_row(connection: Connection, table: str, row: dict[str, Any]) -> None:
    """Inserts the cells under their column names, which come from `pragma_table_info`."""
    names = ", ".join(f'"{name}"' for name in row)
    places = ", ".join(
        f"CAST(:c{at} AS TEXT)" if isinstance(value, InexactText) else f":c{at}"
        for at, value in enumerate(row.values())
    )
    values = {f"c{at}": bytes(v) if isinstance(v, InexactText) else v for at, v in enumerate(row.values())}
    await connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({places})', values)
