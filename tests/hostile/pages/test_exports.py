"""Exports of hostile contents, by request and by command: as a file opened in a browser, and by their names."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import HEADERS, Server, Watch
from tests.hostile.pages.inspection import REPORTS, look
from tests.hostile.payloads import PAYLOADS, commands_in
from tests.hostile.store import READ
from tests.hostile.test_terminal import environment

NAME = re.compile(r'attachment; filename="hermes-[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}\.(json|jsonl|md|html)"')
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def exported(server: Server, session: str, ending: str) -> httpx.Response:
    address = f"{server.origin}/export/default/{quote(session, safe='')}.{ending}"
    return httpx.get(address, headers=HEADERS, timeout=60)


@pytest.fixture
def paper(browser: Browser) -> Iterator[Page]:
    """A page without a server."""
    watch = Watch("file://")
    context = browser.new_context()
    context.add_init_script(REPORTS)
    context.on("request", watch.look_at)
    context.on("page", watch.follow)
    yield context.new_page()
    context.close()
    assert watch.findings == []


@pytest.mark.parametrize("way", ["request", "command"])
def test_the_file_to_read_runs_nothing_in_a_browser(server: Server, paper: Page, tmp_path: Path, way: str) -> None:
    file = tmp_path / "export.html"
    if way == "request":
        file.write_bytes(exported(server, READ, "html").content)
    else:
        command = [sys.executable, "-m", "hermes_sessions", "export", READ, "--home", str(server.home)]
        command += ["--format", "html", "--output", str(file)]
        subprocess.run(command, env=environment(tmp_path), check=True, capture_output=True, timeout=60)
    paper.goto(file.as_uri())
    look_at_file(paper)
    assert paper.locator("article").count() > 5
    policy = paper.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")


def look_at_file(paper: Page) -> None:
    look(paper)
    assert paper.locator("a, form, img[src^=http], link, script").count() == 0


@pytest.mark.parametrize("name", [name for name, text in PAYLOADS.items() if not CONTROL.search(text)])
def test_a_download_has_a_harmless_name(server: Server, name: str) -> None:
    for ending in ("json", "html"):
        answer = exported(server, PAYLOADS[name], ending)
        if name == "long":  # longer than an address may be
            assert answer.status_code in (200, 400, 414, 431)
            continue
        assert answer.status_code == 200, answer.text[:300]
        assert NAME.fullmatch(answer.headers["content-disposition"])
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["controls", "terminal"])
def test_an_id_with_control_characters_is_asked_for_by_nobody(server: Server, name: str) -> None:
    answer = exported(server, PAYLOADS[name], "json")
    assert answer.status_code in (400, 404)
    assert "set-cookie" not in answer.headers


def test_all_of_them_become_files_in_one_directory(server: Server, tmp_path: Path) -> None:
    target = tmp_path / "backup"
    command = [sys.executable, "-m", "hermes_sessions", "export", "--all", "--home", str(server.home)]
    subprocess.run([*command, "--output", str(target)], env=environment(tmp_path), check=True, capture_output=True)
    names = [path.name for path in tmp_path.rglob("*") if path.is_file() and "state" not in path.parts]
    assert len(names) == len(PAYLOADS) + 2
    assert [name for name in names if not re.fullmatch(r"hermes-[A-Za-z0-9._-]+\.json", name)] == []
    assert {path.parent for path in tmp_path.rglob("*.json")} == {target}


def test_readable_exports_hold_no_commands_for_a_terminal(server: Server) -> None:
    for ending in ("md", "html"):
        assert commands_in(exported(server, READ, ending).text) == set()
    answer = exported(server, READ, "json")
    assert json.loads(answer.content)["sessions"][0]["id"] == READ
