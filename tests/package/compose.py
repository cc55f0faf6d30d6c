"""`docker-compose.yml` as it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"
_ROOTS = {"", "0", "root"}


def services() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text())["services"])


def started(*profiles: str) -> set[str]:
    """What `docker compose up` starts with these profiles, in Docker's words where it is there, else in the file's."""
    if _has_compose():
        options = [part for profile in profiles for part in ("--profile", profile)]
        command = ["docker", "compose", *options, "config", "--services"]
        environment = {**os.environ, "HERMES_SESSIONS_TOKEN": "a-token"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        return set(done.stdout.split())
    found = services().items()
    return {name for name, each in found if not each.get("profiles") or set(each["profiles"]) & set(profiles)}


def _has_compose() -> bool:
    asked = ["docker", "compose", "version"]
    return (
        shutil.which("docker") is not None and subprocess.run(asked, capture_output=True, check=False).returncode == 0
    )


def needed_by(name: str) -> set[str]:
    """The service and all that it waits for."""
    waited = services()[name].get("depends_on", {})
    return {name}.union(*(needed_by(each) for each in waited))


def variables(pattern: str = r"\$\{(\w+)(:?[?-][^}]*)?\}") -> dict[str, str]:
    """Names with what follows them, as `:?` and a sentence."""
    return {match[1]: match[2] or "" for match in re.finditer(pattern, FILE.read_text())}


def is_root(user: str) -> bool:
    """Of `USER`, `USER:GROUP` or a variable with such a default."""
    default = re.sub(r"\$\{\w+:-(\w+)\}", r"\1", user)
    return default.partition(":")[0] in _ROOTS


def instructions(name: str) -> list[str]:
    """The arguments of an instruction in the last stage of the Dockerfile."""
    last = re.split(r"^FROM .*$", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)[-1]
    return re.findall(rf"^{name} (.*)$", last, flags=re.MULTILINE)
