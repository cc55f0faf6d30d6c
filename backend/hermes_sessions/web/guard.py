"""Who is let in: the Host, the Origin and the token of every request are checked before anything else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.setting_kinds import parse_host
from hermes_sessions.web.answers import HttpError
from hermes_sessions.web.hosts import Authority, is_wildcard, parse_authority
from hermes_sessions.web.token import Credentials

#: First segments of addresses that need the token. The routes check that every one of theirs is here or in OPEN.
PRIVATE = frozenset({"graphql", "export", "readyz", "metrics"})
#: First segments of addresses that never belong to the dashboard, and are open.
OPEN = frozenset({"healthz", "graphiql", "assets"})

_LOCAL = ("localhost", "127.0.0.1", "::1")
_DEFAULT_PORT = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Allowed:
    """The hosts that clients may name.

    The port of Host is not compared: it differs behind a forwarded port, and a hostile page that reached us under a
    name of its own (DNS rebinding) has that name in Host whatever its port. The port of Origin is compared with the
    port of Host: another program's page on this machine has our host's name but another port.
    """

    hosts: frozenset[str]

    @classmethod
    def of(cls, bound: str, trusted: Iterable[str] = ()) -> Allowed:
        bound_to = () if is_wildcard(bound) else (bound,)
        return cls(frozenset({*_LOCAL, *bound_to, *trusted}))

    def check_host(self, values: list[str], server: tuple[str, int | None] | None) -> Authority:
        """The Host of a request with these Host headers. Raises an error for a missing, double, broken, foreign one.

        `server` is the address of ours that the connection came to. It counts as allowed, for those who listen on all
        addresses: a hostile page can point a name at us, but cannot have our address as its own.
        """
        authority = parse_authority(values[0]) if len(values) == 1 else None
        if authority is None:
            raise HttpError(400, "The request needs one Host header with a host name and, if need be, a port.")
        if authority.host not in self.hosts and authority.host != _address(server):
            raise _forbidden(
                "This server does not answer under that host name. Use localhost, or start it with --trusted-host."
            )
        return authority

    def check_origin(self, values: list[str], host: Authority) -> None:
        """Raises FORBIDDEN for an Origin that is not a page of ours; a request without one passes."""
        if values and not (len(values) == 1 and self._is_ours(values[0], host)):
            raise _forbidden("Pages of other origins cannot use this server. A proxy must pass Host on unchanged.")

    def _is_ours(self, origin: str, host: Authority) -> bool:
        scheme, _, rest = origin.partition("://")
        default = _DEFAULT_PORT.get(scheme.lower())
        authority = parse_authority(rest)
        if default is None or authority is None:
            return False
        known = authority.host in self.hosts or authority.host == host.host
        return known and (authority.port or default) == (host.port or default)


class Guard:
    """ASGI middleware: Host, then Origin, then the token.

    A WebSocket may bring its token in `connection_init` instead, which is the endpoint's to check; a token that it
    does bring in a header must be right.
    """

    def __init__(self, app: ASGIApp, allowed: Allowed, credentials: Credentials) -> None:
        self.app = app
        self.allowed = allowed
        self.credentials = credentials

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            self.check(scope)
        await self.app(scope, receive, send)

    def check(self, scope: Scope) -> None:
        """Raises the error that refuses the request."""
        host = self.allowed.check_host(_values(scope, b"host"), scope.get("server"))
        self.allowed.check_origin(_values(scope, b"origin"), host)
        if is_private(scope["path"]):
            self._check_token(scope)

    def _check_token(self, scope: Scope) -> None:
        sent = _values(scope, b"authorization")
        if not sent and scope["type"] == "websocket":
            return
        if not self.credentials.accept(sent[0] if len(sent) == 1 else None):
            raise HttpError(
                401,
                "The token is missing or wrong. Send Authorization: Bearer TOKEN; the server printed it at its start.",
                code=ErrorCode.UNAUTHENTICATED,
                headers={"www-authenticate": "Bearer"},
            )


def first_segment(path: str) -> str:
    return path.lstrip("/").partition("/")[0]


def is_private(path: str) -> bool:
    return first_segment(path) in PRIVATE


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _address(server: tuple[str, int | None] | None) -> str | None:
    try:
        return parse_host(server[0].removeprefix("::ffff:")) if server else None
    except ValueError:
        return None


def _forbidden(message: str) -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.FORBIDDEN, message)
