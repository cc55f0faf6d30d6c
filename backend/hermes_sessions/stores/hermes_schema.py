"""The schema of a Hermes 0.19.0 store: what its `SessionDB` expects to find, so that it changes nothing on opening.

The names, types, defaults and keys are Hermes' own; a test compares them with the real thing.
"""

from __future__ import annotations

SCHEMA_VERSION = 22

SESSIONS = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL, user_id TEXT, session_key TEXT, chat_id TEXT, chat_type TEXT, thread_id TEXT,
    display_name TEXT, origin_json TEXT, expiry_finalized INTEGER DEFAULT 0,
    model TEXT, model_config TEXT, system_prompt TEXT,
    parent_session_id TEXT,
    started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
    message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
    input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0,
    cache_read_tokens INTEGER DEFAULT 0, cache_write_tokens INTEGER DEFAULT 0, reasoning_tokens INTEGER DEFAULT 0,
    cwd TEXT, git_branch TEXT, git_repo_root TEXT,
    billing_provider TEXT, billing_base_url TEXT, billing_mode TEXT,
    estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT, cost_source TEXT, pricing_version TEXT,
    title TEXT, api_call_count INTEGER DEFAULT 0,
    handoff_state TEXT, handoff_platform TEXT, handoff_error TEXT,
    compression_failure_cooldown_until REAL, compression_failure_error TEXT,
    compression_fallback_streak INTEGER NOT NULL DEFAULT 0,
    profile_name TEXT, rewind_count INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (parent_session_id) REFERENCES sessions(id)
)"""

MESSAGES = """
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL, content TEXT,
    tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, effect_disposition TEXT,
    timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT,
    reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,
    codex_reasoning_items TEXT, codex_message_items TEXT,
    platform_message_id TEXT, observed INTEGER DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0,
    api_content TEXT
)"""

SESSION_MODEL_USAGE = """
CREATE TABLE session_model_usage (
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    billing_provider TEXT NOT NULL DEFAULT '', billing_base_url TEXT NOT NULL DEFAULT '',
    billing_mode TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',
    api_call_count INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    estimated_cost_usd REAL NOT NULL DEFAULT 0, actual_cost_usd REAL NOT NULL DEFAULT 0,
    cost_status TEXT, cost_source TEXT, first_seen REAL, last_seen REAL,
    PRIMARY KEY (session_id, model, billing_provider, billing_base_url, billing_mode, task)
)"""

BOOKKEEPING = (
    "CREATE TABLE schema_version (version INTEGER NOT NULL)",
    "CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT)",
    """
CREATE TABLE gateway_routing (
    scope TEXT NOT NULL DEFAULT '', session_key TEXT NOT NULL,
    entry_json TEXT NOT NULL, updated_at REAL NOT NULL,
    PRIMARY KEY (scope, session_key)
)""",
    """
CREATE TABLE compression_locks (
    session_id TEXT PRIMARY KEY, holder TEXT NOT NULL, acquired_at REAL NOT NULL, expires_at REAL NOT NULL
)""",
    """
CREATE TABLE async_delegations (
    delegation_id TEXT PRIMARY KEY,
    origin_session TEXT NOT NULL, origin_ui_session_id TEXT NOT NULL DEFAULT '', parent_session_id TEXT,
    state TEXT NOT NULL, dispatched_at REAL NOT NULL, completed_at REAL, updated_at REAL NOT NULL,
    event_json TEXT, result_json TEXT,
    delivery_state TEXT NOT NULL DEFAULT 'pending', delivery_attempts INTEGER NOT NULL DEFAULT 0, delivered_at REAL,
    owner_pid INTEGER, owner_started_at INTEGER, task_json TEXT,
    delivery_claim TEXT, delivery_claimed_at REAL
)""",
)

INDEXES = (
    "CREATE INDEX idx_sessions_source ON sessions(source)",
    "CREATE INDEX idx_sessions_source_id ON sessions(source, id)",
    "CREATE INDEX idx_sessions_parent ON sessions(parent_session_id)",
    "CREATE INDEX idx_sessions_started ON sessions(started_at DESC)",
    "CREATE INDEX idx_sessions_session_key ON sessions(session_key, started_at DESC)",
    "CREATE INDEX idx_sessions_gateway_peer"
    " ON sessions(source, user_id, chat_id, chat_type, thread_id, started_at DESC)",
    "CREATE INDEX idx_sessions_handoff_state ON sessions(handoff_state, started_at)",
    "CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL",
    "CREATE INDEX idx_messages_session ON messages(session_id, timestamp)",
    "CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp)",
    "CREATE INDEX idx_messages_active_null ON messages(active) WHERE active IS NULL",
    "CREATE INDEX idx_messages_platform_msg_id"
    " ON messages(session_id, platform_message_id) WHERE platform_message_id IS NOT NULL",
    "CREATE INDEX idx_session_model_usage_session ON session_model_usage(session_id)",
    "CREATE INDEX idx_session_model_usage_model ON session_model_usage(model)",
    "CREATE INDEX idx_compression_locks_expires ON compression_locks(expires_at)",
    "CREATE INDEX idx_async_delegations_delivery ON async_delegations(delivery_state, completed_at)",
)


def search_index(table: str, options: str = "") -> tuple[str, ...]:
    """An FTS5 table over each message's content, tool name and tool calls, and the triggers that keep it."""
    add = (
        f"INSERT INTO {table}(rowid, content) VALUES (new.id, COALESCE(new.content, '')"
        " || ' ' || COALESCE(new.tool_name, '') || ' ' || COALESCE(new.tool_calls, ''));"
    )
    remove = f"DELETE FROM {table} WHERE rowid = old.id;"
    return (
        f"CREATE VIRTUAL TABLE {table} USING fts5(content{options})",
        f"CREATE TRIGGER {table}_insert AFTER INSERT ON messages BEGIN {add} END",
        f"CREATE TRIGGER {table}_delete AFTER DELETE ON messages BEGIN {remove} END",
        f"CREATE TRIGGER {table}_update AFTER UPDATE ON messages BEGIN {remove} {add} END",
    )


STATEMENTS = (
    SESSIONS,
    MESSAGES,
    SESSION_MODEL_USAGE,
    *BOOKKEEPING,
    *INDEXES,
    *search_index("messages_fts"),
    *search_index("messages_fts_trigram", ", tokenize='trigram'"),
    f"INSERT INTO schema_version (version) VALUES ({SCHEMA_VERSION})",
)
