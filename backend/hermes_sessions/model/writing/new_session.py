"""A session that is about to be stored: its id, its columns, and its place among the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.ids import session_id as checked_prefix
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.resolving import resolve_session
from hermes_sessions.model.session import Session, SessionKind
from hermes_sessions.model.shaping import TitleTaken
from hermes_sessions.model.titles import clean_title
from hermes_sessions.model.writing.inputs import json_text, refusal, stored_label, stored_text

MAX_ID_BYTES = 128
MAX_REASON = 64
DEFAULT_SOURCE = "api"
MARKERS = ("_branched_from", "_delegate_from", "_reset_from")


@dataclass(frozen=True)
class NewSession:
    """Columns of a session to be made, checked. `id` None is made up; `parent` is an id or a unique prefix."""

    id: str | None = None
    source: str = DEFAULT_SOURCE
    title: str | None = None
    parent: str | None = None
    model: str | None = None
    model_config: str | None = None
    system_prompt: str | None = None
    cwd: str | None = None
    user_id: str | None = None


def new_session(
    *,
    id: str | None = None,
    source: str | None = None,
    title: str | None = None,
    parent: str | None = None,
    model: str | None = None,
    model_config: Any = None,
    system_prompt: str | None = None,
    cwd: str | None = None,
    user_id: str | None = None,
) -> NewSession:
    """Raises BAD_USER_INPUT and TITLE_TOO_LONG, each with the field that it is about."""
    return NewSession(
        id=new_id(id) if id is not None else None,
        source=stored_label(source, "source", 64) or DEFAULT_SOURCE,
        title=clean_title(title or ""),
        parent=_prefix(parent, "parentId"),
        model=stored_label(model, "model"),
        model_config=_config(model_config),
        system_prompt=stored_text(system_prompt, "systemPrompt"),
        cwd=stored_label(cwd, "cwd", 4096),
        user_id=stored_label(user_id, "userId"),
    )


def new_id(text: str, field: str = "id") -> str:
    """An id that a caller chose. It may become part of a file name elsewhere, so it must not look like a path."""
    if not text.strip() or text != text.strip() or not text.isprintable():
        raise refusal(field, f"`{field}` must be printable text without white space around it, or be left out.")
    if "/" in text or "\\" in text or text.startswith((".", "-")):
        raise refusal(field, f"`{field}` must not hold / or \\, nor start with a dot or a hyphen.")
    size = len(text.encode())
    if size > MAX_ID_BYTES:
        raise refusal(field, f"`{field}` has {size} bytes in UTF-8; at most {MAX_ID_BYTES} are allowed.")
    return text


def made_up_id(now: datetime, random: str) -> str:
    """An id in Hermes' own form: local date and time, and six hexadecimal digits."""
    return f"{now:%Y%m%d_%H%M%S}_{random[:6]}"


def refuse_taken_id(wanted: str, forest: Forest, in_bin: bool, field: str = "id") -> None:
    """Raises ID_TAKEN, also for an id in the bin: restoring it would no longer be possible."""
    if wanted in forest.sessions:
        raise refusal(field, f"Session {wanted} exists already. Choose another id.", ErrorCode.ID_TAKEN)
    if in_bin:
        raise refusal(
            field,
            f"Session {wanted} was deleted and can still be restored from the bin (`restoreSessions`). "
            "Choose another id.",
            ErrorCode.ID_TAKEN,
        )


def refuse_taken_title(forest: Forest, holders: Collection[str]) -> None:
    """Raises TITLE_TAKEN."""
    for holder in holders:
        raise TitleTaken(forest.sessions[holder])


def parent_of(forest: Forest, prefix: str | None) -> Session | None:
    """Raises AMBIGUOUS_ID and NOT_FOUND, both about `parentId`."""
    if prefix is None:
        return None
    try:
        found = resolve_session(forest, prefix)
    except HermesSessionsError as error:
        error.details["field"] = "parentId"
        raise
    if found is None:
        raise refusal("parentId", "No session has this id or starts with it.", ErrorCode.NOT_FOUND)
    return found


def branch_config(parents: Any, parent_id: str) -> dict[str, Any]:
    """The parent's settings without its own place in the lineage, and the marker of a branch."""
    kept = parents.items() if isinstance(parents, Mapping) else ()
    return {name: value for name, value in kept if name not in MARKERS} | {"_branched_from": parent_id}


def unmarked_children(forest: Forest, session: Session) -> dict[str, str]:
    """Children that only the session's end proves to be branches or resets, with the marker that says so for good."""
    found: dict[str, str] = {}
    for child in forest.children(session.id):
        kind = forest.kind(child.id)
        if kind is SessionKind.BRANCH and child.branched_from != session.id:
            found[child.id] = "_branched_from"
        elif kind is SessionKind.RESET and child.reset_from != session.id:
            found[child.id] = "_reset_from"
    return found


def _config(value: Any) -> str | None:
    if value is not None and not isinstance(value, dict):
        raise refusal("modelConfig", '`modelConfig` must be a JSON object, as {"max_iterations": 60}.')
    return json_text(value, "modelConfig") if value else None


def _prefix(text: str | None, field: str) -> str | None:
    if text is None:
        return None
    try:
        return checked_prefix(text)
    except HermesSessionsError as error:
        error.details["field"] = field
        raise
