"""The virtual environment of the real Hermes, apart from ours: its pins would fight with our own."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".hermes-venv"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
STAMP = VENV / "requirements.sha256"


def hermes_python() -> Path:
    """The Python that has Hermes installed; the first call on a machine makes it, which takes a minute.

    Raises RuntimeError with the installer's last words where that fails.
    """
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not (STAMP.is_file() and STAMP.read_text(encoding="ascii") == wanted):
        run(sys.executable, "-m", "venv", "--clear", str(VENV))
        run(str(_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(REQUIREMENTS))
        STAMP.write_text(wanted, encoding="ascii")
    return _python()


def _python() -> Path:
    return VENV / "Scripts" / "python.exe" if os.name == "nt" else VENV / "bin" / "python"


def run(*command: str) -> None:
    """Run a command; RuntimeError with the end of its output when it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(
            f"The environment for the tests against the real Hermes could not be made in {VENV.name}/.\n"
            f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stdout[-2000:]}"
        )


if __name__ == "__main__":
    print(hermes_python())
