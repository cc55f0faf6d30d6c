"""HTTP/1.1 as uvicorn speaks it, with an end for connections that come to nothing, and refusals in our form.

uvicorn waits for ever for the rest of a head, for a body that was refused already, and for a client that reads nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import httptools
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.settings import Settings
from hermes_sessions.web.answers import JSON, HttpError, error_body, status_of
from hermes_sessions.web.envelope import SECURITY_HEADERS
from hermes_sessions.web.one_write import OneWrite

HEAD_BYTES = 65_536
"""For the head, for the trailers of a body, and for what stands between two of its chunks."""
_OF_UPGRADES = frozenset((b"upgrade", b"http2-settings"))
LINGER_SECONDS = 10.0
"""For the rest of a body that was answered before its end: a client that still sends does not see the answer."""


class Config(uvicorn.Config):
    """uvicorn's own, with the limits of ours for the protocol."""

    def __init__(self, make: Callable[[], ASGIApp], settings: Settings, **options: Any) -> None:
        super().__init__(make, factory=True, http=Protocol, **options)
        self.settings = settings


class Protocol(HttpToolsProtocol):
    """uvicorn's own over a transport of ours, which WebSockets take over with the connection."""

    _timer: asyncio.TimerHandle | None = None
    _head = 0
    _is_in_head = False
    _unused = 0  # bytes since the last ones that were of any use
    _why: HermesSessionsError | None = None
    _is_last = False  # the request under way: what follows it cannot be read
    _before: RequestResponseCycle | None = None  # of the newest one

    @property
    def _settings(self) -> Settings:
        return cast("Config", self.config).settings

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        one_write = OneWrite(cast("asyncio.Transport", transport), self.loop, self._settings.stall_timeout)
        super().connection_made(cast("asyncio.Transport", one_write))
        self._timer = self.loop.call_later(self._settings.head_timeout, self._head_is_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_last:
            return
        self._unused += len(data)
        self._unset_keepalive_if_required()
        rest = memoryview(data)
        try:
            while rest:
                rest = self._read(rest)
        except httptools.HttpParserError:
            self.send_400_response("")
        if self._unused > HEAD_BYTES and not self.transport.is_closing():
            self._refuse(_head_too_large())

    def _read(self, data: memoryview) -> memoryview:
        """What is left of it behind the head of a request that offers another protocol."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            if not self._should_upgrade():
                self._read_without_upgrade()
                return data[upgrade.args[0] :]
            self.handle_websocket_upgrade()
        return data[:0]

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        self._head = 0
        self._is_in_head = True
        if self._timer is None:
            self._timer = self.loop.call_later(self._settings.head_timeout, self._head_is_late)
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._grow(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._grow(len(name) + len(value))
        if self._is_in_head:  # a trailer is no header: the Host and the token were to be checked before it came
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._stop_timer()
        self._unused = 0
        if self.parser.get_method() == b"CONNECT":  # no tunnel is ours, and what follows it is no request
            raise httptools.HttpParserError("CONNECT")
        if not self._offers_another_protocol():
            self._before = self.cycle
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unused = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_timer()
        self._unused = 0
        if self._offers_another_protocol():
            return
        if self.cycle is not None:
            self.cycle.more_body = False
        super().on_message_complete()

    def _offers_another_protocol(self) -> bool:
        return self.parser.should_upgrade() and not self._should_upgrade()

    def _read_without_upgrade(self) -> None:
        """A server may go on as if nothing had been offered, but the parser takes the body for the other protocol's.
        Java's client offers HTTP/2 with every request that is not encrypted, and so does curl where it is told to."""
        lines = [b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())]
        for name, value in self.headers:
            if name == b"connection":
                value = b",".join(each for each in value.split(b",") if each.strip().lower() not in _OF_UPGRADES)
            if name not in _OF_UPGRADES:
                lines.append(b"%s: %s" % (name, value))
        self.parser = httptools.HttpRequestParser(self)
        self.parser.feed_data(b"\r\n".join([*lines, b"", b""]))

    def handle_websocket_upgrade(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:  # its answer would come among the frames
            self._refuse(bad_input("A WebSocket begins when the requests before it are answered."))
            return
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, WebSocketsSansIOProtocol) and not protocol.handshake_initiated:
            self._refuse(
                bad_input("This is no handshake of a WebSocket: it is a GET of few and short headers, of version 13.")
            )

    def _grow(self, size: int) -> None:
        self._head += size + 4
        if self._head > HEAD_BYTES:
            self._why = _head_too_large()
            raise httptools.HttpParserError(self._why.message)

    # The ends

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.more_body and self.cycle.response_complete and not self.transport.is_closing():
            self._stop_timer()
            self._timer = self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def pause_writing(self) -> None:
        super().pause_writing()
        cast("OneWrite", self.transport).watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        cast("OneWrite", self.transport).forgive()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _head_is_late(self) -> None:
        self._timer = None
        if self.cycle is not None and not self.cycle.response_complete:  # the one before is still being answered
            self._timer = self.loop.call_later(self._settings.head_timeout, self._head_is_late)
        elif not self._unused:
            self.transport.close()
        else:
            self._refuse(HttpError(408, "The head of the request did not arrive in time.", code=ErrorCode.TIMEOUT))

    def _refuse(self, why: HermesSessionsError) -> None:
        self._why = why
        self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """In our form. What comes after a whole request does not speak for it, which is answered first."""
        if self.pipeline and self.cycle.more_body:  # half a request that waits for those before it is none
            self.pipeline.popleft()
            self.cycle = cast("RequestResponseCycle", self._before)
        if self.cycle is not None and not self.cycle.response_complete:
            if not self.cycle.more_body:
                self._is_last = True
                self.cycle.keep_alive = False
                return
            if self.cycle.response_started:
                self.transport.close()
                return
        error = self._why or bad_input("This is no request of HTTP/1.1 that can be read.")
        body = error_body(error)
        headers = {
            **SECURITY_HEADERS,
            "content-type": f"{JSON}; charset=utf-8",
            "content-length": str(len(body)),
            "connection": "close",
        }
        lines = [f"{name}: {value}\r\n".encode() for name, value in headers.items()]
        self.transport.write(b"".join([STATUS_LINE[status_of(error)], *lines, b"\r\n", body]))
        self.transport.close()


def _head_too_large() -> HermesSessionsError:
    sentence = f"The head of the request is larger than {HEAD_BYTES} bytes."
    return HttpError(431, sentence, code=ErrorCode.PAYLOAD_TOO_LARGE)
