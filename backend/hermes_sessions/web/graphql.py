"""GraphQL over HTTP: reads a POST, hands it to the executor, answers with the status that the media type asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

import orjson
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.web.answers import JSON, HttpError, error_response
from hermes_sessions.web.envelope import notes_of
from hermes_sessions.web.media import accepted, is_json

GRAPHQL_JSON = "application/graphql-response+json"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LISTEN_AFTER_SECONDS = 0.05
_STRINGS_OF_LARGE = 100_000

T = TypeVar("T")


class ReplyKind(Enum):
    """How far a request came; the HTTP status follows from it."""

    EXECUTED = "executed"
    #: The document was refused before execution: it does not parse, is not valid, or its variables do not fit.
    REQUEST_ERROR = "request error"
    #: The request as such is wrong whatever the document says, as with the name of an operation that is not in it.
    BAD_REQUEST = "bad request"


@dataclass(frozen=True, slots=True)
class GraphQLRequest:
    query: str
    operation_name: str | None
    variables: dict[str, Any] | None
    profile: str | None
    request_id: str


@dataclass(frozen=True, slots=True)
class GraphQLReply:
    """`body` is the GraphQL response as JSON; `operation` the kind of operation that was executed, if one was, and
    `codes` those of the top-level errors."""

    body: bytes
    kind: ReplyKind
    operation: str | None = None
    codes: tuple[str, ...] = ()


Execute = Callable[[GraphQLRequest], Awaitable[GraphQLReply]]


@dataclass(frozen=True, slots=True)
class LargeRequests:
    """Requests that may be larger than others, and take longer: `allows` tells which. One at a time is in memory."""

    allows: Callable[[GraphQLRequest], bool]
    max_body: int
    timeout: float


class GraphQLEndpoint:
    """ASGI application for one address. `timeout` is seconds for the whole request, `max_body` bytes."""

    def __init__(self, execute: Execute, *, max_body: int, timeout: float, large: LargeRequests | None = None) -> None:
        self._execute = execute
        self._max_body = max_body
        self._timeout = timeout
        self._large = large
        self._room = asyncio.Semaphore(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await self._answer(Request(scope, receive))
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method != "POST":
            raise HttpError(405, "GraphQL is served for POST only.", headers={"allow": "POST"})
        media_type = accepted(request.headers.get("accept"), (JSON, GRAPHQL_JSON))
        if media_type is None:
            raise HttpError(406, f"The answer can be {JSON} or {GRAPHQL_JSON}. Name one of them in Accept.")
        try:
            return await self._reply(request, media_type)
        except HermesSessionsError as error:
            notes_of(request.scope).add(error.code.value)
            return error_response(error, media_type)

    async def _reply(self, request: Request, media_type: str) -> Response:
        graphql_request = None
        try:
            async with asyncio.timeout(self._timeout) as deadline, AsyncExitStack() as held:
                graphql_request = await self._read(request, held)
                if self._large is not None and self._large.allows(graphql_request):
                    deadline.reschedule(asyncio.get_running_loop().time() + self._large.timeout)
                async with _Presence(request.receive):
                    reply = await self._execute(graphql_request)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise _too_late(has_body=graphql_request is not None) from None
        notes = notes_of(request.scope)
        notes.operation, notes.name = reply.operation, graphql_request.operation_name
        notes.add(*reply.codes)
        content_type = {"content-type": f"{media_type}; charset=utf-8"}
        return Response(reply.body, _status(reply.kind, media_type), content_type)

    async def _read(self, request: Request, held: AsyncExitStack) -> GraphQLRequest:
        if not is_json(request.headers.get("content-type")) or "content-encoding" in request.headers:
            raise HttpError(415, f"The body must be {JSON} in UTF-8, not compressed.")
        large = self._large
        body = await read_body(request, self._max_body, large.max_body if large is not None else 0, self._room, held)
        request_id = request.scope["state"]["request_id"]
        if large is None or len(body) <= self._max_body:
            return parse_request(body, profile_of(request), request_id)
        if not has_little_beside_strings(body, self._max_body):
            raise _too_large(self._max_body)
        try:
            parsed = parse_request(body, profile_of(request), request_id)
        except HermesSessionsError:
            raise _too_large(self._max_body) from None
        if len(parsed.query) > self._max_body or not large.allows(parsed):
            raise _too_large(self._max_body)
        return parsed


class _Presence:
    """Cancels the block when the client leaves, and raises ClientDisconnect out of it.

    It begins to listen after a moment only: most requests are answered by then, and listening costs a task.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._listener: asyncio.Task[None] | None = None
        self._has_left = False

    async def __aenter__(self) -> None:
        loop = asyncio.get_running_loop()
        block = asyncio.current_task(loop)
        assert block is not None
        self._block = block
        self._timer = loop.call_later(_LISTEN_AFTER_SECONDS, self._begin)

    async def __aexit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._listener is not None:
            self._listener.cancel()
        if self._has_left and self._block.uncancel() == 0:
            raise ClientDisconnect

    def _begin(self) -> None:
        self._listener = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        await self._receive()
        self._has_left = True
        self._block.cancel()


