"""What operators are told to set, to ask and to watch is there, by the names and with the defaults that are written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hermes_sessions.settings import SETTINGS, Settings
from hermes_sessions.web.metrics import Metrics, ProfileState
from tests.postgres.server import free_port
from tests.web.proxy import nginx_at, nginx_folder
from tests.web.serving import BEARER, TOKEN, Served, serving

ROOT = Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
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
        if (names := re.findall(r"`([A-Z_]+)`", line)) and line.startswith("| "):
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
    assert all(fields.values())  # those that say nothing are left out
    assert (fields["method"], fields["path"], fields["status"]) == ("POST", "/graphql", 200)


def test_nginx_passes_everything_on_as_is_proposed_and_logs_no_query() -> None:
    """With a plain port in place of the one with a certificate."""
    [text] = blocks("nginx")
    port = free_port()
    settings = Settings(token=TOKEN, trusted_host=("sessions.example",))
    with serving(settings) as server, nginx_folder() as folder:
        for proposed, ours in {
            "listen 443 ssl;": f"listen 127.0.0.1:{port};",
            "127.0.0.1:8787": f"127.0.0.1:{server.port}",
            "/var/log/nginx/sessions.log": f"{folder}/access",
        }.items():
            assert proposed in text
            text = text.replace(proposed, ours)
        paths = " ".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
        (folder / "proxy.conf").write_text(f"pid {folder}/pid;\nevents {{}}\nhttp {{ {paths}\n{text}\n}}\n")
        with nginx_at(port, folder):
            proxy = Served(port)
            host = ("Host", f"sessions.example:{port}")
            origin = ("Origin", f"http://sessions.example:{port}")
            answer = proxy.raw("GET", "/readyz?q=somebody", [host, origin, *BEARER.items()])
            assert answer.status == 200
            assert proxy.upgrade([host, origin]).status == 101
            log = (folder / "access").read_text()
    assert "GET /readyz 200 " in log
    assert answer.headers["x-request-id"] in log
    assert "somebody" not in log
