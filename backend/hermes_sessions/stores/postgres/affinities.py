"""What SQLite makes of a cell that comes into a column of a type: the same cell must come out of both engines.

https://www.sqlite.org/datatype3.html#type_affinity: a number in a column of text becomes text, text that is a number
becomes one in a column of numbers, and whole numbers are fractions, or the other way round, where nothing is lost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from hermes_sessions.stores.postgres.cells import COLUMNS, Kind

_LEAST, _GREATEST = -(2**63), 2**63 - 1
MOST_DIGITS = 19
"""Of a number of 64 bits."""
_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?(?:[0-9]+(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?)")
_SPACE = " \t\n\v\f\r"


def as_stored(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells as the table would hold them in SQLite. Columns that it does not have stay as they are."""
    kinds = COLUMNS[table]
    return {name: cell_as_stored(kinds[name], cell) if name in kinds else cell for name, cell in row.items()}


def cell_as_stored(kind: Kind, cell: Any) -> Any:
    if kind is Kind.TEXT:
        return _digits(cell) if isinstance(cell, int | float) else cell
    if isinstance(cell, str):
        found = _NUMBER.match(cell)
        if found is None or cell[found.end() :].strip(_SPACE):
            return cell
        cell = _parsed(found)
    if kind is Kind.REAL:
        return cell + 0.0 if isinstance(cell, int | float) else cell  # -0.0 becomes 0.0
    is_whole = isinstance(cell, float) and _LEAST < cell < _GREATEST and cell.is_integer()
    return int(cell) if is_whole else cell


def added(cell: Any, number: float) -> float | None:
    """The sum as SQLite makes it: of text the number at its beginning counts, nothing at all counts as 0. None where
    the sum is no number."""
    total = _operand(cell) + number
    if isinstance(total, int) and not _LEAST <= total <= _GREATEST:
        return float(_operand(cell)) + float(number)
    return None if math.isnan(total) else total


def _operand(cell: Any) -> float:
    if isinstance(cell, bytes):
        cell = cell.decode("utf-8", "replace")
    if isinstance(cell, str):
        found = _NUMBER.match(cell)
        return _parsed(found) if found is not None else 0
    return cell if isinstance(cell, int | float) else 0


def _parsed(found: re.Match[str]) -> float:
    """A whole number where it is written as one and has 64 bits."""
    written, decimals, alone, exponent = found.groups()
    sign, digits = ("-" if written[0] == "-" else ""), written.lstrip("+-").lstrip("0")
    is_whole = decimals is alone is exponent is None and len(digits) <= MOST_DIGITS  # Python reads no more than 4,300
    if is_whole and _LEAST <= (whole := int(f"{sign}{digits or 0}")) <= _GREATEST:
        return whole
    return float(written)


def _digits(number: float) -> str:
    """A fraction with its point, and as short as it can be: how many digits SQLite writes depends on its version."""
    if isinstance(number, int):
        return str(number)
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    mantissa, e, exponent = repr(number + 0.0).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"
