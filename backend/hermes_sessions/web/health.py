"""Whether the process lives (`/healthz`), which profiles can be used (`/readyz`), and what is counted (`/metrics`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import orjson
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hermes_sessions.web.answers import JSON
from hermes_sessions.web.metrics import Metrics, ProfileState


class Readiness(Protocol):
    """How the profiles are at this moment."""

    async def all(self) -> Sequence[ProfileState]:
        """The default one first. Raises nothing: what cannot be looked at is not ready."""

    async def one(self, name: str) -> ProfileState:
        """Raises PROFILE_NOT_FOUND, or BAD_USER_INPUT for what is no name."""


@dataclass(frozen=True, slots=True)
class Health:
    """The addresses that operators ask."""

    readiness: Readiness
    metrics: Metrics

    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/readyz/{profile}", self.readyz_of_one),
            Route("/metrics", self.metrics_text),
        ]

    async def healthz(self, request: Request) -> Response:
        return Response(b'{"status":"ok"}', media_type=JSON)

    async def readyz(self, request: Request) -> Response:
        """200 while any profile can be read: one broken store must not take the others out of service. Else 503."""
        profiles = await self.readiness.all()
        ready = not profiles or any(profile.ready for profile in profiles)
        return _answer({"ready": ready, "profiles": [_told(profile) for profile in profiles]}, is_ready=ready)

    async def readyz_of_one(self, request: Request) -> Response:
        """200 while the profile can be read, else 503."""
        profile = await self.readiness.one(request.path_params["profile"])
        return _answer(_told(profile), is_ready=profile.ready)

    async def metrics_text(self, request: Request) -> Response:
        text = self.metrics.text(await self.readiness.all())
        return Response(text, headers={"content-type": CONTENT_TYPE_LATEST})


def _told(profile: ProfileState) -> dict[str, object]:
    return {"name": profile.name, "ready": profile.ready, "status": profile.status, "reason": profile.reason}


def _answer(body: dict[str, object], *, is_ready: bool) -> Response:
    return Response(orjson.dumps(body), 200 if is_ready else 503, media_type=JSON)
