"""Renaming, archiving, deleting and restoring, each inside one transaction on a store."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.export.rows import Table
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import DeletionPlan, TitleTaken, title_giver
from hermes_sessions.stores.cells import decode_row
from hermes_sessions.stores.store_rows import Bin, Link, NewEntry, StoreRows

ROWS_AT_ONCE = 50
BYTES_AT_ONCE = 4_000_000
KEPT_TABLES = {Table.SESSIONS: "id", Table.MESSAGES: "session_id", Table.USAGE: "session_id"}
"""Tables with a session's rows and the column that names it, in the order in which rows can come back."""


async def set_title(rows: StoreRows, forest: Forest, session: Session, title: str | None) -> list[str]:
    """Ids whose title changed. Raises TITLE_TAKEN."""
    changed: list[str] = []
    if title is not None:
        giver = title_giver(forest, session, title, await rows.title_holders(title))
        if giver is not None:
            await rows.set_title(giver.id, None)
            changed.append(giver.id)
    await rows.set_title(session.id, title)
    return [*changed, session.id]


async def measure(rows: StoreRows, plan: DeletionPlan) -> tuple[int, int]:
    """(messages, bytes of their text) of the sessions that go."""
    sizes = (await rows.measure(plan.ids)).values()
    return sum(messages for messages, _ in sizes), sum(size for _, size in sizes)


def refuse_without_archive(rows: StoreRows) -> None:
    """Raises UNSUPPORTED_STORE."""
    if not rows.has("sessions", "archived"):
        raise HermesSessionsError(
            ErrorCode.UNSUPPORTED_STORE,
            "This store is of an early version that cannot archive. Let Hermes open it once.",
        )


async def busy_sessions(rows: StoreRows, plan: DeletionPlan) -> dict[str, str]:
    """Why sessions must not go: they are live, or an agent holds a lock or a lease on them."""
    now = time.time()
    busy = {
        session.id: "is live: it was active within the last five minutes"
        for session in plan.goes
        if session.is_live(now)
    }
    return busy | dict.fromkeys(await rows.locked(plan.ids), LOCKED)


LOCKED = "is being worked on: the agent holds a lock on it"


async def refuse_busy(rows: StoreRows, plan: DeletionPlan) -> None:
    """Raises SESSION_BUSY."""
    for session_id, why in (await busy_sessions(rows, plan)).items():
        raise HermesSessionsError(
            ErrorCode.SESSION_BUSY,
            f"Session {session_id} {why}. Wait, or repeat with `force: true`.",
            {"id": session_id},
        )


async def refuse_locked(rows: StoreRows, session_ids: Sequence[str]) -> None:
    """Raises SESSION_BUSY where an agent holds an unexpired lock or lease."""
    for session_id in await rows.locked(session_ids):
        raise HermesSessionsError(
            ErrorCode.SESSION_BUSY,
            f"Session {session_id} {LOCKED}. Wait until it is released, or repeat with `force: true`.",
            {"field": "id", "id": session_id},
        )


async def keep_in_bin(rows: StoreRows, forest: Forest, plan: DeletionPlan, entry: NewEntry) -> None:
    """Copies every row that goes, cell by cell, and every link that is cut. Never holds more than some rows of it."""
    for table in KEPT_TABLES:
        for batch in batches(await rows.row_sizes(table, plan.ids)):
            await entry.add_rows(table.value, await rows.encoded_rows(table, batch))
    await entry.add_links(
        [
            Link(child.id, child.parent_id)
            for child in (*plan.goes, *plan.detached)
            if child.parent_id is not None and child.parent_id in forest.sessions
        ]
    )


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


async def put_back(rows: StoreRows, forest: Forest, bin: Bin, bin_id: str, free_ids: set[str]) -> int:
    """Inserts the rows of the sessions whose ids are free, exactly as they were. Gives the number of messages.

    A parent link that dangled before dangles again; one that was sound and whose parent is gone by now is left out.
    Raises TITLE_TAKEN where another session has got one of the titles since, and NOT_FOUND where the bin has lost the
    entry.
    """
    messages = 0
    holders = {session.title: session for session in forest.sessions.values() if session.title}
    async with bin.kept_open():
        if free_ids and not await bin.entries(1, bin_id):
            raise HermesSessionsError(
                ErrorCode.NOT_FOUND,
                "The bin has lost this entry meanwhile. Nothing was changed; `bin` lists what is left.",
            )
        links = await bin.links(bin_id)
        for table, key in KEPT_TABLES.items():
            for batch in batches(await bin.sizes(bin_id, table.value)):
                kept = [decode_row(cells) for cells in await bin.rows(bin_id, table.value, batch)]
                came = [row for row in kept if row[key] in free_ids]
                taken = next(
                    (row["title"] for row in came if table is Table.SESSIONS and row.get("title") in holders), None
                )
                if taken is not None:
                    raise TitleTaken(holders[taken])
                await rows.insert_rows(table, came)
                messages += len(came) if table is Table.MESSAGES else 0
    await rows.relink(links, sorted(free_ids))
    return messages
