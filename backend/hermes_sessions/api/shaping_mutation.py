"""The mutations that make sessions and write to them."""

import strawberry

from hermes_sessions.api import shaping
from hermes_sessions.api.attempts import attempt
from hermes_sessions.api.context import Info
from hermes_sessions.api.shaping import (
    AppendMessagesInput,
    AppendMessagesPayload,
    CreateSessionInput,
    EndSessionInput,
    ForkSessionInput,
    RecordUsageInput,
    ReopenSessionInput,
    SessionPayload,
)


@strawberry.type
class ShapingMutation:
    @strawberry.mutation(description="Makes a session that Hermes takes for its own, and the profile's store first.")
    async def create_session(self, info: Info, input: CreateSessionInput) -> SessionPayload:
        done = await attempt(info.context, input.profile, lambda store: store.create(shaping.created(input)))
        return shaping.session_payload(*done)

    @strawberry.mutation(
        description="Makes a branch: a new session with the live messages of another one up to a message, in its "
        "folder and with its settings. The parent stays as it is. What compaction summarised away is not copied, "
        "since the agent no longer sees it; its summary is. One transaction, so that nobody sees half a fork: it holds "
        "the write lock for about 0.1 seconds per 1,000 messages."
    )
    async def fork_session(self, info: Info, input: ForkSessionInput) -> SessionPayload:
        done = await attempt(info.context, input.profile, lambda store: store.fork(shaping.forked(input)))
        return shaping.session_payload(*done)

    @strawberry.mutation(
        description="Marks a session as ended. The first reason wins: one that has ended stays as it is, which is no "
        "error."
    )
    async def end_session(self, info: Info, input: EndSessionInput) -> SessionPayload:
        done = await attempt(
            info.context,
            input.profile,
            lambda store: store.end(input.id, shaping.reason_of(input), input.scope, force=input.force),
        )
        return shaping.session_payload(*done)

    @strawberry.mutation(
        description="Takes end and reason away, so that the session can go on. Branches and resets that only its end "
        "told apart are marked as such first."
    )
    async def reopen_session(self, info: Info, input: ReopenSessionInput) -> SessionPayload:
        done = await attempt(
            info.context, input.profile, lambda store: store.reopen(input.id, input.scope, force=input.force)
        )
        return shaping.session_payload(*done)

    @strawberry.mutation(
        description="Writes messages behind those of a conversation, in one transaction. An ended session stays ended; "
        "one that compression closed is not written to."
    )
    async def append_messages(self, info: Info, input: AppendMessagesInput) -> AppendMessagesPayload:
        done = await attempt(
            info.context,
            input.profile,
            lambda store: store.append(input.id, shaping.messages_of(input.messages), input.scope, force=input.force),
        )
        return await shaping.appended_payload(*done)

    @strawberry.mutation(
        description="Adds tokens and costs to a session's totals and to its usage by model, provider and task."
    )
    async def record_usage(self, info: Info, input: RecordUsageInput) -> SessionPayload:
        done = await attempt(
            info.context,
            input.profile,
            lambda store: store.record_usage(input.id, shaping.recorded(input), input.scope),
        )
        return shaping.session_payload(*done)
