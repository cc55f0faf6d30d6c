"""How long the bin keeps what was deleted: what is overdue is hidden, then removed, whatever the clock says."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_sessions.stores import bin as bin_module
from hermes_sessions.stores import bin_overdue
from hermes_sessions.stores.clock import DAY
from hermes_sessions.stores.database import Connection
from tests.builders import StoreBuilder
from tests.stores.clock import Clock
from tests.stores.opened import bin_of, bin_path, delete, opened
from tests.stores.test_bin import add, rows_of_bin, stored_titles, titles


async def test_an_entry_is_gone_when_its_time_is_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is listed no more at once, and removed by the first deletion that comes a day after another one."""
    bin, clock = bin_of(path, days=30), Clock(monkeypatch)
    await add(bin, "old")
    clock.go_on(20 * DAY)
    await add(bin, "new")
    clock.go_on(11 * DAY)
    assert await titles(bin) == ["new"]
    await add(bin, "newest")
    assert stored_titles(path) == ["old", "new", "newest"]
    clock.go_on(2 * DAY)
    await add(bin, "last")
    assert stored_titles(path) == ["new", "newest", "last"]
    assert rows_of_bin(path, "SELECT count(DISTINCT bin_id) FROM stored_row") == [(3,)]
    assert rows_of_bin(path, "SELECT count(*) FROM link") == [(3,)]


async def test_what_is_overdue_goes_piece_by_piece_and_leaves_no_word(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin, clock = bin_of(path, days=30), Clock(monkeypatch)
    async with bin.new_entry("old", ["old"], 10) as entry:
        await entry.add_rows("messages", ["a secret word"] * 500)
    clock.go_on(31 * DAY)
    await add(bin, "new")
    clock.go_on(2 * DAY)
    assert b"a secret word" in bin_path(path).read_bytes()
    monkeypatch.setattr(bin_overdue, "REMOVING_SECONDS", 0.0)
    for left in (300, 100, 98):
        if left == 98:
            monkeypatch.setattr(bin_overdue, "PIECE_BYTES", 20)
        await add(bin, f"with {left} left")
        assert rows_of_bin(path, "SELECT count(*) FROM stored_row WHERE cells = 'a secret word'") == [(left,)]
        assert "old" not in await titles(bin_of(path, days=365))
    monkeypatch.undo()
    clock = Clock(monkeypatch)
    clock.go_on(33 * DAY)
    await bin.until_free()
    assert "old" not in stored_titles(path)
    assert b"a secret word" not in bin_path(path).read_bytes()


async def test_a_restoration_leaves_no_word_in_it(filled: Path) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "ferry")).bin_id or ""
        assert b"book the ferry" in bin_path(filled).read_bytes()
        await store.restore(entry, dry_run=False)
    assert b"book the ferry" not in bin_path(filled).read_bytes()


@pytest.mark.parametrize("wrong", [-50 * 365 * DAY, -DAY, DAY, 365 * DAY, 14 * 365 * DAY])
async def test_a_clock_that_is_set_wrong_and_right_again_costs_no_entry(
    path: Path, monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    """Neither what was deleted before nor what is deleted meanwhile; all of it is listed all the time."""
    bin, clock = bin_of(path, days=30), Clock(monkeypatch)
    await add(bin, "before")
    for each in (wrong, 2 * abs(wrong), 0):
        clock.set(each)
        for title in ("one", "another"):
            await add(bin, f"{title} at {each}")
        assert len(await titles(bin)) == len(stored_titles(path))
    assert len(stored_titles(path)) == 7


async def test_a_server_that_starts_with_a_wrong_clock_removes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin, clock = bin_of(path, days=30), Clock(monkeypatch)
    await add(bin, "before")
    clock.go_on(365 * DAY)
    for title in ("one", "another"):
        await add(bin, title)
    clock.go_on(-365 * DAY)
    assert set(await titles(bin)) == {"before", "one", "another"}


async def test_a_bin_of_0_days_is_emptied_by_the_next_deletion(filled: Path) -> None:
    await add(bin_of(filled), session="gone")
    async with opened(filled, days=0) as store:
        await delete(store, "ferry")
    assert stored_titles(filled) == []


async def test_the_store_is_free_while_what_is_overdue_goes(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be gigabytes, and the agent would wait."""
    remove, removals = bin_overdue.remove_overdue, list[int]()

    async def removing(connection: Connection, days: int) -> None:
        with StoreBuilder(filled) as agent:
            agent.sql("PRAGMA busy_timeout = 0")
            agent.sql("BEGIN IMMEDIATE")
            await remove(connection, days)
            agent.sql("ROLLBACK")
        removals.append(days)

    await add(bin_of(filled), session="gone")
    monkeypatch.setattr(bin_module, "remove_overdue", removing)
    async with opened(filled, days=0) as store:
        await delete(store, "ferry")
    assert removals == [0]
    assert stored_titles(filled) == []
