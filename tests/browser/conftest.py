"""A real server on a demo home, and a real browser whose pages may talk to that server alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from tests.browser import list_store
from tests.browser.chromium import FLAGS, find_chromium
from tests.builders import store_path

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-for-the-browser-tests"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
PATIENCE = 30_000
"""Milliseconds that a busy machine may take to show something: a guard against hanging, no measure."""

expect.set_options(timeout=PATIENCE)


@dataclass
class Server:
    """`link` opens the dashboard with the token in the fragment, as the printed link does."""

    origin: str
    home: Path

    def link(self, path: str = "/") -> str:
        return f"{self.origin}{path}#token={TOKEN}"


@dataclass
class Watch:
    """What pages did that they must not: requests that leave the origin, refusals by the CSP, errors, dialogs."""

    origin: str
    findings: list[str] = field(default_factory=list)

    def look_at(self, request: Request) -> None:
        """Only looks: holding requests up would switch the cache off. It is `FLAGS` that keep them from other hosts."""
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.findings.append(f"request to {request.url}")

    def follow(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.findings.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.findings.append(f"dialog: {dialog.message}"))
        page.on("console", lambda message: self._console(message.type, message.text))

    def _console(self, kind: str, text: str) -> None:
        if kind == "error" or "Content Security Policy" in text:
            self.findings.append(f"console: {text}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Of this package alone: while it is there, an event loop runs in the thread of the tests."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        yield chromium
        chromium.close()


@contextmanager
def serving(home: Path, state: Path, *options: str) -> Iterator[Server]:
    """The server as a process of its own, on a free port; `state` is where its bin lies."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "backend"),
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "HERMES_SESSIONS_STATE_DIR": str(state),
    }
    command = [sys.executable, "-m", "hermes_sessions", "serve", "--home", str(home), "--port", "0", "--no-open"]
    with subprocess.Popen([*command, *options], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline().split()
        assert ready[:1] == ["READY"], ready
        try:
            yield Server(ready[1], home)
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def fifty_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with as many conversations, to be copied: made once for a worker."""
    return store_path(list_store.make_home(tmp_path_factory.mktemp("fifty-thousand")))


@pytest.fixture(scope="module")
def server(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("browser")
    home = Path(shutil.copytree(demo_home, folder / "home"))
    with serving(home, folder / "state") as server:
        yield server


@pytest.fixture
def watch(server: Server) -> Watch:
    return Watch(server.origin)


@pytest.fixture
def contexts(browser: Browser, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Makes contexts by Playwright's options. Fails the test afterwards when a page did what it must not."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        context.on("request", watch.look_at)
        context.on("page", watch.follow)
        context.set_default_timeout(PATIENCE)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
    assert watch.findings == []


@pytest.fixture
def context(contexts: Callable[..., BrowserContext]) -> BrowserContext:
    return contexts(permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def page(context: BrowserContext, server: Server) -> Page:
    """The dashboard, opened by the printed link."""
    page = context.new_page()
    page.goto(server.link())
    return page
