"""Rows of `sessions` made, forked, ended and reopened, each inside one transaction on the live store.

What is written is what Hermes' own `SessionDB` writes. Columns that a store lacks are left out, those that only later
versions know keep their defaults.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.kinds import RESET_REASONS
from hermes_sessions.model.writing.forking import Turn, turn
from hermes_sessions.model.writing.new_session import NewSession, branch_config
from hermes_sessions.stores.cells import insert_row
from hermes_sessions.stores.changes import locked_sessions
from hermes_sessions.stores.columns import KNOWN_MESSAGE_COLUMNS, Columns
from hermes_sessions.stores.database import Connection

COPIED_AT_ONCE = 500
# A branch goes on with its parent's settings and in its folder. It is nobody's chat yet: a gateway finds the session
# of a chat by the columns that are left out here.
_INHERITED = ("source", "model", "system_prompt", "system_prompt_hash", "cwd", "git_branch", "git_repo_root")
# The flags are set anew, and the ids that a platform or client gave belong to the session that it wrote to.
_NOT_COPIED = {"id", "session_id", "platform_message_id", "active", "compacted", "display_order"}


async def title_holders(connection: Connection, title: str | None) -> list[str]:
    rows = await connection.fetch_all("SELECT id FROM sessions WHERE sessions.title = :title", {"title": title})
    return [row["id"] for row in rows]


async def titles(connection: Connection) -> list[str]:
    rows = await connection.fetch_all("SELECT title FROM sessions WHERE typeof(sessions.title) = 'text'")
    return [row["title"] for row in rows]


async def insert_session(
    connection: Connection, columns: Columns, profile: str, new: NewSession, session_id: str, parent_id: str | None
) -> None:
    await _insert(
        connection,
        columns,
        {
            "id": session_id,
            "source": new.source,
            "user_id": new.user_id,
            "model": new.model,
            "model_config": new.model_config,
            "parent_session_id": parent_id,
            "cwd": new.cwd,
            **_named(profile, new.title),
            **await _prompt_cells(connection, columns, new.system_prompt),
        },
    )


async def insert_fork(
    connection: Connection,
    columns: Columns,
    profile: str,
    parent_id: str,
    session_id: str,
    title: str,
    source: str | None,
) -> None:
    """The row of a branch, without its messages. Inherited cells are copied by SQL: exactly, whatever they hold."""
    names = [name for name in _INHERITED if columns.has("sessions", name)]
    config = branch_config(await _model_config(connection, columns, parent_id), parent_id)
    own = {
        "id": session_id,
        "model_config": json.dumps(config),
        "parent_session_id": parent_id,
        "started_at": time.time(),
        **_named(profile, title),
    }
    own = {name: value for name, value in own.items() if columns.has("sessions", name)}
    copied = ", ".join(f"coalesce(:source, {name})" if name == "source" else name for name in names)
    await connection.execute(
        f"INSERT INTO sessions ({', '.join([*own, *names])})"
        f" SELECT {', '.join(f':{name}' for name in own)}, {copied} FROM sessions WHERE id = :parent",
        own | {"parent": parent_id, "source": source},
    )


async def live_turns(connection: Connection, columns: Columns, session_id: str) -> list[Turn]:
    """What the agent still sees of a session, in order."""
    live = "(messages.active IS NULL OR messages.active <> 0)" if columns.has("messages", "active") else "1"
    rows = await connection.fetch_all(
        f"""
        SELECT {columns.select("messages", ("id", "role", "tool_calls", "tool_call_id"))} FROM messages
        WHERE messages.session_id = :id AND {live} ORDER BY messages.id
        """,
        {"id": session_id},
    )
    return [turn(row["id"], row["role"], row["tool_calls"], row["tool_call_id"]) for row in rows]


async def copy_messages(connection: Connection, columns: Columns, turns: Sequence[Turn], session_id: str) -> None:
    """Copies messages cell by cell and counts them as Hermes counts. Many take several statements: each has a
    deadline."""
    names = sorted((columns.of("messages") & KNOWN_MESSAGE_COLUMNS) - _NOT_COPIED)
    selected = ", ".join(f'messages."{name}"' for name in names)
    for start in range(0, len(turns), COPIED_AT_ONCE):
        await connection.execute(
            f"""
            INSERT INTO messages (session_id, {", ".join(f'"{name}"' for name in names)})
            SELECT :session, {selected} FROM messages
            WHERE messages.id IN (SELECT value FROM json_each(:ids)) ORDER BY messages.id
            """,
            {"session": session_id, "ids": json.dumps([each.id for each in turns[start : start + COPIED_AT_ONCE]])},
        )
    await add_to_counters(connection, columns, session_id, len(turns), sum(each.call_count for each in turns))


async def add_to_counters(connection: Connection, columns: Columns, session_id: str, messages: int, calls: int) -> None:
    grown = {"message_count": messages, "tool_call_count": calls}
    present = {name: number for name, number in grown.items() if columns.has("sessions", name)}
    if present:
        changes = ", ".join(f"{name} = coalesce({name}, 0) + :{name}" for name in present)
        await connection.execute(f"UPDATE sessions SET {changes} WHERE id = :id", present | {"id": session_id})


async def end(connection: Connection, columns: Columns, session_id: str, reason: str) -> list[str]:
    """Ids that were ended now: the first reason wins."""
    rows = await connection.fetch_all(
        "UPDATE sessions SET ended_at = :now, end_reason = :reason WHERE id = :id AND ended_at IS NULL RETURNING id",
        {"now": time.time(), "reason": reason, "id": session_id},
    )
    if rows and reason in RESET_REASONS and columns.has("conversation_generations", "generation"):
        await connection.execute(
            """
            INSERT INTO conversation_generations (source, session_key, generation)
            SELECT source, session_key, 1 FROM sessions
            WHERE id = :id AND trim(coalesce(source, '')) <> '' AND trim(coalesce(session_key, '')) <> ''
            ON CONFLICT (source, session_key) DO UPDATE SET generation = generation + 1
            """,
            {"id": session_id},
        )
    return [row["id"] for row in rows]


async def reopen(connection: Connection, session_id: str) -> list[str]:
    """Ids that had ended."""
    rows = await connection.fetch_all(
        """
        UPDATE sessions SET ended_at = NULL, end_reason = NULL
        WHERE id = :id AND (ended_at IS NOT NULL OR end_reason IS NOT NULL) RETURNING id
        """,
        {"id": session_id},
    )
    return [row["id"] for row in rows]


async def mark_children(connection: Connection, parent_id: str, markers: Mapping[str, str]) -> None:
    """Writes down what a child is to its parent while the parent's end still proves it."""
    for child_id, marker in markers.items():
        await connection.execute(
            """
            UPDATE sessions SET model_config = json_set(
                CASE WHEN json_valid(model_config) THEN CASE json_type(model_config)
                    WHEN 'object' THEN model_config ELSE '{}' END ELSE '{}' END, :path, :parent)
            WHERE id = :id AND (model_config IS NULL OR model_config = '' OR json_valid(model_config))
            """,
            {"path": f"$.{marker}", "parent": parent_id, "id": child_id},
        )


