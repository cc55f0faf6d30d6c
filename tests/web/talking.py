"""WebSockets as a client of the protocol speaks them, and byte by byte."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.web.serving import TOKEN, Served
from tests.web.tiny_app import Streams

PROTOCOL = "graphql-transport-ws"
INIT = {"type": "connection_init", "payload": {"Authorization": f"Bearer {TOKEN}"}}
COUNT = "subscription { count }"


class Talk:
    """One WebSocket, message by message."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def say(self, *messages: Any) -> Talk:
        """Texts and bytes as they are, everything else as JSON."""
        for message in messages:
            self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))
        return self

    def subscribe(self, id: str = "1", query: str = COUNT, **payload: Any) -> Talk:
        return self.say({"id": id, "type": "subscribe", "payload": {"query": query, **payload}})

    def hear(self, *, type: str | None = None, id: str | None = None) -> dict[str, Any]:
        """The next message; or the next one of this type and id."""
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(timeout=10))
            if type in (None, message["type"]) and id in (None, message.get("id")):
                return message

    def begun(self) -> Talk:
        self.say(INIT)
        assert self.hear() == {"type": "connection_ack"}
        return self

    def end(self) -> tuple[int, str]:
        """The code and the reason with which the server closes; what it still says is passed over."""
        with pytest.raises(ConnectionClosed) as closed:
            self.hear(type="none of them")
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, closed.value.rcvd.reason


@contextmanager
def talking(server: Served, query: str = "", *, protocol: str = PROTOCOL, **headers: str) -> Iterator[Talk]:
    url = f"ws://127.0.0.1:{server.port}/graphql{query}"
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with connect(url, subprotocols=[protocol], additional_headers=sent, max_size=None) as connection:  # type: ignore[list-item]
        yield Talk(connection)


def until_nothing_is_open() -> None:
    """Fails when an operation outlives its connection."""
    deadline = time.monotonic() + 10
    while Streams.open and time.monotonic() < deadline:
        time.sleep(0.01)
    assert Streams.open == 0


def raw_socket(server: Served) -> socket.socket:
    """A WebSocket that has subscribed to a flood, byte by byte."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lines = [
        "GET /graphql HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {PROTOCOL}",
    ]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    assert b" 101 " in connection.recv(4096)
    for message in (INIT, {"id": "1", "type": "subscribe", "payload": {"query": "subscription { flood }"}}):
        text = json.dumps(message).encode()
        assert len(text) < 126
        connection.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    assert connection.recv(4096)
    return connection