async def read_body(request: Request, usual: int, limit: int, room: asyncio.Semaphore, held: AsyncExitStack) -> bytes:
    """The body, read no further than the greater of both numbers of bytes; PAYLOAD_TOO_LARGE for a larger one.

    What is beyond the usual size is only read once there is room, which is kept until `held` ends.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > max(usual, limit):
        raise _too_large(max(usual, limit))
    chunks: list[bytes] = []
    size = 0
    has_room = False
    async for chunk in request.stream():
        size += len(chunk)
        if size > max(usual, limit):
            raise _too_large(max(usual, limit))
        if size > usual and not has_room:
            await held.enter_async_context(room)
            has_room = True
        chunks.append(chunk)
    return b"".join(chunks)


def has_little_beside_strings(body: bytes, limit: int) -> bool:
    """Whether a large JSON body is so for its strings: 25 MB of brackets would become a gigabyte of empty lists."""
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
    parts = plain.split(b'"', 2 * _STRINGS_OF_LARGE)
    return len(parts) <= 2 * _STRINGS_OF_LARGE and sum(map(len, parts[::2])) <= limit


def parse_request(body: bytes, profile: str | None, request_id: str) -> GraphQLRequest:
    """The request in a JSON body. BAD_USER_INPUT says which part of it cannot be used."""
    try:
        parsed = orjson.loads(body.removeprefix(_BYTE_ORDER_MARK))
    except orjson.JSONDecodeError:
        raise bad_input("The body is not JSON in UTF-8.") from None
    if isinstance(parsed, list):
        raise bad_input("Batches are not served. Send one request at a time.")
    return request_of(parsed, "The body", profile, request_id)


def request_of(parsed: Any, name: str, profile: str | None, request_id: str) -> GraphQLRequest:
    """The request in a JSON value that errors call by this name."""
    if not isinstance(parsed, dict):
        raise bad_input(f'{name} must be a JSON object with the key "query".')
    _part(parsed, "extensions", dict, "an object")
    query = _part(parsed, "query", str, "a string")
    if query is None:
        raise bad_input(f'{name} needs the key "query", a string.')
    return GraphQLRequest(
        query=query,
        operation_name=_part(parsed, "operationName", str, "a string") or None,
        variables=_part(parsed, "variables", dict, "an object"),
        profile=profile,
        request_id=request_id,
    )


def _part(parsed: dict[str, Any], key: str, kind: type[T], description: str) -> T | None:
    value = parsed.get(key)
    if value is None or isinstance(value, kind):
        return value
    raise bad_input(f'"{key}" must be {description}.')


def profile_of(connection: HTTPConnection) -> str | None:
    """The profile that a request or a WebSocket names, in its address or a header."""
    named = connection.query_params.get("profile") if connection.scope["query_string"] else None
    return named or connection.headers.get("x-hermes-profile") or None


def _status(kind: ReplyKind, media_type: str) -> int:
    """Old clients read `application/json` only from a 200; the newer media type lets the status speak."""
    if kind is ReplyKind.EXECUTED:
        return 200
    return 200 if kind is ReplyKind.REQUEST_ERROR and media_type == JSON else 400


def _too_late(*, has_body: bool) -> HermesSessionsError:
    if has_body:
        return HermesSessionsError(ErrorCode.TIMEOUT, "The request took too long. Ask for less, or try again.")
    return HttpError(408, "The body did not arrive in time.", code=ErrorCode.TIMEOUT)


def _too_large(limit: int) -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.PAYLOAD_TOO_LARGE, f"The body is larger than {limit} bytes.")
