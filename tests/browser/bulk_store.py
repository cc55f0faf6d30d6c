"""A home with many conversations in two profiles, and what a test wants to know of it before and after a change."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.builders import StoreBuilder, home_with, store_path

RUNS = 130
"""More than a page of the list holds."""
CHATS = 20
HOUR = 3600
DAY = 24 * HOUR


def make_home(home: Path) -> Path:
    return home_with(home, default=fill_default, work=fill_work)


def add(store: StoreBuilder, id: str, ago: float, **cells: Any) -> None:
    at = time.time() - ago
    store.session(id, start=at, end=at + 60, **cells)
    store.message(id, content=f"About {id}", at=at + 30)


def fill_default(store: StoreBuilder) -> None:
    for number in range(CHATS):
        add(store, f"chat{number:02}", (number + 1) * HOUR, title=f"Chat {number:02}")
    for number in range(RUNS):
        add(store, f"run{number:03}", (number + 40.5) * HOUR, source="cron", title=f"Run {number:03}", cost=0.01)
    add(store, "old", 400 * DAY, title="An old beginning", cost=1.5)
    add(store, "twig", 1.5 * HOUR, title="A young branch", parent="old", branched_from="old")


def fill_work(store: StoreBuilder) -> None:
    for number in range(8):
        add(store, f"work{number}", (number + 1) * HOUR, title=f"Work {number}")


def contents(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that holds what people wrote, of both profiles."""
    tables = ("sessions", "messages", "session_model_usage")
    found = {}
    for profile in ("default", "work"):
        with StoreBuilder(store_path(home, profile)) as store:
            for table in tables:
                found[f"{profile} {table}"] = store.sql(f"SELECT * FROM {table} ORDER BY 1, 2, 3")
    return found


def archived(home: Path, profile: str = "default") -> set[str]:
    with StoreBuilder(store_path(home, profile)) as store:
        return {row[0] for row in store.sql("SELECT id FROM sessions WHERE archived = 1")}


def ids(home: Path) -> set[str]:
    with StoreBuilder(store_path(home)) as store:
        return {row[0] for row in store.sql("SELECT id FROM sessions")}
