"""What every statement of a change needs."""

from __future__ import annotations

from collections.abc import Iterable

from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection


class RowsBase:
    """A connection and the columns that the store has. The bin is a file of its own, with its own transactions."""

    def __init__(self, connection: Connection, columns: Columns, bin: FileBin) -> None:
        self._connection = connection
        self._columns = columns
        self.bin = bin

    def has(self, table: str, column: str) -> bool:
        return self._columns.has(table, column)

    def _present(self, table: str, names: Iterable[str]) -> list[str]:
        return [name for name in names if self._columns.has(table, name)]
