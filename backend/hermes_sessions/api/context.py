"""What one request carries: its profile, and each store as this request sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import strawberry

from hermes_sessions.api.loaders import Loader
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.feed import Feeds
from hermes_sessions.model.filters import FilterContext, ListFilter
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.message import Message
from hermes_sessions.model.session import Session
from hermes_sessions.model.usage import ModelUsage
from hermes_sessions.profiles import Profiles
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from hermes_sessions.store_values import Details, Freshness

T = TypeVar("T")


class StoreView:
    """One store in one request: one picture of its sessions, and loaders that ask for many things at once."""

    def __init__(self, context: Context, store: Store, forest: Forest) -> None:
        self.context = context
        self.store = store
        self.forest = forest
        self.now = time.time()
        self.previews: Loader[str, str | None] = Loader(store.previews)
        self.details: Loader[str, Details] = Loader(store.details)
        self.model_usage: Loader[str, Sequence[ModelUsage]] = Loader(store.usage_by_model)
        self.messages: Loader[int, Message] = Loader(store.messages)
        self.content_tails: Loader[tuple[int, int], str] = Loader(store.content_tails)
        self.tool_results: Loader[tuple[str, int], Mapping[str, int]] = Loader(store.tool_results)
        self.tool_names: Loader[tuple[str, int], Mapping[str, str]] = Loader(store.tool_names)

    @property
    def profile(self) -> str:
        return self.store.profile

    async def filter_context(self, filter: ListFilter) -> FilterContext:
        """What a filter needs: for `text`, the previews of all sessions."""
        previews = await self.store.previews(self.forest.ids) if filter.text is not None else {}
        return FilterContext(
            now=self.now,
            automation_sources=frozenset(self.context.settings.automation_sources),
            kind=lambda item: item.kind if not isinstance(item, Session) else self.forest.kind(item.id),
            previews=previews,
        )


@dataclass(frozen=True)
class ServerFacts:
    """What the composition root knows and the API shows."""

    sqlite_version: str
    warnings: Sequence[str] = ()


class Context:
    """The context of one request."""

    def __init__(
        self, profiles: Profiles, feeds: Feeds, settings: Settings, server: ServerFacts, profile: str | None
    ) -> None:
        self.profiles = profiles
        self.feeds = feeds
        self.server = server
        self.settings = settings
        self._profile = profile
        self._views: dict[str, StoreView] = {}
        self._lease = profiles.lease()

    async def store(self, profile: str | None) -> Store:
        """The store of the named profile, else of the request's."""
        return await self._lease.get(profile if profile is not None else self._profile)

    async def view(self, profile: str | None) -> StoreView:
        """Raises what stands in the way of reading the store."""
        store = await self.store(profile)
        if store.profile not in self._views:
            self._views[store.profile] = StoreView(self, store, await store.forest())
        return self._views[store.profile]

    async def find(self, profile: str | None, look: Callable[[Forest], T | None]) -> tuple[StoreView, T] | None:
        """What is looked for, in the request's picture of a store; where that lacks it, in one of this moment: whoever
        asks by an id may know of what has only just come."""
        view = await self.view(profile)
        found = look(view.forest)
        if found is None:
            view = StoreView(self, view.store, await view.store.forest(Freshness.NOW))
            found = look(view.forest)
        return (view, found) if found is not None else None

    async def views(
        self, profiles: Sequence[str] | None
    ) -> tuple[list[StoreView], list[tuple[str, HermesSessionsError]]]:
        """The stores of several profiles and those that failed. None: the request's profile; none named: all."""
        if profiles is None:
            return [await self.view(None)], []
        found: list[StoreView] = []
        failed: list[tuple[str, HermesSessionsError]] = []
        for name in dict.fromkeys(profiles) if profiles else self.profiles.names():
            try:
                view = await self.view(name)
                if view not in found:
                    found.append(view)
            except HermesSessionsError as error:
                failed.append((name, error))
        return found, failed

    def show(self, store: Store, forest: Forest) -> StoreView:
        """A view of this very picture, for the events of a subscription: each has its own."""
        view = self._views[store.profile] = StoreView(self, store, forest)
        return view

    def clear(self) -> None:
        """After an answer: views and context hold each other, and would keep all that was read until Python looks for
        such circles."""
        self._views.clear()

    def close(self) -> None:
        """After the last answer: its stores are needed no more."""
        self.clear()
        self._lease.end()

    def forget(self, profile: str) -> None:
        """After a change: the next question sees the store anew."""
        self._views.pop(profile, None)


Info = strawberry.Info[Context, None]
