"""A user who does not own the home gets a look where the system allows one, and a sentence where it does not."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import full_plan, home_with
from tests.doctor.looking import ROOT, files_under

SHUT = (
    "profiles in the Hermes home may not be read and entered by this user, so its profiles are not found. "
    "Run as the directory's owner, or allow it."
)
AS_NOBODY = """
from tests.stores.as_nobody import become_nobody
become_nobody()
from hermes_sessions.cli import main
main()
"""


@pytest.fixture
def home() -> Iterator[Path]:
    """A closed home that every user may enter."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        yield home_with(Path(directory) / "home", default=full_plan)


def doctor_as_nobody(home: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": "backend:.", "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(home.parent)}
    return subprocess.run(
        [sys.executable, "-c", AS_NOBODY, "doctor", "--home", str(home)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_a_store_that_may_be_read_is_looked_at_though_no_sidecar_could_be_made(home: Path) -> None:
    (home / "state.db").chmod(0o644)
    home.chmod(0o555)
    before = files_under(home)
    done = doctor_as_nobody(home)
    assert (done.returncode, done.stderr) == (0, "")
    assert "8 sessions, 1 messages" in done.stdout
    assert "belongs to another user" in done.stdout
    assert files_under(home) == before


def test_a_store_that_may_not_be_read_could_not_be_looked_at(home: Path) -> None:
    (home / "state.db").chmod(0o000)
    done = doctor_as_nobody(home)
    assert (done.returncode, done.stderr) == (2, "")
    assert "may not read the store" in done.stdout


@pytest.mark.parametrize("mode", [0o000, 0o644, 0o711])
def test_profiles_that_may_not_be_looked_for_are_told(home: Path, mode: int) -> None:
    home_with(home, beta=full_plan)
    (home / "state.db").chmod(0o644)
    home.chmod(0o555)
    (home / "profiles").chmod(mode)
    done = doctor_as_nobody(home)
    assert (done.returncode, done.stderr) == (0, f"{SHUT}\n")
    assert "8 sessions, 1 messages" in done.stdout


def test_a_home_that_may_not_be_looked_for_is_told(home: Path) -> None:
    home.chmod(0o700)
    done = doctor_as_nobody(home / "hermes")
    told = f"Error: This user may not look for a Hermes home at {home / 'hermes'}. Name another one with --home DIR.\n"
    assert (done.returncode, done.stderr) == (2, told)
