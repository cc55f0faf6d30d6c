"""Renaming, archiving, deleting and restoring, each inside one transaction on the live store."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import DeletionPlan, TitleTaken, title_giver
from hermes_sessions.stores.bin import Bin, Link, NewEntry
from hermes_sessions.stores.catalogue import Picture
from hermes_sessions.stores.cells import decode_row, encode_row, exact_select, insert_rows
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection

ROWS_AT_ONCE = 50
BYTES_AT_ONCE = 4_000_000
KEPT_TABLES = {"sessions": "id", "messages": "session_id", "session_model_usage": "session_id"}
"""Tables with a session's rows and the column that names it, in the order in which rows can come back."""


async def set_title(connection: Connection, forest: Forest, session: Session, title: str | None) -> list[str]:
    """Ids whose title changed. Raises TITLE_TAKEN."""
    changed: list[str] = []
    if title is not None:
        holders = await connection.fetch_all("SELECT id FROM sessions WHERE sessions.title = :title", {"title": title})
        giver = title_giver(forest, session, title, [row["id"] for row in holders])
        if giver is not None:
            await connection.execute("UPDATE sessions SET title = NULL WHERE id = :id", {"id": giver.id})
            changed.append(giver.id)
    await connection.execute("UPDATE sessions SET title = :title WHERE id = :id", {"title": title, "id": session.id})
    return [*changed, session.id]


async def set_archived(connection: Connection, session_ids: Sequence[str], archived: bool) -> list[str]:
    """Ids whose flag changed, in the given order."""
    rows = await connection.fetch_all(
        """
        UPDATE sessions SET archived = :archived
        WHERE id IN (SELECT value FROM json_each(:ids)) AND (coalesce(archived, 0) <> 0) <> :archived
        RETURNING id
        """,
        {"archived": int(archived), "ids": json.dumps(list(session_ids))},
    )
    changed = {row["id"] for row in rows}
    return [session_id for session_id in session_ids if session_id in changed]


async def measure(connection: Connection, plan: DeletionPlan) -> tuple[int, int]:
    """(messages, bytes of their text) of the sessions that go."""
    row = await connection.fetch_one(
        """
        SELECT count(*) AS messages,
               coalesce(sum(octet_length(messages.content)), 0) + coalesce(sum(octet_length(messages.tool_calls)), 0)
               AS bytes
        FROM json_each(:ids) AS gone JOIN messages ON messages.session_id = gone.value
        """,
        {"ids": json.dumps(plan.ids)},
    )
    return row["messages"], row["bytes"]


def refuse_without_archive(columns: Columns) -> None:
    """Raises UNSUPPORTED_STORE."""
    if not columns.has("sessions", "archived"):
        raise HermesSessionsError(
            ErrorCode.UNSUPPORTED_STORE,
            "This store is of an early version that cannot archive. Let Hermes open it once.",
        )


async def busy_sessions(connection: Connection, columns: Columns, plan: DeletionPlan) -> dict[str, str]:
    """Why sessions must not go: they are live, or an agent holds a lock or a lease on them."""
    now = time.time()
    busy = {
        session.id: "is live: it was active within the last five minutes"
        for session in plan.goes
        if session.is_live(now)
    }
    return busy | await locked_sessions(connection, columns, plan.ids)


async def locked_sessions(connection: Connection, columns: Columns, session_ids: Sequence[str]) -> dict[str, str]:
    """Sessions on which an agent holds a lock or a lease that has not expired, with the words for it."""
    locked: dict[str, str] = {}
    for table, column in (("compression_locks", "session_id"), ("session_turn_leases", "conversation_id")):
        if columns.has(table, column) and columns.has(table, "expires_at"):
            rows = await connection.fetch_all(
                f"SELECT {column} AS id FROM {table}"
                f" WHERE expires_at > :now AND {column} IN (SELECT value FROM json_each(:ids))",
                {"now": time.time(), "ids": json.dumps(list(session_ids))},
            )
            locked |= {row["id"]: "is being worked on: the agent holds a lock on it" for row in rows}
    return locked


async def refuse_busy(connection: Connection, columns: Columns, plan: DeletionPlan) -> None:
    """Raises SESSION_BUSY."""
    for session_id, why in (await busy_sessions(connection, columns, plan)).items():
        raise HermesSessionsError(
            ErrorCode.SESSION_BUSY,
            f"Session {session_id} {why}. Wait, or repeat with `force: true`.",
            {"id": session_id},
        )


async def refuse_unknown_tokenizers(connection: Connection) -> None:
    """Raises UNSUPPORTED_STORE where a trigger would write to a full-text table that this SQLite cannot open."""
    tables = await connection.fetch_all(
        """
        SELECT DISTINCT fts.name AS name FROM sqlite_master AS fts JOIN sqlite_master AS trigger
          ON trigger.type = 'trigger' AND trigger.tbl_name = 'messages' AND instr(trigger.sql, fts.name) > 0
        WHERE fts.type = 'table' AND fts.sql LIKE 'CREATE VIRTUAL TABLE%'
        """
    )
    for row in tables:
        try:
            # Only a search makes SQLite look for the tokenizer.
            await connection.fetch_one(f'SELECT rowid FROM "{row["name"]}" WHERE "{row["name"]}" MATCH \'a\' LIMIT 1')
        except HermesSessionsError as error:
            if error.code is not ErrorCode.UNSUPPORTED_STORE:
                raise
            raise HermesSessionsError(
                ErrorCode.UNSUPPORTED_STORE,
                f"The store's full-text table {row['name']} needs a tokenizer that this server does not have, so "
                "messages cannot be changed. Renaming and archiving work; for the rest use Hermes itself.",
            ) from None


