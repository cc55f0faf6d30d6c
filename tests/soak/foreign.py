"""Another program that writes to a store as Hermes does: one transaction after the other, at a steady rate.

A script of its own, since two SQLite libraries must not touch one file in one process: `python foreign.py PATH RATE`.
It goes on until its standard input ends, then prints its ledger as one line of JSON.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import threading
import time
from pathlib import Path
from typing import Any

SESSIONS = [f"foreign-{number}" for number in range(8)]
TRIES = 15
"""As often as Hermes tries, with the same time to wait for the lock and the same pauses."""


class Foreign:
    """What it has written, in order, and how long each transaction took with all that it waited for, in seconds."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=1.0, isolation_level=None)
        self._connection.execute("PRAGMA foreign_keys = ON")
        self.written: list[tuple[int, str]] = []
        self.seconds: list[float] = []
        self.errors: list[str] = []
        self.repeated = 0

    def begin(self) -> None:
        for id in SESSIONS:
            self._connection.execute(
                "INSERT INTO sessions (id, source, started_at) VALUES (?, 'foreign', ?)", (id, time.time())
            )

    def write(self, number: int) -> None:
        session = SESSIONS[number % len(SESSIONS)]
        started = time.monotonic()
        try:
            self.written.append((self._repeat(session, f"foreign message {number}, with a word or two"), session))
        except sqlite3.Error as error:
            self.errors.append(f"{type(error).__name__}: {error}")
        self.seconds.append(time.monotonic() - started)

    def _repeat(self, session: str, text: str) -> int:
        for tries_left in reversed(range(TRIES)):
            try:
                return self._append(session, text)
            except sqlite3.OperationalError as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if not tries_left or "locked" not in str(error):
                    raise
                self.repeated += 1
                time.sleep(random.uniform(0.02, 0.15))
        raise AssertionError

    def _append(self, session: str, text: str) -> int:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        added = run(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)",
            (session, text, time.time()),
        ).lastrowid
        run(
            "UPDATE sessions SET message_count = message_count + 1, input_tokens = input_tokens + 7 WHERE id = ?",
            (session,),
        )
        run("COMMIT")
        assert added is not None
        return added

    def ledger(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("written", "seconds", "errors", "repeated")}


def wait_for_the_end(ending: threading.Event) -> None:
    sys.stdin.read()
    ending.set()


def main() -> None:
    path, rate = Path(sys.argv[1]), float(sys.argv[2])
    ending = threading.Event()
    foreign = Foreign(path)
    foreign.begin()
    print("begun", flush=True)
    sys.stdin.readline()
    threading.Thread(target=wait_for_the_end, args=(ending,), daemon=True).start()
    started, number = time.monotonic(), 0
    while not ending.wait(max(0.0, started + number / rate - time.monotonic())):
        foreign.write(number)
        number += 1
    print(json.dumps(foreign.ledger()), flush=True)


if __name__ == "__main__":
    main()
