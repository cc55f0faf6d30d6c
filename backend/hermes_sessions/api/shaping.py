"""Inputs and payloads of the mutations that make sessions and write to them, and what the inputs stand for."""

from collections.abc import Sequence

import strawberry

from hermes_sessions.api.attempts import after, ids
from hermes_sessions.api.context import StoreView
from hermes_sessions.api.conversation import Conversation
from hermes_sessions.api.errors import UserError
from hermes_sessions.api.message import Message
from hermes_sessions.api.scalars import BigInt, Json, Moment
from hermes_sessions.api.session import Session
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.titles import clean_title
from hermes_sessions.model.writing.appending import MAX_MESSAGES, NewMessage, checked_batch, new_message
from hermes_sessions.model.writing.forking import message_number
from hermes_sessions.model.writing.inputs import stored_label
from hermes_sessions.model.writing.new_session import MAX_REASON, NewSession, new_id, new_session
from hermes_sessions.model.writing.recording import UsageRecord, usage_record
from hermes_sessions.store_values import Appended, Change, Fork

DEFAULT_REASON = "cli_close"

_INPUT = "profile: null = the request's. id: an id or unique prefix."
_SCOPE = (
    "CONVERSATION: the last segment of the conversation, where the agent goes on, whichever segment the id names. "
    "SESSION: that row."
)
_FORCE = "Also while an agent holds a lock or a lease on the conversation."


@strawberry.input(description="profile: null = the request's. It gets a store where it has none yet.")
class CreateSessionInput:
    profile: str | None = None
    id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Printable, 1 to 128 bytes, without / and \\, not starting with a dot or hyphen. Null: made up in "
        "Hermes' form, as 20260301_120000_1a2b3c. With an id of your own a repeated call answers ID_TAKEN and makes "
        "no second session. An id in the bin is taken, too.",
    )
    source: str | None = strawberry.field(default=None, description="Up to 64 characters. Null: `api`.")
    title: str | None = strawberry.field(
        default=None, description="Cleaned as in renameSession, at most 100 characters, unique in the profile."
    )
    parent_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="An id or unique prefix. What the session is to it follows from the rules of `SessionKind`: from "
        "markers in `modelConfig` and from how the parent ended.",
    )
    model: str | None = None
    model_config: Json | None = strawberry.field(
        default=None,
        description="A JSON object. `_branched_from`, `_delegate_from` and `_reset_from` with the parent's id make a "
        "branch, a subagent or a reset.",
    )
    system_prompt: str | None = None
    cwd: str | None = strawberry.field(default=None, description="The working directory, as the agent sees it.")
    user_id: str | None = None


@strawberry.input(description=_INPUT)
class ForkSessionInput:
    profile: str | None = None
    id: strawberry.ID = strawberry.field(
        description="The session whose live messages are copied: an id or unique prefix."
    )
    message_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The last message to copy, a live one of this session. In an exchange with tools the copy goes on "
        "to the last result; an exchange whose results are not all stored is refused. Null: all.",
    )
    title: str | None = strawberry.field(
        default=None, description="Null, or nothing visible: the parent's with the next free number, as `Plan #2`."
    )
    source: str | None = strawberry.field(default=None, description="Null: the parent's.")
    new_id: strawberry.ID | None = strawberry.field(
        default=None, description="The fork's id, by the rules of createSession. Null: made up."
    )


@strawberry.input(description=_INPUT)
class EndSessionInput:
    profile: str | None = None
    id: strawberry.ID
    reason: str | None = strawberry.field(
        default=None,
        description="Up to 64 characters; Hermes itself writes `cli_close`, `new_session`, `session_reset`, "
        f"`session_switch`, `branched`, `compression`, `agent_close` and others. Null: `{DEFAULT_REASON}`.",
    )
    scope: Scope = strawberry.field(default=Scope.CONVERSATION, description=_SCOPE)
    force: bool = strawberry.field(default=False, description=_FORCE)


