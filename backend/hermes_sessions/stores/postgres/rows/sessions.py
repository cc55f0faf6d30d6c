"""Rows of `sessions` in PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.stores.postgres.affinities import added, as_stored
from hermes_sessions.stores.postgres.cells import OTHERS, as_read, from_columns
from hermes_sessions.stores.postgres.inserting import insert_rows
from hermes_sessions.stores.postgres.markers import marked
from hermes_sessions.stores.postgres.rows.base import RowsBase
from hermes_sessions.stores.store_rows import INHERITED, Cells

_INHERITED = tuple(name for name in INHERITED if name != "system_prompt_hash")


class PostgresSessionRows(RowsBase):
    """See `SessionRows`."""

    async def title_holders(self, title: str) -> list[str]:
        rows = await self._connection.fetch_all(
            f"SELECT id FROM {self._schema}.sessions WHERE title = :title", {"title": title}
        )
        return [row["id"] for row in rows]

    async def titles(self) -> list[str]:
        rows = await self._connection.fetch_all(
            f"SELECT title, {OTHERS} FROM {self._schema}.sessions WHERE title IS NOT NULL OR {OTHERS} IS NOT NULL"
        )
        titles = (as_read(from_columns(row))["title"] for row in rows)
        return [title for title in titles if isinstance(title, str)]

    async def set_title(self, session_id: str, title: str | None) -> None:
        await self._put("sessions", session_id, {"title": title})

    async def set_archived(self, session_ids: Sequence[str], archived: bool) -> list[str]:
        rows = await self._connection.fetch_all(
            f"""
            SELECT id, archived, {OTHERS} FROM {self._schema}.sessions WHERE id = ANY(CAST(:ids AS text[]))
            """,
            {"ids": list(session_ids)},
        )
        flags = {row["id"]: row["archived"] not in (None, 0) for row in map(from_columns, rows)}
        odd = {row["id"] for row in rows if row[OTHERS] is not None}
        changed = [session_id for session_id in session_ids if flags.get(session_id, archived) is not archived]
        await self._connection.execute(
            f"UPDATE {self._schema}.sessions SET archived = :archived WHERE id = ANY(CAST(:ids AS text[]))",
            {"archived": int(archived), "ids": [session_id for session_id in changed if session_id not in odd]},
        )
        for session_id in odd.intersection(changed):
            await self._put("sessions", session_id, {"archived": int(archived)})
        return changed

    async def session_cells(self, session_id: str, names: Sequence[str]) -> dict[str, Any]:
        return as_read(await self._exact_cells(session_id, names))

    async def _exact_cells(self, session_id: str, names: Sequence[str]) -> dict[str, Any]:
        found = await self._cells("sessions", session_id, tuple(names))
        return found if found is not None else dict.fromkeys(names)

    async def insert_session(self, cells: Cells, prompt: str | None) -> None:
        await insert_rows(self._connection, self._schema, "sessions", [{**cells, "system_prompt": prompt}])

    async def insert_branch(self, parent_id: str, cells: Cells, source: str | None) -> None:
        inherited = await self._exact_cells(parent_id, _INHERITED)
        if source is not None:
            inherited["source"] = source
        await insert_rows(self._connection, self._schema, "sessions", [{**inherited, **cells}])

    async def change_session(self, session_id: str, put: Cells, add: Mapping[str, float]) -> None:
        before = await self._exact_cells(session_id, tuple(add)) if add else {}
        sums = {name: added(before[name], number) for name, number in add.items()}
        await self._put("sessions", session_id, as_stored("sessions", {**put, **sums}))

    async def end(self, session_id: str, reason: str, *, is_reset: bool) -> list[str]:
        """Chats and their generations are the agent's own and stay in its store."""
        if (await self.session_cells(session_id, ("ended_at",)))["ended_at"] is not None:
            return []
        await self._put("sessions", session_id, {"ended_at": time.time(), "end_reason": reason})
        return [session_id]

    async def reopen(self, session_id: str) -> list[str]:
        ended = await self.session_cells(session_id, ("ended_at", "end_reason"))
        if all(cell is None for cell in ended.values()):
            return []
        await self._put("sessions", session_id, dict.fromkeys(ended))
        return [session_id]

    async def mark_child(self, child_id: str, marker: str, parent_id: str) -> None:
        config = (await self._exact_cells(child_id, ("model_config",)))["model_config"]
        text = marked(config, marker, parent_id)
        if text is not None:
            await self._put("sessions", child_id, {"model_config": text})

    async def locked(self, session_ids: Sequence[str]) -> list[str]:
        """An agent holds its locks in its own store."""
        return []
