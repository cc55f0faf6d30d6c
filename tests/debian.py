"""Finds a program, installs Debian's where that is possible, and says what to do where it is not."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin")
"""Of servers, which are not on the path of every user."""
PROGRAMS = ("faketime", "nginx", "openssl", "pgbouncer", "strace", "systemd-analyze")
"""All that the tests need."""
PACKAGES = {"systemd-analyze": "systemd"}
"""Of programs that are not called as their package."""


def find_program(name: str) -> str:
    """The path of a program. Fails with what to do; a test that needs it is never skipped."""
    found = _known(name)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        with (Path(tempfile.gettempdir()) / "hermes-sessions-installing").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # other workers want the same
            found = _known(name) or _installed(name)
    if found is None:
        raise RuntimeError(
            f"These tests need {name}. Install it (Debian: apt-get install {_package(name)}) on the PATH."
        )
    return found


def _known(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *SYSTEM_FOLDERS]))


def _installed(name: str) -> str | None:
    _apt("update")
    done = _apt("install", "-y", "--no-install-recommends", _package(name))
    if done.returncode != 0:
        raise RuntimeError(f"{name} could not be installed: apt-get said\n{done.stderr[-2000:]}")
    return _known(name)


def _package(name: str) -> str:
    return PACKAGES.get(name, name)


def _apt(*arguments: str) -> subprocess.CompletedProcess[str]:
    # At run level 1 a package does not start its service.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    return subprocess.run(["apt-get", *arguments], env=environment, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    print(*map(find_program, PROGRAMS))
