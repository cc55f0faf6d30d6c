"""The two ways to serve in containers: what starts, as whom, and who can reach it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_sessions.settings import SETTINGS, Settings, read_settings
from tests.api.serving import process_serving
from tests.builders import full_plan, home_with
from tests.package.compose import (
    FILE,
    ROOT,
    instructions,
    is_root,
    needed_by,
    services,
    started,
    variables,
)
from tests.web.proxy import proxy_folder, run_nginx
from tests.web.serving import TOKEN

TEAM = {"postgres", "migrate", "api-1", "api-2", "proxy"}
ONCE = {"migrate"}
"""They end, and need no sign of life."""


def test_the_home_is_the_default_and_the_team_is_what_its_proxy_needs() -> None:
    assert started() == {"app"}
    assert started("team") == {"app", *TEAM}
    assert needed_by("proxy") == TEAM
    commands = re.findall(r"docker compose .*", FILE.read_text())
    assert commands == ["docker compose up", "docker compose --profile team up proxy"]


@pytest.mark.parametrize("name", sorted({"app", *TEAM} - ONCE))
def test_every_service_that_stays_is_looked_after(name: str) -> None:
    service = services()[name]
    own = service.get("healthcheck", {}).get("test")
    assert own or ("build" in service and instructions("HEALTHCHECK"))
    assert service["restart"] == "unless-stopped"


def test_the_sign_of_life_is_that_the_stores_can_be_read(tmp_path: Path) -> None:
    _, program, *arguments = services()["api-1"]["healthcheck"]["test"]
    assert program == "python"
    environment = {**os.environ, "HERMES_SESSIONS_TOKEN": TOKEN}
    with process_serving(home_with(tmp_path / "home", default=full_plan)) as (client, _):
        here = [each.replace(":8787/", f":{client.base_url.port}/") for each in arguments]
        assert subprocess.run([sys.executable, *here], env=environment, check=False).returncode == 0
    done = subprocess.run([sys.executable, *here], env=environment, capture_output=True, check=False)
    assert done.returncode != 0


def test_what_runs_once_ends_before_the_servers_begin() -> None:
    for name in ONCE:
        assert services()[name]["restart"] == "no"
    for name in ("api-1", "api-2"):
        assert services()[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


@pytest.mark.parametrize("name", sorted({"app", *TEAM}))
def test_nothing_runs_as_root(name: str) -> None:
    service = services()[name]
    assert not is_root(service.get("user", ""))
    if "build" in service:
        assert not is_root(instructions("USER")[-1])


@pytest.mark.parametrize("name", sorted({"app", *TEAM}))
def test_ports_are_open_on_this_machine_alone(name: str) -> None:
    for port in services()[name].get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port)
    assert bool(services()[name].get("ports")) == (name in ("app", "proxy"))


def test_images_have_a_version() -> None:
    for service in services().values():
        assert "build" in service or re.search(r":\d", service["image"])


def test_no_secret_is_written_and_the_token_is_demanded() -> None:
    """The password cannot be demanded here: the way without it reads the same file. PostgreSQL demands it."""
    assert variables()["HERMES_SESSIONS_TOKEN"].startswith(":?")
    assert variables()["POSTGRES_PASSWORD"] == ":-"
    for service in services().values():
        for name, value in service.get("environment", {}).items():
            if re.search("TOKEN|PASSWORD", name):
                assert re.fullmatch(r"\$\{\w+:[?-][^}]*\}", value)
    assert not re.search(r"://[^@/\s]+:[^@/\s]+@", FILE.read_text())


@pytest.mark.parametrize("name", ["app", "migrate", "api-1", "api-2"])
def test_the_settings_are_some_of_ours(name: str) -> None:
    given = services()[name]["environment"]
    ours = {setting.variable for setting in SETTINGS}
    assert {each for each in given if each.startswith("HERMES_SESSIONS_")} <= ours
    plain = {each: "" if "${" in value else value for each, value in given.items()}
    settings = read_settings({}, plain)
    assert [profile for profile, _ in settings.profile] == ([] if name == "app" else ["team"])


def test_two_servers_are_the_same_and_both_are_balanced() -> None:
    assert services()["api-1"] == services()["api-2"]
    proxied = re.findall(r"^\s+server ([\w-]+):8787", (ROOT / "deploy/proxy.conf").read_text(), flags=re.MULTILINE)
    assert proxied == ["api-1", "api-2"]
    assert "./deploy/proxy.conf:/etc/nginx/nginx.conf:ro" in services()["proxy"]["volumes"]


def test_the_proxy_allows_as_much_as_the_servers_do() -> None:
    text = (ROOT / "deploy/proxy.conf").read_text()
    numbers = {name: int(number) for name, number in re.findall(r"(\w+) (\d+)s?;", text)}
    settings = Settings()
    assert numbers["client_max_body_size"] == settings.max_import_bytes
    assert numbers["proxy_read_timeout"] > settings.import_timeout
    assert numbers["keepalive_timeout"] < Settings().keep_alive_timeout


def test_the_configuration_of_the_proxy_is_valid() -> None:
    with proxy_folder(8080, (8787, 8788)) as folder:
        assert (run_nginx(folder, "-t", "-q").wait(10), (folder / "log").read_text()) == (0, "")