async def refuse_locked(connection: Connection, columns: Columns, session_ids: Sequence[str]) -> None:
    """Raises SESSION_BUSY where an agent holds an unexpired lock or lease."""
    for session_id, why in (await locked_sessions(connection, columns, session_ids)).items():
        raise HermesSessionsError(
            ErrorCode.SESSION_BUSY,
            f"Session {session_id} {why}. Wait until it is released, or repeat with `force: true`.",
            {"field": "id", "id": session_id},
        )


def _named(profile: str, title: str | None) -> dict[str, Any]:
    """Cells about the name of a session and of its profile, which Hermes leaves empty for its default one."""
    return {
        "title": title,
        "title_source": "user" if title is not None else None,
        "profile_name": None if profile == "default" else profile,
    }


async def _prompt_cells(connection: Connection, columns: Columns, prompt: str | None) -> dict[str, Any]:
    """Later schemas keep each system prompt once, by its hash."""
    if prompt is None or not (columns.has("system_prompts", "hash") and columns.has("sessions", "system_prompt_hash")):
        return {"system_prompt": prompt}
    digest = hashlib.sha256(prompt.encode()).hexdigest()
    await connection.execute(
        "INSERT OR IGNORE INTO system_prompts (hash, prompt) VALUES (:hash, :prompt)",
        {"hash": digest, "prompt": prompt},
    )
    return {"system_prompt_hash": digest}


async def _model_config(connection: Connection, columns: Columns, session_id: str) -> Any:
    if not columns.has("sessions", "model_config"):
        return None
    stored = await connection.fetch_val("SELECT model_config FROM sessions WHERE id = :id", {"id": session_id})
    try:
        return json.loads(stored) if isinstance(stored, str) else None
    except (ValueError, RecursionError):
        return None


async def _insert(connection: Connection, columns: Columns, row: dict[str, Any]) -> None:
    cells = row | {"started_at": time.time()}
    await insert_row(
        connection, "sessions", {name: value for name, value in cells.items() if columns.has("sessions", name)}
    )
