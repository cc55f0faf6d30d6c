"""`hermes-sessions export` in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import StoreBuilder, full_plan, home_with
from tests.export.hostile import hostile

ROOT = Path(__file__).parents[2]


def export(home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "backend"), "HERMES_SESSIONS_STATE_DIR": str(home / "state")}
    command = [sys.executable, "-m", "hermes_sessions", "export", "--home", str(home), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_with(tmp_path / "home", default=full_plan, other=hostile)


def test_one_session_goes_to_stdout_and_into_a_file(home: Path, tmp_path: Path) -> None:
    done = export(home, "d2", "--scope", "session")
    assert [session["id"] for session in json.loads(done.stdout)["sessions"]] == ["d2"]
    target = tmp_path / "bad.html"
    assert export(home, "bad", "--profile", "other", "--format", "html", "--output", str(target)).returncode == 0
    assert target.read_text().startswith("<!doctype html>")
    assert target.stat().st_mode & 0o077 == 0


def test_a_file_is_only_overwritten_by_force(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "kept.json"
    target.write_text("mine")
    refused = export(home, "d1", "--output", str(target))
    assert refused.returncode == 1
    assert b"--force" in refused.stderr
    assert target.read_text() == "mine"
    assert export(home, "d1", "--output", str(target), "--force").returncode == 0
    assert json.loads(target.read_text())["format"] == "hermes-sessions/1"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["home", "kept.json"]


@pytest.mark.parametrize("arguments", [("nobody",), ("d",), (), ("d1", "--all"), ("--all", "--format", "md")])
def test_a_mistake_is_one_sentence(home: Path, arguments: tuple[str, ...]) -> None:
    done = export(home, *arguments)
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.startswith(b"Error: ")
    assert b"Traceback" not in done.stderr


def test_all_conversations_together_hold_every_session_once(home: Path, tmp_path: Path) -> None:
    assert export(home, "--all", "--output", str(tmp_path / "backup")).returncode == 0
    files = [json.loads(path.read_text()) for path in (tmp_path / "backup").iterdir()]
    exported = [session["id"] for file in files for session in file["sessions"]]
    with StoreBuilder(home / "state.db") as store:
        assert sorted(exported) == sorted(row[0] for row in store.sql("SELECT id FROM sessions"))


def test_a_file_that_cannot_be_made_is_said_in_one_sentence(home: Path, tmp_path: Path) -> None:
    done = export(home, "d1", "--output", str(tmp_path / "nowhere" / "x.json"))
    assert done.returncode == 1
    assert b"x.json cannot be written: No such file or directory." in done.stderr
