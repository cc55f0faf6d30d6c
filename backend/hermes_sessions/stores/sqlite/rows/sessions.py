"""Rows of `sessions` in SQLite."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.stores.cells import insert_row
from hermes_sessions.stores.sqlite.rows.base import RowsBase
from hermes_sessions.stores.store_rows import INHERITED, Cells

_LOCKS = (("compression_locks", "session_id"), ("session_turn_leases", "conversation_id"))


class SqliteSessionRows(RowsBase):
    """See `SessionRows`."""

    async def title_holders(self, title: str) -> list[str]:
        rows = await self._connection.fetch_all(
            "SELECT id FROM sessions WHERE sessions.title = :title", {"title": title}
        )
        return [row["id"] for row in rows]

    async def titles(self) -> list[str]:
        if not self.has("sessions", "title"):
            return []
        rows = await self._connection.fetch_all(
            "SELECT sessions.title AS title FROM sessions WHERE typeof(sessions.title) = 'text'"
        )
        return [row["title"] for row in rows]

    async def set_title(self, session_id: str, title: str | None) -> None:
        await self._connection.execute(
            "UPDATE sessions SET title = :title WHERE id = :id", {"title": title, "id": session_id}
        )

    async def set_archived(self, session_ids: Sequence[str], archived: bool) -> list[str]:
        rows = await self._connection.fetch_all(
            """
            UPDATE sessions SET archived = :archived
            WHERE id IN (SELECT value FROM json_each(:ids)) AND (coalesce(archived, 0) <> 0) <> :archived
            RETURNING id
            """,
            {"archived": int(archived), "ids": json.dumps(list(session_ids))},
        )
        changed = {row["id"] for row in rows}
        return [session_id for session_id in session_ids if session_id in changed]

    async def session_cells(self, session_id: str, names: Sequence[str]) -> dict[str, Any]:
        row = await self._connection.fetch_one(
            f"SELECT {self._columns.select('sessions', tuple(names))} FROM sessions WHERE id = :id", {"id": session_id}
        )
        return {name: row[name] for name in names}

    async def insert_session(self, cells: Cells, prompt: str | None) -> None:
        row = {**cells, **await self._prompt_cells(prompt)}
        await insert_row(self._connection, "sessions", {name: row[name] for name in self._present("sessions", row)})

    async def _prompt_cells(self, prompt: str | None) -> dict[str, Any]:
        """Later schemas keep each system prompt once, by its hash."""
        if prompt is None or not (self.has("system_prompts", "hash") and self.has("sessions", "system_prompt_hash")):
            return {"system_prompt": prompt}
        digest = hashlib.sha256(prompt.encode()).hexdigest()
        await self._connection.execute(
            "INSERT OR IGNORE INTO system_prompts (hash, prompt) VALUES (:hash, :prompt)",
            {"hash": digest, "prompt": prompt},
        )
        return {"system_prompt_hash": digest}

    async def insert_branch(self, parent_id: str, cells: Cells, source: str | None) -> None:
        names = self._present("sessions", INHERITED)
        own = {name: cells[name] for name in self._present("sessions", cells)}
        copied = ", ".join(f"coalesce(:source, {name})" if name == "source" else name for name in names)
        await self._connection.execute(
            f"INSERT INTO sessions ({', '.join([*own, *names])})"
            f" SELECT {', '.join(f':{name}' for name in own)}, {copied} FROM sessions WHERE id = :parent",
            own | {"parent": parent_id, "source": source},
        )

    async def change_session(self, session_id: str, put: Cells, add: Mapping[str, float]) -> None:
        changes = [f"{name} = :{name}" for name in self._present("sessions", put)]
        changes += [f"{name} = coalesce({name}, 0) + :{name}" for name in self._present("sessions", add)]
        if changes:
            values = {name: value for name, value in {**put, **add}.items() if self.has("sessions", name)}
            await self._connection.execute(
                f"UPDATE sessions SET {', '.join(changes)} WHERE id = :id", values | {"id": session_id}
            )

    async def end(self, session_id: str, reason: str, *, is_reset: bool) -> list[str]:
        rows = await self._connection.fetch_all(
            """
            UPDATE sessions SET ended_at = :now, end_reason = :reason
            WHERE id = :id AND ended_at IS NULL RETURNING id
            """,
            {"now": time.time(), "reason": reason, "id": session_id},
        )
        if rows and is_reset and self.has("conversation_generations", "generation"):
            await self._connection.execute(
                """
                INSERT INTO conversation_generations (source, session_key, generation)
                SELECT source, session_key, 1 FROM sessions
                WHERE id = :id AND trim(coalesce(source, '')) <> '' AND trim(coalesce(session_key, '')) <> ''
                ON CONFLICT (source, session_key) DO UPDATE SET generation = generation + 1
                """,
                {"id": session_id},
            )
        return [row["id"] for row in rows]

    async def reopen(self, session_id: str) -> list[str]:
        rows = await self._connection.fetch_all(
            """
            UPDATE sessions SET ended_at = NULL, end_reason = NULL
            WHERE id = :id AND (ended_at IS NOT NULL OR end_reason IS NOT NULL) RETURNING id
            """,
            {"id": session_id},
        )
        return [row["id"] for row in rows]

    async def mark_child(self, child_id: str, marker: str, parent_id: str) -> None:
        await self._connection.execute(
            """
            UPDATE sessions SET model_config = json_set(
                CASE WHEN json_valid(model_config) THEN CASE json_type(model_config)
                    WHEN 'object' THEN model_config ELSE '{}' END ELSE '{}' END, :path, :parent)
            WHERE id = :id AND (model_config IS NULL OR model_config = '' OR json_valid(model_config))
            """,
            {"path": f"$.{marker}", "parent": parent_id, "id": child_id},
        )

    async def locked(self, session_ids: Sequence[str]) -> list[str]:
        found: list[str] = []
        for table, column in _LOCKS:
            if self.has(table, column) and self.has(table, "expires_at"):
                rows = await self._connection.fetch_all(
                    f"SELECT {column} AS id FROM {table}"
                    f" WHERE expires_at > :now AND {column} IN (SELECT value FROM json_each(:ids))",
                    {"now": time.time(), "ids": json.dumps(list(session_ids))},
                )
                found += [row["id"] for row in rows]
        return list(dict.fromkeys(found))
