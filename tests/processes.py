"""The command `serve` in processes of their own, of whatever home or profiles its options name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.api.serving import Json
from tests.web.serving import BEARER, TOKEN

ROOT = Path(__file__).parents[1]
STOP_SECONDS = 20.0
PROGRAM = "hermes_sessions"


@dataclass(frozen=True)
class Replica:
    """A running server. `log` is what it says on standard error, every request among it."""

    port: int
    pid: int
    log: Path

    def client(self, profile: str | None = None) -> httpx.Client:
        return client_of(self.port, profile)

    def ask(self, query: str, profile: str | None = None, **variables: object) -> Json:
        """The whole answer."""
        with self.client(profile) as client:
            answer = client.post("/graphql", json={"query": query, "variables": variables})
            return dict(answer.json())


def client_of(port: int, profile: str | None = None) -> httpx.Client:
    """For a server or the proxy at this port."""
    parameters = {} if profile is None else {"profile": profile}
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}", headers=BEARER, params=parameters, timeout=60, verify=False
    )


def run_command(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
    """A command that ends by itself. Fails with what it said."""
    done = subprocess.run(
        _command(arguments), env=_environment(folder, environment), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@contextmanager
def replica(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None, module: str = PROGRAM
) -> Iterator[Replica]:
    """`serve` with these arguments on a free port, ended as an operator ends it. `folder` is of this server alone, and
    the home of its user. `module` is what runs the command line."""
    folder.mkdir(parents=True, exist_ok=True)
    command = _command(["serve", "--port", "0", "--no-open", "--log-level", "info", *arguments], module)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=_environment(folder, environment)
        )
    assert process.stdout is not None
    with process, process.stdout:
        try:
            ready = process.stdout.readline()
            assert ready.startswith("READY "), (folder / "log").read_text()
            port = urlsplit(ready.removeprefix("READY ").strip()).port
            assert port is not None
            yield Replica(port, process.pid, folder / "log")
            process.terminate()
            process.wait(STOP_SECONDS)
        finally:
            process.kill()  # one that did not end


def _command(arguments: Iterable[str], module: str = PROGRAM) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _environment(folder: Path, further: Mapping[str, str] | None) -> dict[str, str]:
    """Nothing of whoever runs the tests: neither their Hermes home nor what they keep for PostgreSQL."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("HERMES", "PG"))}
    return {
        **kept,
        "HOME": str(folder),
        "PYTHONPATH": os.pathsep.join(
            [str(ROOT / "backend"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        ),
        "HERMES_SESSIONS_HOME": "",
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "HERMES_SESSIONS_STATE_DIR": str(folder / "state"),
        **(further or {}),
    }
