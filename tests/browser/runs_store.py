"""A store of somebody whose cron job runs all morning."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.builders import StoreBuilder

MORNING = datetime(2025, 6, 14, 10, tzinfo=UTC)
RUNS = 130


def fill(store: StoreBuilder) -> None:
    """More runs of one job in a day than two pages hold, between two chats, and one run on another day."""
    for number in range(RUNS):
        run(store, MORNING + timedelta(minutes=number))
    run(store, MORNING - timedelta(days=1))
    for name, moment in {"Before": MORNING - timedelta(minutes=5), "After": MORNING + timedelta(hours=3)}.items():
        store.session(name, start=moment.timestamp(), end=moment.timestamp() + 9, end_reason="user_exit", title=name)
        store.message(name, at=moment.timestamp())


def run(store: StoreBuilder, moment: datetime) -> None:
    id = f"cron_abc123_{moment:%Y%m%d_%H%M%S}"
    start = moment.timestamp()
    store.session(id, "cron", start=start, end=start + 9, end_reason="cron_complete", cost=0.01)
    store.message(id, content="[SYSTEM: You are running as a scheduled cron job.] Look at the tide", at=start)
