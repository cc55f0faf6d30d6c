"""The log: lines on standard error, as text or as JSON, with the id of their request and without any secret."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Iterable
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO
from urllib.parse import quote, unquote, urlsplit

from pythonjsonlogger.json import JsonFormatter

from hermes_sessions.model.printing import printable
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

#: Of the request that is being answered; whatever is logged meanwhile belongs to it.
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

_log = logging.getLogger("hermes_sessions.web")

_RENAMED = {"levelname": "level", "name": "logger", "exc_info": "exception"}
_LOST = "a line of %s is lost: %s, line %d"
_SHORTEST_SECRET = 4
"""Taking out a shorter one would take the log apart, and hide nothing that cannot be guessed."""


class _Secrets:
    """What must not be read in the log, in each spelling that a text can have it in."""

    def __init__(self, secrets: Iterable[str]) -> None:
        spellings = {spelling for secret in secrets for spelling in _spelled(secret)}
        self._spellings = sorted(spellings, key=len, reverse=True)  # one may be a part of another

    def hidden(self, text: str) -> str:
        for spelling in self._spellings:
            text = text.replace(spelling, "[secret]")
        return text


class _Text(logging.Formatter):
    """Lines for people."""

    def __init__(self, secrets: _Secrets) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        text = self._secrets.hidden(super().format(record))
        # What follows the first line is indented: no text of others can pass for a record of its own.
        return "\n    ".join(map(printable, text.split("\n")))


class _Json(JsonFormatter):
    """An object a line, in ASCII: `time` (RFC 3339, UTC), `level`, `logger`, `message`, and what its line adds."""

    def __init__(self, secrets: _Secrets) -> None:
        super().__init__(("levelname", "name", "message"), timestamp="time", rename_fields=_RENAMED)
        self._secrets = secrets

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {
            key: self._secrets.hidden(value) if isinstance(value, str) else value for key, value in log_data.items()
        }


class _Handler(logging.StreamHandler[TextIO]):
    """A line that cannot be made is told of as another one; Python would write its parts as they are."""

    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exception()
        if record.msg != _LOST and not isinstance(error, OSError):
            _log.error(_LOST, record.name, record.filename, record.lineno, exc_info=error)


def configure(settings: Settings) -> None:
    """Sets the root logger up; lines of libraries about connections and processes only where they warn."""
    secrets = _Secrets(secrets_of(settings))
    handler = _Handler(sys.stderr)
    handler.setFormatter(_Json(secrets) if settings.log_format == "json" else _Text(secrets))
    handler.addFilter(_with_request_id)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for name in ("uvicorn.error", "uvicorn.asgi", "asyncio", "databases"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    sys.unraisablehook = _uncaught_nowhere


def secrets_of(settings: Settings) -> set[str]:
    """The token and the passwords of databases, also as they are spelled in a URL."""
    passwords = [urlsplit(url).password for _, url in settings.profile]
    found = [settings.token, os.environ.get("PGPASSWORD"), *passwords, *map(unquote, filter(None, passwords))]
    return {secret for secret in found if secret and len(secret) >= _SHORTEST_SECRET}


# What Python would write to standard error by itself, in several lines and with the secrets that are in it.


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        _log.critical("the process failed", exc_info=(kind, error, trace))


def _uncaught_in_thread(failure: threading.ExceptHookArgs) -> None:
    if failure.exc_value is not None and not isinstance(failure.exc_value, SystemExit):
        _log.error("a thread failed", exc_info=failure.exc_value)


def _uncaught_nowhere(failure: UnraisableHookArgs) -> None:
    _log.error("an error came where nothing can be done about it", exc_info=failure.exc_value)


def _with_request_id(record: logging.LogRecord) -> bool:
    """A filter that lets everything pass, and notes what the formatter of JSON adds to the line."""
    found = request_id.get()
    if found is not None:
        record.request_id = found
    return True


def _spelled(secret: str) -> tuple[str, ...]:
    """As it is, as a path and as a query spell it, and as JSON does."""
    return secret, quote(secret), quote(secret, safe=""), json.dumps(secret)[1:-1]
