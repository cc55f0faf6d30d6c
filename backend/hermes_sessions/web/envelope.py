"""What every answer has: a request id, the security headers, a body also when something failed, a line in the log."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.web import logs
from hermes_sessions.web.answers import HttpError, error_response, internal_error, status_of
from hermes_sessions.web.guard import OPEN, PRIVATE, first_segment
from hermes_sessions.web.metrics import Metrics

CONTENT_SECURITY_POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data: blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def policy(additions: Mapping[str, str] | None = None) -> str:
    """The Content-Security-Policy, with directives that a page needs beside the common ones or instead of them."""
    return "; ".join(f"{name} {sources}" for name, sources in {**CONTENT_SECURITY_POLICY, **(additions or {})}.items())


#: Sent with every answer that has no header of that name. Transcripts must not stay in caches, hence `no-store`.
SECURITY_HEADERS = {
    "content-security-policy": policy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

_ENCODED_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_OPERATION_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]{0,99}")

_log = logging.getLogger("hermes_sessions.web")
_access_log = logging.getLogger("hermes_sessions.access")


@dataclass(slots=True)
class Notes:
    """What is learned of a request while it is answered, for its line in the log and for the counts."""

    operation: str | None = None
    """`query` or `mutation`, where GraphQL was executed."""
    name: str | None = None
    """The operation's, as the client sent it."""
    codes: list[str] = field(default_factory=list)

    def add(self, *codes: str) -> None:
        self.codes += codes

    def told(self) -> dict[str, object]:
        """The fields of a log line. A name that GraphQL does not allow is left out: it is no operation's."""
        name = self.name if _OPERATION_NAME.fullmatch(self.name or "") else None
        fields = {"operation": self.operation, "operation_name": name, "codes": self.codes}
        return {key: value for key, value in fields.items() if value}


def notes_of(scope: Scope) -> Notes:
    notes: Notes = scope["state"]["notes"]
    return notes


class Envelope:
    """ASGI middleware, outermost. Puts `request_id` and `notes` into the scope's state."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        exchange = _Exchange(scope, send)
        logs.request_id.set(exchange.request_id)
        with self.metrics.under_way(exchange.method):
            try:
                await self.app(scope, receive, exchange.send)
            except HermesSessionsError as error:
                await exchange.fail(error, receive)
            except asyncio.CancelledError:  # only a server that is being stopped cancels requests
                await exchange.fail(_stopping(), receive)
            except Exception:
                _log.exception("request %s failed: %s %s", exchange.request_id, exchange.method, exchange.path)
                await exchange.fail(internal_error(exchange.request_id), receive)
            finally:
                exchange.end(self.metrics)


class _Exchange:
    """One request and the answer on its way out."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self.request_id = _request_id(scope)
        self.method = scope.get("method", "WEBSOCKET")
        self.status: int | None = None
        self.notes = Notes()
        self._send = send
        self._started_at = time.perf_counter()
        state = scope.setdefault("state", {})
        state["request_id"], state["notes"] = self.request_id, self.notes

    @property
    def path(self) -> str:
        """Without the query string: people put secrets there."""
        return quote(self.scope["path"])

    @property
    def route(self) -> str:
        """The first segment of an address of ours; every other one is the dashboard's."""
        first = first_segment(self.scope["path"])
        return first if first in PRIVATE | OPEN else "dashboard"

    async def send(self, message: Message) -> None:
        kind = message["type"]
        if kind in ("http.response.start", "websocket.http.response.start"):
            self.status = message["status"]
            message["headers"] = _completed(message.get("headers", ()), self.request_id)
        elif kind == "websocket.accept":
            self.status = 101
        elif kind == "websocket.close" and self.status is None:
            self.status = 403
        await self._send(message)

    async def fail(self, error: HermesSessionsError, receive: Receive) -> None:
        """Answers with the error. An answer that had begun is cut off, so that no client takes it for a whole one."""
        self.notes.add(error.code.value)
        if self.status is not None and self.scope["type"] == "http":
            # The server closes the connection of an answer that has no end.
            _log.warning("request %s failed after its answer had begun: %s", self.request_id, error.message)
            return
        if self.status is not None:
            await self._send({"type": "websocket.close", "code": 1011})
        elif self.scope["type"] == "http" or "websocket.http.response" in self.scope.get("extensions", {}):
            await error_response(error)(self.scope, receive, self.send)
        else:
            await self.send({"type": "websocket.close", "code": 4000 + status_of(error)})

    def end(self, metrics: Metrics) -> None:
        """Counts the request and writes its line."""
        seconds = time.perf_counter() - self._started_at
        metrics.count_request(self.route, self.method, self.status, seconds)
        if self.notes.operation is not None:
            metrics.count_operation(self.notes.operation)
        metrics.count_errors(self.notes.codes)
        if _access_log.isEnabledFor(logging.INFO):
            fields = {"method": self.method, "path": self.path, "status": self.status, "ms": round(seconds * 1000, 1)}
            line = f"{self.method} {self.path} {self.status or '-'} {seconds * 1000:.1f} ms {self.request_id}"
            _access_log.info("%s", line, extra={**fields, **self.notes.told()})


def _stopping() -> HermesSessionsError:
    sentence = "The server was stopped before this was finished. If it was a change, read before you repeat it."
    return HttpError(503, sentence, code=ErrorCode.TIMEOUT)


def _request_id(scope: Scope) -> str:
    """A proxy's own id where it sent a plain one, so that both logs can be read together."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            return str(value.decode())
    return secrets.token_hex(8)


def _completed(headers: Any, request_id: str) -> list[tuple[bytes, bytes]]:
    own = list(headers)
    names = {name.lower() for name, _ in own}
    added = [each for each in _ENCODED_HEADERS if each[0] not in names]
    return [*own, *added, (b"x-request-id", request_id.encode())]
