"""Sessions made, forked, ended, reopened and written to, whatever engine they are on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from hermes_sessions.model.kinds import COMPRESSION, RESET_REASONS
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
from hermes_sessions.stores.changing import Changeable
from hermes_sessions.stores.conflicts import begun_again
from hermes_sessions.stores.store_rows import Bin
from hermes_sessions.stores.writing import appending, recording, sessions


class Shaping(Changeable, Protocol):
    """Each in one transaction. What an id names in the scope of a conversation is its last segment: where the agent
    goes on."""

    @begun_again
    async def create(self, new: NewSession) -> Change:
        await self._make_store()
        async with self._changing() as (rows, forest):
            session_id = await _free_id(rows.bin, forest, new.id)
            parent = parent_of(forest, new.parent)
            if new.title is not None:
                refuse_taken_title(forest, await rows.title_holders(new.title))
            await sessions.insert_session(
                rows, self.profile, new, session_id, parent.id if parent is not None else None
            )
        return Change(session_id, [session_id])

    @begun_again
    async def fork(self, order: Fork) -> Change:
        async with self._changing() as (rows, forest):
            parent = named_session(forest, order.id_or_prefix)
            session_id = await _free_id(rows.bin, forest, order.new_id, "newId")
            if order.title is not None:
                refuse_taken_title(forest, await rows.title_holders(order.title))
            title = order.title or next_title(parent.title, await rows.titles())
            turns = turns_to_copy(await rows.live_turns(parent.id), order.last_message)
            await rows.refuse_messages()
            await sessions.insert_fork(rows, self.profile, parent.id, session_id, title, order.source)
            await sessions.copy_messages(rows, turns, session_id)
        return Change(session_id, [session_id])

    @begun_again
    async def end(self, id_or_prefix: str, reason: str, scope: Scope, *, force: bool) -> Change:
        async with self._changing() as (rows, forest):
            chain, target = _target(forest, id_or_prefix, scope)
            if not force and not target.has_ended:
                await changes.refuse_locked(rows, chain)
            changed = await rows.end(target.id, reason, is_reset=reason in RESET_REASONS)
        return Change(target.id, changed)

    @begun_again
    async def reopen(self, id_or_prefix: str, scope: Scope, *, force: bool) -> Change:
        async with self._changing() as (rows, forest):
            chain, target = _target(forest, id_or_prefix, scope)
            following = forest.successor(target.id)
            if following is not None:
                raise refusal(
                    "id",
                    f"Session {target.id} goes on in {following.id}: reopening it would cut the conversation. "
                    "Use the scope CONVERSATION to reopen its last segment.",
                )
            if not force and target.has_ended:
                await changes.refuse_locked(rows, chain)
            if rows.has("sessions", "model_config"):  # while the parent's end still proves what they are
                for child_id, marker in unmarked_children(forest, target).items():
                    await rows.mark_child(child_id, marker, target.id)
            changed = await rows.reopen(target.id)
        return Change(target.id, changed)

    @begun_again
    async def append(self, id_or_prefix: str, messages: Sequence[NewMessage], scope: Scope, *, force: bool) -> Appended:
        async with self._changing() as (rows, forest):
            chain, target = _target(forest, id_or_prefix, scope)
            if target.end_reason == COMPRESSION:
                raise refusal(
                    "id",
                    f"Session {target.id} was closed by compression, so the agent would not see the messages. "
                    "Use the scope CONVERSATION to write where it goes on, or reopen it.",
                )
            await rows.refuse_messages()
            if not force:
                await changes.refuse_locked(rows, chain)
            return await appending.append(rows, chain, messages)

    @begun_again
    async def record_usage(self, id_or_prefix: str, record: UsageRecord, scope: Scope) -> Change:
        async with self._changing() as (rows, forest):
            _, target = _target(forest, id_or_prefix, scope)
            refuse_overflow(record, target)
            await recording.record_usage(rows, target.id, record)
        return Change(target.id, [target.id])


async def _free_id(bin: Bin, forest: Forest, wanted: str | None, field: str = "id") -> str:
    if wanted is not None:
        refuse_taken_id(wanted, forest, await bin.holds(wanted), field)
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
