"""From what people type to the one session that they mean."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.ids import session_id as checked
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session
from hermes_sessions.model.values import rfc3339

MAX_CANDIDATES = 10


class AmbiguousId(HermesSessionsError):
    """A prefix that several sessions share; `candidates` holds the first ten."""

    def __init__(self, forest: Forest, candidates: Sequence[Session]) -> None:
        number = f"At least {MAX_CANDIDATES}" if len(candidates) == MAX_CANDIDATES else str(len(candidates))
        super().__init__(
            ErrorCode.AMBIGUOUS_ID,
            f"{number} sessions start with this id. Type more of it.",
            {"candidates": [_shown(forest, candidate) for candidate in candidates]},
        )
        self.candidates = list(candidates)


def _shown(forest: Forest, session: Session) -> dict[str, str | None]:
    started = rfc3339(session.started_at) if session.started_at is not None else None
    return {
        "id": session.id,
        "title": session.title,
        "startedAt": started,
        "kind": forest.kind(session.id).value,
    }


def resolve_session(forest: Forest, text: str) -> Session | None:
    """The session with this id, else the only one whose id starts with the text, else None.

    Raises BAD_USER_INPUT for blank text or control characters, AMBIGUOUS_ID for a prefix of several ids.
    """
    exact = forest.get(checked(text))
    if exact is not None:
        return exact
    matches = [forest.sessions[match] for match in forest.starting_with(text, MAX_CANDIDATES)]
    if len(matches) > 1:
        raise AmbiguousId(forest, matches)
    return matches[0] if matches else None


def named_session(forest: Forest, text: str) -> Session:
    """Like `resolve_session`, and NOT_FOUND where there is none."""
    session = resolve_session(forest, text)
    if session is None:
        raise not_found()
    return session


def resolve_conversation(forest: Forest, text: str) -> Conversation | None:
    """Like `resolve_session`, for the conversation of any of its sessions: several matches within one are no doubt."""
    exact = forest.get(checked(text))
    if exact is not None:
        return forest.conversation_of(exact.id)
    ids = forest.starting_with(text, len(forest))
    heads = {forest.head_id(match) for match in ids}
    if len(heads) > 1:
        raise AmbiguousId(forest, [forest.sessions[match] for match in ids[:MAX_CANDIDATES]])
    return forest.conversation_of(ids[0]) if ids else None


def not_found(what: str = "session") -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.NOT_FOUND, f"No {what} has this id or starts with it. Ids are case-sensitive; `sessions` lists them."
    )
