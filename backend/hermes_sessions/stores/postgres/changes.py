"""What happened to sessions between two changes of a store: told by the numbers that changes leave in their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hermes_sessions.model.kinds import COMPRESSION
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import ChangeKind
from hermes_sessions.stores.database import Connection

MOST = 2000
"""Sessions that are told; whoever missed more reads the list anew."""

Told = dict[str, ChangeKind]


async def changes_between(
    connection: Connection, schema: str, after: int, upto: int, forest: Forest
) -> list[tuple[ChangeKind, str]] | None:
    """From one revision to that of a picture, each session once; None for too many. What was touched again after the
    picture is left to whoever tells what comes then, unless it is new."""
    rows = await connection.fetch_all(
        f"""
        SELECT id, born, revision, false AS is_gone FROM {schema}.sessions WHERE revision > :after
        UNION ALL
        SELECT session_id, 0, revision, true FROM {schema}.gone WHERE revision > :after AND revision <= :upto
        ORDER BY revision, id LIMIT {MOST + 1}
        """,
        {"after": after, "upto": upto},
    )
    if len(rows) > MOST:
        return None
    told = dict(_told(rows, after, upto, forest))
    for relative in _relatives(told, forest):
        told.setdefault(relative, ChangeKind.UPDATED)
    return [(kind, session_id) for session_id, kind in told.items()]


def _told(rows: Iterable[Mapping[str, Any]], after: int, upto: int, forest: Forest) -> Iterator[tuple[str, ChangeKind]]:
    for row in rows:
        if row["is_gone"]:
            if row["id"] not in forest.sessions:
                yield row["id"], ChangeKind.DELETED
        elif after < row["born"] <= upto:
            yield row["id"], ChangeKind.CREATED
        elif row["born"] <= after and row["revision"] <= upto:
            yield row["id"], ChangeKind.UPDATED


def _relatives(told: Told, forest: Forest) -> Iterator[str]:
    """Where it may have changed which child continues a session: the others are told apart by it, too."""
    for session_id in list(told):
        session = forest.get(session_id)
        parent = forest.parent(session) if session is not None else None
        for each in (session, parent):
            if each is not None and each.end_reason == COMPRESSION:
                yield from (child.id for child in forest.children(each.id))
