"""System calls of a running process that fail, injected from outside."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.debian import find_program

ATTACHED_SECONDS = 10.0


@contextmanager
def failing(pid: int, calls: str, error: str, folder: Path, *paths: Path) -> Iterator[None]:
    """These calls of the process fail with this error until the end of the block, on these paths alone. Fails where the
    system does not let one process look into another."""
    said = folder / "strace"
    with said.open("w") as log:
        process = subprocess.Popen(
            [
                find_program("strace"), "-f", "-p", str(pid), "-o", "/dev/null", "-e", f"trace={calls}",
                "-e", f"inject={calls}:error={error}", *(f"--trace-path={path}" for path in paths),
            ],
            stderr=log,
        )  # fmt: skip
    try:
        deadline = time.monotonic() + ATTACHED_SECONDS
        while "attached" not in said.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"These tests need ptrace, which is not allowed here: {said.read_text()}")
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(10)
