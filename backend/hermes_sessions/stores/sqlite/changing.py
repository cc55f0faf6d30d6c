"""The changes that a live SQLite store makes: each in one transaction, bulk changes in several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    Imported,
    ImportOrder,
    Restoration,
)
from hermes_sessions.stores import changes
from hermes_sessions.stores.bulk import Bulk
from hermes_sessions.stores.moving.importing import Importing
from hermes_sessions.stores.sqlite.base import SqliteBase


class SqliteChanging(SqliteBase):
    """Ids and prefixes are resolved inside the transaction that writes."""

    async def rename(self, id_or_prefix: str, title: str | None, scope: Scope) -> Change:
        async with self._changing() as (connection, picture):
            session = named_session(picture.forest, id_or_prefix)
            target = in_scope(picture.forest, session, scope)[-1] if scope is Scope.CONVERSATION else session
            changed = await changes.set_title(connection, picture.forest, target, title)
        return Change(session.id, changed)

    async def archive(self, id_or_prefix: str, archived: bool, scope: Scope) -> Change:
        async with self._changing() as (connection, picture):
            changes.refuse_without_archive(picture.columns)
            session = named_session(picture.forest, id_or_prefix)
            ids = [member.id for member in in_scope(picture.forest, session, scope)]
            changed = await changes.set_archived(connection, ids, archived)
        return Change(session.id, changed)

    async def delete(
        self, id_or_prefix: str, scope: Scope, *, exact: bool, permanent: bool, force: bool, dry_run: bool
    ) -> Deletion:
        checked_id(id_or_prefix)
        if dry_run:
            return await self._planned_deletion(id_or_prefix, scope, exact=exact)
        bin_id: str | None = None
        async with self._changing() as (connection, picture):
            plan = await self._plan(picture.forest, id_or_prefix, scope, exact=exact)
            if plan is None:
                return Deletion.nothing(already_absent=True)
            await changes.refuse_unknown_tokenizers(connection)
            if not force:
                await changes.refuse_busy(connection, picture.columns, plan)
            messages, size = await changes.measure(connection, plan)
            if not permanent and self._bin.days > 0:
                title = picture.forest.conversation_of(plan.goes[0].id).title
                async with self._bin.new_entry(title, plan.ids, size) as entry:
                    await changes.keep_in_bin(connection, picture.columns, picture.forest, plan, entry)
                bin_id = entry.bin_id
            async with self._bin.deleting(bin_id, plan.ids):
                await changes.remove(connection, picture.columns, plan)
        return Deletion(plan, messages, size, bin_id=bin_id)

    async def _planned_deletion(self, id_or_prefix: str, scope: Scope, *, exact: bool) -> Deletion:
        plan = await self._plan(await self.forest(), id_or_prefix, scope, exact=exact)
        if plan is None:
            return Deletion.nothing(already_absent=True)
        async with self._reading() as (connection, _):
            messages, size = await changes.measure(connection, plan)
        return Deletion(plan, messages, size)

    async def _plan(self, forest: Forest, id_or_prefix: str, scope: Scope, *, exact: bool) -> DeletionPlan | None:
        """None for an id that was deleted here before: it must not slide to a neighbour that starts with it."""
        session = forest.get(id_or_prefix)
        if session is None and await self._bin.was_deleted(id_or_prefix):
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

    async def restore(self, bin_id: str, *, dry_run: bool) -> Restoration:
        entry = next(iter(await self._bin.entries(1, bin_id)), None)
        if entry is None:
            raise HermesSessionsError(
                ErrorCode.NOT_FOUND, "The bin has no such entry in this profile; `bin` lists what can be restored."
            )
        if dry_run:
            plan = _restorable(entry, await self.forest(), 0)
            return replace(plan, message_count=await self._bin.count_messages(bin_id, plan.restored_ids))
        async with self._changing(foreign_keys=False) as (connection, picture):
            await changes.refuse_unknown_tokenizers(connection)
            answer = _restorable(entry, picture.forest, 0)
            free = set(answer.restored_ids)
            messages = await changes.put_back(connection, picture, self._bin, bin_id, free)
        await self._bin.forget(bin_id, answer.restored_ids)
        return Restoration(answer.restored_ids, messages, answer.taken_ids)

    async def import_sessions(self, order: ImportOrder) -> Imported:
        return await Importing(self._readers.connection, self._writing).run(order, await self.forest())

    async def bin(self, limit: int) -> Sequence[BinEntry]:
        return await self._bin.entries(limit)


def _restorable(entry: BinEntry, forest: Forest, messages: int) -> Restoration:
    free = [session_id for session_id in entry.session_ids if session_id not in forest.sessions]
    taken = [session_id for session_id in entry.session_ids if session_id in forest.sessions]
    return Restoration(free, messages, taken)
