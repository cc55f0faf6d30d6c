"""A look at a whole store through the questions that it answers: what one part cannot tell, the others still do."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from typing import TypeVar

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.health.examination import Area, Examination
from hermes_sessions.model.health.facts import StoreHealth, session_facts
from hermes_sessions.store import Store
from hermes_sessions.store_values import Engine, StoreStatus

DEEP_SECONDS = 1800.0

T = TypeVar("T")


async def examine(store: Store, *, deep: bool = False) -> Examination:
    """Never raises what is wrong with the store. `deep` reads every page and takes the time that it needs."""
    now = time.time()
    is_file = store.engine is Engine.SQLITE
    state = await store.state()
    holders = await store.holders()
    if state.status is StoreStatus.EMPTY:
        return Examination(store.profile, now, is_file, is_empty=True, health=await store.health(), holders=holders)
    failures: dict[Area, HermesSessionsError] = {}

    async def told(area: Area, question: Awaitable[T]) -> T | None:
        try:
            return await question
        except HermesSessionsError as error:
            failures[area] = error
            return None

    forest = await told(Area.STORE, store.forest())
    if forest is None:
        health = StoreHealth(place=await store.place())
        return Examination(store.profile, now, is_file, refusal=failures[Area.STORE], health=health, holders=holders)
    return Examination(
        profile=store.profile,
        now=now,
        is_file=is_file,
        limits=state.reason,
        holders=holders,
        health=await told(Area.FILE, store.health()),
        sessions=session_facts(forest),
        rows=await told(Area.ROWS, store.row_facts()),
        indexes=await told(Area.SEARCH, store.search_indexes()),
        parts=await told(Area.PAGES, store.parts(DEEP_SECONDS if deep else None)),
        damages=await told(Area.PAGES, store.damages()) if deep else None,
        failures=failures,
    )
