"""The token that lets a client in: found or made once, kept private, compared in constant time."""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from dataclasses import replace
from pathlib import Path

from hermes_sessions.errors import bad_input
from hermes_sessions.settings import Settings
from hermes_sessions.web.hosts import is_loopback

_RANDOM_BYTES = 32
_MADE_HERE = re.compile(r"[A-Za-z0-9_-]{43}")


class Credentials:
    """Says whether an `Authorization` value names the right token. Without a token everybody is let in."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else token.encode()

    def accept(self, authorization: str | bytes | None) -> bool:
        """`Bearer TOKEN`, from a header or from the payload of a WebSocket's `connection_init`."""
        if self._token is None:
            return True
        if isinstance(authorization, str):
            authorization = authorization.encode(errors="replace")
        scheme, _, token = (authorization or b"").strip().partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def credentials(settings: Settings) -> Credentials:
    """What the settings ask for. Without a token and without `no_auth` nothing is served: BAD_USER_INPUT."""
    if settings.token is None and not settings.no_auth:
        raise bad_input("There is no token. Set one, or allow requests without one with --no-auth.")
    _refuse_open_door(settings)
    return Credentials(settings.token)


def with_token(settings: Settings) -> Settings:
    """The settings with their token: the given one, else the one kept in the state directory, made if need be."""
    _refuse_open_door(settings)
    if settings.no_auth or settings.token is not None:
        return settings
    try:
        return replace(settings, token=kept_token(settings.state_dir / "token"))
    except OSError as error:
        raise bad_input(
            f"The token cannot be kept in {settings.state_dir} ({error.strerror}). "
            "Name another directory with --state-dir, or a token with --token."
        ) from error


def kept_token(path: Path) -> str:
    """The token in the file; a new one where there is none, or where others could have read it. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = _read(path)
    if kept is not None:
        return kept
    _create(path, secrets.token_urlsafe(_RANDOM_BYTES))
    created = _read(path)
    if created is None:
        raise OSError(0, "the file is not private")
    return created


def _refuse_open_door(settings: Settings) -> None:
    if settings.no_auth and not is_loopback(settings.host):
        raise bad_input(
            f"--no-auth works on a loopback address only, and {settings.host} can be reached from outside. "
            "Leave --no-auth out, or listen on 127.0.0.1."
        )


def _read(path: Path) -> str | None:
    """The token, or None where the file is missing, broken, a link, no file at all, or open to other users."""
    try:
        # A pipe would only open when somebody writes into it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        text = os.read(descriptor, 1024).decode("ascii", "replace").strip() if _is_private(descriptor) else ""
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return text if _MADE_HERE.fullmatch(text) else None


def _is_private(descriptor: int) -> bool:
    status = os.fstat(descriptor)
    is_ours = os.name != "posix" or not (status.st_mode & 0o077 or status.st_uid != os.geteuid())
    return is_ours and stat.S_ISREG(status.st_mode)


def _create(path: Path, token: str) -> None:
    """Writes beside, then links: readers never see half a token, and of two servers starting together one wins."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(token + "\n")
        try:
            os.link(draft, path)
        except FileExistsError:
            if _read(path) is None:  # a broken one; never one that another server has just made
                os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
