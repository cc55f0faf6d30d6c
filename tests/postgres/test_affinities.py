"""Cells are what SQLite makes of them in a column of the same type."""

from __future__ import annotations

from typing import Any

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes_sessions.stores.postgres.affinities import added, cell_as_stored
from hermes_sessions.stores.postgres.cells import Kind
from tests.postgres.test_cells import same

CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.sampled_from([1e15, -1e16, 2.0**53, 2.0**62, -(2.0**63), 9.3e18, 0.1, 100.0, -0.0]),
    st.binary(max_size=4),
    # What SQLite makes of a NUL behind a number depends on its version.
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=5),
    st.from_regex(r"\A[ \n]?[+-]?[0-9]{0,20}\.?[0-9]{0,3}(e[+-]?[0-9]{1,2})?[ x]?\Z"),
)
DECLARED = {Kind.TEXT: "TEXT", Kind.WHOLE: "INTEGER", Kind.REAL: "REAL"}


@pytest.mark.parametrize("kind", Kind)
@settings(max_examples=300, deadline=None)
@given(cell=CELLS)
@example(cell="9223372036854775808")
@example(cell=" 12 ")
@example(cell="9" * 5000)
@example(cell="-" + "0" * 5000 + "7")
@example(cell="-9223372036854775808.0")
def test_a_cell_is_stored_as_in_sqlite(kind: Kind, cell: Any) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE TABLE rows (cell {DECLARED[kind]})")
    connection.execute("INSERT INTO rows VALUES (?)", [cell])
    [[stored]] = connection.execute("SELECT cell FROM rows")
    found = cell_as_stored(kind, cell)
    if kind is Kind.TEXT and isinstance(cell, float):  # SQLite's versions write more or less digits
        assert (float(found), "." in found or "Inf" in found) == (float(stored), True)
    else:
        assert same(found, stored)


@settings(max_examples=300, deadline=None)
@given(cell=CELLS, number=st.integers(0, 2**53) | st.floats(0, 1e12))
@example(cell="12abc", number=1)
@example(cell="9" * 5000, number=1)
@example(cell="0" * 5000 + "7", number=1)
@example(cell=2**63 - 1, number=1)
@example(cell=float("inf"), number=1)
def test_a_sum_is_the_one_of_sqlite(cell: Any, number: float) -> None:
    [[total]] = apsw.Connection(":memory:").execute("SELECT coalesce(?, 0) + ?", [cell, number])
    assert same(added(cell, number), total)
