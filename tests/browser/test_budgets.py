"""The budgets of the dashboard. What depends on the machine is told, not asserted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser import list_store
from tests.browser.conftest import PATIENCE, ROOT, Server, serving
from tests.browser.dashboard import A_LONG_WAIT, conversations, read_once
from tests.browser.measures import Measures, percentile

Figure = Callable[[str], None]

ASSETS = ROOT / "backend/hermes_sessions/web/static/assets"
JS_BUDGET, CSS_BUDGET = 180_000, 15_000
FILES_BUDGET = 10
"""Each file costs the server and the browser some milliseconds, however small it is."""
SHIFT_BUDGET = 0.05
MOUNTED_BUDGET = 200
LATER = ("graphiql", "monaco-editor", "UsagePage", "StoresPage", "Search", "Compare", "Reader", "Inspector", "Markdown")
"""Chunks that no first load asks for: GraphiQL, charts, highlighting, and what is not in sight."""
MANY = 47_500
"""Rows of fifty thousand conversations, of which one in twenty is folded away."""
FLUNG_FRAMES = 300


@pytest.fixture(scope="module")
def long_list(fifty_thousand: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("long-list")
    list_store.copy(fifty_thousand, folder / "home")
    with serving(folder / "home", folder / "state") as server:
        read_once(server)
        yield server


@pytest.fixture
def fresh(browser: Browser) -> Iterator[Page]:
    """A page without anything in its caches."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture
def measures(fresh: Page) -> Measures:
    return Measures(fresh)


def first_rows(page: Page) -> None:
    row = page.get_by_role("grid", name="Conversations").get_by_role("row").nth(5)
    expect(row).to_be_visible(timeout=A_LONG_WAIT)


def gzipped(paths: list[str], ending: str) -> int:
    return sum(Path(f"{ASSETS}/{path}.gz").stat().st_size for path in paths if path.endswith(ending))


def test_a_first_load_is_small_compressed_and_kept_for_good(fresh: Page, server: Server, figure: Figure) -> None:
    answers: list[Response] = []
    fresh.on("response", lambda answer: answers.append(answer) if "/assets/" in answer.url else None)
    fresh.goto(server.link())
    first_rows(fresh)
    loaded = {answer.url.rpartition("/")[2]: answer for answer in answers}
    sizes = {ending: gzipped(list(loaded), ending) for ending in (".js", ".css")}
    figure(f"first load: {sizes['.js'] / 1000:.1f} kB JS, {sizes['.css'] / 1000:.1f} kB CSS, {len(loaded)} files")
    assert 0 < sizes[".js"] <= JS_BUDGET
    assert 0 < sizes[".css"] <= CSS_BUDGET
    assert len(loaded) <= FILES_BUDGET
    for name, answer in loaded.items():
        if name.endswith((".js", ".css")):
            assert re.search(r"-[\w-]{8}\.(js|css)$", name), name
            assert "immutable" in answer.headers["cache-control"], name
            is_small = (ASSETS / name).stat().st_size < 1_000
            assert answer.headers.get("content-encoding") in ({"gzip", "br"} | ({None} if is_small else set())), name


def test_a_first_load_asks_for_nothing_that_is_not_in_sight(fresh: Page, server: Server) -> None:
    asked: list[str] = []
    fresh.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    fresh.goto(server.link())
    first_rows(fresh)
    for chunk in LATER:
        assert list(ASSETS.glob(f"{chunk}-*.js")), f"no chunk is called {chunk} any more"
        assert [name for name in asked if name.startswith(f"{chunk}-")] == []


def test_what_a_key_or_a_click_away_leads_to_is_loaded_before_it_is_asked_for(fresh: Page, server: Server) -> None:
    asked: list[str] = []
    fresh.on("requestfinished", lambda request: asked.append(request.url.rpartition("/")[2].partition("-")[0]))
    with fresh.expect_event("requestfinished", lambda request: "/assets/Inspector-" in request.url):
        fresh.goto(server.link())
        first_rows(fresh)
    assert {"Reader", "Markdown", "Palette", "Search", "Inspector"} <= set(asked)


def test_nothing_moves_that_nobody_touched(fresh: Page, measures: Measures, server: Server, figure: Figure) -> None:
    fresh.goto(server.link())
    first_rows(fresh)
    fresh.wait_for_timeout(1_000)
    of_list = measures.shift()
    figure(
        f"first list: largest paint {measures.paint():.0f} ms, scripts {measures.scripts():.0f} ms, shift {of_list:.4f}"
    )
    measures.slowest_answer()

    conversations(fresh).nth(2).click()
    expect(fresh.get_by_role("feed").get_by_role("article").first).to_be_visible()
    figure(
        f"opening a conversation: input answered in {measures.slowest_answer()}, shift {measures.shift() - of_list:.4f}"
    )
    fresh.get_by_role("grid", name="Conversations").focus()
    for _ in range(8):
        fresh.keyboard.press("j")
    figure(f"moving by j: input answered in {measures.slowest_answer()}")
    fresh.get_by_role("searchbox", name="Filter by title, preview or id").type("portugal")
    figure(f"typing in the filter: input answered in {measures.slowest_answer()}")
    assert measures.shift() <= SHIFT_BUDGET


def test_a_year_of_usage_stands_still_while_it_loads(
    fresh: Page, measures: Measures, server: Server, figure: Figure
) -> None:
    fresh.goto(server.link("/usage?period=all"))
    expect(fresh.get_by_role("grid", name="Activity by day").get_by_role("gridcell").last).to_be_attached(
        timeout=A_LONG_WAIT
    )
    figure(f"usage of all time: scripts {measures.scripts():.0f} ms, largest paint {measures.paint():.0f} ms")
    assert measures.shift() <= SHIFT_BUDGET


def test_a_list_of_fifty_thousand_is_flung_from_top_to_bottom_and_mounts_few_rows(
    fresh: Page, measures: Measures, long_list: Server, figure: Figure
) -> None:
    sizes: list[int] = []
    fresh.on("request", lambda request: sizes.extend(map(int, re.findall(r'"first":(\d+)', request.post_data or ""))))
    fresh.goto(long_list.link("/?audience=all"))
    first_rows(fresh)
    before, started = measures.scripts(), time.monotonic()
    grid = fresh.get_by_role("grid", name="Conversations")
    grid.press("End")
    expect(grid.get_by_text("Conversation 1", exact=True)).to_be_visible(timeout=A_LONG_WAIT)
    took = time.monotonic() - started
    assert list(dict.fromkeys(sizes)) == [60, 120, 240, 480, 500]
    rows = int(grid.evaluate("(grid) => Math.round(grid.scrollHeight / 52)"))
    assert rows > MANY
    spent = (measures.scripts() - before) / 1000
    figure(f"list: {rows} rows loaded in {took:.0f} s, {spent:.1f} s of scripts, heap {measures.heap():.0f} MB")
    flung = measures.fling(FLUNG_FRAMES)
    p50, p95, worst = (percentile(flung["times"], share) for share in (0.5, 0.95, 1))
    figure(f"list flung over {rows} rows: frames p50 {p50:.0f}, p95 {p95:.0f}, max {worst:.0f} ms")
    figure(f"list: at most {flung['mounted']} rows mounted")
    assert flung["mounted"] <= MOUNTED_BUDGET
