"""The example that changes something changes what it says, and nothing else."""

from __future__ import annotations

import time

from tests.examples.conftest import Demo

DAYS = 7
DAY = 86_400


def archived(demo: Demo) -> dict[str, int]:
    with demo.store("work") as store:
        return dict(store.sql("SELECT id, archived FROM sessions"))


def old_runs(demo: Demo) -> set[str]:
    """Sessions of conversations that a cron job began, that are not archived and were last active before."""
    before, forest = time.time() - DAYS * DAY, demo.forest("work")
    return {
        segment.id
        for conversation in forest.conversations.values()
        if conversation.head.source == "cron" and not conversation.tip.archived
        and (conversation.last_active_at or 0) < before
        for segment in conversation.segments
    }  # fmt: skip


def test_old_runs_are_archived_after_a_dry_run_that_names_them(demo: Demo) -> None:
    before, expected = archived(demo), old_runs(demo)
    assert len(expected) > 2
    assert any(name.startswith("cron_") for name in before.keys() - expected)
    arguments = ["--profile", "work", "--older-than", str(DAYS)]

    *named, last = demo.lines("archive_cron_runs.py", *arguments, "--dry-run")
    assert set(named) == expected
    assert last.startswith(f"{len(expected)} sessions would be archived")
    assert archived(demo) == before

    *named, last = demo.lines("archive_cron_runs.py", *arguments)
    assert set(named) == expected
    assert last.startswith(f"{len(expected)} sessions archived")
    assert archived(demo) == before | dict.fromkeys(expected, 1)

    assert demo.lines("archive_cron_runs.py", *arguments)[0].startswith("0 sessions archived")
