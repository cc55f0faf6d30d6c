"""The changes of the schema. Each answers with what it did, or with the reason why it did nothing."""

import strawberry

from hermes_sessions.api.attempts import after, attempt, ids, tried
from hermes_sessions.api.bulk import (
    CHUNKS,
    ArchiveSessionsInput,
    BulkPayload,
    DeleteSessionsInput,
    PruneSessionsInput,
    archive,
    bulk_payload,
    delete,
    prune,
    restored_payload,
)
from hermes_sessions.api.context import Info
from hermes_sessions.api.conversation import Conversation
from hermes_sessions.api.errors import UserError
from hermes_sessions.api.importing import ImportPayload, ImportSessionsInput, import_document, import_payload
from hermes_sessions.api.scalars import BigInt
from hermes_sessions.api.session import Session
from hermes_sessions.api.shaping_mutation import ShapingMutation
from hermes_sessions.api.usage import Cost, cost_of
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.titles import clean_title
from hermes_sessions.store_values import Deletion


@strawberry.input(description="profile: null = the request's. id: an id or unique prefix.")
class RenameSessionInput:
    profile: str | None = None
    id: strawberry.ID
    title: str | None = strawberry.field(default=None, description="Null, or nothing visible, takes the title away.")
    scope: Scope = Scope.CONVERSATION


@strawberry.input(description="profile: null = the request's. id: an id or unique prefix.")
class ArchiveSessionInput:
    profile: str | None = None
    id: strawberry.ID
    archived: bool = True
    scope: Scope = Scope.CONVERSATION


@strawberry.input(description="profile: null = the request's. id: an id or unique prefix.")
class DeleteSessionInput:
    profile: str | None = None
    id: strawberry.ID
    scope: Scope = Scope.CONVERSATION
    exact: bool = strawberry.field(default=False, description="Take the id as a whole id only, never as a prefix.")
    permanent: bool = strawberry.field(default=False, description="Keep nothing in the bin.")
    force: bool = strawberry.field(default=False, description="Also while the session is live or locked.")
    dry_run: bool = strawberry.field(default=False, description="Tell what would go, and change nothing.")


@strawberry.input(description="profile: null = the request's.")
class RestoreSessionsInput:
    profile: str | None = None
    bin_id: strawberry.ID
    dry_run: bool = strawberry.field(default=False, description="Tell what would come back, and change nothing.")


@strawberry.type
class RenameSessionPayload:
    session: Session | None = strawberry.field(description="The session that the id names.")
    conversation: Conversation | None
    user_errors: list[UserError]


@strawberry.type
class ArchiveSessionPayload:
    session: Session | None = strawberry.field(description="The session that the id names.")
    conversation: Conversation | None
    changed_ids: list[strawberry.ID] = strawberry.field(description="Sessions whose flag was another one before.")
    user_errors: list[UserError]


@strawberry.type
class DeleteSessionPayload:
    deleted_ids: list[strawberry.ID]
    detached_ids: list[strawberry.ID] = strawberry.field(
        description="Branches, resets and other children that stay and lose their parent link."
    )
    message_count: int
    bytes: BigInt = strawberry.field(description="Size of the text of the messages.")
    cost: Cost = strawberry.field(description="What the deleted sessions had cost.")
    already_absent: bool = strawberry.field(description="The id was deleted before; nothing was touched.")
    dry_run: bool
    bin_id: strawberry.ID | None = strawberry.field(description="For restoreSessions; null when permanent.")
    user_errors: list[UserError]


