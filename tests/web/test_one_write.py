"""An answer leaves in one write, and nothing is held back for longer, lost or out of order."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterable
from typing import cast

import pytest

from hermes_sessions.web.one_write import OneWrite
from tests.web.serving import Served


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


Act = Callable[[OneWrite], None]


def written(*acts: Act) -> list[bytes]:
    """What went out, each act in a turn of the loop of its own."""
    recorder = Recorder()

    async def go() -> None:
        transport = OneWrite(cast("asyncio.Transport", recorder), asyncio.get_running_loop())
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


def segments_received(connection: socket.socket) -> int:
    """How many packets with data have come, as Linux counts them: `tcpi_data_segs_in` of its `tcp_info`."""
    information = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 160)
    return int.from_bytes(information[152:156], sys.byteorder)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts packets for a program")
def test_an_answer_of_a_real_server_is_one_packet(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        for asked in range(1, 21):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b'{"status":"ok"}'):
                answer += connection.recv(65_536)
            assert segments_received(connection) == asked
