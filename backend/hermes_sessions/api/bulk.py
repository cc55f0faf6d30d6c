"""Changes of many sessions: their inputs, their payload, and what the inputs choose."""

from collections.abc import Sequence

import strawberry

from hermes_sessions.api.context import Context, StoreView
from hermes_sessions.api.errors import BasicError, UserError
from hermes_sessions.api.filters import ConversationFilter, list_filter
from hermes_sessions.api.scalars import BigInt
from hermes_sessions.api.usage import Cost, cost_of
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.bulk import DAY_SECONDS, ErrorPolicy, Skipped, chosen, older_than
from hermes_sessions.model.filters import ListFilter
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store import Store
from hermes_sessions.store_values import BulkArchiving, BulkChange, BulkDeletion, Restoration

MAX_IDS = 10_000
SHARE_OF_REQUEST = 2 / 3
CHUNKS = (
    "Up to 100 sessions change in one transaction. More go in chunks, each a transaction of its own that aims at "
    "holding the write lock for less than 200 ms, so that the agent gets its turns; no conversation is split. "
    "A failure half-way leaves what was done, and the payload tells exactly what that is. What takes longer than "
    "two thirds of the server's time for a request (30 seconds unless it is set otherwise) ends the same way, with the "
    "code TIMEOUT: the same call again goes on with the rest."
)

_IDS = "Whole ids, never prefixes, at most 10000. Either these or `filter`."
_FILTER = (
    "Conversations, changed in the order of their last activity, newest first. Either this or `ids`. One whose "
    "messages were all taken back is not empty: `maxMessages` does not choose it."
)
_POLICY = (
    "REJECT_ALL: nothing is changed when anything would be skipped. In a change of more than 100 sessions all are "
    "looked at before the first chunk; what becomes busy later ends the change there. SKIP_FAILED: the others change. "
    "An id that was deleted before is always skipped: there is nothing left to do."
)
_DRY_RUN = (
    "Tell what would change, and change nothing. A read-only server refuses this, too, as it does every mutation."
)


@strawberry.input(description="profile: null = the request's.")
class ArchiveSessionsInput:
    profile: str | None = None
    ids: list[strawberry.ID] | None = strawberry.field(default=None, description=_IDS)
    filter: ConversationFilter | None = strawberry.field(
        default=None, description=f"{_FILTER} To unarchive, ask for archived ones: `archived: ONLY`."
    )
    archived: bool = True
    scope: Scope = Scope.CONVERSATION
    error_policy: ErrorPolicy = strawberry.field(default=ErrorPolicy.REJECT_ALL, description=_POLICY)
    dry_run: bool = strawberry.field(default=False, description=_DRY_RUN)


@strawberry.input(description="profile: null = the request's.")
class DeleteSessionsInput:
    profile: str | None = None
    ids: list[strawberry.ID] | None = strawberry.field(default=None, description=_IDS)
    filter: ConversationFilter | None = strawberry.field(default=None, description=_FILTER)
    scope: Scope = strawberry.field(
        default=Scope.CONVERSATION, description="SESSION with `filter`: the first segment of each conversation."
    )
    error_policy: ErrorPolicy = strawberry.field(default=ErrorPolicy.REJECT_ALL, description=_POLICY)
    permanent: bool = strawberry.field(default=False, description="Keep nothing in the bin.")
    force: bool = strawberry.field(default=False, description="Also while sessions are live or locked.")
    dry_run: bool = strawberry.field(default=False, description=_DRY_RUN)


@strawberry.input(description="profile: null = the request's.")
class PruneSessionsInput:
    profile: str | None = None
    older_than_days: int = strawberry.field(
        description="Days of 24 hours since the last activity of the conversation, 0 or more."
    )
    filter: ConversationFilter | None = strawberry.field(
        default=None,
        description="Only these. One whose messages were all taken back is not empty: `maxMessages` does not "
        "choose it.",
    )
    include_archived: bool = strawberry.field(
        default=False, description="Also archived ones; the same as `archived: INCLUDE` in the filter."
    )
    permanent: bool = strawberry.field(default=False, description="Keep nothing in the bin.")
    dry_run: bool = strawberry.field(default=False, description=_DRY_RUN)


@strawberry.type(description="A session that was left as it is.")
class SkippedSession:
    id: strawberry.ID = strawberry.field(description="As the input names it.")
    code: ErrorCode
    reason: str


@strawberry.type(
    description="What a change of many sessions did, or would do. All lists are in the order of the input."
)
class BulkPayload:
    changed_ids: list[strawberry.ID] = strawberry.field(
        description="Sessions that were changed: each once, with the segments and hangers-on of what the input names."
    )
    detached_ids: list[strawberry.ID] = strawberry.field(
        description="Children that stay and lose their parent link. Only of deletions."
    )
    skipped: list[SkippedSession]
    session_count: int = strawberry.field(description="Number of changedIds.")
    message_count: int = strawberry.field(description="Messages that go or come back; 0 when archiving.")
    bytes: BigInt = strawberry.field(description="Size of the text of the messages that go.")
    cost: Cost = strawberry.field(description="What the deleted sessions had cost.")
    bin_ids: list[strawberry.ID] = strawberry.field(
        description="For restoreSessions, one for each chunk, the last chunk first: restore them in this order."
    )
    completed: bool = strawberry.field(
        description="False when a failure ended the change; userErrors tells which, the other fields what was done."
    )
    dry_run: bool
    user_errors: list[UserError]


