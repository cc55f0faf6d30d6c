"""nginx with the configuration that a team runs it with, at other addresses."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.debian import find_program
from tests.postgres.server import as_nobody, free_port, give, open_folder

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "proxy.conf"
START_SECONDS = 10.0


@dataclass(frozen=True)
class Proxy:
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def served(self, number: int) -> list[list[str]]:
        """The ports of the servers that were asked, for each request that went on to any; so many are waited for,
        since one is noted after its answer."""
        give_up = time.monotonic() + START_SECONDS
        while True:
            last = [line.split(" ", 6)[-1] for line in self.log.read_text().splitlines()]
            asked = [ports for each in last if (ports := re.findall(r"127\.0\.0\.1:(\d+)", each))]
            if len(asked) >= number or time.monotonic() > give_up:
                return asked
            time.sleep(0.02)


@contextmanager
def proxying(*servers: int) -> Iterator[Proxy]:
    """A proxy before the servers at these two ports."""
    port = free_port()
    with proxy_folder(port, servers) as folder, nginx_at(port, folder):
        yield Proxy(port, folder / "log")


@contextmanager
def nginx_at(port: int, folder: Path) -> Iterator[None]:
    """nginx with the configuration of the folder, which listens at this port."""
    process = run_nginx(folder, "-g", "daemon off;")
    try:
        _until_it_listens(process, port, folder / "log")
        yield
    finally:
        process.terminate()
        process.wait(START_SECONDS)


@contextmanager
def proxy_folder(port: int, servers: Sequence[int]) -> Iterator[Path]:
    """A folder with the configuration, as `proxy.conf`, in which nginx may write."""
    text = CONFIGURATION.read_text().replace("listen 8080;", f"listen 127.0.0.1:{port};")
    for number, server in enumerate(servers, start=1):
        text = text.replace(f"api-{number}:8787", f"127.0.0.1:{server}")
    with nginx_folder() as folder:
        (folder / "proxy.conf").write_text(text.replace("/tmp/", f"{folder}/"))
        yield folder


@contextmanager
def nginx_folder() -> Iterator[Path]:
    """An empty folder in which nginx may write."""
    folder = open_folder("hermes-sessions-proxy-")
    give(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def run_nginx(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """What it says goes to the file `log`."""
    command = [find_program("nginx"), "-e", "stderr", "-c", str(folder / "proxy.conf"), "-p", str(folder), *options]
    with (folder / "log").open("ab") as log:
        give(folder / "log")  # nginx opens it anew, as /dev/stdout
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **as_nobody())


def _until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError(f"nginx did not start:\n{log.read_text()[-2000:]}") from error
            time.sleep(0.02)