@strawberry.input(description=_INPUT)
class ReopenSessionInput:
    profile: str | None = None
    id: strawberry.ID
    scope: Scope = strawberry.field(
        default=Scope.CONVERSATION, description=f"{_SCOPE} A segment that goes on in another is not reopened."
    )
    force: bool = strawberry.field(default=False, description=_FORCE)


@strawberry.input(description="One message. Text with NUL or half of a surrogate pair is refused.")
class MessageInput:
    client_id: str | None = strawberry.field(
        default=None,
        description="Makes repeating safe: what the conversation has under this id is not written again. Up to 200 "
        "printable characters, kept in the column `platform_message_id`.",
    )
    role: str = strawberry.field(description="system, user, assistant or tool.")
    content: str | None = strawberry.field(default=None, description="Plain text. Either this or `parts`.")
    parts: Json | None = strawberry.field(
        default=None, description='A JSON list of objects, as [{"type": "text", "text": "..."}].'
    )
    tool_calls: Json | None = strawberry.field(
        default=None,
        description='Only of the assistant: a JSON list of objects, as [{"id": "c1", "type": "function", "function": '
        '{"name": "search", "arguments": "{}"}}].',
    )
    tool_call_id: str | None = strawberry.field(default=None, description="Only of a tool: the call that it answers.")
    tool_name: str | None = None
    reasoning: str | None = strawberry.field(default=None, description="Only of the assistant.")
    finish_reason: str | None = None
    token_count: BigInt | None = None
    timestamp: Moment | None = strawberry.field(
        default=None, description="Null: now. The order of messages is that of this list, whatever their moments."
    )


@strawberry.input(description=_INPUT)
class AppendMessagesInput:
    profile: str | None = None
    id: strawberry.ID
    messages: list[MessageInput] = strawberry.field(description=f"1 to {MAX_MESSAGES}: all are written, or none.")
    scope: Scope = strawberry.field(default=Scope.CONVERSATION, description=_SCOPE)
    force: bool = strawberry.field(default=False, description=_FORCE)


@strawberry.input(
    description=f"{_INPUT} A call without `absolute` adds: repeated, it counts twice, since a store has no place to "
    "remember it. Where an answer may get lost, send totals with `absolute: true`."
)
class RecordUsageInput:
    profile: str | None = None
    id: strawberry.ID
    scope: Scope = strawberry.field(default=Scope.CONVERSATION, description=_SCOPE)
    absolute: bool = strawberry.field(
        default=False,
        description="The figures are totals of the session's own calls and replace the stored ones; those left out "
        "stay. `usageByModel` only grows and does not follow.",
    )
    model: str | None = strawberry.field(default=None, description="Null: the session's.")
    provider: str | None = strawberry.field(default=None, description="Null: the session's.")
    base_url: str | None = None
    billing_mode: str | None = None
    task: str | None = strawberry.field(
        default=None,
        description="An auxiliary call, as `compression`, `vision` or `title_generation`: booked under its task "
        "alone and not in the session's own totals. Null: the agent's own call.",
    )
    input_tokens: BigInt | None = strawberry.field(default=None, description="Fresh input, without cache.")
    output_tokens: BigInt | None = strawberry.field(default=None, description="With reasoning.")
    cache_read_tokens: BigInt | None = None
    cache_write_tokens: BigInt | None = None
    reasoning_tokens: BigInt | None = None
    api_calls: BigInt | None = strawberry.field(default=None, description="Null: 1; with `absolute`, it stays.")
    estimated_cost_usd: float | None = strawberry.field(
        default=None, description="US dollars, 0 or more. Null: not known, which is not 0."
    )
    actual_cost_usd: float | None = strawberry.field(
        default=None, description="US dollars, 0 or more. Null: not known, which is not 0."
    )
    cost_status: str | None = strawberry.field(
        default=None,
        description="actual, estimated, included or unknown. Null: what the given figure is, and with none the "
        "stored status stays.",
    )
    cost_source: str | None = strawberry.field(default=None, description="Where the figure comes from, in your words.")
    pricing_version: str | None = None


