"""Hermes' own `SessionDB` behind a line protocol: one JSON request a line on stdin, one JSON answer a line on stdout.

Runs in Hermes' virtual environment, where nothing of this project is installed. A request is `{"do": name, ...}` with
the named method's arguments; the answer is `{"result": ...}` or `{"error": "Type: message"}`.
"""

from __future__ import annotations

import importlib
import json
import logging
import sys
import threading
from pathlib import Path
from typing import Any

hermes_state: Any = importlib.import_module("hermes_state")


class Complaints(logging.Handler):
    """Keeps what Hermes logs as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Appending(threading.Thread):
    """Appends messages at a steady rate until stopped; an error is counted and does not end it."""

    def __init__(self, db: Any, session: str, per_second: float) -> None:
        super().__init__(daemon=True)
        self._db, self._session, self._pause = db, session, 1 / per_second
        self._stopped = threading.Event()
        self.written: list[int] = []
        self.errors: list[str] = []

    def run(self) -> None:
        while not self._stopped.wait(self._pause):
            try:
                self.written.append(self._db.append_message(self._session, "user", f"message {len(self.written)}"))
            except Exception as error:
                self.errors.append(f"{type(error).__name__}: {error}")

    def stop(self) -> None:
        self._stopped.set()
        self.join()


class Agent:
    """One open store. Every public method is a request."""

    def __init__(self, complaints: Complaints) -> None:
        self._db: Any = None
        self._path = Path()
        self._complaints = complaints
        self._appending: Appending | None = None

    def open(self, path: str) -> int:
        """Open or make a store; gives the schema version that this Hermes knows."""
        self._path = Path(path)
        self._db = hermes_state.SessionDB(db_path=self._path)
        return int(hermes_state.SCHEMA_VERSION)

    def call(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Any method of `SessionDB`."""
        return getattr(self._db, method)(*args, **kwargs)

    def compress(self, session: str, continuation: str) -> None:
        """End a session by compression and go on in a new one, in the steps of Hermes' conversation loop."""
        old = self._db.get_session(session)
        self._db.end_session(session, "compression")
        config = json.loads(old["model_config"]) if old["model_config"] else None
        self._db.create_session(
            continuation, old["source"], model=old["model"], model_config=config, parent_session_id=session
        )
        if old["title"]:
            self._db.set_session_title(continuation, self._db.get_next_title_in_lineage(old["title"]))

    def start_appending(self, session: str, per_second: float) -> None:
        self._appending = Appending(self._db, session, per_second)
        self._appending.start()

    def stop_appending(self) -> dict[str, list[Any]]:
        assert self._appending, "start_appending comes first"
        self._appending.stop()
        return {"written": self._appending.written, "errors": self._appending.errors}

    def drop_posix_locks(self) -> None:
        """Open and close the store's files as plain ones: POSIX takes all locks of this process on them away."""
        for suffix in ("", "-wal", "-shm"):
            with Path(f"{self._path}{suffix}").open("rb"):
                pass

    def sql(self, statement: str) -> list[list[Any]]:
        """The rows of a statement on Hermes' own connection."""
        return [list(row) for row in self._db._conn.execute(statement)]

    def complaints(self) -> list[str]:
        """What Hermes has logged so far as a warning or worse."""
        return self._complaints.lines

    def close(self) -> None:
        """Close the store in an orderly way; `open` may follow."""
        self._db.close()


def answer(agent: Agent, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"result": getattr(agent, request.pop("do"))(**request)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    agent = Agent(complaints)
    requests, answers = sys.stdin, sys.stdout
    sys.stdout = sys.stderr  # what Hermes prints must not get between the answers
    for line in requests:
        print(json.dumps(answer(agent, json.loads(line)), default=repr), file=answers, flush=True)


if __name__ == "__main__":
    main()
