"""The subscriptions of the schema: changes of sessions, and messages as they are stored."""

from collections.abc import AsyncGenerator

import strawberry

from hermes_sessions.api.context import Context, Info, StoreView
from hermes_sessions.api.follower import Follower, Told
from hermes_sessions.api.message import Message
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.model.live import ChangeKind, LogCursors, LogPlace

strawberry.enum(
    ChangeKind,
    description="SYNCED: from here on every change is told. CREATED, UPDATED, DELETED: what happened to a session. "
    "STORE_REPLACED: the profile's database is another one now, gone, or cannot be read any more; read everything "
    "anew.",
)


@strawberry.type(description="A change of one session or of the whole store, or a word about the subscription itself.")
class SessionChange:
    view: strawberry.Private[StoreView]
    kind: ChangeKind
    session_id: strawberry.ID | None = strawberry.field(description="Null for SYNCED and STORE_REPLACED.")
    resume_cursor: str = strawberry.field(
        description="For `after`: the next subscription tells what came later. Of a profile in PostgreSQL every server "
        "knows it, for 2,000 changed sessions. Of one in SQLite the server process that made it does, for the latest "
        "2,000 changes, and until five minutes after its last subscriber left."
    )
    complete: bool = strawberry.field(
        description="False where changes are missing before this event, because they are no longer known or the store "
        "was replaced: read the list anew."
    )

    @strawberry.field(description="As it is now. Null where it is gone.")
    def session(self) -> Session | None:
        own = self.view.forest.get(self.session_id) if self.session_id is not None else None
        return session_of(self.view, own) if own is not None else None


@strawberry.type(description="A message, or the state of the stream where `message` is null.")
class MessageEvent:
    view: strawberry.Private[StoreView]
    told: strawberry.Private[Told]

    @strawberry.field(
        description="Null in the first event, and where only the tip or `complete` is news. Its own session is "
        "`message.session`."
    )
    def message(self) -> Message | None:
        return Message(view=self.view, own=self.told.message) if self.told.message is not None else None

    @strawberry.field(
        description="The tip: the last segment of the conversation at this moment. In a big store its counts and sums "
        "may be of a moment before: messages do not wait for them."
    )
    def session(self) -> Session:
        return session_of(self.view, self.view.forest.sessions[self.told.tip])

    @strawberry.field(
        description="For `after`: the next subscription tells every message stored later. It names a message of a "
        "store, so it holds over restarts and in every server process."
    )
    def resume_cursor(self) -> str:
        return self.told.cursor

    @strawberry.field(
        description="False where messages may be missing before this event: `after` is from a store that was there "
        "before, or compression was continued in another session than the one followed so far. Read the transcript "
        "anew."
    )
    def complete(self) -> bool:
        return self.told.complete


@strawberry.type
class Subscription:
    @strawberry.subscription(
        description="Changes of a profile's sessions, by anybody. The first event is SYNCED: read the list after it, "
        "and every later change is told, a burst of one session once. `after` is a `resumeCursor`: what came after it "
        "follows SYNCED, unless `complete` is false. A subscriber that falls far behind gets SYNCED again."
    )
    def session_changes(
        self, info: Info, profile: str | None = None, after: str | None = None
    ) -> AsyncGenerator[SessionChange, None]:
        return _session_changes(info.context, profile, after)

    @strawberry.subscription(
        description="Messages of a conversation as they are stored, each row once, in the order of their ids, also "
        "over compressions into continuations. `id` is the id or unique prefix of any segment; that of a subagent, a "
        "tool or a side row follows that session. Without `after`: what is stored from now on; with a `resumeCursor`: "
        "everything stored since. The first event has no message. Rewound messages are not told, nor copies that a "
        "compaction carries along; where Hermes rewrites a transcript, its new rows are told. Ends with NOT_FOUND when "
        "the conversation is deleted, with INVALID_CURSOR and the reason STORE_REPLACED when the store is replaced."
    )
    def message_stream(
        self, info: Info, id: strawberry.ID, profile: str | None = None, after: str | None = None
    ) -> AsyncGenerator[MessageEvent, None]:
        return _message_stream(info.context, id, profile, after)


async def _session_changes(
    context: Context, profile: str | None, after: str | None
) -> AsyncGenerator[SessionChange, None]:
    store = await context.store(profile)
    cursors = LogCursors(store.profile)
    asked = cursors.decode(after) if after is not None else None
    await store.forest()  # raises what stands in the way of reading the store
    feed = context.feeds.of(store)

    def event(kind: ChangeKind, session_id: str | None, place: LogPlace, *, complete: bool = True) -> SessionChange:
        return SessionChange(
            view=context.show(store, feed.forest),
            kind=kind,
            session_id=strawberry.ID(session_id) if session_id is not None else None,
            resume_cursor=cursors.encode(place),
            complete=complete,
        )

    async with feed.joined():
        await feed.first_look()
        place, missed = await feed.resumed(asked)
        yield event(ChangeKind.SYNCED, None, asked if asked and missed else place, complete=missed is not None)
        for left, (kind, session_id) in zip(range(len(missed or ()))[::-1], missed or (), strict=True):
            yield event(kind, session_id, asked if asked and left else place)
        while True:
            await feed.log_after(place.number)
            changes = feed.log.after(place.number)
            if changes is None:
                place = feed.place
                yield event(ChangeKind.SYNCED, None, place, complete=False)
            for change in changes or ():
                place = LogPlace(feed.run, change.number, change.mark)
                is_other_store = change.kind is ChangeKind.STORE_REPLACED
                yield event(change.kind, change.session_id, place, complete=not is_other_store)


async def _message_stream(
    context: Context, id: str, profile: str | None, after: str | None
) -> AsyncGenerator[MessageEvent, None]:
    store = await context.store(profile)
    follower = await Follower.of(store, id, after)
    feed = context.feeds.of(store)
    async with feed.joined():
        beats = feed.beats
        while True:
            told, forest = await follower.read()
            view = context.show(store, forest)
            for each in told:
                if each.message is not None:
                    view.messages.prime(each.message.id, each.message)
                yield MessageEvent(view=view, told=each)
            if not follower.has_more:
                beats = await feed.beat_after(beats)
