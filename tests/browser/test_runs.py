"""Runs of one job in the list: a day full of them is one row, which counts and unfolds honestly."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, serving
from tests.browser.dashboard import conversations, ledger, press
from tests.browser.runs_store import RUNS, fill
from tests.builders import home_with


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("runs")
    with serving(home_with(folder / "home", default=fill), folder / "state") as server:
        yield server


@pytest.fixture
def grid(page: Page, server: Server) -> Locator:
    page.goto(server.link("/?audience=all"))
    return page.get_by_role("grid", name="Conversations")


def fold(grid: Locator) -> Locator:
    return grid.get_by_role("row", name=re.compile(r"\d+\+? runs"))


def test_a_day_of_runs_is_one_row_that_counts_them_over_all_pages(page: Page, grid: Locator) -> None:
    expect(fold(grid)).to_have_count(1)
    expect(fold(grid)).to_contain_text(f"{RUNS} runs")
    expect(fold(grid)).to_contain_text("$1.30")
    expect(fold(grid)).to_contain_text("last complete")
    expect(fold(grid)).to_contain_text("Look at the tide")
    expect(grid).to_have_attribute("aria-rowcount", "4")
    expect(ledger(page)).to_contain_text(f"{RUNS + 3} of {RUNS + 3}")
    expect(grid.get_by_role("rowheader").first).to_contain_text(f"{RUNS + 2}")


def test_keys_unfold_it_and_fold_it_again(page: Page, grid: Locator) -> None:
    expect(grid).to_have_attribute("aria-rowcount", "4")  # all pages have come
    grid.focus()
    page.keyboard.press("j")
    expect(fold(grid).get_by_role("gridcell")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowRight")
    expect(fold(grid).get_by_role("gridcell")).to_have_attribute("aria-expanded", "true")
    # A word of the server asks for the list anew, from its beginning: what is further down comes on the way there.
    page.keyboard.press("End")
    expect(grid).to_have_attribute("aria-rowcount", str(RUNS + 5))
    press(page, "Home", "j", "j", "Enter")
    expect(page).to_have_url(re.compile(r"/p/default/c/cron_abc123_20250614_120900"))
    grid.focus()
    page.keyboard.press("ArrowLeft")
    expect(grid).to_have_attribute("aria-rowcount", "4")
    expect(fold(grid).get_by_role("gridcell")).to_have_attribute("aria-expanded", "false")


def test_keys_that_change_do_nothing_to_what_is_folded(page: Page, grid: Locator) -> None:
    expect(fold(grid)).to_contain_text(f"{RUNS} runs")
    grid.focus()
    press(page, "j", "e", "r", "#")
    expect(page.get_by_role("status").filter(has_text=re.compile("Archived|Deleted"))).to_have_count(0)
    expect(fold(grid)).to_contain_text(f"{RUNS} runs")


def test_all_runs_of_the_job_are_a_click_away(page: Page, grid: Locator) -> None:
    expect(fold(grid)).to_contain_text(f"{RUNS} runs")
    fold(grid).click()
    page.get_by_role("grid").press("End")
    expect(grid.get_by_role("row", name="Before")).to_be_visible()
    press(page, "k", "k", "k")
    page.get_by_role("row", name="All runs of this job").click()
    expect(page).to_have_url(re.compile(r"\?audience=all&job=abc123"))
    expect(ledger(page)).to_contain_text(f"{RUNS + 1} of {RUNS + 3}")
    expect(fold(grid)).to_have_count(0)


def test_chats_hold_no_fold(page: Page, server: Server) -> None:
    page.goto(server.link("/"))
    expect(conversations(page)).to_have_count(2)
