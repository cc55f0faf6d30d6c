"""Titles and previews of many sessions or conversations at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from hermes_sessions.api.context import StoreView
from hermes_sessions.api.loaders import load_each
from hermes_sessions.model.session import Session as StoredSession
from hermes_sessions.model.values import rfc3339

if TYPE_CHECKING:
    from hermes_sessions.api.conversation import Conversation
    from hermes_sessions.api.session import Session


async def session_previews(sessions: Sequence[Session]) -> list[str | None]:
    return await _previews((each.view, each.own) for each in sessions)


async def session_titles(sessions: Sequence[Session]) -> list[str]:
    """The title, else the preview, else what stands in."""
    previews = iter(await session_previews([each for each in sessions if not each.own.title]))
    return [each.own.title or next(previews) or stand_in(each.own) for each in sessions]


async def conversation_previews(conversations: Sequence[Conversation]) -> list[str | None]:
    """That of the first segment that has one."""
    previews = iter(await _previews((each.view, part) for each in conversations for part in each.own.segments))
    return [next(filter(None, list(islice(previews, len(each.own.segments)))), None) for each in conversations]


async def conversation_titles(conversations: Sequence[Conversation]) -> list[str]:
    """The title, else the preview, else what stands in."""
    previews = iter(await conversation_previews([each for each in conversations if not each.own.title]))
    return [each.own.title or next(previews) or stand_in(each.own.head) for each in conversations]


async def _previews(wanted: Iterable[tuple[StoreView, StoredSession]]) -> list[str | None]:
    return await load_each((view.previews, session.id) for view, session in wanted)


def stand_in(session: StoredSession) -> str:
    """What is shown where there is neither title nor preview."""
    started = rfc3339(session.started_at)[:16].replace("T", " ") if session.started_at is not None else "unknown start"
    return f"{session.source} · {started}"
