"""The journeys that other files show on small homes, in one where fifty thousand conversations stand around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser import (
    bulk_store,
    lineage_store,
    list_store,
    long_store,
    test_journeys,
    test_journeys_along,
    test_lineage,
    test_list,
    test_places,
    test_reader,
)
from tests.browser.conftest import Server, serving
from tests.browser.dashboard import A_LONG_WAIT, conversations, feed, grid, open_list, press, read_once
from tests.browser.test_bulk import archive_all_and_undo
from tests.browser.test_prune import prune_and_undo
from tests.browser.test_store_states import copy_of, garbage, put
from tests.builders import StoreBuilder, home_with, store_path
from tests.hermes.process import HermesProcess

STORIES = (
    bulk_store.fill_default,
    lineage_store.fill_default,
    long_store.four_segments,
    test_journeys.talks("default"),
    test_journeys_along.fill,
)


@pytest.fixture(scope="module")
def server(fifty_thousand: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The others are older than the stories; profiles beside it are small."""
    folder = tmp_path_factory.mktemp("large")
    home = folder / "home"
    list_store.copy(fifty_thousand, home)
    home_with(home, default=tell_stories, work=bulk_store.fill_work, **small_profiles())
    with serving(home, folder / "state") as started:
        read_once(started)
        yield started


def tell_stories(store: StoreBuilder) -> None:
    store.sql("BEGIN")
    for tell in STORIES:
        tell(store)
    store.sql("COMMIT")


def small_profiles() -> dict[str, Callable[[StoreBuilder], None]]:
    return {name: test_journeys.talks(name) for name in test_journeys.PROFILES if name != "default"}


def ids_where(server: Server, condition: str) -> set[str]:
    with StoreBuilder(store_path(server.home)) as store:
        return {row[0] for row in store.sql(f"SELECT id FROM sessions WHERE {condition}")}


test_the_list_goes_on_page_by_page = test_list.test_the_list_goes_on_page_by_page_with_each_conversation_once
test_a_word_of_a_tool_is_landed_on = (
    test_journeys_along.test_a_word_of_a_tool_in_the_second_of_four_segments_is_landed_on
)
test_four_segments_are_read_to_their_tip = (
    test_reader.test_a_conversation_of_four_segments_is_read_from_its_first_message_to_its_tip
)
test_a_lineage_of_a_hundred_is_walked = test_lineage.test_a_node_among_a_hundred_is_reached_and_opened_by_keyboard_alone
test_two_branches_are_compared = test_lineage.test_two_branches_are_compared_from_their_first_difference_on
test_what_was_deleted_comes_back_from_the_bin = (
    test_journeys_along.test_what_was_deleted_comes_back_from_the_bin_as_it_was
)
test_usage_by_model_when_the_clocks_change = test_places.test_days_are_those_of_the_browser_also_when_the_clocks_change
test_profiles_are_switched_in_a_hurry = test_journeys.test_profiles_switched_in_a_hurry_never_show_each_others_rows


def test_hundreds_of_runs_are_archived_in_chunks_and_come_back_row_for_row(
    contexts: Callable[..., BrowserContext], server: Server
) -> None:
    job = f"audience=automation&job={list_store.JOB}"
    page = open_list(contexts(timezone_id="UTC"), server, f"/?in=default&{job}&since=2025-03-01&through=2025-05-07")
    runs = ids_where(
        server, "source = 'cron' AND date(started_at + 60, 'unixepoch') BETWEEN '2025-03-01' AND '2025-05-07'"
    )
    assert len(runs) > 300
    archive_all_and_undo(page, server, runs)


def test_pruning_takes_what_its_preview_said_and_nothing_else(
    contexts: Callable[..., BrowserContext], server: Server
) -> None:
    page = open_list(contexts(timezone_id="UTC"), server, "/?in=default&audience=all&through=2024-02-01")
    press(page, "Shift+P")
    dialog = page.get_by_role("dialog", name="Prune old conversations")
    expect(dialog.get_by_label("What would go")).to_contain_text(re.compile(r"Conversations(49|50),\d"))
    dialog.get_by_label("Only what matches").check()
    due = ids_where(server, "date(started_at + 60, 'unixepoch') <= '2024-02-01'")
    assert len(due) > 30
    prune_and_undo(page, server, due, messages_each=2)


def test_a_title_that_is_taken_leads_to_its_holder(context: BrowserContext, server: Server) -> None:
    test_journeys.rename_to_what_is_taken(context, server, "default", "reader", 5)


def test_a_query_that_is_taken_along_runs_in_graphiql(context: BrowserContext, server: Server) -> None:
    _, *menu_and_rows = test_journeys_along.VIEWS["list"]
    test_journeys_along.take_along(context, server, "/?in=default&q=talk", *menu_and_rows)


def test_a_session_that_hermes_writes_is_followed(context: BrowserContext, server: Server, tmp_path: Path) -> None:
    page = open_list(context, server, "/?in=default")
    with HermesProcess(tmp_path, timeout=A_LONG_WAIT / 1_000) as hermes:
        hermes.open(store_path(server.home))
        hermes.create_session("followed", "cli")
        hermes.append_message("followed", "user", "Just begun")
        hermes.set_session_title("followed", "A fresh one")
        grid(page).get_by_text("A fresh one").click()
        expect(feed(page).get_by_text("Just begun")).to_be_visible()
        hermes.append_message("followed", "assistant", "And it goes on")
        expect(feed(page).get_by_text("And it goes on")).to_be_visible()


def test_a_store_that_breaks_is_named_and_comes_back_by_itself(
    context: BrowserContext, server: Server, tmp_path: Path
) -> None:
    page = open_list(context, server, "/?in=default")
    path = store_path(server.home)
    sound = copy_of(path, tmp_path)
    put(path, garbage(tmp_path))
    problem = page.get_by_role("region", name="Conversations").get_by_role("alert")
    expect(problem).to_contain_text("STORE_DAMAGED")
    expect(conversations(page)).to_have_count(0)
    put(path, sound)
    expect(conversations(page).first).to_be_visible(timeout=A_LONG_WAIT)
    expect(problem).to_have_count(0)
