"""Subscribers that go on with their cursor at another server, again and again, and note what they hear."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import cycle

from gql import Client, gql
from gql.client import AsyncClientSession
from gql.transport.exceptions import TransportError, TransportQueryError
from gql.transport.websockets import WebsocketsTransport

from tests.api.serving import Json
from tests.web.serving import BEARER

PAUSE = 0.1
QUIET = 0.06
"""Seconds without an event after which a subscriber may leave: what belongs together has come."""


@asynccontextmanager
async def connected(port: int, profile: str) -> AsyncIterator[AsyncClientSession]:
    url = f"ws://127.0.0.1:{port}/graphql?profile={profile}"
    payload = {"Authorization": BEARER["authorization"]}
    transport = WebsocketsTransport(url, init_payload=payload, subprotocols=["graphql-transport-ws"])
    async with Client(transport=transport) as session:
        yield session


@dataclass
class Listener:
    """One subscription. It stays at a server for so many `seconds`, then goes on at the next of the `ports`."""

    ports: Sequence[int]
    profile: str
    document: str
    variables: dict[str, str] = field(default_factory=dict)
    seconds: float = float("inf")
    heard: list[tuple[float, Json]] = field(default_factory=list)
    """Every event, and the moment at which it came."""
    begun: int = 0
    """Subscriptions that were answered."""
    refusals: list[str] = field(default_factory=list)

    @property
    def events(self) -> list[Json]:
        return [event for _, event in self.heard]

    async def run(self) -> None:
        for port in cycle(self.ports):
            try:
                async with connected(port, self.profile) as session:
                    await self._stay(asyncio.ensure_future(self._listen(session)))
            except TransportQueryError as error:
                self.refusals += [each["extensions"]["code"] for each in error.errors or []]
            except (TransportError, OSError) as error:
                self.refusals.append(type(error).__name__)
            await asyncio.sleep(PAUSE)

    async def _listen(self, session: AsyncClientSession) -> None:
        request = gql(self.document)
        cursor = self.heard[-1][1]["resumeCursor"] if self.heard else None
        request.variable_values = {**self.variables, "after": cursor}
        is_first = True
        async with aclosing(session.subscribe(request)) as events:
            async for data in events:
                [event] = data.values()
                self.heard.append((time.monotonic(), event))
                self.begun += is_first
                is_first = False

    async def _stay(self, listening: asyncio.Task[None]) -> None:
        leave = time.monotonic() + self.seconds
        try:
            while not listening.done() and not (time.monotonic() > leave and self._is_quiet()):
                await asyncio.wait([listening], timeout=QUIET / 3)
            if listening.done():
                listening.result()
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    def _is_quiet(self) -> bool:
        return not self.heard or time.monotonic() - self.heard[-1][0] > QUIET


@contextmanager
def listening(listeners: Sequence[Listener]) -> Iterator[None]:
    """They listen while the block runs, which begins when each of them has heard that it does."""
    ending = asyncio.Event()
    loop = asyncio.new_event_loop()
    failures: list[BaseException] = []

    async def story() -> None:
        tasks = [asyncio.create_task(each.run()) for each in listeners]
        end = asyncio.create_task(ending.wait())
        try:
            done, _ = await asyncio.wait([*tasks, end], return_when=asyncio.FIRST_COMPLETED)
            failures.extend(error for task in done - {end} if (error := task.exception()) is not None)
        finally:
            for task in (*tasks, end):
                task.cancel()
            await asyncio.gather(*tasks, end, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(story()), daemon=True)
    thread.start()
    try:
        assert until(lambda: bool(failures) or all(each.heard for each in listeners), within=20)
        yield
    finally:
        loop.call_soon_threadsafe(ending.set)
        thread.join(timeout=20)
        loop.close()
    assert not failures, failures


def until(ask: Callable[[], bool], within: float) -> bool:
    """Waits until it comes true; whether it did in time."""
    give_up = time.monotonic() + within
    while not ask():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True
