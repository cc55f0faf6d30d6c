"""A server on a home full of hostile contents, and the browser of tests/browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PATIENCE, Server, Watch, browser, serving
from tests.builders import StoreBuilder, home_with, store_path
from tests.hostile.pages.inspection import REPORTS
from tests.hostile.store import hostile

__all__ = ["browser"]

HOME = "<img id=intruder src=x onerror=alert(1)>\x1b[2J"
"""The name of the home's directory."""


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hostile")
    home = home_with(folder / HOME, default=hostile)
    with StoreBuilder(store_path(home, "later"), schema30=True) as store:
        hostile(store)
    with serving(home, folder / "state") as started:
        yield started


@pytest.fixture(scope="package")
def watch(server: Server) -> Watch:
    return Watch(server.origin)


@pytest.fixture(scope="package")
def tab(browser: Browser, server: Server, watch: Watch) -> Iterator[Page]:
    """One for all tests, let in by the printed link; it also reports what the browser's policy refuses."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(REPORTS)
    context.on("request", watch.look_at)
    context.on("page", watch.follow)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(server.link())
    yield page
    context.close()


@pytest.fixture
def page(tab: Page, watch: Watch) -> Iterator[Page]:
    """The test fails where the page did anything that it must not."""
    yield tab
    findings = list(watch.findings)
    watch.findings.clear()
    assert findings == []
    assert len(tab.context.pages) == 1
