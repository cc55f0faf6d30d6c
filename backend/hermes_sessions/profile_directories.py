"""The directories of a Hermes home that are profiles, and why others are none."""

from __future__ import annotations

import os
import re
from pathlib import Path

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.ids import profile_name

_LINK = (
    "{} in the Hermes home is a link, and links are not followed: they may lead to what is somebody else's. Put the "
    "directory itself there, or serve the home that it leads to with --home."
)
_SHUT = (
    "profiles in the Hermes home may not be read and entered by this user, so its profiles are not found. Run as the "
    "directory's owner, or allow it."
)
_DEVICE = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")


class ProfileDirectories:
    """Of one home, besides the home itself. A link is none of them, whoever owns what it leads to: what is served is
    the home that was named, also when a link in it is turned elsewhere between a look and the next. What may not be
    looked at is not there."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._profiles = home / "profiles"

    def names(self) -> list[str]:
        """Those whose name is a profile's."""
        if self._profiles.resolve() != self._home.resolve() / "profiles":
            return []
        return [path.name for path in self._entries() if not path.is_symlink() and path.is_dir()]

    def find(self, name: str) -> Path | None:
        """The profile's own directory; None where there is none, or where it is a link that leads out of the home."""
        directory = self._profiles / name
        if is_device(name) or not _is_directory(directory):
            return None
        return directory if directory.resolve() == self._home.resolve() / "profiles" / name else None

    def left_out(self) -> list[str]:
        """Sentences about what would be profiles were they no links or could be looked at."""
        if self._is_shut():
            return [_SHUT]
        profiles = self._profiles
        links = [profiles] if profiles.is_symlink() else [each for each in self._entries() if _is_linked(each)]
        return [_LINK.format(os.path.relpath(link, self._home)) for link in sorted(links)]

    def why_none(self, name: str) -> str | None:
        """Why no directory was found; None where there just is none."""
        if self._is_shut():
            return _SHUT
        links = (link for link in (self._profiles, self._profiles / name) if link.is_symlink())
        return next((_LINK.format(os.path.relpath(link, self._home)) for link in links), None)

    def _entries(self) -> list[Path]:
        """Those that could be profiles by their names."""
        if self._is_shut():
            return []
        try:
            return [Path(entry.path) for entry in os.scandir(self._profiles) if _is_name(entry.name)]
        except OSError:
            return []

    def _is_shut(self) -> bool:
        try:
            is_own = self._profiles.is_dir() and not self._profiles.is_symlink()
            return is_own and not os.access(self._profiles, os.R_OK | os.X_OK)
        except OSError:  # of the home
            return True


def is_device(name: str, system: str = os.name) -> bool:
    """Whether Windows takes the name for a device wherever it stands in a path. Elsewhere it is one like others."""
    return system == "nt" and _DEVICE.fullmatch(name) is not None


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_linked(path: Path) -> bool:
    return path.is_symlink() and _is_directory(path)


def _is_name(text: str) -> bool:
    try:
        return profile_name(text) == text
    except HermesSessionsError:
        return False
