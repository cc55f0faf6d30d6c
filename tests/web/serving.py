"""Helpers: a server in a thread, and requests that are written byte by byte."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn

from hermes_sessions.settings import Settings
from hermes_sessions.web.server import listen, uvicorn_config
from tests.web.tiny_app import create_app

TOKEN = "a-token-for-tests-0123456789"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@dataclass(frozen=True)
class Answer:
    """One answer; names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the first error."""
        return str(self.json["errors"][0]["extensions"]["code"])


@dataclass(frozen=True)
class Served:
    """A running server."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers={**BEARER, "accept-encoding": "identity", **headers})

    def post(self, body: bytes | object, **headers: str) -> Answer:
        """A POST to /graphql with the token; `content_type=...` is written for the header content-type."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        return self.raw("POST", "/graphql", [("host", "localhost"), *BEARER.items(), *sent.items()], content)

    def raw(self, method: str, target: str, headers: list[tuple[str, str]], body: bytes = b"") -> Answer:
        """A request with exactly these headers, double and missing ones too."""
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        if body or method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body)
            return _read(connection, method)

    def upgrade(self, headers: list[tuple[str, str]], target: str = "/graphql") -> Answer:
        """The start of a WebSocket; status 101 when it was accepted."""
        handshake = [
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Protocol", "graphql-transport-ws"),
        ]
        lines = [f"GET {target} HTTP/1.1", *(f"{name}: {value}" for name, value in [*headers, *handshake])]
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall("\r\n".join([*lines, "Connection: Upgrade", "", ""]).encode("latin-1"))
            return _read(connection, "GET")


def _read(connection: socket.socket, method: str) -> Answer:
    response = http.client.HTTPResponse(connection, method=method)
    response.begin()
    headers = {name.lower(): value for name, value in response.getheaders()}
    body = b"" if response.status == 101 else response.read()
    return Answer(response.status, headers, body)


@contextmanager
def serving(settings: Settings) -> Iterator[Served]:
    """Serves the tiny application on a free port for as long as the block runs."""
    listener = listen("127.0.0.1", 0)
    application = create_app(settings)
    server = uvicorn.Server(uvicorn_config(lambda: application, settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.started
    yield Served(listener.getsockname()[1])
    server.should_exit = True
    thread.join(timeout=15)
    assert not thread.is_alive()
