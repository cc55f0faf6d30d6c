"""Which tables and columns a store has: read from it, never concluded from a version number."""

from __future__ import annotations

from dataclasses import dataclass, field

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.database import Connection

# What Hermes 0.19.0 (schema 22) writes and later versions were seen to add. Anything else is reported as unknown.
KNOWN_SESSION_COLUMNS = frozenset(
    {
        "id", "source", "user_id", "session_key", "chat_id", "chat_type", "thread_id", "display_name", "origin_json",
        "expiry_finalized", "model", "model_config", "system_prompt", "parent_session_id", "started_at", "ended_at",
        "end_reason", "message_count", "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens",
        "cache_write_tokens", "reasoning_tokens", "cwd", "git_branch", "git_repo_root", "billing_provider",
        "billing_base_url", "billing_mode", "estimated_cost_usd", "actual_cost_usd", "cost_status", "cost_source",
        "pricing_version", "title", "api_call_count", "handoff_state", "handoff_platform", "handoff_error",
        "compression_failure_cooldown_until", "compression_failure_error", "compression_fallback_streak",
        "profile_name", "rewind_count", "archived", "title_source", "last_activity_at", "pinned", "hidden",
        "last_read_at", "system_prompt_hash", "tool_names", "transport_profile"
    }
)  # fmt: skip
KNOWN_MESSAGE_COLUMNS = frozenset(
    {
        "id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "effect_disposition",
        "timestamp", "token_count", "finish_reason", "reasoning", "reasoning_content", "reasoning_details",
        "codex_reasoning_items", "codex_message_items", "platform_message_id", "observed", "active", "compacted",
        "api_content", "_compressed_summary", "display_kind", "display_metadata", "display_identity", "display_order"
    }
)  # fmt: skip
_NEEDED = {"sessions": {"id", "source", "parent_session_id", "started_at"}, "messages": {"id", "session_id", "role"}}
# What every schema since 8 has is not worth a word; these are what an old store lacks.
_EXPECTED = frozenset({"archived", "cwd", "estimated_cost_usd", "actual_cost_usd", "cost_status"})
_EXPECTED_OF_MESSAGES = frozenset({"active", "compacted", "reasoning"})


@dataclass(frozen=True)
class Columns:
    """Columns by table; a table that does not exist has none."""

    tables: dict[str, frozenset[str]] = field(default_factory=dict)

    def of(self, table: str) -> frozenset[str]:
        return self.tables.get(table, frozenset())

    def has(self, table: str, column: str) -> bool:
        return column in self.of(table)

    def select(self, table: str, names: tuple[str, ...]) -> str:
        """A select list. A missing column reads as NULL; every name is qualified, since SQLite would read a quoted
        name that does not exist as a string."""
        return ", ".join(
            f'{table}."{name}" AS "{name}"' if self.has(table, name) else f'NULL AS "{name}"' for name in names
        )

    def missing(self) -> list[str]:
        return sorted(
            [f"sessions.{name}" for name in _EXPECTED - self.of("sessions")]
            + [f"messages.{name}" for name in _EXPECTED_OF_MESSAGES - self.of("messages")]
        )

    def unknown(self) -> list[str]:
        return sorted(
            [f"sessions.{name}" for name in self.of("sessions") - KNOWN_SESSION_COLUMNS]
            + [f"messages.{name}" for name in self.of("messages") - KNOWN_MESSAGE_COLUMNS]
        )


_COLUMNS = """
SELECT tables.name AS table_name, columns.name AS column_name
FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND tables.name IN (
    'sessions', 'messages', 'session_model_usage', 'system_prompts', 'compression_locks', 'session_turn_leases',
    'conversation_generations', 'schema_version', 'state_meta'
)
"""


async def read_columns(connection: Connection) -> Columns:
    """Raises UNSUPPORTED_STORE where the tables are not those of Hermes."""
    tables: dict[str, set[str]] = {}
    for table, column in await connection.fetch_all(_COLUMNS):
        tables.setdefault(table, set()).add(column)
    for table, needed in _NEEDED.items():
        lacking = needed - tables.get(table, set())
        if lacking:
            raise HermesSessionsError(
                ErrorCode.UNSUPPORTED_STORE,
                f"This database is no Hermes store: its table {table} lacks {', '.join(sorted(lacking))}.",
            )
    return Columns({table: frozenset(names) for table, names in tables.items()})