async def keep_in_bin(
    connection: Connection, columns: Columns, forest: Forest, plan: DeletionPlan, entry: NewEntry
) -> None:
    """Copies every row that goes, cell by cell, and every link that is cut. Never holds more than some rows of it."""
    for table, key in KEPT_TABLES.items():
        names = sorted(columns.of(table))
        for batch in batches(await _sizes(connection, table, key, names, plan)) if names else ():
            rows = await connection.fetch_all(
                f'SELECT {exact_select(names)} FROM "{table}"'
                " WHERE rowid IN (SELECT value FROM json_each(:rows)) ORDER BY rowid",
                {"rows": json.dumps(batch)},
            )
            await entry.add_rows(table, [encode_row(row, names) for row in rows])
    await entry.add_links(
        [
            Link(child.id, child.parent_id)
            for child in (*plan.goes, *plan.detached)
            if child.parent_id is not None and child.parent_id in forest.sessions
        ]
    )


async def _sizes(
    connection: Connection, table: str, key: str, names: Sequence[str], plan: DeletionPlan
) -> list[tuple[int, int]]:
    """(rowid, bytes) of the rows that go."""
    size = " + ".join(f'coalesce(octet_length("{name}"), 0)' for name in names)
    rows = await connection.fetch_all(
        f'SELECT rowid AS number, {size} AS size FROM "{table}"'
        f" WHERE {key} IN (SELECT value FROM json_each(:ids)) ORDER BY rowid",
        {"ids": json.dumps(plan.ids)},
    )
    return [(row["number"], row["size"]) for row in rows]


def batches(sizes: Iterable[tuple[int, int]]) -> Iterator[list[int]]:
    """Numbers of rows that are held at the same time: no more than some rows, and than some bytes unless it is one."""
    batch: list[int] = []
    held = 0
    for number, size in sizes:
        if batch and (len(batch) == ROWS_AT_ONCE or held + size > BYTES_AT_ONCE):
            yield batch
            batch, held = [], 0
        batch.append(number)
        held += size
    if batch:
        yield batch


async def remove(connection: Connection, columns: Columns, plan: DeletionPlan) -> None:
    """Deletes the rows of the sessions that go. Triggers take them out of the full-text tables."""
    values = {"ids": json.dumps(plan.ids)}
    gone = "(SELECT value FROM json_each(:ids))"
    await connection.execute("PRAGMA defer_foreign_keys = ON")
    await connection.execute(f"DELETE FROM messages WHERE session_id IN {gone}", values)
    if columns.has("session_model_usage", "session_id"):
        await connection.execute(f"DELETE FROM session_model_usage WHERE session_id IN {gone}", values)
    await connection.execute(
        "UPDATE sessions SET parent_session_id = NULL WHERE id IN (SELECT value FROM json_each(:detached))",
        {"detached": json.dumps([child.id for child in plan.detached])},
    )
    await connection.execute(f"DELETE FROM sessions WHERE id IN {gone}", values)


async def put_back(connection: Connection, picture: Picture, bin: Bin, bin_id: str, free_ids: set[str]) -> int:
    """Inserts the rows of the sessions whose ids are free, exactly as they were. Gives the number of messages.

    A parent link that dangled before dangles again; one that was sound and whose parent is gone by now is left out.
    Raises TITLE_TAKEN where another session has got one of the titles since.
    """
    messages = 0
    holders = {session.title: session for session in picture.forest.sessions.values() if session.title}
    links = await bin.links(bin_id)
    for table, key in KEPT_TABLES.items():
        for batch in batches(await bin.sizes(bin_id, table)):
            kept = [decode_row(cells) for cells in await bin.rows(bin_id, table, batch)]
            rows = [row for row in kept if row[key] in free_ids]
            taken = next((row["title"] for row in rows if table == "sessions" and row.get("title") in holders), None)
            if taken is not None:
                raise TitleTaken(holders[taken])
            await insert_rows(connection, table, [_storable(row, picture.columns, table) for row in rows])
            messages += len(rows) if table == "messages" else 0
    await connection.execute(
        """
        UPDATE sessions SET parent_session_id = NULL
        WHERE id IN (SELECT value FROM json_each(:sound)) AND id IN (SELECT value FROM json_each(:restored))
          AND NOT EXISTS (SELECT 1 FROM sessions AS parent WHERE parent.id = sessions.parent_session_id)
        """,
        {"sound": json.dumps([link.child_id for link in links]), "restored": json.dumps(sorted(free_ids))},
    )
    await connection.raw_connection.run_each(
        """
        UPDATE sessions SET parent_session_id = ?1
        WHERE id = ?2 AND parent_session_id IS NULL AND EXISTS (SELECT 1 FROM sessions AS parent WHERE parent.id = ?1)
        """,
        [(link.parent_id, link.child_id) for link in links],
    )
    return messages


def _storable(row: dict[str, Any], columns: Columns, table: str) -> dict[str, Any]:
    """Without columns that the store has lost since, when a migration dropped them."""
    return {name: value for name, value in row.items() if columns.has(table, name)}
