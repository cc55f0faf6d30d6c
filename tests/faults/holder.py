"""Holds a lock of a store until its input ends: python -m tests.faults.holder STORE "BEGIN IMMEDIATE" ..."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from tests.processes import ROOT


@contextmanager
def held(path: Path, *statements: str) -> Iterator[subprocess.Popen[str]]:
    """Another process has run these statements on the store, by default to take its write lock, and stays."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.holder", str(path), *(statements or ("BEGIN IMMEDIATE",))],
        cwd=ROOT, env={"PYTHONPATH": "backend:."}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    with process:
        try:
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def main(path: str, *statements: str) -> None:
    connection = apsw.Connection(path)
    connection.set_busy_timeout(5000)
    for statement in statements:
        connection.execute(statement).fetchall()
    print("held", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
