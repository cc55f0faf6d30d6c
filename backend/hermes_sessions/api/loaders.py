"""Loaders of one request: what many resolvers want at the same moment is asked for once, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Loader(Generic[K, V]):
    """`read` answers for many keys at once, and leaves out those that it has nothing for: they read as None.

    Whoever knows all keys asks for them by `load_many`, which costs one question and nothing for each key.
    """

    __slots__ = ("_known", "_read", "_round", "_wanted")

    def __init__(self, read: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._read = read
        self._known: dict[K, V | None] = {}
        self._wanted: list[K] = []
        self._round: asyncio.Task[None] | None = None

    async def load(self, key: K) -> V | None:
        """Asks together with all others that ask in this turn of the event loop."""
        if key not in self._known:
            if self._round is None:
                self._round = asyncio.create_task(self._load_wanted())
            self._wanted.append(key)
            await asyncio.shield(self._round)  # others wait for it, too
        return self._known[key]

    async def load_many(self, keys: Iterable[K]) -> list[V | None]:
        """In the order of the keys."""
        asked = list(keys)
        missing = [key for key in dict.fromkeys(asked) if key not in self._known]
        if missing:
            found = await self._read(missing)
            self._known.update((key, found.get(key)) for key in missing)
        return [self._known[key] for key in asked]

    def prime(self, key: K, value: V) -> None:
        """What is known already need not be asked for."""
        self._known.setdefault(key, value)

    async def _load_wanted(self) -> None:
        await asyncio.sleep(0)  # resolvers that were started in this turn come with the next one
        wanted, self._wanted, self._round = self._wanted, [], None
        await self.load_many(wanted)


async def load_each(wanted: Iterable[tuple[Loader[K, V], K]]) -> list[V | None]:
    """What each loader has for its key, in order. Several loaders, as of several stores, are asked at the same time."""
    asked = list(wanted)
    groups: dict[Loader[K, V], list[K]] = {}
    for loader, key in asked:
        groups.setdefault(loader, []).append(key)
    found = await all_of([loader.load_many(keys) for loader, keys in groups.items()])
    following = {loader: iter(values) for loader, values in zip(groups, found, strict=True)}
    return [next(following[loader]) for loader, _ in asked]


async def all_of(awaitables: Sequence[Awaitable[Any]]) -> list[Any]:
    """The results in order. Raises the first error once all have ended: none goes on unseen, and none is cancelled
    while others may wait for what it is waiting for."""
    if len(awaitables) < 2:
        return [await each for each in awaitables]
    outcomes = await asyncio.gather(*awaitables, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return outcomes
