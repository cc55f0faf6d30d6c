"""Sessions made, forked, ended, reopened and written to, in a live SQLite store."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from hermes_sessions.model.kinds import COMPRESSION
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.resolving import named_session
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import Scope, in_scope
from hermes_sessions.model.writing.appending import NewMessage
from hermes_sessions.model.writing.forking import turns_to_copy
from hermes_sessions.model.writing.inputs import refusal
from hermes_sessions.model.writing.new_session import (
    NewSession,
    made_up_id,
    parent_of,
    refuse_taken_id,
    refuse_taken_title,
    unmarked_children,
)
from hermes_sessions.model.writing.numbering import next_title
from hermes_sessions.model.writing.recording import UsageRecord, refuse_overflow
from hermes_sessions.store_values import Appended, Change, Fork
from hermes_sessions.stores import changes
from hermes_sessions.stores.sqlite.base import SqliteBase
from hermes_sessions.stores.writing import appending, recording, shaping


class SqliteShaping(SqliteBase):
    """Each in one transaction. What an id names in the scope of a conversation is its last segment: where the agent
    goes on."""

    async def create(self, new: NewSession) -> Change:
        await self._make_store()
        async with self._changing() as (connection, picture):
            session_id = await self._free_id(picture.forest, new.id)
            parent = parent_of(picture.forest, new.parent)
            refuse_taken_title(picture.forest, await shaping.title_holders(connection, new.title))
            await shaping.insert_session(
                connection, picture.columns, self.profile, new, session_id, parent.id if parent is not None else None
            )
        return Change(session_id, [session_id])

    async def fork(self, order: Fork) -> Change:
        async with self._changing() as (connection, picture):
            forest, columns = picture.forest, picture.columns
            parent = named_session(forest, order.id_or_prefix)
            session_id = await self._free_id(forest, order.new_id, "newId")
            if order.title is not None:
                refuse_taken_title(forest, await shaping.title_holders(connection, order.title))
            title = order.title or next_title(parent.title, await shaping.titles(connection))
            turns = turns_to_copy(await shaping.live_turns(connection, columns, parent.id), order.last_message)
            await changes.refuse_unknown_tokenizers(connection)
            await shaping.insert_fork(connection, columns, self.profile, parent.id, session_id, title, order.source)
            await shaping.copy_messages(connection, columns, turns, session_id)
        return Change(session_id, [session_id])

    async def end(self, id_or_prefix: str, reason: str, scope: Scope, *, force: bool) -> Change:
        async with self._changing() as (connection, picture):
            chain, target = _target(picture.forest, id_or_prefix, scope)
            if not force and not target.has_ended:
                await shaping.refuse_locked(connection, picture.columns, chain)
            changed = await shaping.end(connection, picture.columns, target.id, reason)
        return Change(target.id, changed)

    async def reopen(self, id_or_prefix: str, scope: Scope, *, force: bool) -> Change:
        async with self._changing() as (connection, picture):
            chain, target = _target(picture.forest, id_or_prefix, scope)
            following = picture.forest.successor(target.id)
            if following is not None:
                raise refusal(
                    "id",
                    f"Session {target.id} goes on in {following.id}: reopening it would cut the conversation. "
                    "Use the scope CONVERSATION to reopen its last segment.",
                )
            if not force and target.has_ended:
                await shaping.refuse_locked(connection, picture.columns, chain)
            if picture.columns.has("sessions", "model_config"):
                await shaping.mark_children(connection, target.id, unmarked_children(picture.forest, target))
            changed = await shaping.reopen(connection, target.id)
        return Change(target.id, changed)

    async def append(self, id_or_prefix: str, messages: Sequence[NewMessage], scope: Scope, *, force: bool) -> Appended:
        async with self._changing() as (connection, picture):
            chain, target = _target(picture.forest, id_or_prefix, scope)
            if target.end_reason == COMPRESSION:
                raise refusal(
                    "id",
                    f"Session {target.id} was closed by compression, so the agent would not see the messages. "
                    "Use the scope CONVERSATION to write where it goes on, or reopen it.",
                )
            await changes.refuse_unknown_tokenizers(connection)
            if not force:
                await shaping.refuse_locked(connection, picture.columns, chain)
            return await appending.append(connection, picture.columns, chain, messages)

    async def record_usage(self, id_or_prefix: str, record: UsageRecord, scope: Scope) -> Change:
        async with self._changing() as (connection, picture):
            _, target = _target(picture.forest, id_or_prefix, scope)
            refuse_overflow(record, target)
            await recording.record_usage(connection, picture.columns, target.id, record)
        return Change(target.id, [target.id])

    async def _free_id(self, forest: Forest, wanted: str | None, field: str = "id") -> str:
        if wanted is not None:
            refuse_taken_id(wanted, forest, await self._bin.holds(wanted), field)
            return wanted
        while (made_up := made_up_id(datetime.now(), secrets.token_hex(3))) in forest.sessions:
            continue
        return made_up


def _target(forest: Forest, id_or_prefix: str, scope: Scope) -> tuple[list[str], Session]:
    """Ids of the chain that the session stands in, up to the one that is meant, and that one."""
    session = named_session(forest, id_or_prefix)
    target = in_scope(forest, session, scope)[-1]
    chain = [member.id for member in in_scope(forest, target, Scope.CONVERSATION)]
    return chain[: chain.index(target.id) + 1], target
