"""The tiny application as a process: its lines, its signals, its log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.web.serving import BEARER, TOKEN

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    ready: str
    link: str

    @property
    def url(self) -> str:
        return self.ready.removeprefix("READY ")

    def ask(self, query: str, headers: Mapping[str, str] = BEARER) -> httpx.Response:
        return httpx.post(f"{self.url}/graphql", json={"query": query}, headers=headers, timeout=20)

    def stop(self) -> tuple[str, str]:
        """What was printed and logged since READY."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=20)


def start(environment: Mapping[str, str]) -> subprocess.Popen[str]:
    variables = {f"HERMES_SESSIONS_{name.upper()}": value for name, value in environment.items()}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.web.tiny_app"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'backend'}", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@contextmanager
def running(**environment: str) -> Iterator[Running]:
    process = start({"port": "0", "token": TOKEN, **environment})
    assert process.stdout is not None
    try:
        yield Running(process, process.stdout.readline().strip(), process.stdout.readline().strip())
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its workers too
        process.communicate()