@strawberry.type
class Mutation(ShapingMutation):
    @strawberry.mutation(
        description="Sets or takes away a title. A predecessor in the same conversation that holds it gives it up."
    )
    async def rename_session(self, info: Info, input: RenameSessionInput) -> RenameSessionPayload:
        change, view, errors = await attempt(
            info.context,
            input.profile,
            lambda store: store.rename(input.id, clean_title(input.title or ""), input.scope),
        )
        session, conversation = after(change, view)
        return RenameSessionPayload(session=session, conversation=conversation, user_errors=errors)

    @strawberry.mutation(description="Hides a conversation from lists, or shows it again. Nothing is lost.")
    async def archive_session(self, info: Info, input: ArchiveSessionInput) -> ArchiveSessionPayload:
        change, view, errors = await attempt(
            info.context, input.profile, lambda store: store.archive(input.id, input.archived, input.scope)
        )
        session, conversation = after(change, view)
        return ArchiveSessionPayload(
            session=session,
            conversation=conversation,
            changed_ids=ids(change.changed_ids if change is not None else ()),
            user_errors=errors,
        )

    @strawberry.mutation(
        description="Removes a conversation with its subagents, tool sessions and stale siblings, in one transaction. "
        "Until the bin's time is over restoreSessions brings it back exactly."
    )
    async def delete_session(self, info: Info, input: DeleteSessionInput) -> DeleteSessionPayload:
        deletion, _, errors = await tried(
            info.context,
            input.profile,
            lambda store: store.delete(
                input.id,
                input.scope,
                exact=input.exact,
                permanent=input.permanent,
                force=input.force,
                dry_run=input.dry_run,
            ),
        )
        return _deleted(deletion or Deletion.nothing(), input.dry_run, errors)

    @strawberry.mutation(description="Brings back what a deletion put into the bin, as far as the ids are still free.")
    async def restore_sessions(self, info: Info, input: RestoreSessionsInput) -> BulkPayload:
        restoration, _, errors = await tried(
            info.context, input.profile, lambda store: store.restore(input.bin_id, dry_run=input.dry_run)
        )
        return restored_payload(restoration, input.dry_run, errors)

    @strawberry.mutation(description=f"Hides many conversations from lists, or shows them again. {CHUNKS}")
    async def archive_sessions(self, info: Info, input: ArchiveSessionsInput) -> BulkPayload:
        change, _, errors = await tried(info.context, input.profile, lambda store: archive(info.context, store, input))
        return bulk_payload(change, input.dry_run, errors)

    @strawberry.mutation(
        description="Removes many conversations, each like deleteSession does. Every chunk has a bin entry, so that "
        f"all of it can be taken back. {CHUNKS}"
    )
    async def delete_sessions(self, info: Info, input: DeleteSessionsInput) -> BulkPayload:
        change, _, errors = await tried(info.context, input.profile, lambda store: delete(info.context, store, input))
        return bulk_payload(change, input.dry_run, errors)

    @strawberry.mutation(
        description="Removes conversations that were not active for some days. Live and busy ones are spared and stand "
        f"in `skipped` with the code SESSION_BUSY. {CHUNKS}"
    )
    async def prune_sessions(self, info: Info, input: PruneSessionsInput) -> BulkPayload:
        change, _, errors = await tried(info.context, input.profile, lambda store: prune(info.context, store, input))
        return bulk_payload(change, input.dry_run, errors)

    @strawberry.mutation(
        description="Brings in sessions that are not there yet, with their messages of every state and their usage. "
        "Message ids are kept where all of a session are free, else new ones are given in the same order. A title "
        "that is taken gets a number. Nothing is written where the document cannot be read to its end; a session "
        "comes in whole or not at all. Up to 100 small sessions go in one transaction, more in short ones that leave "
        "the agent its turns. A profile without a store gets one."
    )
    async def import_sessions(self, info: Info, input: ImportSessionsInput) -> ImportPayload:
        done, _, errors = await tried(info.context, input.profile, lambda store: import_document(store, input))
        return import_payload(done, input.dry_run, errors)


def _deleted(deletion: Deletion, dry_run: bool, errors: list[UserError]) -> DeleteSessionPayload:
    return DeleteSessionPayload(
        deleted_ids=ids(deletion.plan.ids),
        detached_ids=ids([child.id for child in deletion.plan.detached]),
        message_count=deletion.message_count,
        bytes=BigInt(deletion.size_bytes),
        cost=cost_of(deletion.plan.cost),
        already_absent=deletion.already_absent,
        dry_run=dry_run,
        bin_id=strawberry.ID(deletion.bin_id) if deletion.bin_id is not None else None,
        user_errors=errors,
    )