@strawberry.type
class SessionPayload:
    session: Session | None = strawberry.field(description="The session as it is now: the one made or changed.")
    conversation: Conversation | None
    changed_ids: list[strawberry.ID] = strawberry.field(
        description="Sessions that were made or changed; empty where nothing was left to do."
    )
    user_errors: list[UserError]


@strawberry.type
class AppendMessagesPayload:
    session: Session | None = strawberry.field(description="The session that was written to.")
    conversation: Conversation | None
    messages: list[Message] = strawberry.field(
        description="One for each message of the input, in its order, as stored: just now, or by an earlier call "
        "with the same client id."
    )
    new_ids: list[strawberry.ID] = strawberry.field(description="Ids of the messages that this call has written.")
    user_errors: list[UserError]


def session_payload(change: Change | None, view: StoreView | None, errors: list[UserError]) -> SessionPayload:
    session, conversation = after(change, view)
    changed = ids(change.changed_ids if change is not None else ())
    return SessionPayload(session=session, conversation=conversation, changed_ids=changed, user_errors=errors)


async def appended_payload(
    done: Appended | None, view: StoreView | None, errors: list[UserError]
) -> AppendMessagesPayload:
    if done is None or view is None:
        return AppendMessagesPayload(session=None, conversation=None, messages=[], new_ids=[], user_errors=errors)
    session, conversation = after(Change(done.session_id), view)
    stored = await view.messages.load_many(list(done.message_ids))
    return AppendMessagesPayload(
        session=session,
        conversation=conversation,
        messages=[Message(view=view, own=message) for message in stored if message is not None],
        new_ids=ids(str(number) for number in done.new_ids),
        user_errors=errors,
    )


def created(input: CreateSessionInput) -> NewSession:
    return new_session(
        id=input.id,
        source=input.source,
        title=input.title,
        parent=input.parent_id,
        model=input.model,
        model_config=input.model_config,
        system_prompt=input.system_prompt,
        cwd=input.cwd,
        user_id=input.user_id,
    )


def forked(input: ForkSessionInput) -> Fork:
    return Fork(
        input.id,
        last_message=message_number(input.message_id) if input.message_id is not None else None,
        title=clean_title(input.title or ""),
        source=stored_label(input.source, "source", 64),
        new_id=new_id(input.new_id, "newId") if input.new_id is not None else None,
    )


def reason_of(input: EndSessionInput) -> str:
    return stored_label(input.reason, "reason", MAX_REASON) or DEFAULT_REASON


def messages_of(inputs: Sequence[MessageInput]) -> list[NewMessage]:
    checked_batch(inputs)
    return [
        new_message(
            f"messages.{at}",
            role=each.role,
            content=each.content,
            parts=each.parts,
            client_id=each.client_id,
            tool_calls=each.tool_calls,
            tool_call_id=each.tool_call_id,
            tool_name=each.tool_name,
            reasoning=each.reasoning,
            finish_reason=each.finish_reason,
            token_count=each.token_count,
            timestamp=each.timestamp,
        )
        for at, each in enumerate(inputs)
    ]


def recorded(input: RecordUsageInput) -> UsageRecord:
    return usage_record(
        {
            "input_tokens": input.input_tokens,
            "output_tokens": input.output_tokens,
            "cache_read_tokens": input.cache_read_tokens,
            "cache_write_tokens": input.cache_write_tokens,
            "reasoning_tokens": input.reasoning_tokens,
            "api_call_count": input.api_calls,
        },
        model=input.model,
        provider=input.provider,
        base_url=input.base_url,
        billing_mode=input.billing_mode,
        task=input.task,
        estimated_usd=input.estimated_cost_usd,
        actual_usd=input.actual_cost_usd,
        status=input.cost_status,
        cost_source=input.cost_source,
        pricing_version=input.pricing_version,
        absolute=input.absolute,
    )
