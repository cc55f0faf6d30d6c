"""The web application from its parts: which address goes where, behind one guard and in one envelope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Lifespan

from hermes_sessions.errors import ErrorCode
from hermes_sessions.settings import Settings
from hermes_sessions.web.answers import HttpError, error_response
from hermes_sessions.web.envelope import Envelope
from hermes_sessions.web.graphql import Execute, GraphQLEndpoint, LargeRequests
from hermes_sessions.web.guard import OPEN, PRIVATE, Allowed, Guard, first_segment
from hermes_sessions.web.metrics import Metrics
from hermes_sessions.web.static import StaticFiles
from hermes_sessions.web.token import credentials


def web_application(
    settings: Settings,
    *,
    execute: Execute,
    metrics: Metrics,
    routes: Sequence[BaseRoute] = (),
    lifespan: Lifespan[Any] | None = None,
    static: ASGIApp | None = None,
    large: LargeRequests | None = None,
) -> Starlette:
    """The application. `routes` are further ones, such as exports, health, and the WebSocket of `/graphql`.

    Raises BAD_USER_INPUT for settings that would let anybody in, ValueError for a route that `guard.PRIVATE` and
    `guard.OPEN` do not know.
    """
    endpoint = GraphQLEndpoint(execute, max_body=settings.max_body_bytes, timeout=settings.request_timeout, large=large)
    known = [
        Route("/graphql", endpoint),
        *routes,
    ]
    _check_doors(known)
    allowed = Allowed.of(settings.host, settings.trusted_host)
    application = Starlette(
        routes=known,
        middleware=[
            Middleware(Envelope, metrics=metrics),
            Middleware(Guard, allowed=allowed, credentials=credentials(settings)),
        ],
        exception_handlers={HTTPException: _http_exception},
        lifespan=lifespan,
    )
    application.router.redirect_slashes = False
    application.router.default = static or StaticFiles()
    return application


def _check_doors(routes: Sequence[BaseRoute]) -> None:
    """A new address cannot be forgotten: it says whether it needs the token, or the server does not start."""
    for route in routes:
        path = route.path if isinstance(route, Route | WebSocketRoute | Mount) else ""
        if first_segment(path) not in PRIVATE | OPEN:
            raise ValueError(f"{path or route}: add its first segment to PRIVATE or OPEN in guard.py")


async def _http_exception(request: Request, error: Exception) -> Response:
    """Starlette's own refusals (no such method, no such path) in our form."""
    assert isinstance(error, HTTPException)
    code = ErrorCode.NOT_FOUND if error.status_code == 404 else ErrorCode.BAD_USER_INPUT
    return error_response(HttpError(error.status_code, error.detail + ".", code=code, headers=error.headers))
