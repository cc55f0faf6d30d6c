"""A small application of the real web parts, for tests; as a program it serves with the settings of the environment."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import orjson
from graphql import ExecutionResult, build_schema, graphql
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.settings import Settings, read_settings
from hermes_sessions.web.graphql import GraphQLReply, GraphQLRequest, ReplyKind
from hermes_sessions.web.health import Health
from hermes_sessions.web.metrics import Metrics, ProfileState
from hermes_sessions.web.routes import web_application
from hermes_sessions.web.server import run
from hermes_sessions.web.static import StaticFiles
from hermes_sessions.web.websocket import websocket_route

SCHEMA = build_schema("""
  type Query {
    hello(name: String! = "you"): String!
    profile: String
    requestId: String!
    slow(seconds: Float!): String!
    refused: String!
    boom: String!
    cancelled: Int!
    process: Int!
    collectsAfter: Int!
  }
""")

SECRET_TEXT = "the password is swordfish"


class Root:
    """Resolvers. `cancelled` counts the slow ones that were stopped."""

    cancelled = 0

    def __init__(self, request: GraphQLRequest) -> None:
        self.profile = request.profile
        self.requestId = request.request_id
        self.process = os.getpid()
        self.collectsAfter = gc.get_threshold()[0] if gc.isenabled() else 0

    def hello(self, info: Any, name: str) -> str:
        return f"Hello {name}"

    async def slow(self, info: Any, seconds: float) -> str:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            Root.cancelled += 1
            raise
        return "done"


async def execute(request: GraphQLRequest) -> GraphQLReply:
    if "boom" in request.query:
        raise RuntimeError(SECRET_TEXT)
    if "refused" in request.query:
        raise HermesSessionsError(ErrorCode.STORE_BUSY, "The store is busy.")
    result = await graphql(
        SCHEMA,
        request.query,
        Root(request),
        variable_values=request.variables,
        operation_name=request.operation_name,
    )
    kind = _kind(result)
    response = dict(result.formatted)
    if kind is not ReplyKind.EXECUTED:
        del response["data"]
    return GraphQLReply(orjson.dumps(response), kind, "query" if kind is ReplyKind.EXECUTED else None)


def _kind(result: ExecutionResult) -> ReplyKind:
    """An error without a path is one of the request, not of a field."""
    if result.data is not None or all(error.path for error in result.errors or ()):
        return ReplyKind.EXECUTED
    unknown = any("Unknown operation" in error.message for error in result.errors or ())
    return ReplyKind.BAD_REQUEST if unknown else ReplyKind.REQUEST_ERROR


class Readiness:
    """Two profiles, one of which cannot be read."""

    async def all(self) -> list[ProfileState]:
        return [
            ProfileState("default", True, "READY", size_bytes=4096, wal_bytes=0),
            ProfileState("team", False, "UNREACHABLE", "The database does not answer."),
        ]

    async def one(self, name: str) -> ProfileState:
        for each in await self.all():
            if each.name == name:
                return each
        raise HermesSessionsError(ErrorCode.PROFILE_NOT_FOUND, f"There is no profile {name}.")


async def export(request: Request) -> Response:
    return PlainTextResponse("a transcript")


async def half(request: Request) -> Response:
    """An answer that fails when it has begun."""

    async def chunks() -> AsyncIterator[bytes]:
        yield b"the first half"
        raise RuntimeError(SECRET_TEXT)

    return StreamingResponse(chunks())


class Streams:
    """The operations under way on WebSockets."""

    open = 0


async def stream(request: GraphQLRequest) -> AsyncGenerator[GraphQLReply, None]:
    """`subscription { count }` counts for ever, `{ flood }` with 64 kB a number; others are answered once.

    `{ fail }` fails at the third number, `{ stubborn }` a moment after it is ended.
    """
    Streams.open += 1
    try:
        if not request.query.startswith("subscription"):
            yield await execute(request)
            return
        padding = "x" * 65_536 if "flood" in request.query else ""
        for number in itertools.count(1):
            if "fail" in request.query and number == 3:
                raise RuntimeError(SECRET_TEXT)
            data = {"count": number, "padding": padding, "profile": request.profile}
            yield GraphQLReply(orjson.dumps({"data": data}), ReplyKind.EXECUTED, "subscription")
            await asyncio.sleep(0.01)
    except asyncio.CancelledError:
        if "stubborn" in request.query:
            await asyncio.sleep(0.1)
            raise RuntimeError(SECRET_TEXT) from None
        raise
    finally:
        Streams.open -= 1


def create_app(settings: Settings) -> ASGIApp:
    if settings.home and not settings.home.is_dir():
        raise bad_input(f"There is nothing at {settings.home}.")
    metrics = Metrics("1.2.3")
    return web_application(
        settings,
        execute=execute,
        metrics=metrics,
        routes=[
            *Health(Readiness(), metrics).routes(),
            Route("/export/half", half),
            Route("/export/{profile}/{name}", export),
            websocket_route(stream, settings, metrics),
        ],
        static=StaticFiles(settings.home) if settings.home else None,
    )


if __name__ == "__main__":
    gc.disable()  # as the command does while it loads
    run(create_app, read_settings({}, os.environ))
