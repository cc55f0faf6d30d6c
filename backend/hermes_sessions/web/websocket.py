"""GraphQL over WebSocket: the protocol `graphql-transport-ws`, for subscriptions, queries and mutations alike.

Everything ends with its connection. A client that is silent for long is asked for a sign of life; one that does not
give it, or does not read what it is sent, is let go.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from enum import IntEnum
from typing import Any

import orjson
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.settings import Settings
from hermes_sessions.web.answers import HttpError, error_body, internal_error
from hermes_sessions.web.envelope import notes_of
from hermes_sessions.web.graphql import GraphQLReply, GraphQLRequest, ReplyKind, profile_of, request_of
from hermes_sessions.web.metrics import Metrics
from hermes_sessions.web.token import Credentials, credentials

PROTOCOL = "graphql-transport-ws"
MAX_ID_LENGTH = 200
CLOSING_SECONDS = 1.0

Stream = Callable[[GraphQLRequest], AsyncGenerator[GraphQLReply, None]]
Message = dict[str, Any]

_log = logging.getLogger("hermes_sessions.web")


class Close(IntEnum):
    """Close codes; those above 4400 are the protocol's."""

    GOING_AWAY = 1001
    BAD_MESSAGE = 4400
    UNAUTHORIZED = 4401
    FORBIDDEN = 4403
    TOO_LATE = 4408
    ID_TAKEN = 4409
    INIT_TWICE = 4429


