"""The real Hermes in another process, as tests see it."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.hermes.venv import hermes_python

AGENT = Path(__file__).with_name("agent.py")


class HermesError(Exception):
    """Hermes raised something; the text has its type and message."""


class Appended(NamedTuple):
    """The ids of the messages that were written, and what failed."""

    written: list[int]
    errors: list[str]


class Ledger(NamedTuple):
    """What a shift did by Hermes' own account. Seconds are those of each of its writes, waiting included."""

    written: list[tuple[int, str]]
    """(id, session) of each message in order; summaries are among them."""
    carried: list[int]
    """Ids of copies that compactions in place have made of messages."""
    sessions: list[str]
    tokens: dict[str, int]
    """Input tokens by session."""
    created: list[str]
    deleted: list[str]
    errors: list[str]
    seconds: list[float]


class HermesProcess:
    """A Hermes with one open store; ends when closed, at the latest on leaving the `with` block.

    `home` is where this Hermes may put its own files, apart from the user's real home.
    """

    def __init__(self, home: Path, *, timeout: float = 30.0) -> None:
        self._timeout = timeout
        self._log = home / "hermes.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                # Isolated: beside agent.py in sys.path, its name would hide Hermes' own package `agent`.
                [hermes_python(), "-I", AGENT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | {"HERMES_HOME": str(home), "PYTHONUTF8": "1"},
                text=True,
                encoding="utf-8",
            )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    def open(self, path: Path) -> int:
        """Open or make a store with read and write access; gives the schema version that Hermes knows."""
        return int(self.ask("open", path=str(path)))

    def close(self) -> None:
        """Close the store as a Hermes that ends in order; the process stays and may open another."""
        self.ask("close")

    def call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Any method of `SessionDB`; what it returns must be JSON. Raises HermesError."""
        return self.ask("call", method=method, args=args, kwargs=kwargs)

    def create_session(self, id: str, source: str = "cli", **columns: Any) -> None:
        self.call("create_session", id, source, **columns)

    def append_message(self, session: str, role: str, content: Any, **columns: Any) -> int:
        """Append a message and give its id."""
        return int(self.call("append_message", session, role, content, **columns))

    def end_session(self, id: str, reason: str) -> None:
        self.call("end_session", id, reason)

    def set_session_title(self, id: str, title: str) -> bool:
        return bool(self.call("set_session_title", id, title))

    def get_session(self, id: str) -> dict[str, Any] | None:
        """The session's row by column names, or None."""
        row: dict[str, Any] | None = self.call("get_session", id)
        return row

    def get_messages(self, id: str, *, include_inactive: bool = False) -> list[dict[str, Any]]:
        """The messages of one session in their order, content decoded."""
        rows: list[dict[str, Any]] = self.call("get_messages", id, include_inactive=include_inactive)
        return rows

    def list_sessions(self, limit: int = 20) -> list[dict[str, Any]]:
        """What Hermes' own pickers show."""
        rows: list[dict[str, Any]] = self.call("list_sessions_rich", limit=limit)
        return rows

    def compress(self, session: str, continuation: str) -> None:
        """End a session by compression and go on in `continuation`."""
        self.ask("compress", session=session, continuation=continuation)

    def start_appending(self, session: str, *, per_second: float) -> None:
        """Append messages in the background until `stop_appending`."""
        self.ask("start_appending", session=session, per_second=per_second)

    def stop_appending(self) -> Appended:
        """Stop the background writer and tell what it did."""
        return Appended(**self.ask("stop_appending"))

    def start_shift(self, conversation: str, *, per_second: float, in_place: bool) -> None:
        """Work on a conversation in the background until `end_shift`, with all that an agent does; `in_place` says how
        it compresses."""
        self.ask("start_shift", conversation=conversation, per_second=per_second, in_place=in_place)

    def end_shift(self) -> Ledger:
        """Stop the work and tell what was done."""
        told = self.ask("end_shift")
        return Ledger(**told | {"written": [(number, session) for number, session in told["written"]]})

    def drop_posix_locks(self) -> None:
        """Let Hermes lose its file locks, as a copy of the files by other code of its process does."""
        self.ask("drop_posix_locks")

    def sql(self, statement: str) -> list[list[Any]]:
        """The rows of a statement on Hermes' own connection."""
        rows: list[list[Any]] = self.ask("sql", statement=statement)
        return rows

    def complaints(self) -> list[str]:
        """What Hermes has logged so far as a warning or worse."""
        lines: list[str] = self.ask("complaints")
        return lines

    def kill(self) -> None:
        """End the process at once, without a chance to close anything."""
        self._process.kill()
        self._process.wait()

    def quit(self) -> None:
        """End the process in order when it still runs; kill it when it does not end."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.close()
            self._process.wait(self._timeout)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()
        finally:
            self._process.stdout.close()

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send one request and wait for its answer. Raises HermesError, or RuntimeError when there is none."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self._process.stdin.flush()
        try:
            answer = json.loads(self._lines.get(timeout=self._timeout) or "null")
        except queue.Empty:
            answer = None
        if answer is None:
            raise RuntimeError(f"Hermes did not answer {do!r}:\n{self._log.read_text(errors='replace')[-2000:]}")
        if "error" in answer:
            raise HermesError(answer["error"])
        return answer["result"]

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")
