"""Subscriptions through the `gql` client, over a WebSocket to a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from gql import Client, gql
from gql.client import AsyncClientSession
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport

from tests.api.serving import Api, Json, Refusal, Server
from tests.web.serving import BEARER

CHANGES = """
    subscription Changes($after: String) {
      sessionChanges(after: $after) { kind sessionId complete resumeCursor session { id title kind messageCount } }
    }
"""
MESSAGES = """
    subscription Messages($id: ID!, $after: String) {
      messageStream(id: $id, after: $after) {
        complete resumeCursor session { id messageCount } message { id content session { id } }
      }
    }
"""


class Stream:
    """The events of one subscription, one at a time."""

    def __init__(self, events: AsyncGenerator[Json, None]) -> None:
        self._events = events

    async def next(self) -> Json:
        """The next event. Raises Refusal for an error, StopAsyncIteration at the end."""
        try:
            async with asyncio.timeout(10):
                [event] = (await anext(self._events)).values()
                return dict(event)
        except TransportQueryError as error:
            raise Refusal(error.errors or [], error.data) from None

    async def take(self, count: int) -> list[Json]:
        return [await self.next() for _ in range(count)]

    async def refusal(self) -> Refusal:
        """Why there is no next event. Fails when there is one."""
        try:
            event = await self.next()
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"told: {event}")

    async def is_quiet(self) -> bool:
        """For several times the poll interval; the stream is over then."""
        try:
            async with asyncio.timeout(0.5):
                await anext(self._events)
        except TimeoutError:
            return True
        return False


@asynccontextmanager
async def connected(server: Server, api: Api, **options: Any) -> AsyncIterator[AsyncClientSession]:
    """One WebSocket whose operations are about the profile."""
    url = f"ws://127.0.0.1:{server.served.port}/graphql?profile={api.profile}"
    payload = {"Authorization": BEARER["authorization"]}
    transport = WebsocketsTransport(url, init_payload=payload, subprotocols=["graphql-transport-ws"], **options)
    async with Client(transport=transport) as session:
        yield session


@asynccontextmanager
async def subscribed(session: AsyncClientSession, document: str, **variables: Any) -> AsyncIterator[Stream]:
    request = gql(document)
    request.variable_values = variables
    events = session.subscribe(request)
    try:
        yield Stream(events)
    finally:
        await events.aclose()


@asynccontextmanager
async def streaming(server: Server, api: Api, document: str, **variables: Any) -> AsyncIterator[Stream]:
    """A subscription on a WebSocket of its own."""
    async with connected(server, api) as session, subscribed(session, document, **variables) as stream:
        yield stream
