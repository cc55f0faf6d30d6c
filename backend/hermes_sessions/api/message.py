"""A message in the schema, its parts and its tool calls."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated

import strawberry

from hermes_sessions.api.batches import batch
from hermes_sessions.api.context import StoreView
from hermes_sessions.api.loaders import load_each
from hermes_sessions.api.node import Node
from hermes_sessions.api.paging import PageInfo
from hermes_sessions.api.scalars import BigInt, Json, Moment, moment
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.errors import bad_input
from hermes_sessions.model import content
from hermes_sessions.model import message as model
from hermes_sessions.model.ids import encode_node_id
from hermes_sessions.model.message import MessageState, SeamKind
from hermes_sessions.model.paging import Place
from hermes_sessions.model.tool_calls import ToolCall as StoredCall

DEFAULT_CONTENT_BYTES = 262_144
MAX_CONTENT_BYTES = 64_000_000
MAX_TAIL_BYTES = 1_000_000


async def contents(messages: Sequence["Message"], max_bytes: int = DEFAULT_CONTENT_BYTES) -> list[str | None]:
    """The plain text of each. What is longer than a page reads of it is asked for by itself."""
    if not 0 <= max_bytes <= MAX_CONTENT_BYTES:
        raise bad_input(f"`maxBytes` is {max_bytes}; it must be from 0 to {MAX_CONTENT_BYTES}.")
    return [
        await each.view.store.content(each.own.id, max_bytes)
        if each.own.is_cut and max_bytes > each.own.loaded_bytes
        else content.cut_to_bytes(each.own.text, max_bytes)[0]
        if each.own.has_content
        else None
        for each in messages
    ]


async def names_of_tools(messages: Sequence["Message"]) -> list[str | None]:
    """The name in the row, else in the call that the message answers."""
    names = [each.own.tool_name for each in messages]
    asked = [(at, id) for at, name in enumerate(names) if name is None and (id := messages[at].own.tool_call_id)]
    callers = [messages[at] for at, _ in asked]
    found = await load_each((each.view.tool_names, (each.own.session_id, each.own.id)) for each in callers)
    for (at, call_id), called in zip(asked, found, strict=True):
        names[at] = called.get(call_id) if called else None
    return names


@strawberry.type
class TextPart:
    text: str


@strawberry.type(description="`url` is as stored: http, https or data. Do not load it unasked.")
class ImagePart:
    media_type: str | None
    url: str | None
    bytes: BigInt | None = strawberry.field(description="Size of a data URL's payload; null for other URLs.")


@strawberry.type
class OtherPart:
    type: str | None
    json: Json


ContentPart = Annotated[TextPart | ImagePart | OtherPart, strawberry.union("ContentPart")]


@strawberry.type(description="What does not parse is kept: `name` is null and `argumentsText` holds the stored text.")
class ToolCall:
    view: strawberry.Private[StoreView]
    caller: strawberry.Private[model.Message]
    own: strawberry.Private[StoredCall]

    @strawberry.field
    def id(self) -> str | None:
        return self.own.id

    @strawberry.field
    def name(self) -> str | None:
        return self.own.name

    @strawberry.field(description="Parsed; null where the text is not JSON.")
    def arguments(self) -> Json | None:
        return Json(self.own.arguments) if self.own.arguments is not None else None

    @strawberry.field(description="As stored.")
    def arguments_text(self) -> str | None:
        return self.own.arguments_text

    @strawberry.field(description="The answer, among the 400 messages of the session that follow the call.")
    async def result(self) -> "Message | None":
        answers = await self.view.tool_results.load((self.caller.session_id, self.caller.id))
        if answers is None or self.own.id is None or self.own.id not in answers:
            return None
        message = await self.view.messages.load(answers[self.own.id])
        return Message(view=self.view, own=message) if message is not None else None


@strawberry.type
class Message(Node):
    view: strawberry.Private[StoreView]
    own: strawberry.Private[model.Message]

    @strawberry.field
    def node_id(self) -> strawberry.ID:
        return strawberry.ID(encode_node_id("Message", self.view.profile, str(self.own.id)))

    @strawberry.field(description="The row's number: the order of messages.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(str(self.own.id))

    @strawberry.field
    def session(self) -> Session:
        return session_of(self.view, self.view.forest.sessions[self.own.session_id])

    @strawberry.field
    def role(self) -> str:
        return self.own.role

    @strawberry.field
    def state(self) -> MessageState:
        return self.own.state

    @strawberry.field(
        description="Plain text of the content, at most maxBytes; contentTruncated tells.", metadata=batch(contents)
    )
    async def content(self, max_bytes: int = DEFAULT_CONTENT_BYTES) -> str | None:
        return (await contents([self], max_bytes))[0]

    @strawberry.field(description="Whether `content` with the same maxBytes is cut.")
    def content_truncated(self, max_bytes: int = DEFAULT_CONTENT_BYTES) -> bool:
        return self.own.content_bytes > max_bytes

    @strawberry.field(description="Size of the whole plain text in UTF-8.")
    def content_bytes(self) -> BigInt:
        return BigInt(self.own.content_bytes)

    @strawberry.field(
        description="The end of a content of which `content(maxBytes: headBytes)` shows only the beginning: at most "
        "maxBytes of UTF-8, from a whole character on, and nothing of what the beginning shows. Null where the "
        "beginning is all. What is left out between the two is `contentBytes` less both sizes."
    )
    async def content_tail(
        self,
        max_bytes: Annotated[int, strawberry.argument(description="Most bytes of the end, 0 to 1000000.")] = 4096,
        head_bytes: Annotated[
            int, strawberry.argument(description="The maxBytes that `content` is asked with, 0 or more.")
        ] = DEFAULT_CONTENT_BYTES,
    ) -> str | None:
        for name, given, most in (("maxBytes", max_bytes, MAX_TAIL_BYTES), ("headBytes", head_bytes, 2**31 - 1)):
            if not 0 <= given <= most:
                raise bad_input(f"`{name}` is {given}; it must be from 0 to {most}.")
        if self.own.content_bytes <= head_bytes:
            return None
        if not self.own.is_cut:
            return content.tail_after(self.own.text, head_bytes, max_bytes)
        beginning = len(content.cut_to_bytes(self.own.text, head_bytes)[0].encode())
        shown = beginning if head_bytes < self.own.loaded_bytes else head_bytes
        tail = await self.view.content_tails.load((self.own.id, min(max_bytes, self.own.content_bytes - shown)))
        return tail if isinstance(tail, str) else None

    @strawberry.field(
        description="A tool's result that says that it failed: a JSON object with a filled `error`, with `success` or "
        "`ok` false, or with an exit code other than 0; text that begins with `error` or holds a Python traceback. The "
        "rule of `errorsOnly`, and of ERROR in an outline."
    )
    def is_error(self) -> bool:
        return self.own.is_error

    @strawberry.field(description="Text, images and whatever else the content is made of.")
    def parts(self) -> list[ContentPart]:
        return [_part(part) for part in self.own.parts]

    @strawberry.field(description="The stored reasoning, else what stands in inline think tags.")
    def reasoning(self) -> str | None:
        return self.own.reasoning

    @strawberry.field
    def tool_calls(self) -> list[ToolCall]:
        return [ToolCall(view=self.view, caller=self.own, own=call) for call in self.own.tool_calls]

    @strawberry.field(description="On a tool's message: the call that it answers.")
    def tool_call_id(self) -> str | None:
        return self.own.tool_call_id

    @strawberry.field(description="The row's, else that of the call that it answers.", metadata=batch(names_of_tools))
    async def tool_name(self) -> str | None:
        return (await names_of_tools([self]))[0]

    @strawberry.field
    def timestamp(self) -> Moment | None:
        return moment(self.own.timestamp)

    @strawberry.field
    def token_count(self) -> BigInt | None:
        count = self.own.token_count
        return BigInt(count) if count is not None else None

    @strawberry.field
    def finish_reason(self) -> str | None:
        return self.own.finish_reason

    @strawberry.field(description="It stands for compacted messages.")
    def is_summary(self) -> bool:
        return self.own.is_summary

    @strawberry.field(description="The stored row by column; a content that is cut here comes whole by `content`.")
    def raw(self) -> Json:
        return Json(self.own.stored)

    @strawberry.field(description="What could not be read as stored, in words; empty when all is well.")
    def warnings(self) -> list[str]:
        return list(self.own.warnings)


@strawberry.type(description="This message opens a new segment or follows a compaction.")
class Seam:
    kind: SeamKind
    from_session: Session | None
    to_session: Session | None
    at: Moment | None = strawberry.field(description="When the cut was made, where that is known.")


@strawberry.type
class MessageEdge:
    place: strawberry.Private[Place]
    node: Message
    make_seam: strawberry.Private[Callable[[], Seam | None]]

    @strawberry.field
    def cursor(self) -> str:
        return self.place.cursor

    @strawberry.field(description="Null for a message that simply follows the one before.")
    def seam(self) -> Seam | None:
        return self.make_seam()


def _edges(self: "MessageConnection") -> list[MessageEdge]:
    return self.make_edges()


@strawberry.type
class MessageConnection:
    make_edges: strawberry.Private[Callable[[], list[MessageEdge]]]
    edges: list[MessageEdge] = strawberry.field(resolver=_edges)
    nodes: list[Message]
    page_info: PageInfo
    total_count: int = strawberry.field(description="All messages that the filter keeps, carried copies counted once.")
    start_position: int | None = strawberry.field(
        description="How many messages of the whole list, under the same filter, stand before the first edge of this "
        "page, whichever arguments led to it. Null for a page without edges."
    )
    make_resume_cursor: strawberry.Private[Callable[[], Awaitable[str | None]]]

    @strawberry.field(
        description="For messageStream's `after`: it tells what was stored after the newest message of the whole list, "
        "under the same filter, so that nothing is missed between the two. Null for a session that another one "
        "continues, and where it is gone by now."
    )
    async def resume_cursor(self) -> str | None:
        return await self.make_resume_cursor()


def _part(part: content.Part) -> TextPart | ImagePart | OtherPart:
    match part:
        case content.TextPart(text):
            return TextPart(text=text)
        case content.ImagePart(media_type, url, size):
            return ImagePart(media_type=media_type, url=url, bytes=BigInt(size) if size is not None else None)
        case content.OtherPart(kind, value):
            return OtherPart(type=kind, json=Json(value))


async def message_in(view: StoreView, id: str, session_id: str | None = None) -> Message | None:
    """The message with this id, where it is one of this session; rewound ones included."""
    if not id.isascii() or not id.isdigit() or len(id) > 18:
        raise bad_input("A message's id is a whole number; take it from a message's `id`.")
    message = await view.messages.load(int(id))
    if message is None or message.session_id not in view.forest.sessions:
        return None
    if session_id is not None and message.session_id != session_id:
        return None
    return Message(view=view, own=message)
