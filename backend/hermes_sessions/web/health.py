"""Whether the process lives (`/healthz`) and whether its stores can be used (`/readyz`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import orjson
from starlette.requests import Request
from starlette.responses import Response

from hermes_sessions.web.answers import JSON


@dataclass(frozen=True, slots=True)
class ProfileReadiness:
    """Whether a profile can be read, and a safe sentence where it cannot."""

    name: str
    ready: bool
    reason: str | None = None


Readiness = Callable[[], Awaitable[Sequence[ProfileReadiness]]]
Endpoint = Callable[[Request], Awaitable[Response]]


async def healthz(request: Request) -> Response:
    return Response(b'{"status":"ok"}', media_type=JSON)


def readyz(readiness: Readiness) -> Endpoint:
    """200 while any profile can be read: one broken store must not take the others out of service. Else 503."""

    async def endpoint(request: Request) -> Response:
        profiles = await readiness()
        ready = not profiles or any(profile.ready for profile in profiles)
        body = orjson.dumps({"ready": ready, "profiles": profiles})
        return Response(body, 200 if ready else 503, media_type=JSON)

    return endpoint
