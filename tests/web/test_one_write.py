"""An answer leaves in one write, and nothing is held back for longer, lost or out of order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

import pytest
from uvicorn.server import ServerState

from hermes_sessions.settings import Settings
from hermes_sessions.web.one_write import OneWrite
from hermes_sessions.web.server import uvicorn_config
from tests.web.serving import TOKEN
from tests.web.tiny_app import create_app

BODY = b'{"status":"ok"}'


class Recorder:
    """A transport that keeps what each call hands to it."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.writes.append(data)

    def writelines(self, parts: Iterable[bytes]) -> None:
        self.write(b"".join(parts))

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> object:
        return None


Act = Callable[[OneWrite], None]


def written(*acts: Act) -> list[bytes]:
    """What went out, each act in a turn of the loop of its own."""
    recorder = Recorder()

    async def go() -> None:
        transport = OneWrite(cast("asyncio.Transport", recorder), asyncio.get_running_loop(), stall=60)
        for act in acts:
            act(transport)
            await asyncio.sleep(0)

    asyncio.run(go())
    return recorder.writes


def head(transport: OneWrite) -> None:
    transport.write(b"head ")


def head_and_body(transport: OneWrite) -> None:
    transport.write(b"head ")
    transport.write(b"body ")


def body_and_end(transport: OneWrite) -> None:
    transport.write(b"body ")
    transport.write(b"")
    transport.close()


def end(transport: OneWrite) -> None:
    transport.write(b"last words")
    transport.close()


@pytest.mark.parametrize(
    ("acts", "writes"),
    [
        ([head_and_body], [b"head body "]),
        ([head_and_body, head_and_body], [b"head body ", b"head body "]),
        ([head, head_and_body], [b"head ", b"head body "]),  # a stream whose first piece comes later
        ([head, body_and_end], [b"head ", b"body "]),
        ([end], [b"last words"]),
        ([lambda transport: [head_and_body(transport) for _ in range(3)]], [b"head body "] * 3),
    ],
)
def test_what_is_written_goes_out_in_pairs_in_its_order(acts: list[Act], writes: list[bytes]) -> None:
    assert written(*acts) == writes


@pytest.mark.parametrize("parts", [[b"head"], [b"head", b"body"]])
def test_what_is_held_for_a_client_that_has_left_is_dropped(parts: list[bytes]) -> None:
    recorder = Recorder()

    async def go() -> None:
        transport = OneWrite(cast("asyncio.Transport", recorder), asyncio.get_running_loop(), stall=60)
        transport.write(parts[0])
        recorder.close()
        for part in parts[1:]:
            transport.write(part)
        transport.flush()

    asyncio.run(go())
    assert recorder.writes == []


def test_the_server_answers_a_request_in_one_write(dashboard: Path) -> None:
    """By the protocol that the server is configured with, on a transport that counts."""
    settings = Settings(token=TOKEN, home=dashboard)
    recorder = Recorder()

    async def go() -> None:
        config = uvicorn_config(lambda: create_app(settings), settings)
        config.load()
        protocol = config.http_protocol_class(config=config, server_state=ServerState(), app_state={})
        protocol.connection_made(recorder)
        for asked in range(1, 4):
            protocol.data_received(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            async with asyncio.timeout(10):
                while b"".join(recorder.writes).count(BODY) < asked:
                    await asyncio.sleep(0)
        protocol.timeout_keep_alive_task.cancel()

    asyncio.run(go())
    assert [each.partition(b"\r\n\r\n")[2] for each in recorder.writes] == [BODY] * 3
