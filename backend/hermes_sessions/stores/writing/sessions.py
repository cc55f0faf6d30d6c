"""Rows of `sessions` made and forked, inside one transaction on a store.

What is written is what Hermes' own `SessionDB` writes. Columns that a store lacks are left out, those that only later
versions know keep their defaults.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from hermes_sessions.model.writing.forking import Turn
from hermes_sessions.model.writing.new_session import NewSession, branch_config
from hermes_sessions.stores.store_rows import StoreRows

COPIED_AT_ONCE = 500


async def insert_session(
    rows: StoreRows, profile: str, new: NewSession, session_id: str, parent_id: str | None
) -> None:
    cells = {
        "id": session_id,
        "source": new.source,
        "user_id": new.user_id,
        "model": new.model,
        "model_config": new.model_config,
        "parent_session_id": parent_id,
        "cwd": new.cwd,
        "started_at": time.time(),
        **_named(profile, new.title),
    }
    await rows.insert_session(cells, new.system_prompt)


async def insert_fork(
    rows: StoreRows, profile: str, parent_id: str, session_id: str, title: str, source: str | None
) -> None:
    """The row of a branch, without its messages."""
    config = branch_config(await _model_config(rows, parent_id), parent_id)
    cells = {
        "id": session_id,
        "model_config": json.dumps(config),
        "parent_session_id": parent_id,
        "started_at": time.time(),
        **_named(profile, title),
    }
    await rows.insert_branch(parent_id, cells, source)


async def copy_messages(rows: StoreRows, turns: Sequence[Turn], session_id: str) -> None:
    """Copies messages and counts them as Hermes counts. Many take several statements: each has a deadline."""
    for start in range(0, len(turns), COPIED_AT_ONCE):
        await rows.copy_messages([each.id for each in turns[start : start + COPIED_AT_ONCE]], session_id)
    await add_to_counters(rows, session_id, len(turns), sum(each.call_count for each in turns))


async def add_to_counters(rows: StoreRows, session_id: str, messages: int, calls: int) -> None:
    await rows.change_session(session_id, {}, {"message_count": messages, "tool_call_count": calls})


def _named(profile: str, title: str | None) -> dict[str, Any]:
    """Cells about the name of a session and of its profile, which Hermes leaves empty for its default one."""
    return {
        "title": title,
        "title_source": "user" if title is not None else None,
        "profile_name": None if profile == "default" else profile,
    }


async def _model_config(rows: StoreRows, session_id: str) -> Any:
    stored = (await rows.session_cells(session_id, ["model_config"]))["model_config"]
    try:
        return json.loads(stored) if isinstance(stored, str) else None
    except (ValueError, RecursionError):
        return None
