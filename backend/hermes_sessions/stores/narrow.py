"""The columns of `sessions` that lists and lineage need, without the wide ones that stand between them."""

from __future__ import annotations

from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.rows import TOKEN_COLUMNS

NARROW_COLUMNS = (
    "id",
    "source",
    "parent_session_id",
    "session_key",
    "title",
    "model",
    "user_id",
    "cwd",
    "git_branch",
    "git_repo_root",
    "started_at",
    "ended_at",
    "end_reason",
    "last_activity_at",
    "archived",
    "message_count",
    "tool_call_count",
    *TOKEN_COLUMNS,
    "estimated_cost_usd",
    "actual_cost_usd",
    "cost_status",
)
_MARKERS = ("branched_from", "delegate_from", "reset_from")
_VALID = "json_valid(sessions.model_config)"


def sessions_sql(columns: Columns, table: str = "sessions") -> str:
    """The narrow columns and the markers of `model_config`; of `sessions`, or of a table with the same columns."""
    markers = ", ".join(
        f"CASE WHEN {_VALID} THEN json_extract(sessions.model_config, '$._{name}') END AS {name}" for name in _MARKERS
    )
    broken = f"sessions.model_config <> '' AND NOT {_VALID}"
    if not columns.has("sessions", "model_config"):
        markers = ", ".join(f"NULL AS {name}" for name in _MARKERS)
        broken = "0"
    narrow = columns.select("sessions", NARROW_COLUMNS)
    return f"SELECT {narrow}, {markers}, {broken} AS broken_config FROM {table} AS sessions"
