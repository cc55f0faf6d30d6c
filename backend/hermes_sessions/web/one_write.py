"""The head of an answer and its body in one write.

uvicorn writes one after the other, and uvloop hands both on at once: two calls into the kernel, two packets, and a
client that wakes up twice. For a small answer over loopback that takes as long as all the rest of HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class OneWrite:
    """A transport that holds a write back until the next one, at the longest until the loop has gone round once."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.writelines([held, data])
        else:
            self._held = data
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        self.flush()
        self._transport.close()


class Protocol(HttpToolsProtocol):
    """uvicorn's own over such a transport, which WebSockets take over with the connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", OneWrite(cast("asyncio.Transport", transport), self.loop)))
