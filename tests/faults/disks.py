"""Disks that can be full: small file systems in memory."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILLER = "filler"
PIECE = 4096


@contextmanager
def small_disk(folder: Path, megabytes: int = 24) -> Iterator[Path]:
    """A file system of its own on this folder for as long as the block runs."""
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={megabytes}m,mode=700"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", folder], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(
            f"These tests need a disk that can be full. Run them as root where mounting is allowed: {done.stderr}"
        )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def full(disk: Path, left: int = 0) -> Iterator[None]:
    """No more than these bytes can be written there until the end of the block."""
    filler = disk / FILLER
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * PIECE) == PIECE:
                pass
        except OSError:
            pass
        file.truncate(file.tell() - left)
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def read_only(disk: Path) -> Iterator[None]:
    """For as long as the block runs; files that are open stay as they were opened."""
    subprocess.run(["mount", "--bind", disk, disk], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
