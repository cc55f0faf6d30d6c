"""The statements that changes are made of, in the SQL of SQLite and with the columns that a store has."""

from __future__ import annotations

from hermes_sessions.stores.sqlite.rows.messages import SqliteMessageRows
from hermes_sessions.stores.sqlite.rows.moving import SqliteMovingRows
from hermes_sessions.stores.sqlite.rows.sessions import SqliteSessionRows


class SqliteRows(SqliteSessionRows, SqliteMessageRows, SqliteMovingRows):
    """All of them, on one connection."""
