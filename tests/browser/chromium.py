"""Finds a Chromium, installs Debian's where that is possible, and says what to do where it is not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

# The same browser without windows takes half of the processor's time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PACKAGES = ("chromium-headless-shell", "chromium")
"""Of Debian; the second is for releases that do not have the first."""
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
VARIABLE = "HERMES_SESSIONS_CHROMIUM"

# As root Chromium has no sandbox to offer; the other flags keep it from talking to anybody of its own accord.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # without a GPU its process only adds work
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # No name leads anywhere, and no address but that of the server under test.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def find_chromium() -> str:
    """The path of a browser. Fails with what to do; a browser test is never skipped."""
    found = _known()
    if found is None and shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        _install()
        found = _known()
    if found is None:
        raise RuntimeError(
            f"The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium), or name its "
            f"path in {VARIABLE}."
        )
    return found


def _known() -> str | None:
    named = os.environ.get(VARIABLE)
    if named:
        return named
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    return on_path or (str(MAC) if MAC.exists() else None)


def _install() -> None:
    _apt("update")
    for package in PACKAGES:
        done = _apt("install", "-y", "--no-install-recommends", package)
        if done.returncode == 0:
            return
    raise RuntimeError(f"Chromium could not be installed: apt-get said\n{done.stderr[-2000:]}")


def _apt(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(["apt-get", *arguments], env=environment, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    print(find_chromium())
