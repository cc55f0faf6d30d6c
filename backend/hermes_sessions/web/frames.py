"""Frames of WebSockets as uvicorn takes them, but some at a time: whoever sends a million at once, before saying who it
is, would be the only one who is served for many seconds.
"""

from __future__ import annotations

from asyncio import BaseTransport
from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import WebSocketException
from websockets.frames import Frame
from websockets.http11 import Request

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent

AT_ONCE = 16_384
"""Bytes between two turns of the loop: at the worst some thousand frames, which take some hundredths of a second."""
MAX_PIECES = 1000
"""Of one message."""
CLOSE_SECONDS = 2.0
"""For a client to answer that the connection is closed."""
UNREAD_PINGS = 100
"""While the client does not read what it is sent."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's own with limits where it has none."""

    _left = b""
    _is_going_on = False
    _pings = 0

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.close_timeout = CLOSE_SECONDS

    def handle_connect(self, event: Request) -> None:
        """What is no handshake is refused by whoever gave the connection over, in our form."""
        try:
            self.conn.process_request(event)
        except WebSocketException:
            return
        super().handle_connect(event)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._left += data
        if not self._is_going_on:
            self._take()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        if self._left and not self._is_going_on and not self.read_paused:
            self._go_on_soon()
        return message

    def _take(self) -> None:
        data, self._left = self._left[:AT_ONCE], self._left[AT_ONCE:]
        super().data_received(data)
        if self._left and not self.read_paused:
            self._go_on_soon()

    def _go_on_soon(self) -> None:
        self._is_going_on = True
        self.transport.pause_reading()
        self.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        self._is_going_on = False
        if self.transport.is_closing():
            self._left = b""
            return
        self._take()
        if not self._left and not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused with an answer, which uvicorn would report as a fault of ours

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MAX_PIECES:
            super().handle_cont(event)
        else:
            self._refuse(1009, f"a message has more than {MAX_PIECES} pieces")

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self.frames = []
            self._refuse(1007, "a text must be UTF-8")
        else:
            super().send_receive_event_to_app()

    def _refuse(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.conn.send_close(code, reason)
            self.handle_parser_exception()

    def handle_ping(self) -> None:
        self._pings = 0 if self.writable.is_set() else self._pings + 1
        if self._pings > UNREAD_PINGS:
            self.transport.abort()
        else:
            super().handle_ping()


def _is_utf8(data: bytes) -> bool:
    """uvicorn finds it out, too, and writes a traceback into the log."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
