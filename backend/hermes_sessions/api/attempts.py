"""What every mutation does around its change: find the store, refuse what must not be, and show what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

import strawberry

from hermes_sessions.api.context import Context, StoreView
from hermes_sessions.api.conversation import Conversation
from hermes_sessions.api.errors import UserError, user_error
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.store import Store
from hermes_sessions.store_values import Change

T = TypeVar("T")


async def attempt(
    context: Context, profile: str | None, change: Callable[[Store], Awaitable[T]]
) -> tuple[T | None, StoreView | None, list[UserError]]:
    """What the change answers, the store after it, and why it was refused. Raises what stands in the way of reading the
    store afterwards, with the word that the change was made."""
    done, view, errors = await tried(context, profile, change)
    if errors:
        return done, view, errors
    try:
        return done, await context.view(profile), errors
    except HermesSessionsError as error:
        message = f"The change was made, and could not be read back. {error.message}"
        raise HermesSessionsError(error.code, message, error.details) from error


async def tried(
    context: Context, profile: str | None, change: Callable[[Store], Awaitable[T]]
) -> tuple[T | None, StoreView | None, list[UserError]]:
    """What the change answers, the store before it, and why it was refused."""
    view: StoreView | None = None
    try:
        store = await context.store(profile)
        if context.settings.read_only:
            raise HermesSessionsError(
                ErrorCode.READ_ONLY, "The server runs with --read-only. Nothing was changed; start it without."
            )
        view = await context.view(profile)
        done = await change(store)
    except HermesSessionsError as error:
        return None, view, [user_error(error, view)]
    context.forget(store.profile)
    return done, view, []


def after(change: Change | None, view: StoreView | None) -> tuple[Session | None, Conversation | None]:
    session = view.forest.get(change.session_id) if change is not None and view is not None else None
    if session is None or view is None:
        return None, None
    return session_of(view, session), Conversation(view=view, own=view.forest.conversation_of(session.id))


def ids(session_ids: Iterable[str]) -> list[strawberry.ID]:
    return [strawberry.ID(session_id) for session_id in session_ids]
