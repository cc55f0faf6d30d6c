"""The real Hermes writes while we follow: every message arrives, once, in order, and soon."""

from __future__ import annotations

import asyncio
import statistics
import time
from datetime import datetime
from pathlib import Path

from tests.api.serving import Api, Server, serving
from tests.api.streaming import CHANGES, streaming
from tests.hermes.process import HermesProcess

FOLLOW = """
    subscription Follow($id: ID!, $after: String) {
      messageStream(id: $id, after: $after) {
        complete resumeCursor session { id } message { id timestamp session { id } }
      }
    }
"""
ROUNDS = 4


class Reader:
    """Follows a conversation with a new connection for every `turn` messages."""

    def __init__(self, server: Server, api: Api, id: str) -> None:
        self._server, self._api, self._id = server, api, id
        self._cursor: str | None = None
        self.seen: list[int] = []
        self.delays: list[float] = []

    async def follow_until(self, last: asyncio.Future[int], turn: int) -> None:
        while not (last.done() and self.seen and self.seen[-1] == last.result()):
            async with streaming(self._server, self._api, FOLLOW, id=self._id, after=self._cursor) as stream:
                for _ in range(turn):
                    event = await stream.next()
                    assert event["complete"]
                    self._cursor = event["resumeCursor"]
                    if event["message"] is None:
                        continue
                    self.seen.append(int(event["message"]["id"]))
                    stored = datetime.fromisoformat(event["message"]["timestamp"]).timestamp()
                    self.delays.append(time.time() - stored)
                    if last.done() and self.seen[-1] == last.result():
                        return


def test_every_message_arrives_once_in_order_over_reconnects_and_compressions(
    hermes: HermesProcess, tmp_path: Path
) -> None:
    with serving(tmp_path / "home") as server:
        api = server.api()
        hermes.open(api.path)
        hermes.create_session("s0", "telegram")
        hermes.append_message("s0", "user", "of before")
        appended: list[int] = []

        def write(last: asyncio.Future[int], loop: asyncio.AbstractEventLoop) -> None:
            for number in range(ROUNDS):
                hermes.start_appending(f"s{number}", per_second=40)
                time.sleep(1)
                done = hermes.stop_appending()
                assert done.errors == []
                appended.extend(done.written)
                hermes.compress(f"s{number}", f"s{number + 1}")
            appended.append(hermes.append_message(f"s{ROUNDS}", "user", "the last one"))
            loop.call_soon_threadsafe(last.set_result, appended[-1])

        async def story() -> tuple[Reader, Reader]:
            loop = asyncio.get_running_loop()
            last: asyncio.Future[int] = loop.create_future()
            restless, steady = (Reader(server, api, "s0") for _ in range(2))
            for reader in (restless, steady):
                async with streaming(server, api, FOLLOW, id="s0") as stream:
                    reader._cursor = (await stream.next())["resumeCursor"]
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(restless.follow_until(last, turn=7))
                tasks.create_task(steady.follow_until(last, turn=10_000))
                tasks.create_task(asyncio.to_thread(write, last, loop))
            return restless, steady

        restless, steady = asyncio.run(story())
        assert len(appended) > 20 * ROUNDS
        assert restless.seen == steady.seen == appended
        assert hermes.complaints() == []
        for name, delays in (("reconnecting", restless.delays), ("steady", steady.delays)):
            milliseconds = [delay * 1000 for delay in delays]
            print(f"{name}: median {statistics.median(milliseconds):.0f} ms, max {max(milliseconds):.0f} ms")
        assert max(steady.delays) < 2  # a guard against hanging; the printed figures are the measure


def test_what_hermes_does_to_sessions_is_told(hermes: HermesProcess, tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        api = server.api()
        hermes.open(api.path)

        async def story() -> None:
            async with streaming(server, api, CHANGES) as stream:
                await stream.next()
                hermes.create_session("a", "telegram")
                created = await stream.next()
                assert (created["kind"], created["sessionId"]) == ("CREATED", "a")
                hermes.set_session_title("a", "Ferry")
                updated = await stream.next()
                assert (updated["kind"], updated["session"]["title"]) == ("UPDATED", "Ferry")
                hermes.call("delete_session", "a")
                deleted = await stream.next()
                assert (deleted["kind"], deleted["sessionId"], deleted["session"]) == ("DELETED", "a", None)

        asyncio.run(story())
