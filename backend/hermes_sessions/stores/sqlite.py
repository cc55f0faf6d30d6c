"""A live Hermes store in SQLite."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.ids import session_id as checked_id
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.message import Message
from hermes_sessions.model.resolving import not_found, resolve_session
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import DeletionPlan, Scope, deletion_plan, in_scope
from hermes_sessions.model.usage import ModelUsage
from hermes_sessions.store import (
    BinEntry,
    BulkArchiving,
    BulkChange,
    BulkDeletion,
    Change,
    Deletion,
    Details,
    Engine,
    Line,
    MessageQuery,
    Restoration,
    StoreHealth,
    StoreState,
    StoreStatus,
)
from hermes_sessions.stores import changes, details, exact, transcripts
from hermes_sessions.stores.bin import Bin
from hermes_sessions.stores.bulk import Bulk
from hermes_sessions.stores.catalogue import Catalogue, Picture
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection, LiveDatabase, sqlite_database, write_transaction
from hermes_sessions.stores.status import look_at, size_of

READERS = 3
_STATUS_OF = {
    ErrorCode.STORE_BUSY: StoreStatus.BUSY,
    ErrorCode.TIMEOUT: StoreStatus.BUSY,
    ErrorCode.STORE_DAMAGED: StoreStatus.DAMAGED,
    ErrorCode.UNSUPPORTED_STORE: StoreStatus.UNSUPPORTED,
}
_CODE_OF = {
    StoreStatus.READ_ONLY: ErrorCode.READ_ONLY,
    StoreStatus.UNREACHABLE: ErrorCode.STORE_UNREACHABLE,
    StoreStatus.UNSUPPORTED: ErrorCode.UNSUPPORTED_STORE,
    StoreStatus.EMPTY: ErrorCode.NOT_FOUND,
}


class SqliteStore:
    """Reads through a few long-lived read-only connections; opens a writer for the time of one change."""

    engine = Engine.SQLITE

    def __init__(self, profile: str, path: Path, bin: Bin, *, read_only: bool, limit: float) -> None:
        self.profile = profile
        self._path = path
        self._bin = bin
        self._read_only = read_only
        self._limit = limit
        self._readers: LiveDatabase = sqlite_database(
            path, "ro", size=READERS, limit=limit, functions=transcripts.FUNCTIONS
        )
        # data_version only compares within one connection, so the catalogue has one of its own.
        self._watcher: LiveDatabase = sqlite_database(path, "ro", size=1, limit=max(limit, 60.0))
        self._catalogue = Catalogue(self._watcher)
        self._previews: dict[str, tuple[tuple[float, ...], str | None]] = {}
        self._previews_of = 0

    async def open(self) -> None:
        await self._readers.connect()
        await self._watcher.connect()

    async def close(self) -> None:
        await self._watcher.disconnect()
        await self._readers.disconnect()

    # State

    async def state(self) -> StoreState:
        state = look_at(self._path, read_only=self._read_only)
        if not state.is_readable:
            return state
        try:
            await self._catalogue.picture()
        except HermesSessionsError as error:
            return StoreState(_STATUS_OF.get(error.code, StoreStatus.UNREACHABLE), error.message, state.size_bytes)
        return state

    async def health(self) -> StoreHealth:
        picture = await self._picture()
        if picture is None:
            return StoreHealth()
        version = None
        if picture.columns.has("schema_version", "version"):
            async with self._readers.connection() as connection:
                version = await connection.fetch_val("SELECT max(schema_version.version) FROM schema_version")
        return StoreHealth(
            schema_version=version if isinstance(version, int) else None,
            wal_bytes=size_of(Path(f"{self._path}-wal")),
            missing_columns=picture.columns.missing(),
            unknown_columns=picture.columns.unknown(),
        )

    async def forest(self) -> Forest:
        picture = await self._picture()
        return picture.forest if picture is not None else Forest(())

    async def _picture(self) -> Picture | None:
        """None for a store that does not exist yet. Raises what stands in the way of reading one that does."""
        state = look_at(self._path, read_only=self._read_only)
        if state.status is StoreStatus.EMPTY:
            return None
        if not state.is_readable:
            raise HermesSessionsError(_CODE_OF[state.status], state.reason or "The store cannot be read.")
        return await self._catalogue.picture()

    @asynccontextmanager
    async def _looking(self) -> AsyncIterator[tuple[Connection, Picture]]:
        picture = await self._picture()
        if picture is None:
            raise not_found()
        async with self._readers.connection() as connection:
            yield connection, picture

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[tuple[Connection, Columns]]:
        async with self._looking() as (connection, picture):
            yield connection, picture.columns

    # Reading

    async def details(self, session_ids: Sequence[str]) -> Mapping[str, Details]:
        async with self._reading() as (connection, columns):
            return await details.details(connection, columns, session_ids)

    async def usage_by_model(self, session_ids: Sequence[str]) -> Mapping[str, Sequence[ModelUsage]]:
        async with self._reading() as (connection, columns):
            return await details.usage_by_model(connection, columns, session_ids)

    async def all_usage(self) -> Mapping[str, Sequence[ModelUsage]]:
        picture = await self._picture()
        if picture is None:
            return {}
        async with self._readers.connection() as connection:
            return await details.all_usage(connection, picture.columns)

    async def previews(self, session_ids: Sequence[str]) -> Mapping[str, str | None]:
        """Kept until the session's messages change, or the store is another file."""
        picture = await self._picture()
        if picture is None:
            return {}
        if picture.version[0] != self._previews_of:
            self._previews, self._previews_of = {}, picture.version[0]
        known = self._previews  # of this picture, also when another question meets a new store meanwhile
        forest = picture.forest
        stamps = {name: forest.sessions[name].activity.stamp for name in session_ids if name in forest.sessions}
        stale = [name for name, stamp in stamps.items() if known.get(name, ((), None))[0] != stamp]
        if stale:
            async with self._reading() as (connection, columns):
                filled = [name for name in stale if forest.sessions[name].activity.live]
                fresh = await transcripts.previews(connection, columns, filled)
            known.update({name: (stamps[name], fresh.get(name)) for name in stale})
        return {name: known[name][1] for name in stamps}

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Sequence[Line]:
        async with self._reading() as (connection, columns):
            return await transcripts.transcript_lines(connection, columns, session_ids, query)

    async def messages(self, message_ids: Sequence[int]) -> Mapping[int, Message]:
        async with self._reading() as (connection, columns):
            return await transcripts.messages_by_id(connection, columns, message_ids)

    async def content(self, message_id: int, max_bytes: int) -> str | None:
        async with self._reading() as (connection, _):
            return await transcripts.whole_content(connection, message_id, max_bytes)

    async def tool_results(self, calls: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, int]]:
        async with self._reading() as (connection, _):
            return await transcripts.tool_results(connection, calls)

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        async with self._reading() as (connection, _):
            return await transcripts.tool_names(connection, results)

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        async with self._reading() as (connection, columns):
            return await exact.exact_rows(connection, columns, table, session_ids, after)

    # Changing

    @asynccontextmanager
    async def _changing(self, *, foreign_keys: bool = True) -> AsyncIterator[tuple[Connection, Picture]]:
        """A transaction and the picture of exactly what it changes: nobody else can commit while it lasts."""
        state = look_at(self._path, read_only=self._read_only)
        if state.status is not StoreStatus.READY:
            raise HermesSessionsError(_CODE_OF[state.status], state.reason or "The store cannot be changed.")
        await self._catalogue.picture()  # most of a reload happens before the lock is taken
        try:
            async with write_transaction(
                self._readers, self._path, self._limit, foreign_keys=foreign_keys
            ) as connection:
                self._catalogue.forget()
                yield connection, await self._catalogue.picture()
        finally:
            self._catalogue.forget()

    async def rename(self, id_or_prefix: str, title: str | None, scope: Scope) -> Change:
        async with self._changing() as (connection, picture):
            session = _named(picture.forest, id_or_prefix)
            target = in_scope(picture.forest, session, scope)[-1] if scope is Scope.CONVERSATION else session
            changed = await changes.set_title(connection, picture.forest, target, title)
        return Change(session.id, changed)

    async def archive(self, id_or_prefix: str, archived: bool, scope: Scope) -> Change:
        async with self._changing() as (connection, picture):
            changes.refuse_without_archive(picture.columns)
            session = _named(picture.forest, id_or_prefix)
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
            # Remembered first: should the deletion fail, a living id is still found before a remembered one.
            await self._bin.remember_deleted(plan.ids)
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

    async def bin(self, limit: int) -> Sequence[BinEntry]:
        return await self._bin.entries(limit)


def _named(forest: Forest, id_or_prefix: str) -> Session:
    session = resolve_session(forest, id_or_prefix)
    if session is None:
        raise not_found()
    return session


def _restorable(entry: BinEntry, forest: Forest, messages: int) -> Restoration:
    free = [session_id for session_id in entry.session_ids if session_id not in forest.sessions]
    taken = [session_id for session_id in entry.session_ids if session_id in forest.sessions]
    return Restoration(free, messages, taken)
