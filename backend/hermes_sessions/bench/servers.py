"""Servers in processes of their own, each asked over one keep-alive connection."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_sessions.bench.wire import Wire, request_bytes
from hermes_sessions.model.ids import DEFAULT_PROFILE

START_SECONDS = 120.0
END_SECONDS = 30.0
IDLE_SECONDS = 3.0
"""A connection that rests for longer is opened anew: servers close it after five seconds."""


class Client:
    """One connection, used again and again. `headers` go with every request."""

    def __init__(self, port: int, headers: Mapping[str, str] | None = None) -> None:
        self.port = port
        self._wire = Wire(port)
        self._headers = dict(headers or {})
        self._last_used = time.monotonic()

    def close(self) -> None:
        self._wire.close()

    def get(self, path: str) -> bytes:
        return self._request("GET", path, b"", self._headers)

    def post(self, path: str, body: bytes) -> bytes:
        return self._request("POST", path, body, {**self._headers, "content-type": "application/json"})

    def _request(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        if time.monotonic() - self._last_used > IDLE_SECONDS:
            self._wire.close()
        status, answer = self._wire.exchange(request_bytes(method, self.port, path, headers, body))
        self._last_used = time.monotonic()
        if status != 200:
            raise RuntimeError(f"{path} answered {status}: {answer[:300]!r}")
        return answer

    def ask(self, document: str, variables: dict[str, Any]) -> dict[str, Any]:
        answer = json.loads(self.post("/graphql", graphql_body(document, variables)))
        if "errors" in answer:
            raise RuntimeError(f"The API answered with errors: {answer['errors'][:2]}")
        data: dict[str, Any] = answer["data"]
        return data


def graphql_body(document: str, variables: dict[str, Any]) -> bytes:
    return json.dumps({"query": document, "variables": variables}).encode()


@dataclass(frozen=True)
class Api:
    """A running server of ours. `seconds` is from its start to READY, with the start of Python."""

    client: Client
    pid: int
    seconds: float


@contextlib.contextmanager
def api(home: Path, workers: int = 1, url: str | None = None) -> Iterator[Api]:
    """Our server on a home, which it only reads; with a URL its default profile is the one that is there."""
    command = [sys.executable, "-m", "hermes_sessions", "serve", "--home", str(home), "--workers", str(workers)]
    command += ["--read-only", "--no-auth", "--no-open", "--port", "0"]
    with tempfile.TemporaryDirectory(prefix="hermes-sessions-bench-") as state:
        environment = {**os.environ, "HERMES_SESSIONS_STATE_DIR": state}
        if url is not None:  # not on the command line, which others see
            environment["HERMES_SESSIONS_PROFILE"] = f"{DEFAULT_PROFILE}={url}"
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        with ended(process):
            assert process.stdout is not None
            ready = process.stdout.readline()
            seconds = time.perf_counter() - started
            if not ready.startswith("READY"):
                raise _not_started()
            with process.stdout, contextlib.closing(Client(int(ready.rpartition(":")[2]))) as client:
                yield Api(client, process.pid, seconds)


@contextlib.contextmanager
def floor(store: Path) -> Iterator[Client]:
    with server([sys.executable, "-m", "hermes_sessions.bench.floor", str(store)]) as client:
        yield client


@contextlib.contextmanager
def server(
    command: Sequence[str], environment: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
) -> Iterator[Client]:
    """A process that listens on a free port, which it is given as its last argument; ended at the end."""
    port = _free_port()
    process = subprocess.Popen(
        [*command, str(port)], stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})}
    )
    with ended(process):
        _wait(port, process)
        with contextlib.closing(Client(port, headers)) as client:
            yield client


@contextlib.contextmanager
def ended(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Ends a process at the end, by force where it does not end when it is asked to."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise _not_started()


def _not_started() -> RuntimeError:
    return RuntimeError("A server did not start; its message stands above.")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
