"""From a profile's name to its store."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Self

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.ids import DEFAULT_PROFILE, profile_name
from hermes_sessions.profile_directories import ProfileDirectories
from hermes_sessions.store import Store

STORE_FILE = "state.db"

OpenStore = Callable[[str, Path], Awaitable[Store]]
"""How the composition root opens a store: by profile name and path of its file."""
OpenDeclared = Callable[[], Awaitable[Store]]
"""How it opens one that is declared by its URL."""


class Profiles:
    """The profiles of one Hermes home, and those that are declared by a database URL; these win over a directory of
    the same name. Without a home there are only the declared ones. Stores are opened when first asked for and kept
    open, until it is seen that their profile is not there any more and nobody uses them."""

    def __init__(
        self, home: Path | None, open_store: OpenStore, declared: Mapping[str, OpenDeclared] | None = None
    ) -> None:
        self._home = home
        self._directories = ProfileDirectories(home) if home is not None else None
        self._open_store = open_store
        self._declared = dict(declared or {})
        self._stores: dict[str, Store] = {}
        self._opening = asyncio.Lock()
        self._users: Counter[str] = Counter()
        self._gone: set[str] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self.default_name = _default_name(home, self._declared)

    def names(self) -> list[str]:
        """The default one first, then the others by name. Directories whose name is no profile name are no profiles."""
        found = set(self._declared)
        if self._directories is not None:
            found |= {DEFAULT_PROFILE, *self._directories.names()}
        for name in self._stores.keys() - found:
            self._note_gone(name)
        return [self.default_name, *sorted(found - {self.default_name})]

    def left_out(self) -> list[str]:
        """Sentences about what is no profile for its links or rights, for whoever misses it."""
        return self._directories.left_out() if self._directories is not None else []

    async def get(self, name: str | None = None) -> Store:
        """The store of a profile, for whoever has all of them for itself; others use it within a lease. Raises
        BAD_USER_INPUT for what is no name, PROFILE_NOT_FOUND for an unknown one."""
        wanted = self.default_name if name is None else profile_name(name)
        if wanted in self._stores and (wanted in self._declared or self._directory(wanted) is not None):
            self._gone.discard(wanted)
            return self._stores[wanted]
        opening = self._declared.get(wanted) or partial(self._open_store, wanted, self.path(wanted))
        async with self._opening:
            if wanted not in self._stores:
                self._stores[wanted] = await opening()
        return self._stores[wanted]

    def lease(self) -> Lease:
        """For one user."""
        return Lease(self)

    def use(self, name: str) -> None:
        self._users[name] += 1

    def leave(self, name: str) -> None:
        self._users[name] -= 1
        self._close_unused(name)

    def _note_gone(self, name: str) -> None:
        if name in self._stores:
            self._gone.add(name)
            self._close_unused(name)

    def _close_unused(self, name: str) -> None:
        """Who uses it may be in a change, or the profile may be put back meanwhile."""
        if name in self._gone and not self._users[name]:
            self._gone.remove(name)
            closing = asyncio.create_task(self._stores.pop(name).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    def check(self, name: str) -> str:
        """The name of a profile as it is spelled here. Raises BAD_USER_INPUT for what is no name, PROFILE_NOT_FOUND for
        an unknown one."""
        wanted = profile_name(name)
        if wanted not in self._declared:
            self.path(wanted)
        return wanted

    def path(self, name: str) -> Path:
        """Where the store of a profile of the home is, or will be. Raises PROFILE_NOT_FOUND."""
        directory = self._directory(name)
        if directory is None:
            self._note_gone(name)
            reason = self._directories.why_none(name) if self._directories is not None else None
            unknown = f"There is no profile {name}. The field `profiles` lists the names."
            raise HermesSessionsError(ErrorCode.PROFILE_NOT_FOUND, reason or unknown)
        return directory / STORE_FILE

    def _directory(self, name: str) -> Path | None:
        """The profile's own directory, if there is one."""
        if self._directories is None or name == DEFAULT_PROFILE:
            return self._home
        return self._directories.find(name)

    async def close(self) -> None:
        for store in self._stores.values():
            await store.close()
        await asyncio.gather(*self._closing)


class Lease:
    """The stores that one request, or another user of the profiles, has got. They stay open until its end; what is got
    later, by what was left of a request, is not held any more."""

    def __init__(self, profiles: Profiles) -> None:
        self._profiles = profiles
        self._used: set[str] = set()
        self._is_over = False

    async def get(self, name: str | None = None) -> Store:
        """Raises as `Profiles.get` does."""
        store = await self._profiles.get(name)
        if store.profile not in self._used and not self._is_over:
            self._used.add(store.profile)
            self._profiles.use(store.profile)
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self._is_over = True
        while self._used:
            self._profiles.leave(self._used.pop())


def _default_name(home: Path | None, declared: Mapping[str, OpenDeclared]) -> str:
    """The profile of requests that name none."""
    if home is None and declared and DEFAULT_PROFILE not in declared:
        return next(iter(declared))
    return DEFAULT_PROFILE
