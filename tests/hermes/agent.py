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
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SEEN_SECONDS = 4.0
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


class Shift(threading.Thread):
    """A day of work on one conversation: messages and token counts at a steady rate, and now and then an end with a
    reopening, a compression into a continuation or in place, and a short session beside it that is deleted later.

    Keeps a ledger of what Hermes says it did; an error is written down and does not end the work.
    """

    def __init__(self, agent: Agent, conversation: str, per_second: float, in_place: bool) -> None:
        super().__init__(daemon=True)
        self._agent, self._db = agent, agent.db
        self._conversation, self._pause, self._in_place = conversation, 1 / per_second, in_place
        self._stopped = threading.Event()
        self._errands: list[tuple[str, float]] = []
        self.session = conversation
        self.written: list[tuple[int, str]] = []
        self.carried: list[int] = []
        self.sessions: list[str] = [conversation]
        self.tokens: dict[str, int] = {}
        self.created: list[str] = []
        self.deleted: list[str] = []
        self.errors: list[str] = []
        self.seconds: list[float] = []

    def run(self) -> None:
        step = 0
        while not self._stopped.wait(self._pause):
            step += 1
            self._say(f"{self._conversation}, message {step}", step)
            for every, work in ((5, self._count), (12, self._rest), (20, self._compress), (25, self._run_errand)):
                if step % every == 0:
                    work()
        self._say("the last one", 1)

    def _try(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        started = time.monotonic()
        try:
            return work(*args, **kwargs)
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}")
            return None
        finally:
            self.seconds.append(time.monotonic() - started)

    def _say(self, text: str, step: int) -> None:
        call = {"id": f"c{step}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        columns = {"tool_calls": [call]} if step % 10 == 0 else {}
        self._note(self._try(self._db.append_message, self.session, "assistant", text, **columns))
        if columns:
            self._note(self._try(self._db.append_message, self.session, "tool", "seen", tool_call_id=f"c{step}"))

    def _note(self, number: int | None) -> None:
        if number is not None:
            self.written.append((number, self.session))

    def _count(self) -> None:
        self._try(self._db.update_token_counts, self.session, input_tokens=11, model="m", api_call_count=1)
        self.tokens[self.session] = self.tokens.get(self.session, 0) + 11

    def _rest(self) -> None:
        self._try(self._db.end_session, self.session, "cli_close")
        self._try(self._db.reopen_session, self.session)

    def _compress(self) -> None:
        if self._in_place:
            self._compact()
            return
        continuation = f"{self._conversation}-{len(self.sessions)}"
        self._try(self._agent.compress, self.session, continuation)
        self.session = continuation
        self.sessions.append(continuation)
        self.created.append(continuation)

    def _compact(self) -> None:
        """In place: a summary in front of copies of the newest messages, which keep their moments."""
        kept = self._db.get_messages(self.session)[-3:]
        self._try(self._db.archive_and_compact, self.session, [{"role": "user", "content": "a summary"}, *kept])
        numbers = [message["id"] for message in self._db.get_messages(self.session)]
        self._note(numbers[0])
        self.carried += numbers[1:]

    def _run_errand(self) -> None:
        """A session of its own, deleted when everybody had the time to see it."""
        errand = f"{self._conversation}-errand-{len(self.created)}"
        self._try(self._db.create_session, errand, "cron")
        self._try(self._db.append_message, errand, "user", "a short errand")
        self.created.append(errand)
        self._errands.append((errand, time.monotonic()))
        oldest, begun = self._errands[0]
        if time.monotonic() - begun > SEEN_SECONDS:
            self._errands.pop(0)
            self._try(self._db.delete_session, oldest)
            self.deleted.append(oldest)

    def stop(self) -> dict[str, Any]:
        self._stopped.set()
        self.join()
        told = ("written", "carried", "sessions", "tokens", "created", "deleted", "errors", "seconds")
        return {name: getattr(self, name) for name in told}


class Agent:
    """One open store. Every public method is a request."""

    def __init__(self, complaints: Complaints) -> None:
        self.db: Any = None
        self._path = Path()
        self._complaints = complaints
        self._appending: Appending | None = None
        self._shift: Shift | None = None

    def open(self, path: str) -> int:
        """Open or make a store; gives the schema version that this Hermes knows."""
        self._path = Path(path)
        self.db = hermes_state.SessionDB(db_path=self._path)
        return int(hermes_state.SCHEMA_VERSION)

    def call(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Any method of `SessionDB`."""
        return getattr(self.db, method)(*args, **kwargs)

    def compress(self, session: str, continuation: str) -> None:
        """End a session by compression and go on in a new one, in the steps of Hermes' conversation loop."""
        old = self.db.get_session(session)
        self.db.end_session(session, "compression")
        config = json.loads(old["model_config"]) if old["model_config"] else None
        self.db.create_session(
            continuation, old["source"], model=old["model"], model_config=config, parent_session_id=session
        )
        if old["title"]:
            self.db.set_session_title(continuation, self.db.get_next_title_in_lineage(old["title"]))

    def start_appending(self, session: str, per_second: float) -> None:
        self._appending = Appending(self.db, session, per_second)
        self._appending.start()

    def stop_appending(self) -> dict[str, list[Any]]:
        assert self._appending, "start_appending comes first"
        self._appending.stop()
        return {"written": self._appending.written, "errors": self._appending.errors}

    def start_shift(self, conversation: str, per_second: float, in_place: bool) -> None:
        """Works on a conversation until `end_shift`."""
        self._shift = Shift(self, conversation, per_second, in_place)
        self._shift.start()

    def end_shift(self) -> dict[str, Any]:
        assert self._shift, "start_shift comes first"
        return self._shift.stop()

    def drop_posix_locks(self) -> None:
        """Open and close the store's files as plain ones: POSIX takes all locks of this process on them away."""
        for suffix in ("", "-wal", "-shm"):
            with Path(f"{self._path}{suffix}").open("rb"):
                pass

    def sql(self, statement: str) -> list[list[Any]]:
        """The rows of a statement on Hermes' own connection."""
        return [list(row) for row in self.db._conn.execute(statement)]

    def complaints(self) -> list[str]:
        """What Hermes has logged so far as a warning or worse."""
        return self._complaints.lines

    def close(self) -> None:
        """Close the store in an orderly way; `open` may follow."""
        self.db.close()


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
