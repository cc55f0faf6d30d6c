"""What every answer has: a request id, the security headers, a body also when something failed, a line in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.web.answers import error_response, internal_error, status_of

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

_log = logging.getLogger("hermes_sessions.web")
_access_log = logging.getLogger("hermes_sessions.access")


class Envelope:
    """ASGI middleware, outermost. Puts `request_id` into the scope's state."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        exchange = _Exchange(scope, send)
        try:
            await self.app(scope, receive, exchange.send)
        except HermesSessionsError as error:
            await exchange.fail(error, receive)
        except Exception:
            _log.exception("request %s failed: %s %s", exchange.request_id, exchange.method, exchange.path)
            await exchange.fail(internal_error(exchange.request_id), receive)
        finally:
            exchange.log()


class _Exchange:
    """One request and the answer on its way out."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self.request_id = _request_id(scope)
        self.method = scope.get("method", "WEBSOCKET")
        self.status: int | None = None
        self._send = send
        self._started_at = time.perf_counter()
        scope.setdefault("state", {})["request_id"] = self.request_id

    @property
    def path(self) -> str:
        """Without the query string: people put secrets there."""
        return quote(self.scope["path"])

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
        if self.status is not None and self.scope["type"] == "http":
            raise ConnectionAbortedError(f"request {self.request_id} failed after its answer had begun")
        if self.status is not None:
            await self._send({"type": "websocket.close", "code": 1011})
        elif self.scope["type"] == "http" or "websocket.http.response" in self.scope.get("extensions", {}):
            await error_response(error)(self.scope, receive, self.send)
        else:
            await self.send({"type": "websocket.close", "code": 4000 + status_of(error)})

    def log(self) -> None:
        if _access_log.isEnabledFor(logging.INFO):
            elapsed = (time.perf_counter() - self._started_at) * 1000
            status = self.status or "-"
            _access_log.info("%s %s %s %.1f ms %s", self.method, self.path, status, elapsed, self.request_id)


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
