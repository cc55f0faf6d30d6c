"""Asks pip-audit and npm audit about everything that is locked: `python -m tests.audits.dependencies`.

Ends with 0 where all was audited and nothing above low was found, 1 with findings, 2 where something could not be
audited. What it is, and which lower findings there are, is told in any case.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.audits.judging import Json, Locked, Report, npm_report, python_report, status_of
from tests.processes import ROOT

SECONDS = 300


def locked_in_python(lock: Path) -> list[Locked]:
    """Of lines `name==version`."""
    pairs = (line.split("==") for line in lock.read_text().splitlines())
    return [Locked(name, version) for name, version in pairs]


def locked_in_npm(lock: Path) -> list[Locked]:
    """Every package of a `package-lock.json` but the project itself."""
    packages = json.loads(lock.read_text())["packages"]
    return [Locked(path.rpartition("node_modules/")[2], each["version"]) for path, each in packages.items() if path]


def ask_pip_audit(lock: Path, *options: str) -> Report:
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(lock), "--no-deps", "--disable-pip"]
    answer, said = _ask([*command, "--format", "json", "--progress-spinner", "off", *options], lock.parent)
    return python_report(locked_in_python(lock), answer, said)


def ask_npm(folder: Path, *options: str) -> Report:
    npm = shutil.which("npm")
    answer, said = None, "npm is not on the PATH"
    if npm is not None:
        answer, said = _ask([npm, "audit", "--json", "--package-lock-only", *options], folder)
    return npm_report(locked_in_npm(folder / "package-lock.json"), answer, said)


def _ask(command: Sequence[str], folder: Path) -> tuple[Json | None, str]:
    """The JSON that the command writes, whatever it ends with, and the last line that it says beside it."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {SECONDS} seconds"
    said = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, said
    return (answer, said) if isinstance(answer, dict) else (None, said)


def main() -> int:
    reports = [ask_pip_audit(ROOT / "requirements.lock"), ask_npm(ROOT / "frontend")]
    for report in reports:
        print("\n".join(report.lines()))
    status = status_of(reports)
    print(f"{status.name.lower().replace('_', ' ')}: status {status.value}")
    return status.value


if __name__ == "__main__":
    sys.exit(main())
