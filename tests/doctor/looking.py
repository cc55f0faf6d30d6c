"""The command `doctor` in a process of its own, and what it must leave as it was."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def doctor(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "backend"),
        "HERMES_SESSIONS_STATE_DIR": str(home.with_name("no-state")),
    }
    command = [sys.executable, "-m", "hermes_sessions", "doctor", "--home", str(home), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def findings(home: Path, *arguments: str) -> dict[str, dict[str, str]]:
    """Code and severity of what is not OK, by profile."""
    document = report(home, *arguments)
    return {
        each["profile"]: {
            finding["code"]: finding["severity"] for finding in each["findings"] if finding["severity"] != "OK"
        }
        for each in document["profiles"]
    }


def report(home: Path, *arguments: str) -> dict[str, Any]:
    done = doctor(home, "--json", *arguments)
    assert done.stderr == ""
    document: dict[str, Any] = json.loads(done.stdout)
    assert document["exitStatus"] == done.returncode
    return document


def files_under(directory: Path) -> dict[str, tuple[str, int, int]]:
    """Every file with its digest, inode and time of change. Only while nobody in this process has one open."""
    return {
        str(path.relative_to(directory)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_ino,
            path.stat().st_mtime_ns,
        )
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
