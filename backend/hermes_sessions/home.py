"""Where the Hermes home is that a command is about."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.settings import Settings


def find_home(settings: Settings, environment: Mapping[str, str] = os.environ) -> Path:
    """The Hermes home to serve: the named one, else `HERMES_HOME`, else where Hermes keeps it on this system.

    A home that was named decides alone, so a misspelt name never opens another person's sessions instead.
    Raises NOT_FOUND when it does not exist.
    """
    home = settings.home or _hermes_home(environment)
    try:
        is_there = home.is_dir()
    except OSError as error:
        raise HermesSessionsError(
            ErrorCode.NOT_FOUND,
            f"This user may not look for a Hermes home at {home}. Name another one with --home DIR.",
        ) from error
    if is_there:
        return home
    raise HermesSessionsError(ErrorCode.NOT_FOUND, f"There is no Hermes home at {home}. Name one with --home DIR.")


def home_if_any(settings: Settings) -> Path | None:
    """The Hermes home; None where none was named and profiles in databases are all there is."""
    try:
        return find_home(settings)
    except HermesSessionsError:
        if settings.home is None and settings.profile:
            return None
        raise


def _hermes_home(environment: Mapping[str, str]) -> Path:
    named = environment.get("HERMES_HOME", "").strip()
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA", "").strip()
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "hermes"
    return Path.home() / ".hermes"
