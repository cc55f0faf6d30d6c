"""Rows as the store holds them, in values that JSON can carry.

A cell is a string, a whole number, a finite number or null; anything else is an object with one key:
`{"text": base64}` for text that is no UTF-8, `{"blob": base64}` for bytes, `{"real": "inf"}` for no finite number.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

Row = Mapping[str, Any]

PARENT_LINK = "parent_link"
"""Beside the columns of a session in our JSON, where its parent link is no sound one in the store that it was read
from: a ParentLink."""


class ParentLink(Enum):
    """MISSING: the parent does not exist. CIRCLE: following the link leads back to the session."""

    MISSING = "missing"
    CIRCLE = "circle"


BEGINNING = -(2**63)
"""Below every rowid."""


class Table(Enum):
    SESSIONS = "sessions"
    USAGE = "session_model_usage"
    MESSAGES = "messages"


@dataclass(frozen=True, slots=True)
class RowPage:
    """Rows in the order of their rowids; `after` is where the next page begins, None where there is none."""

    rows: Sequence[Row]
    after: int | None


ReadRows = Callable[[Table, Sequence[str], int], Awaitable[RowPage]]
"""Rows of these sessions beyond a rowid: one page of them."""
ReadShown = Callable[[str], Awaitable[frozenset[int]]]
"""Ids of the messages that a transcript shows of one session."""


async def pages_of(read: ReadRows, table: Table, session_ids: Sequence[str]) -> AsyncIterator[Sequence[Row]]:
    """All rows of these sessions, page by page; at least one page, which may be empty."""
    after: int | None = BEGINNING
    while after is not None:
        page = await read(table, session_ids, after)
        yield page.rows
        after = page.after


@dataclass(frozen=True)
class Source:
    """Where an export reads from."""

    profile: str
    rows: ReadRows
    shown: ReadShown


def stored_text(cell: Any) -> Any:
    """A cell as text or number, NUL included; bytes decoded with replacement, None for what is no finite number."""
    if not isinstance(cell, dict):
        return cell
    [(kind, value)] = cell.items()
    return None if kind == "real" else base64.b64decode(value).decode("utf-8", "replace")
