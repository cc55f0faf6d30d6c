"""HTTP over one plain socket.

A client that reads headers in full takes about as long as a whole answer of the floor, and would hide what the API
costs above it; on a small machine it would also take the time of the servers.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping

TIMEOUT_SECONDS = 60


def request_bytes(method: str, port: int, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    given = {"host": f"127.0.0.1:{port}", **headers, "content-length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "\r\n"]).encode() + body


class Wire:
    """One connection, opened at the first request and again after it was closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._received = bytearray()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._received.clear()

    def exchange(self, request: bytes) -> tuple[int, bytes]:
        """Sends a request; the status and the body of its answer."""
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=TIMEOUT_SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        head = self._until(b"\r\n\r\n").lower()
        body = b"".join(self._chunks()) if b"\r\ntransfer-encoding: chunked" in head else self._take(_length(head))
        if b"\r\nconnection: close" in head:
            self.close()
        return int(head.split(None, 2)[1]), body

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._until(b"\r\n").partition(b";")[0], 16):
            yield self._take(size)
            self._until(b"\r\n")
        self._until(b"\r\n")

    def _until(self, mark: bytes) -> bytes:
        """What comes ahead of a mark, which is taken, too."""
        while (end := self._received.find(mark)) < 0:
            self._receive()
        return self._take(end + len(mark))[:end]

    def _take(self, size: int) -> bytes:
        while len(self._received) < size:
            self._receive()
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def _receive(self) -> None:
        assert self._socket is not None
        received = self._socket.recv(1 << 18)
        if not received:
            raise RuntimeError("A server closed a connection in the middle of an answer.")
        self._received += received


def _length(head: bytes) -> int:
    return int(head.partition(b"\r\ncontent-length:")[2].split(b"\r\n")[0] or 0)