class _Closing(Exception):
    """Ends the connection with a code and a sentence of at most 123 ASCII characters, as the protocol wants it."""

    def __init__(self, code: Close, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def websocket_route(stream: Stream, settings: Settings, metrics: Metrics) -> WebSocketRoute:
    """The WebSocket of `/graphql`. `stream` gives the answers of one operation; one that is no result is its last."""
    letting_in = credentials(settings)

    async def serve(websocket: WebSocket) -> None:
        if PROTOCOL not in websocket.scope["subprotocols"]:
            raise HttpError(400, f"The subprotocol must be {PROTOCOL}. The older graphql-ws is not served.")
        with contextlib.suppress(WebSocketDisconnect):
            await websocket.accept(subprotocol=PROTOCOL)
            await _Connection(websocket, stream, letting_in, settings, metrics).run()

    return WebSocketRoute("/graphql", serve)


class _Connection:
    """One client. Its messages are handled one after the other; each operation runs in a task of its own."""

    def __init__(
        self, websocket: WebSocket, stream: Stream, letting_in: Credentials, settings: Settings, metrics: Metrics
    ) -> None:
        self._websocket = websocket
        self._stream = stream
        self._letting_in = letting_in
        self._settings = settings
        self._metrics = metrics
        self._profile = profile_of(websocket)
        self._active: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()  # the active ones and those that are being cancelled

    async def run(self) -> None:
        try:
            await self._serve()
        except _Closing as closing:
            await self._cancel_all()
            with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):  # it may be closed by now
                async with asyncio.timeout(CLOSING_SECONDS):  # a client that reads nothing cannot be told
                    await self._websocket.close(closing.code, closing.reason)
        finally:
            await self._cancel_all()

    async def _serve(self) -> None:
        await self._begin()
        while True:
            message = await self._next()
            try:
                async with asyncio.timeout(self._settings.heartbeat):
                    await self._handle(message)
            except TimeoutError:
                raise _Closing(Close.GOING_AWAY, "Nothing is read") from None

    async def _cancel_all(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Messages

    async def _begin(self) -> None:
        """Waits for `connection_init` with a right token."""
        try:
            async with asyncio.timeout(self._settings.init_timeout):
                while (message := await self._receive())["type"] != "connection_init":
                    if message["type"] == "subscribe":
                        raise _Closing(Close.UNAUTHORIZED, "Unauthorized: connection_init comes first")
                    await self._handle(message)
                self._let_in(message.get("payload"))
                await self._send({"type": "connection_ack"})
        except TimeoutError:
            raise _Closing(Close.TOO_LATE, "Connection initialisation timeout") from None

    def _let_in(self, payload: Any) -> None:
        if payload is not None and not isinstance(payload, dict):
            raise _Closing(Close.BAD_MESSAGE, "The payload of connection_init must be an object")
        sent = {str(name).lower(): value for name, value in (payload or {}).items() if isinstance(value, str)}
        token = sent.get("authorization")
        # The guard has checked a token in the headers.
        has_header = token is None and "authorization" in self._websocket.headers
        if not has_header and not self._letting_in.accept(token):
            notes_of(self._websocket.scope).add(ErrorCode.UNAUTHENTICATED.value)
            raise _Closing(Close.FORBIDDEN, 'Forbidden: send {"Authorization": "Bearer TOKEN"} in connection_init')
        self._profile = self._profile or sent.get("x-hermes-profile") or None

    async def _next(self) -> Message:
        """The next message. After silence the client is asked for a sign of life, once."""
        silence = self._settings.heartbeat
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(silence):
                return await self._receive()
        try:
            async with asyncio.timeout(silence):
                await self._send({"type": "ping"})
                return await self._receive()
        except TimeoutError:
            raise _Closing(Close.GOING_AWAY, "No sign of life") from None

    async def _receive(self) -> Message:
        received = await self._websocket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1005))
        try:
            message = orjson.loads(received.get("text") or b"")
        except orjson.JSONDecodeError:
            raise _Closing(Close.BAD_MESSAGE, "A message must be a text frame with JSON") from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise _Closing(Close.BAD_MESSAGE, 'A message must be an object with a "type"')
        return message

    async def _handle(self, message: Message) -> None:
        match message["type"]:
            case "subscribe":
                await self._subscribe(_id_of(message), message.get("payload"))
            case "complete":
                task = self._active.pop(_id_of(message), None)
                if task is not None:
                    task.cancel()
            case "ping":
                await self._send({"type": "pong"} | {key: message[key] for key in ("payload",) if key in message})
            case "pong":
                pass
            case "connection_init":
                raise _Closing(Close.INIT_TWICE, "Too many initialisation requests")
            case _:
                raise _Closing(Close.BAD_MESSAGE, "Unknown type of message")

    # Operations

    async def _subscribe(self, id: str, payload: Any) -> None:
        if id in self._active:
            raise _Closing(Close.ID_TAKEN, f"Subscriber for {ascii(id)[:60]} already exists")
        try:
            request = request_of(payload, "The payload", self._profile, self._websocket.scope["state"]["request_id"])
        except HermesSessionsError as error:
            raise _Closing(Close.BAD_MESSAGE, error.message[:120]) from None
        if len(self._tasks) >= self._settings.max_operations:
            await self._send(_error(id, error_body(_too_many(self._settings.max_operations))))
            return
        task = self._active[id] = asyncio.create_task(self._run(id, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, id: str, request: GraphQLRequest) -> None:
        """Sends what one operation answers."""
        try:
            last: Message = {"id": id, "type": "complete"}
            async with contextlib.aclosing(self._counted(self._stream(request))) as replies:
                async for reply in replies:
                    if reply.kind is not ReplyKind.EXECUTED:
                        last = _error(id, reply.body)
                        break
                    await self._send({"id": id, "type": "next", "payload": orjson.Fragment(reply.body)})
            await self._end(id, last)
        except WebSocketDisconnect:
            pass  # whoever receives finds out, too
        except Exception:
            _log.exception("request %s failed: operation over WebSocket", request.request_id)
            with contextlib.suppress(WebSocketDisconnect):
                await self._end(id, _error(id, error_body(internal_error(request.request_id))))

    async def _counted(self, replies: AsyncGenerator[GraphQLReply, None]) -> AsyncGenerator[GraphQLReply, None]:
        """The same replies. An operation is counted once, however many events it has."""
        kind = None
        with self._metrics.operation_under_way():
            async with contextlib.aclosing(replies):
                async for reply in replies:
                    if kind is None and reply.operation is not None:
                        kind = reply.operation
                        self._metrics.count_operation(kind)
                    self._metrics.count_errors(reply.codes)
                    yield reply

    async def _end(self, id: str, last: Message) -> None:
        """Says the last word, unless the client has ended the operation itself. It may use the id again at once."""
        if self._active.get(id) is asyncio.current_task():
            del self._active[id]
            await self._send(last)

    async def _send(self, message: Message) -> None:
        """Waits while the client does not read. Raises WebSocketDisconnect when it has gone."""
        try:
            await self._websocket.send_text(orjson.dumps(message).decode())
        except RuntimeError:  # the server has closed the connection by itself, as after a frame that was too large
            raise WebSocketDisconnect(1006) from None


def _error(id: str, body: bytes) -> Message:
    """`body` is a GraphQL response with nothing but errors."""
    return {"id": id, "type": "error", "payload": orjson.loads(body)["errors"]}


def _id_of(message: Message) -> str:
    id = message.get("id")
    if not isinstance(id, str) or not 0 < len(id) <= MAX_ID_LENGTH:
        raise _Closing(Close.BAD_MESSAGE, f'The "id" must be text of 1 to {MAX_ID_LENGTH} characters')
    return id


def _too_many(allowed: int) -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.QUERY_TOO_EXPENSIVE,
        f"This connection has {allowed} operations under way, and no more are allowed. End one, or open another "
        "connection.",
        {"allowed": allowed},
    )
