"""A row written as JSON and read back is the same row, cell by cell and byte by byte."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.stores.cells import decode_row, encode_row, exact_select, insert_row
from tests.stores.opened import connected

NAMES = ("any", "a text", "number", "real", "order")
TABLE = 'CREATE TABLE {} ("any", "a text" TEXT, number INTEGER, real REAL, "order" BLOB)'

cells = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.binary(max_size=40),
    st.text(max_size=40),
    st.binary(max_size=20).map(lambda raw: ("text", raw)),
)
"""Every value that SQLite keeps; a pair is text of these bytes, which need not be UTF-8."""

ODDITIES = [
    None, 0, -1, 2**53 + 1, 2**63 - 1, -(2**63), 0.1, -0.0, 1e308, 5e-324, math.inf, -math.inf,
    "", "\x00json:[1]", "a\x00b", "{\"text\": \"x\"}", "日本", "😀", "\u202e", b"", b"\x00\xff", b"text",
    ("text", b"\xff\x41\xc3\x28"), ("text", b"\xed\xa0\x80"), ("text", b"\xc0\x80"), ("text", b"a\x00\xff"),
]  # fmt: skip


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(*(cells for _ in NAMES)), min_size=1, max_size=8))
def test_any_row_comes_back_as_it_was(rows: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as directory:
        before, after = asyncio.run(round_trip(Path(directory) / "cells.db", rows))
    assert after == before


@pytest.mark.parametrize("cell", ODDITIES, ids=repr)
def test_an_odd_cell_comes_back_as_it_was(tmp_path: Path, cell: Any) -> None:
    before, after = asyncio.run(round_trip(tmp_path / "cells.db", [(cell,) * len(NAMES)]))
    assert after == before
    assert len(before) == 1


async def round_trip(path: Path, rows: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    """Types and bytes of all cells of the stored rows, and of those rows after encoding, decoding, inserting."""
    async with connected(path, "rwc") as database, database.connection() as connection:
        await connection.execute(TABLE.format("source"))
        await connection.execute(TABLE.format("copy"))
        for row in rows:
            places = ", ".join(
                f"CAST(:c{at} AS TEXT)" if isinstance(cell, tuple) else f":c{at}" for at, cell in enumerate(row)
            )
            values = {f"c{at}": cell[1] if isinstance(cell, tuple) else cell for at, cell in enumerate(row)}
            await connection.execute(f"INSERT INTO source VALUES ({places})", values)
        for stored in await connection.fetch_all(f"SELECT {exact_select(NAMES)} FROM source ORDER BY rowid"):
            encoded = encode_row(stored, NAMES)
            json.loads(encoded, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))
            await insert_row(connection, "copy", decode_row(encoded))
        return await exact_cells(connection, "source"), await exact_cells(connection, "copy")


async def exact_cells(connection: Any, table: str) -> list[Any]:
    columns = ", ".join(
        f'typeof("{name}") AS t{at}, CASE typeof("{name}") WHEN \'real\' THEN printf(\'%!.17g\', "{name}")'
        f' ELSE hex(CAST("{name}" AS BLOB)) END AS v{at}'
        for at, name in enumerate(NAMES)
    )
    return [tuple(row) for row in await connection.fetch_all(f"SELECT {columns} FROM {table} ORDER BY rowid")]
