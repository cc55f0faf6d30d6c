"""The built dashboard and GraphiQL as files: compressed siblings, caching, and addresses that the dashboard routes."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.web.answers import HttpError
from hermes_sessions.web.envelope import policy
from hermes_sessions.web.guard import OPEN, PRIVATE, first_segment
from hermes_sessions.web.media import encodings

#: Where the build puts the dashboard.
BUILT = Path(__file__).parent / "static"

#: What Monaco, GraphiQL's editor, needs beyond the common policy.
GRAPHIQL_POLICY = policy({"style-src": "'self' 'unsafe-inline'"})
#: Policies of pages that need one of their own, by file.
PAGE_POLICIES = {"graphiql.html": GRAPHIQL_POLICY}

_PAGES = {"": "index.html", "graphiql": "graphiql.html"}
_SIBLINGS = (("br", ".br"), ("gzip", ".gz"))
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Hermes Sessions: not built</title></head>
<body><h1>The dashboard is not built yet</h1>
<p>Run <code>make run</code> in the project's directory: it builds the dashboard and starts the server.</p>
<p>The API answers already: POST to <code>/graphql</code>.</p></body></html>
"""


@dataclass(frozen=True, slots=True)
class _File:
    """A file to send: `name` is its address below the root, `path` the variant that is sent."""

    name: str
    path: Path
    status: os.stat_result
    encoding: str | None = None

    @property
    def etag(self) -> str:
        return f'"{self.status.st_mtime_ns:x}-{self.status.st_size:x}-{self.encoding or "plain"}"'


class StaticFiles:
    """ASGI application for every address that is no route of its own."""

    def __init__(self, root: Path = BUILT, policies: Mapping[str, str] = PAGE_POLICIES) -> None:
        self._root = root.resolve()
        self._policies = policies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise HermesSessionsError(ErrorCode.NOT_FOUND, "WebSockets are answered at /graphql.")
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        name = self._name(request.scope["path"], request.headers.get("accept", "*/*"))
        if request.method not in ("GET", "HEAD"):
            raise HttpError(405, "This address is for GET only.", headers={"allow": "GET, HEAD"})
        file = self._find(name)
        if file is not None:
            return self._send(file, request.headers)
        if name in _PAGES.values():
            return HTMLResponse(_NOT_BUILT, 503)
        raise _not_found()

    def _name(self, path: str, accept: str) -> str:
        """The file for an address. An address of the dashboard's own, such as one session's, gets the dashboard."""
        name = path.strip("/")
        if name in _PAGES:
            return _PAGES[name]
        if self._find(name) is not None:
            return name
        if first_segment(path) in PRIVATE | OPEN or not _wants_page(accept):
            raise _not_found()
        return _PAGES[""]

    def _find(self, name: str) -> _File | None:
        """A regular file below the root, or None. Links are not followed out of it."""
        if any(part.startswith(".") or not part.isprintable() or set(part) & set('\\:*?"<>|') for part in _parts(name)):
            return None
        path = self._root.joinpath(*_parts(name))
        try:
            status = path.stat()
            inside = path.resolve().is_relative_to(self._root)
        except (OSError, ValueError):
            return None
        return _File(name, path, status) if inside and stat.S_ISREG(status.st_mode) else None

    def _send(self, file: _File, asked: Headers) -> Response:
        chosen, has_siblings = self._choose(file, encodings(asked.get("accept-encoding")))
        headers = {
            "etag": chosen.etag,
            "cache-control": "public, max-age=31536000, immutable" if _is_hashed(file.name) else "no-cache",
        }
        if has_siblings:
            headers["vary"] = "accept-encoding"
        if file.name in self._policies:
            headers["content-security-policy"] = self._policies[file.name]
        if _matches(asked.get("if-none-match"), chosen.etag):
            return Response(status_code=304, headers=headers)
        if chosen.encoding:
            headers["content-encoding"] = chosen.encoding
        media_type = _TYPES.get(Path(file.name).suffix.lower(), "application/octet-stream")
        return FileResponse(chosen.path, headers=headers, media_type=media_type, stat_result=chosen.status)

    def _choose(self, file: _File, accepted: frozenset[str]) -> tuple[_File, bool]:
        """The smallest variant that the client accepts, and whether there is more than one."""
        siblings = [
            _File(file.name, found.path, found.status, encoding)
            for encoding, suffix in _SIBLINGS
            if (found := self._find(file.name + suffix)) is not None
        ]
        usable = (sibling for sibling in siblings if sibling.encoding in accepted)
        return next(usable, file), bool(siblings)


def _parts(name: str) -> list[str]:
    return name.split("/")


def _is_hashed(name: str) -> bool:
    """Whether the name changes with the content: the build does that for everything in assets/."""
    return name.startswith("assets/")


def _wants_page(accept: str) -> bool:
    """Browsers ask for text/html when somebody goes somewhere, and for other types when a page loads its parts."""
    return "text/html" in accept or accept.strip().startswith("*/*")


def _matches(if_none_match: str | None, etag: str) -> bool:
    tags = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in tags or "*" in tags


def _not_found() -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.NOT_FOUND, "There is nothing at this address.")
