"""What a backend of `databases` is handed: SQL text with `:name` in it, wrapped by SQLAlchemy."""

from __future__ import annotations

from typing import Any

from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.elements import TextClause

Bindings = dict[str, Any]


def plain_statement(query: ClauseElement) -> tuple[str, Bindings]:
    """The text and its values by name. Nothing is compiled: that takes longer than most statements."""
    if not isinstance(query, TextClause):
        raise NotImplementedError("The backends of this project take SQL text only.")
    return query.text, {name: parameter.value for name, parameter in query._bindparams.items()}
