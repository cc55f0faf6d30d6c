"""Asking twice, by plans and by plain graphql-core, and seeing which answers no plan gave."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.api.context import Context, ServerFacts
from hermes_sessions.api.executor import Executor
from hermes_sessions.api.planned import PlannedExecutor, Plans
from hermes_sessions.api.schema import build_schema
from hermes_sessions.feed import Feeds
from hermes_sessions.opening import open_profiles
from hermes_sessions.settings import Settings

Json = dict[str, Any]
SCHEMA = build_schema()
FACTS = ServerFacts("3")


@contextlib.asynccontextmanager
async def executor_on(home: Path, **settings: Any) -> AsyncIterator[Executor]:
    """An executor on a home, which it only reads unless the settings say otherwise."""
    given = Settings(home=home, **{"read_only": True, **settings})
    profiles, feeds = open_profiles(given), Feeds(given.poll_interval)
    try:
        yield Executor(SCHEMA, given, lambda profile: Context(profiles, feeds, given, FACTS, profile))
    finally:
        await feeds.close()
        await profiles.close()


async def answer(executor: Executor, query: str, variables: Mapping[str, Any]) -> Json:
    """The answer of a query or a mutation, or the first one of a subscription."""
    given = {"operation_name": None, "variables": variables, "profile": None, "request_id": "a-request"}
    async with contextlib.aclosing(executor.stream(query, **given)) as answers:  # type: ignore[arg-type]
        return dict(json.loads((await anext(answers)).body))


@contextlib.contextmanager
def no_plans() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plans, "plan", lambda *_: None)
        yield


@contextlib.contextmanager
def watched_plans() -> Iterator[list[str]]:
    """Fields of the root that graphql-core has answered, since there was no plan or the plan gave up."""
    left: list[str] = []
    plan, planned = Plans.plan, PlannedExecutor._planned

    def watched_plan(self: Plans, run: Any, type: Any, details: Any, path: Any) -> Any:
        found = plan(self, run, type, details, path)
        if found is None:
            left.append(path.key)
        return found

    async def watched_planned(self: PlannedExecutor, plan: Any, result: Any, key: Any, plain: Any) -> Any:
        finished = await planned(self, plan, result, key, plain)
        if key in self._left:
            left.append(key)
        return finished

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plans, "plan", watched_plan)
        patch.setattr(PlannedExecutor, "_planned", watched_planned)
        yield left
