"""Rule 12 for a user who does not own the store: what may be read is read, nothing is changed, and it is said why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.store_values import StoreStatus
from hermes_sessions.stores import status
from tests.builders import StoreBuilder
from tests.stores.opened import fill

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A store in a directory that every user may enter, with its sidecars, since somebody has it open."""
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory) / "home"
        home.mkdir()
        Path(directory).chmod(0o755)
        home.chmod(0o755)
        with StoreBuilder(home / "state.db") as builder:
            fill(builder)
            yield home / "state.db"
        home.chmod(0o755)


def as_nobody(path: Path) -> dict[str, Any]:
    """What a user who does not own the store finds."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.stores.as_nobody", path],
        cwd=ROOT, env={"PYTHONPATH": "backend:.", "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def modes(path: Path, directory: int, file: int) -> None:
    for suffix in ("", "-wal", "-shm"):
        if Path(f"{path}{suffix}").exists():
            Path(f"{path}{suffix}").chmod(file)
    path.parent.chmod(directory)


def test_a_store_of_another_user_is_read_and_not_changed(shared: Path) -> None:
    modes(shared, 0o777, 0o666)
    answer = as_nobody(shared)
    assert answer["status"] == "READ_ONLY"
    assert "belongs to another user" in answer["reason"]
    assert "ferry" in answer["sessions"]
    assert answer["refused"] == "READ_ONLY"


def test_a_store_that_may_not_be_read_says_so(shared: Path) -> None:
    modes(shared, 0o755, 0o000)
    answer = as_nobody(shared)
    assert (answer["status"], answer["refused"]) == ("UNREACHABLE", "STORE_UNREACHABLE")
    assert "may not read the store" in answer["reason"]


def test_a_directory_that_may_not_be_entered_says_so(shared: Path) -> None:
    shared.parent.chmod(0o000)
    answer = as_nobody(shared)
    assert (answer["status"], answer["refused"]) == ("UNREACHABLE", "STORE_UNREACHABLE")
    assert "directory cannot be read" in answer["reason"]


def test_missing_sidecars_in_a_directory_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "home" / "state.db"
        with StoreBuilder(path) as builder:
            fill(builder)
        Path(directory).chmod(0o755)
        modes(path, 0o555, 0o644)
        answer = as_nobody(path)
        path.parent.chmod(0o755)
    assert (answer["status"], answer["refused"]) == ("UNREACHABLE", "STORE_UNREACHABLE")
    assert "-wal and -shm files are missing" in answer["reason"]


def test_a_store_in_a_directory_that_cannot_be_written_is_read(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its sidecars there. Root may write anywhere, so the file system's word is replaced."""
    Path(f"{filled}-shm").touch()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and not (mode & os.W_OK))
    state = status.look_at(filled, read_only=False)
    assert state.status is StoreStatus.READ_ONLY
    assert "may not write the store or its directory" in (state.reason or "")


def test_another_owner_is_told_from_oneself_and_from_root(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {}
    for name, user in {"owner": filled.stat().st_uid, "root": 0, "other": filled.stat().st_uid + 1}.items():
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        found[name] = status.look_at(filled, read_only=False).status
    assert found == {"owner": StoreStatus.READY, "root": StoreStatus.READY, "other": StoreStatus.READ_ONLY}
