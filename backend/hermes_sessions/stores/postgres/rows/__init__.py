"""The statements that changes are made of, in the SQL of PostgreSQL."""

from __future__ import annotations

from hermes_sessions.stores.postgres.rows.messages import PostgresMessageRows
from hermes_sessions.stores.postgres.rows.moving import PostgresMovingRows
from hermes_sessions.stores.postgres.rows.sessions import PostgresSessionRows


class PostgresRows(PostgresSessionRows, PostgresMessageRows, PostgresMovingRows):
    """All of them, on one connection."""
