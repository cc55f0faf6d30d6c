"""The bin of a store in PostgreSQL: its entries end in time, and only then."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.writing.new_session import NewSession
from hermes_sessions.stores.clock import DAY
from hermes_sessions.stores.postgres.store import PostgresStore
from tests.postgres.test_conflicts import store
from tests.stores.clock import Clock


async def gone(team: PostgresStore, id: str) -> None:
    """A session is made and deleted."""
    await team.create(NewSession(id=id, source="cli", title=id))
    await team.delete(id, Scope.SESSION, exact=True, permanent=False, force=True, dry_run=False)


async def stored(one: Any) -> list[str]:
    """Of all entries, listed or not."""
    return [row["title"] for row in await one.fetch("SELECT title FROM bin_entry ORDER BY deleted_at")]


async def listed(team: PostgresStore) -> set[str | None]:
    return {entry.title for entry in await team.bin(100)}


async def test_an_entry_is_gone_when_its_time_is_over(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    async with store(url) as (one, team):
        await gone(team, "old")
        clock.go_on(20 * DAY)
        await gone(team, "new")
        clock.go_on(11 * DAY)
        assert await listed(team) == {"new"}
        await gone(team, "newest")
        assert await stored(one) == ["old", "new", "newest"]
        clock.go_on(2 * DAY)
        await gone(team, "last")
        assert await stored(one) == ["new", "newest", "last"]


async def test_a_clock_that_is_set_wrong_and_right_again_costs_no_entry(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    async with store(url) as (one, team):
        await gone(team, "before")
        for wrong in (365 * DAY, -50 * 365 * DAY, 14 * 365 * DAY, 0):
            clock.set(wrong)
            await gone(team, f"one at {wrong}")
            await gone(team, f"another at {wrong}")
            assert await listed(team) == set(await stored(one))
        assert len(await stored(one)) == 9
        clock.go_on(365 * DAY)  # as of a replica that starts with a wrong clock
        await gone(team, "elsewhere")
        await gone(team, "and again")
        assert len(await stored(one)) == 11
