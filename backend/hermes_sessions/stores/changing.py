"""The changes of a store, whatever engine it is on: each in one transaction, bulk changes in several."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence, Set
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Protocol

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.ids import session_id as checked_id
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.resolving import named_session, not_found, resolve_session
from hermes_sessions.model.shaping import DeletionPlan, Scope, deletion_plan, in_scope
from hermes_sessions.store_values import (
    BinEntry,
    BulkArchiving,
    BulkChange,
    BulkDeletion,
    Change,
    Deletion,
    Freshness,
    Imported,
    ImportOrder,
    Restoration,
)
from hermes_sessions.stores import changes
from hermes_sessions.stores.bulk import Bulk
from hermes_sessions.stores.conflicts import begun_again
from hermes_sessions.stores.moving.importing import Importing
from hermes_sessions.stores.store_rows import Bin, StoreRows


class Changeable(Protocol):
    """What the changes need of an engine."""

    profile: str
    _bin: Bin
    """As it is outside of transactions."""

    async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest: ...

    def _looking(self) -> AbstractAsyncContextManager[tuple[StoreRows, Forest]]:
        """To read. Raises NOT_FOUND where there is no store yet."""

    def _changing(self, *, foreign_keys: bool = True) -> AbstractAsyncContextManager[tuple[StoreRows, Forest]]:
        """A transaction and the picture of exactly what it changes: nobody else can commit while it lasts."""

    def _reading_rows(self) -> AbstractAsyncContextManager[StoreRows]:
        """To read, without a picture, also where there is no store yet."""

    def _writing(self) -> AbstractAsyncContextManager[StoreRows]:
        """A transaction without a picture and without foreign keys, on a store that is made where there is none."""

    async def _make_store(self) -> None:
        """A profile that has no store gets one. Raises READ_ONLY and STORE_UNREACHABLE where it cannot be made."""


class Changing(Changeable, Protocol):
    """Ids and prefixes are resolved inside the transaction that writes."""

    @begun_again
    async def rename(self, id_or_prefix: str, title: str | None, scope: Scope) -> Change:
        async with self._changing() as (rows, forest):
            session = named_session(forest, id_or_prefix)
            target = in_scope(forest, session, scope)[-1] if scope is Scope.CONVERSATION else session
            changed = await changes.set_title(rows, forest, target, title)
        return Change(session.id, changed)

    @begun_again
    async def archive(self, id_or_prefix: str, archived: bool, scope: Scope) -> Change:
        async with self._changing() as (rows, forest):
            changes.refuse_without_archive(rows)
            session = named_session(forest, id_or_prefix)
            ids = [member.id for member in in_scope(forest, session, scope)]
            changed = await rows.set_archived(ids, archived)
        return Change(session.id, changed)

    @begun_again
    async def delete(
        self, id_or_prefix: str, scope: Scope, *, exact: bool, permanent: bool, force: bool, dry_run: bool
    ) -> Deletion:
        checked_id(id_or_prefix)
        if dry_run:
            return await self._planned_deletion(id_or_prefix, scope, exact=exact)
        bin_id: str | None = None
        await self._bin.until_free()
        async with self._changing() as (rows, forest):
            plan = await self._plan(rows.bin, forest, id_or_prefix, scope, exact=exact)
            if plan is None:
                return Deletion.nothing(already_absent=True)
            await rows.refuse_messages()
            if not force:
                await changes.refuse_busy(rows, plan)
            messages, size = await changes.measure(rows, plan)
            if not permanent and rows.bin.days > 0:
                title = forest.conversation_of(plan.goes[0].id).title
                async with rows.bin.new_entry(title, plan.ids, size) as entry:
                    await changes.keep_in_bin(rows, forest, plan, entry)
                bin_id = entry.bin_id
            async with rows.bin.deleting(bin_id, plan.ids):
                await rows.remove(plan.ids, [child.id for child in plan.detached])
        return Deletion(plan, messages, size, bin_id=bin_id)

    async def _planned_deletion(self, id_or_prefix: str, scope: Scope, *, exact: bool) -> Deletion:
        plan = await self._plan(self._bin, await self.forest(), id_or_prefix, scope, exact=exact)
        if plan is None:
            return Deletion.nothing(already_absent=True)
        async with self._looking() as (rows, _):
            messages, size = await changes.measure(rows, plan)
        return Deletion(plan, messages, size)

    @staticmethod
    async def _plan(bin: Bin, forest: Forest, id_or_prefix: str, scope: Scope, *, exact: bool) -> DeletionPlan | None:
        """None for an id that was deleted here before: it must not slide to a neighbour that starts with it."""
        session = forest.get(id_or_prefix)
        if session is None and await bin.was_deleted(id_or_prefix):
            return None
        if session is None and not exact:
            session = resolve_session(forest, id_or_prefix)
        if session is None:
            raise not_found()
        return deletion_plan(forest, session, scope)

    async def archive_many(self, order: BulkArchiving) -> BulkChange:
        return await Bulk(self._looking, self._changing, self._bin).change(order)

    async def delete_many(self, order: BulkDeletion) -> BulkChange:
        return await Bulk(self._looking, self._changing, self._bin).change(order)

    @begun_again
    async def restore(self, bin_id: str, *, dry_run: bool) -> Restoration:
        entry = next(iter(await self._bin.entries(1, bin_id)), None)
        if entry is None:
            raise HermesSessionsError(
                ErrorCode.NOT_FOUND, "The bin has no such entry in this profile; `bin` lists what can be restored."
            )
        if dry_run:
            plan = _restorable(entry, await self.forest(), 0)
            return replace(plan, message_count=await self._bin.count_messages(bin_id, plan.restored_ids))
        async with self._changing(foreign_keys=False) as (rows, forest):
            await rows.refuse_messages()
            answer = _restorable(entry, forest, 0)
            await rows.forget_deleted_words()
            messages = await changes.put_back(rows, forest, rows.bin, bin_id, set(answer.restored_ids))
            if rows.bin.is_in_store:
                await rows.bin.forget(bin_id, answer.restored_ids)
        if not self._bin.is_in_store:
            # They are back, whatever becomes of the entry: one of what is there is not listed.
            with contextlib.suppress(HermesSessionsError):
                await self._bin.forget(bin_id, answer.restored_ids)
        return Restoration(answer.restored_ids, messages, answer.taken_ids)

    async def import_sessions(self, order: ImportOrder) -> Imported:
        return await Importing(self._reading_rows, self._writing).run(order, await self.forest())

    async def bin(self, limit: int) -> Sequence[BinEntry]:
        """Without entries of which everything is there: rows are kept before they are deleted, and a deletion may have
        failed after that, or have been cut off."""
        present = await self._present()
        asked = limit
        while True:
            entries = await self._bin.entries(asked)
            listed = [entry for entry in entries if not set(entry.session_ids) <= present]
            if len(listed) >= limit or len(entries) < asked:
                return listed[:limit]
            asked *= 2

    async def _present(self) -> Set[str]:
        """Nothing where the store cannot be read: its bin still can."""
        try:
            return (await self.forest()).sessions.keys()
        except HermesSessionsError:
            return frozenset()


def _restorable(entry: BinEntry, forest: Forest, messages: int) -> Restoration:
    free = [session_id for session_id in entry.session_ids if session_id not in forest.sessions]
    taken = [session_id for session_id in entry.session_ids if session_id in forest.sessions]
    return Restoration(free, messages, taken)
