"""Changes that another program makes to a store."""

from __future__ import annotations

from typing import Any

from tests.builders import StoreBuilder, T


def change(store: StoreBuilder, what: str, *arguments: Any) -> None:
    """One change by another program, as far as it applies to what is there."""
    session = arguments[0]
    match what:
        case "add":
            store.sql("DELETE FROM sessions WHERE id = ?", (session,))
            store.session(session, parent=arguments[1], branched_from=arguments[2])
        case "append":
            store.message(session, active=arguments[1], compacted=arguments[2])
        case "end":
            store.set("sessions", session, end_reason=arguments[1], ended_at=T + 10 if arguments[1] else None)
        case "archive":
            store.set("sessions", session, archived=arguments[1])
        case "title":
            store.sql("UPDATE OR IGNORE sessions SET title = ? WHERE id = ?", (arguments[1], session))
        case "rewind":
            store.sql("UPDATE messages SET active = 1 - active WHERE session_id = ?", (session,))
        case "usage":
            store.sql("DELETE FROM session_model_usage WHERE session_id = ?", (session,))
            store.usage(session, task="compression", cost=arguments[1])
        case "delete":
            store.sql("DELETE FROM messages WHERE session_id = ?", (session,))
            store.sql("DELETE FROM sessions WHERE id = ?", (session,))
        case "lose":
            store.sql("DELETE FROM sessions WHERE id = ?", (session,))
        case "clear":
            store.sql("BEGIN")
            store.sql("DELETE FROM messages WHERE session_id = ?", (session,))
            store.set("sessions", session, message_count=arguments[1])
            store.sql("COMMIT")
        case "cell":
            store.set("sessions", session, **{arguments[1]: arguments[2]})
