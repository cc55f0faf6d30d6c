"""50,000 conversations over five hundred days up to `T`, some of them runs of one job, which the list folds."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.builders import StoreBuilder, T, home_with, store_path

CONVERSATIONS = 50_000
A_DAY = 100
RUN_EVERY = 20
JOB = "5d1f0a77c2e4"
START = T - CONVERSATIONS / A_DAY * 86_400

SESSIONS = """
INSERT INTO sessions (id, source, model, title, started_at, message_count, input_tokens, estimated_cost_usd)
WITH RECURSIVE
    numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count),
    moments AS (SELECT n, :start + n * 86400.0 / :a_day AS moment, n % :run_every = 0 AS is_run FROM numbers)
SELECT
    CASE WHEN is_run THEN 'cron_' || :job || strftime('_%Y%m%d_%H%M%S', moment, 'unixepoch')
        ELSE printf('s%06d', n) END,
    CASE WHEN is_run THEN 'cron' ELSE 'cli' END,
    'anthropic/claude-sonnet-4.5', CASE WHEN is_run THEN NULL ELSE 'Conversation ' || n END, moment, 2, 1000, 0.01
FROM moments
"""
MESSAGES = """
INSERT INTO messages (session_id, role, content, timestamp)
SELECT id, role, role || ' of ' || id, started_at + later
FROM sessions, (SELECT 'user' AS role, 0 AS later UNION ALL SELECT 'assistant', 60)
ORDER BY started_at, later
"""


def make_home(home: Path) -> Path:
    return home_with(home, default=fill)


def fill(store: StoreBuilder) -> None:
    """Numbers count from the oldest on: `s000001` is titled "Conversation 1" and stands last."""
    store.sql("BEGIN")
    named = {"count": CONVERSATIONS, "run_every": RUN_EVERY, "job": JOB, "start": START, "a_day": A_DAY}
    store.sql(SESSIONS, named)
    store.sql(MESSAGES)
    store.sql("COMMIT")


def copy(store: Path, home: Path) -> None:
    """A home of its own for somebody who writes: making the store takes long."""
    home.mkdir(parents=True)
    shutil.copy(store, store_path(home))


if __name__ == "__main__":
    import sys

    make_home(Path(sys.argv[1]))
