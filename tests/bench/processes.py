"""Which processes a test has started, whoever started them on its behalf."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

Pids = Callable[[], set[int]]
PATIENCE = 10.0
"""Seconds in which a process ends whose parent has: Python's trackers in servers look for that themselves."""


@contextlib.contextmanager
def marked_processes() -> Iterator[Pids]:
    """Processes get the environment of who starts them: a name in it marks them all, also those of other parents."""
    mark = f"HERMES_SESSIONS_TEST_{secrets.token_hex(8)}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(mark, "1")
        # Python's own tracker of what its pools share ends with the process that has started it.
        yield lambda: {pid for pid in _pids() if mark.encode() in _environment(pid)} - {os.getpid(), _tracker()}


def left_of(running: Pids) -> set[int]:
    """The processes that do not end."""
    give_up = time.monotonic() + PATIENCE
    while (left := running()) and time.monotonic() < give_up:
        time.sleep(0.05)
    return left


def _tracker() -> int | None:
    pid: int | None = resource_tracker._resource_tracker._pid  # type: ignore[attr-defined]
    return pid


def _pids() -> Iterator[int]:
    return (int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit())


def _environment(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""
