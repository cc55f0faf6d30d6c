"""Scheduled jobs: which one a session is a run of, told by its id alone, as Hermes itself does."""

from __future__ import annotations

import re

from hermes_sessions.model.session import Session

SOURCE = "cron"
_RUN = re.compile(r"cron_(.+)_\d{8}_\d{6}", re.DOTALL)


def job_of(session: Session) -> str | None:
    """The job's id; None for what no job ran. Hermes names runs `cron_JOB_YYYYMMDD_HHMMSS`."""
    run = _RUN.fullmatch(session.id) if session.source == SOURCE else None
    return run.group(1) if run is not None else None
