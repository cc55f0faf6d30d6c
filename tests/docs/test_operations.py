"""What operators are told to set, to ask and to watch is there, by the names and with the defaults that are written."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from hermes_sessions.settings import SETTINGS, Settings
from hermes_sessions.web.metrics import Metrics, ProfileState
from tests.debian import find_program

ROOT = Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
PAGES = ["docs/operations.md", "SECURITY.md"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", OPERATIONS, re.MULTILINE | re.DOTALL)


def counted() -> set[str]:
    """The names of everything that is counted, without the prefix of ours."""
    text = Metrics("1").text([ProfileState("default", True, "READY", size_bytes=1, wal_bytes=1)]).decode()
    return set(re.findall(r"^# TYPE hermes_sessions_(\w+) ", text, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES)
def test_every_variable_is_a_setting(page: str) -> None:
    named = set(re.findall(r"HERMES_SESSIONS_[A-Z]+(?:_[A-Z]+)*", (ROOT / page).read_text())) - {"HERMES_SESSIONS_NAME"}
    assert named
    assert named <= {setting.variable for setting in SETTINGS}


def test_the_defaults_of_limits_are_those_in_force() -> None:
    [section] = re.findall(r"^## Limits\n(.*?)^## ", OPERATIONS, re.MULTILINE | re.DOTALL)
    told = {}
    for line in section.splitlines():
        if names := re.findall(r"`([A-Z_]+)`", line):
            told.update(zip(names, line.split("|")[3].replace(",000", "000").split(","), strict=True))
    assert len(told) == 19
    for name, text in told.items():
        number, _, unit = text.strip().partition(" ")
        expected = getattr(Settings(), name.lower())
        assert float(number) * {"MB": 1e6}.get(unit, 1) == expected, name


def test_every_metric_is_named_and_every_named_one_is_there() -> None:
    [table] = re.findall(r"^\| metric .*?\n\n", OPERATIONS, re.MULTILINE | re.DOTALL)
    rows = table.strip().splitlines()[2:]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == {name for name in counted() if not name.endswith("_created")}
    watched = set(re.findall(r"hermes_sessions_(\w+)", "".join(blocks("yaml"))))
    assert watched
    assert watched <= told


def test_the_line_of_the_log_is_one() -> None:
    [line] = blocks("json")
    fields = json.loads(line)
    assert fields["message"].endswith(fields["request_id"])
    assert (fields["method"], fields["path"], fields["status"]) == ("POST", "/graphql", 200)


def test_nginx_reads_what_is_proposed(tmp_path: Path) -> None:
    """With a plain port in place of the one with a certificate."""
    [server] = blocks("nginx")
    [connection] = re.findall(r"# (map .*)$", server, re.MULTILINE)
    text = server.replace("listen 443 ssl;", "listen 127.0.0.1:1;")
    path = tmp_path / "nginx.conf"
    path.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{ access_log off;\n{connection}\n{text}\n}}\n")
    command = [find_program("nginx"), "-t", "-e", "stderr", "-c", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "test is successful" in done.stderr
