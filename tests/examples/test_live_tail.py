"""The live tail prints every message once and in order, while an agent writes and the server is restarted."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.api.serving import TOKEN, process_serving
from tests.builders import StoreBuilder, home_with, store_path
from tests.examples.conftest import EXAMPLES, Demo


def begun(store: StoreBuilder) -> None:
    store.session("talk", start=time.time())
    store.message("talk", content="of before")


class Tail:
    """The running program. `lines` are those that it has printed so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.lines: list[str] = []
        self._process = process
        self._printed: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._printed.put(line.rstrip("\n"))

    def wait_for(self, line: str) -> None:
        while not self.lines or self.lines[-1] != line:
            self.lines.append(self._printed.get(timeout=20))


@contextmanager
def tailing(port: int, home: Path) -> Iterator[Tail]:
    url = f"http://127.0.0.1:{port}/graphql"
    environment = os.environ | {"HERMES_SESSIONS_TOKEN": TOKEN}
    with (home / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "live_tail.py"), "talk", "--url", url],
            env=environment, stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
        with process:
            try:
                yield Tail(process)
            finally:
                process.kill()


def test_messages_come_once_and_in_order_over_a_restart_and_a_compression(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=begun)

    def write(first: int, last: int, session: str = "talk") -> None:
        for number in range(first, last):
            agent.message(session, content=f"message {number}", at=time.time())

    with StoreBuilder(store_path(home)) as agent, ExitStack() as server, ExitStack() as program:
        client, _ = server.enter_context(process_serving(home))
        port = client.base_url.port
        assert port
        tail = program.enter_context(tailing(port, home))
        tail.wait_for("=== talk")
        write(0, 10)
        tail.wait_for("message 9")
        server.close()
        write(10, 15)
        agent.set("sessions", "talk", ended_at=time.time(), end_reason="compression")
        agent.session("talk-2", start=time.time(), parent="talk")
        write(15, 20, "talk-2")
        server.enter_context(process_serving(home, port=port))
        tail.wait_for("message 19")
        write(20, 30, "talk-2")
        tail.wait_for("message 29")
    assert [line for line in tail.lines if line.startswith("message ")] == [f"message {number}" for number in range(30)]
    heads = [int(found[1]) for line in tail.lines if (found := re.match(r"#(\d+) user", line))]
    assert heads == list(range(2, 32))
    assert [line for line in tail.lines if line.startswith("===")] == ["=== talk", "=== talk-2"]
    assert set((home / "errors.txt").read_text().splitlines()) == {"The connection is lost; trying again."}


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (["nobody"], {}, "No conversation"),
        (["x"], {"HERMES_SESSIONS_TOKEN": "wrong"}, "Check --url and --token."),
        (["x", "--url", "http://127.0.0.1:1/graphql"], {}, "Check --url and --token."),
        (["x", "--profile", "nobody"], {}, "There is no profile nobody."),
    ],
)
def test_what_goes_wrong_at_first_is_one_sentence(
    demo: Demo, arguments: list[str], environment: dict[str, str], sentence: str
) -> None:
    done = demo.run("live_tail.py", *arguments, **environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
