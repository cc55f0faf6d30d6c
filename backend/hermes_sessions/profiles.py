"""From a profile's name to its store."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.ids import DEFAULT_PROFILE, profile_name
from hermes_sessions.store import Store

STORE_FILE = "state.db"


OpenStore = Callable[[str, Path], Awaitable[Store]]
"""How the composition root opens a store: by profile name and path of its file."""


class Profiles:
    """The profiles of one Hermes home. Stores are opened when first asked for and kept open.

    `default_name` is the profile of requests that name none. `declared` holds stores of profiles that are
    declared by a database URL; they win over a directory of the same name.
    """

    def __init__(self, home: Path, open_store: OpenStore, declared: Mapping[str, Store] | None = None) -> None:
        self._home = home
        self._open_store = open_store
        self._stores: dict[str, Store] = dict(declared or {})
        self._declared = frozenset(self._stores)
        self._opening = asyncio.Lock()

    def names(self) -> list[str]:
        """`default` first, then the others by name. Directories whose name is no profile name are no profiles."""
        found = set(self._declared)
        try:
            entries = list(os.scandir(self._home / "profiles"))
        except OSError:
            entries = []
        found |= {entry.name for entry in entries if _is_name(entry.name) and entry.is_dir(follow_symlinks=False)}
        return [DEFAULT_PROFILE, *sorted(found - {DEFAULT_PROFILE})]

    async def get(self, name: str | None = None) -> Store:
        """The store of a profile. Raises BAD_USER_INPUT for what is no name, PROFILE_NOT_FOUND for an unknown one."""
        wanted = DEFAULT_PROFILE if name is None else profile_name(name)
        if wanted in self._stores and (wanted in self._declared or self._directory(wanted) is not None):
            return self._stores[wanted]
        path = self.path(wanted)
        async with self._opening:
            if wanted not in self._stores:
                self._stores[wanted] = await self._open_store(wanted, path)
        return self._stores[wanted]

    def path(self, name: str) -> Path:
        """Where the store of a profile is, or will be. Raises PROFILE_NOT_FOUND."""
        directory = self._directory(name)
        if directory is None:
            raise HermesSessionsError(
                ErrorCode.PROFILE_NOT_FOUND, f"There is no profile {name}. The field `profiles` lists the names."
            )
        return directory / STORE_FILE

    def _directory(self, name: str) -> Path | None:
        """The profile's own directory; None where there is none, or where it is a link that leads out of the home."""
        if name == DEFAULT_PROFILE:
            return self._home
        directory = self._home / "profiles" / name
        profiles = (self._home / "profiles").resolve()
        if not directory.is_dir() or directory.resolve() != profiles / name:
            return None
        return directory

    async def close(self) -> None:
        for store in self._stores.values():
            await store.close()


def _is_name(text: str) -> bool:
    try:
        return profile_name(text) == text
    except HermesSessionsError:
        return False
