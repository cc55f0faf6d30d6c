"""The unit of systemd: it is one, it shuts out what the server does not need, and leaves it what it does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from hermes_sessions.settings import SETTINGS, Settings
from tests.builders import home_with
from tests.debian import find_program
from tests.processes import ROOT
from tests.web.serving import BEARER, TOKEN

UNIT = ROOT / "deploy" / "hermes-sessions@.service"
MOST_EXPOSURE = 20
"""Of 100; systemd calls anything below 25 OK."""
DOCUMENT = """
    mutation { createSession(input: {id: "one", source: "cli"}) { changedIds userErrors { message } } }
"""


def values(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit as on a machine where its program is."""
    path = tmp_path / UNIT.name
    path.write_text(UNIT.read_text().replace("/opt/hermes-sessions/bin/hermes-sessions", sys.executable))
    return path


def analyze(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [find_program("systemd-analyze"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_reads_it_without_a_complaint(installed: Path) -> None:
    done = analyze("verify", installed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_the_server_does_not_need_is_shut_out(installed: Path) -> None:
    done = analyze("security", "--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSURE}", installed)
    assert done.returncode == 0, done.stdout


def test_its_variables_are_settings_and_its_times_fit() -> None:
    variables = [text.partition("=")[0] for text in values("Environment")]
    assert set(variables) <= {setting.variable for setting in SETTINGS}
    assert int(values("TimeoutStopSec")[0]) > Settings().drain_timeout


def test_the_link_with_the_token_stays_out_of_the_journal() -> None:
    """A made token is printed, as test_a_made_token_is_in_the_link_behind_the_hash shows."""
    assert values("StandardOutput") == ["null"]
    assert values("StandardError") == []  # the journal


def test_the_server_calls_nothing_that_is_filtered_out(tmp_path: Path) -> None:
    """Which calls of the kernel it makes while it starts, reads, writes and stops."""
    home = home_with(tmp_path / "home", default=lambda store: store.session("old", title="An old one"))
    calls = tmp_path / "calls"
    server = [sys.executable, "-m", "hermes_sessions", "serve", "--home", home, "--port", "0", "--no-open"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "backend"),
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "HERMES_SESSIONS_STATE_DIR": str(tmp_path / "state"),
    }
    traced = [find_program("strace"), "--follow-forks", "--quiet=all", "--output", calls, *server]
    with subprocess.Popen(list(map(str, traced)), env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("READY ").strip()
        made = httpx.post(f"{address}/graphql", json={"query": DOCUMENT}, headers=BEARER, timeout=60)
        assert made.json()["data"]["createSession"]["userErrors"] == []
        for target in ("/", "/metrics", "/readyz", "/export/default/old.html"):
            assert httpx.get(f"{address}{target}", headers=BEARER, timeout=60).status_code in (200, 503)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGTERM)
    lines = calls.read_text(errors="replace").splitlines()
    made_calls = {found[1] for line in lines if (found := re.match(r"\d+ +(\w+)\(", line))}
    assert {"openat", "epoll_wait", "sendto", "pwrite64"} & made_calls
    assert made_calls - allowed_calls() == set()
    assert [line for line in lines if "PROT_WRITE|PROT_EXEC" in line] == []  # MemoryDenyWriteExecute


def allowed_calls() -> set[str]:
    """The calls of the groups that the unit allows."""
    [group] = values("SystemCallFilter")
    found: set[str] = set()
    waiting = [group]
    while waiting:
        for line in analyze("syscall-filter", waiting.pop()).stdout.splitlines()[1:]:
            name = line.strip()
            if name.startswith("@"):
                waiting.append(name)
            elif name and not name.startswith("#"):
                found.add(name)
    assert len(found) > 200
    return found