async def archive(context: Context, store: Store, input: ArchiveSessionsInput) -> BulkChange:
    """Raises BAD_USER_INPUT, and what stands in the way of changing the store."""
    ids = await _wanted(await context.view(input.profile), input.ids, input.filter)
    order = BulkArchiving(
        ids, input.scope, input.error_policy, input.archived, input.dry_run, seconds=_patience(context)
    )
    return await store.archive_many(order) if ids else BulkChange()


async def delete(context: Context, store: Store, input: DeleteSessionsInput) -> BulkChange:
    """Raises BAD_USER_INPUT, and what stands in the way of changing the store."""
    ids = await _wanted(await context.view(input.profile), input.ids, input.filter)
    order = BulkDeletion(
        ids,
        input.scope,
        input.error_policy,
        permanent=input.permanent,
        force=input.force,
        dry_run=input.dry_run,
        seconds=_patience(context),
    )
    return await store.delete_many(order) if ids else BulkChange()


async def prune(context: Context, store: Store, input: PruneSessionsInput) -> BulkChange:
    """Raises BAD_USER_INPUT, and what stands in the way of changing the store."""
    if input.older_than_days < 0:
        raise _refused("olderThanDays", "`olderThanDays` must be 0 or more.")
    view = await context.view(input.profile)
    moment = view.now - input.older_than_days * DAY_SECONDS
    ids = await _chosen(view, older_than(_conditions(input.filter), moment, input.include_archived))
    order = BulkDeletion(
        ids,
        Scope.CONVERSATION,
        ErrorPolicy.SKIP_FAILED,
        permanent=input.permanent,
        idle_since=moment,
        dry_run=input.dry_run,
        seconds=_patience(context),
    )
    return await store.delete_many(order) if ids else BulkChange()


def _patience(context: Context) -> float:
    """Seconds after which no further chunk begins: a request that is cut off could not tell what was done."""
    return context.settings.request_timeout * SHARE_OF_REQUEST


async def _wanted(
    view: StoreView, ids: Sequence[strawberry.ID] | None, filter: ConversationFilter | None
) -> Sequence[str]:
    if (ids is None) is (filter is None):
        raise _refused("ids", "Give either `ids` or `filter`.")
    if ids is None:
        return await _chosen(view, _conditions(filter))
    if len(ids) > MAX_IDS:
        raise _refused("ids", f"`ids` holds more than {MAX_IDS} ids.")
    return list(dict.fromkeys(ids))


async def _chosen(view: StoreView, filter: ListFilter) -> list[str]:
    return chosen(view.forest, filter, await view.filter_context(filter), view.profile)


def _conditions(filter: ConversationFilter | None) -> ListFilter:
    return list_filter(filter or ConversationFilter())


def _refused(field: str, message: str) -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.BAD_USER_INPUT, message, {"field": field})


def bulk_payload(change: BulkChange | None, dry_run: bool, errors: Sequence[UserError]) -> BulkPayload:
    """None for a change that did not begin."""
    done = change or BulkChange()
    failures = [failure_of(done.failure)] if done.failure is not None else []
    return BulkPayload(
        changed_ids=[strawberry.ID(id) for id in done.changed_ids],
        detached_ids=[strawberry.ID(id) for id in done.detached_ids],
        skipped=[skipped_session(each) for each in done.skipped],
        session_count=len(done.changed_ids),
        message_count=done.message_count,
        bytes=BigInt(done.size_bytes),
        cost=cost_of(done.cost),
        bin_ids=[strawberry.ID(id) for id in done.bin_ids],
        completed=change is not None and done.failure is None,
        dry_run=dry_run,
        user_errors=[*errors, *failures],
    )


def restored_payload(restoration: Restoration | None, dry_run: bool, errors: Sequence[UserError]) -> BulkPayload:
    done = restoration or Restoration((), 0)
    taken = [Skipped(id, ErrorCode.ID_TAKEN, "A session with this id is there again.") for id in done.taken_ids]
    change = BulkChange(changed_ids=done.restored_ids, skipped=taken, message_count=done.message_count)
    return bulk_payload(change if restoration is not None else None, dry_run, errors)


def failure_of(error: HermesSessionsError) -> UserError:
    about = "ids" if error.code in (ErrorCode.NOT_FOUND, ErrorCode.SESSION_BUSY) else "profile"
    return BasicError(code=error.code, message=error.message, path=["input", about])


def skipped_session(skipped: Skipped) -> SkippedSession:
    return SkippedSession(id=strawberry.ID(skipped.id), code=skipped.code, reason=skipped.reason)
