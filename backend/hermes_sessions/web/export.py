"""Exports to download: `/export/{profile}/{id}.{json,jsonl,md,html}`, written while they are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input


@dataclass(frozen=True)
class Export:
    """An export that is about to be written."""

    file_name: str
    media_type: str
    text: AsyncIterator[str]
    headers: Mapping[str, str] = field(default_factory=dict)


OpenExport = Callable[[str, str, str, str], Awaitable[Export]]
"""By profile, id or prefix, scope and format. Raises what the client did wrong; nothing of the text is read yet."""


def export_route(open_export: OpenExport, formats: frozenset[str], scopes: frozenset[str]) -> Route:
    """`scope` in the query is one of `scopes`, CONVERSATION's name where it is left out."""

    async def export(request: Request) -> Response:
        session_id, _, ending = request.path_params["name"].rpartition(".")
        if not session_id or ending not in formats:
            raise HermesSessionsError(
                ErrorCode.NOT_FOUND, f"An export ends with one of {_listed(formats)}: /export/PROFILE/ID.json"
            )
        scope = request.query_params.get("scope", "conversation")
        if scope not in scopes:
            raise bad_input(f"The parameter scope is one of {_listed(scopes)}.")
        opened = await open_export(request.path_params["profile"], session_id, scope, ending)
        headers = {"content-disposition": f'attachment; filename="{opened.file_name}"', **opened.headers}
        if request.method == "HEAD":
            return Response(headers=headers, media_type=opened.media_type)
        return StreamingResponse(_encoded(opened.text), headers=headers, media_type=opened.media_type)

    return Route("/export/{profile}/{name:path}", export, methods=["GET"])


async def _encoded(text: AsyncIterator[str]) -> AsyncIterator[bytes]:
    """UTF-8; half a surrogate pair, which a JSON cell may spell, becomes a question mark."""
    async for piece in text:
        if piece:
            yield piece.encode("utf-8", "replace")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
