"""What a list costs while an agent works: the real Hermes commits to a copy of the store, ten times a second."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from hermes_sessions.bench.documents import MESSAGE_COUNT
from hermes_sessions.bench.operations import CONVERSATIONS, COUNTS, USAGE
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import Client, api, ended
from hermes_sessions.bench.subjects import Subjects
from hermes_sessions.bench.timing import Ask, Times

COMMITS_PER_SECOND = 10
PAUSE_SECONDS = 0.05
"""Between two questions, as of a dashboard: about every second one is the first after a commit."""
SESSION = "bench-load"
_WRITE = """
import sys, time
from pathlib import Path
from hermes_state import SessionDB
path, session, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
store = SessionDB(db_path=path)
store.create_session(session, "cli", model="made/model")
print("READY", flush=True)
due = time.monotonic()
while True:
    store.append_message(session, "assistant", "One more step is done, and the next one is under way. " * 8)
    due += seconds
    time.sleep(max(0.0, due - time.monotonic()))
"""


def load_rows(copy: Path, subjects: Subjects, hermes: Path, rounds: int) -> list[Row]:
    """`copy` is the home that is written to, `hermes` a Python that has `hermes-agent` installed."""
    with api(copy) as served:
        asks = {each: each.ask(served.client, subjects) for each in (CONVERSATIONS, COUNTS, USAGE)}
        quiet = {each: _paced(ask, rounds) for each, ask in asks.items()}
        with _writing(copy / "state.db", hermes):
            started, before = time.monotonic(), _written(served.client)
            busy = {each: _paced(ask, rounds) for each, ask in asks.items()}
            commits = (_written(served.client) - before) / (time.monotonic() - started)
    return [
        Row(
            "load" if each is CONVERSATIONS else f"load {each.key}",
            f"p95 of {each.name} while Hermes commits {commits:.1f} times a second",
            busy[each].p95,
            against="quiet median",
            base=quiet[each].median,
            sessions=subjects.sessions,
        )
        for each in asks
    ]


def _paced(ask: Ask, rounds: int) -> Times:
    times = Times()
    for turn in range(rounds):
        times.add(ask, turn)
        time.sleep(PAUSE_SECONDS)
    return times


def _written(client: Client) -> int:
    return int(client.ask(MESSAGE_COUNT, {"id": SESSION})["session"]["messageCount"])


@contextlib.contextmanager
def _writing(store: Path, hermes: Path) -> Iterator[None]:
    command = [str(hermes), "-c", _WRITE, str(store), SESSION, str(1 / COMMITS_PER_SECOND)]
    environment = {**os.environ, "HERMES_HOME": str(store.parent)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    with ended(process):
        assert process.stdout is not None
        with process.stdout:
            if process.stdout.readline().strip() != "READY":
                raise RuntimeError("Hermes could not open the copy of the store; its message stands above.")
            yield
