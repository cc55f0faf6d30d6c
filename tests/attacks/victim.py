"""A server in a process of its own that is attacked, and somebody else who asks it all the while."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from tests.api.serving import peak_megabytes
from tests.builders import home_with, plan_chain
from tests.processes import Replica, replica
from tests.web.serving import BEARER

SECONDS = 20
"""What no attack may take, on a machine that others use, too."""
ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Watch:
    """Asks for /healthz again and again, and knows how long it has waited at the longest, in seconds."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)
        self._begun = threading.Event()
        self.longest = 0.0
        self.failures: list[str] = []

    def __enter__(self) -> Watch:
        self._thread.start()
        assert self._begun.wait(SECONDS), self.failures
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()
        assert self.failures == []
        assert 0 < self.longest < SECONDS

    def _ask(self) -> None:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=SECONDS) as connection:
                while not self._stopped.wait(0.005):
                    begun = time.monotonic()
                    connection.sendall(ASKED)
                    if not connection.recv(65_536).startswith(b"HTTP/1.1 200"):
                        self.failures.append("no answer")
                        return
                    self.longest = max(self.longest, time.monotonic() - begun)
                    self._begun.set()
        except OSError as error:
            self.failures.append(str(error))


@dataclass(frozen=True)
class Victim:
    home: Path
    server: Replica
    client: httpx.Client

    def post(self, body: bytes) -> httpx.Response:
        return self.client.post("/graphql", content=body, headers={"content-type": "application/json"})

    def connect(self, data: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=SECONDS)
        connection.sendall(data)
        return connection

    def peak(self) -> float:
        """In megabytes."""
        return peak_megabytes(self.server.pid)

    def new_peak(self) -> float:
        """In megabytes, of what is held now: what earlier attacks took is forgotten."""
        Path(f"/proc/{self.server.pid}/clear_refs").write_text("5")
        return self.peak()

    def worked(self) -> float:
        """Seconds of a processor: whatever else a machine does, they are those of this server."""
        times = psutil.Process(self.server.pid).cpu_times()
        return float(times.user + times.system)

    def descriptors(self) -> int:
        return int(psutil.Process(self.server.pid).num_fds())

    def connections(self) -> int:
        """Of clients, also those that have left while the server has not closed."""
        return sum(each.status != "LISTEN" for each in psutil.Process(self.server.pid).net_connections())

    def threads(self) -> int:
        return int(psutil.Process(self.server.pid).num_threads())

    def is_well(self) -> None:
        """Another client is answered, from the store."""
        assert self.server.ask('{ session(id: "d1") { id } }') == {"data": {"session": {"id": "d1"}}}


def eventually(holds: Callable[[], bool], seconds: float = SECONDS) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it does not come true"
        time.sleep(0.02)


def heads(*lines: str) -> bytes:
    """The head of a request of somebody who has the token; the first line is that of the request."""
    token = f"Authorization: {BEARER['authorization']}"
    return "\r\n".join([lines[0], "Host: localhost", token, *lines[1:], "", ""]).encode()


@contextmanager
def attacked(folder: Path, **environment: str) -> Iterator[Victim]:
    """A server that has answered a few questions, so that what grows afterwards is the attack's. Nothing that it is
    sent may be unexpected: no traceback is in its log."""
    home = home_with(folder / "home", default=plan_chain)
    variables = {f"HERMES_SESSIONS_{name.upper()}": text for name, text in environment.items()}
    with (
        replica(folder / "server", "--home", str(home), environment=variables) as server,
        closing(server.client()) as client,
    ):
        client.timeout = httpx.Timeout(6 * SECONDS)
        victim = Victim(home, server, client)
        victim.is_well()
        yield victim
        assert "Traceback" not in server.log.read_text()
