"""Which sessions are runs of a scheduled job."""

from __future__ import annotations

import pytest

from hermes_sessions.model.jobs import job_of
from hermes_sessions.model.session import Session


@pytest.mark.parametrize(
    ("id", "source", "job"),
    [
        ("cron_5d1f0a77c2e4_20260201_070000", "cron", "5d1f0a77c2e4"),
        ("cron_my_job_20260201_070000_20260202_070000", "cron", "my_job_20260201_070000"),
        ("cron_日本_20260201_070000", "cron", "日本"),
        ("cron_5d1f0a77c2e4_20260201_070000", "cli", None),
        ("cron_5d1f0a77c2e4_20260201_070000_2", "cron", None),
        ("cron_5d1f0a77c2e4_20260201_07000", "cron", None),
        ("xcron_5d1f0a77c2e4_20260201_070000", "cron", None),
        ("cron__20260201_070000", "cron", None),
        ("cron_20260201_070000", "cron", None),
        ("20260201_070000_abc123", "cron", None),
    ],
)
def test_the_id_and_the_source_tell(id: str, source: str, job: str | None) -> None:
    assert job_of(Session(id, source)) == job
