"""A transport that hands the head of an answer and its body on together.

uvicorn writes them one after the other, and uvloop passes both on at once: two calls into the kernel, two packets, and
a client that wakes up twice. For a small answer over loopback that takes as long as all the rest of HTTP.
"""

from __future__ import annotations

import asyncio
import math
from typing import Any


class OneWrite:
    """Holds a write back until the next one, at the longest until the loop has gone round once. A client that reads
    nothing of what is left for `stall` seconds is let go."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, stall: float) -> None:
        self._transport = transport
        self._loop = loop
        self._stall = stall
        self._held = b""
        self._is_watched = False
        self._unread = math.inf

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._held:
            held, self._held = self._held, b""
            if not self._transport.is_closing():
                self._transport.writelines([held, data])
        else:
            self._held = data
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """What is held is lost with a client that has left meanwhile: its transport would raise."""
        if self._held:
            held, self._held = self._held, b""
            if not self._transport.is_closing():
                self._transport.write(held)

    def close(self) -> None:
        self.flush()
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self.watch()

    def watch(self) -> None:
        """Ends the connection when nothing is read any more, until all is read."""
        if not self._is_watched:
            self._is_watched = True
            self.forgive()
            self._loop.call_later(self._stall, self._look)

    def forgive(self) -> None:
        """Something was read."""
        self._unread = math.inf

    def _look(self) -> None:
        unread = self._transport.get_write_buffer_size()
        if not unread:
            self._is_watched = False
        elif unread >= self._unread:
            self._transport.abort()
        else:
            self._unread = unread
            self._loop.call_later(self._stall, self._look)
