"""How long a server takes to start on a store, and how much memory it then needs to show all of it."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from hermes_sessions.bench.documents import CONVERSATIONS
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import api

STARTS = 3


def start_times(home: Path, url: str | None = None) -> tuple[float, float]:
    """Seconds to READY, and to the first page of conversations: medians of three starts, Python's own included."""
    ready, shown = [], []
    for _ in range(STARTS):
        with api(home, url=url) as served:
            asked = time.perf_counter()
            served.client.ask(CONVERSATIONS, {})
            ready.append(served.seconds)
            shown.append(served.seconds + time.perf_counter() - asked)
    return statistics.median(ready), statistics.median(shown)


def start_rows(home: Path, sessions: int) -> list[Row]:
    ready, shown = start_times(home)
    return [
        Row("start", "start to READY", ready, "s", sessions=sessions),
        Row("first page", "start to the first page of conversations", shown, "s", sessions=sessions),
    ]


def peak_megabytes(pid: int) -> float | None:
    """The most memory that a process ever held; None where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(found[0]) / 1000 if found else None
