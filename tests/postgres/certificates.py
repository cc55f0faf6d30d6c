"""Certificates of one's own, made by openssl."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.debian import find_program
from tests.postgres.server import give, open_folder


@dataclass(frozen=True)
class Certificate:
    """Signed by itself, so that whoever trusts it takes it for its own authority."""

    file: Path
    key: Path


@contextmanager
def certificates(*addresses: str) -> Iterator[list[Certificate]]:
    """One for each IP address of a host."""
    folder = open_folder("hermes-sessions-certificates-")
    try:
        yield [_made(folder / str(number), each) for number, each in enumerate(addresses)]
    finally:
        shutil.rmtree(folder)


def _made(stem: Path, address: str) -> Certificate:
    made = Certificate(stem.with_suffix(".crt"), stem.with_suffix(".key"))
    command = [find_program("openssl"), "req", "-x509", "-days", "2", "-nodes", "-subj", f"/CN={address}"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-addext", f"subjectAltName=IP:{address}"]
    subprocess.run([*command, "-out", str(made.file), "-keyout", str(made.key)], capture_output=True, check=True)
    give(made.key)  # readable by the server alone
    return made
