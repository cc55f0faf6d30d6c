"""What a server keeps of sessions that came and went, and of questions that nobody asks a second time: nothing."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_sessions import errors
from tests.api.serving import Api, serving
from tests.builders import StoreBuilder, T, home_with
from tests.hermes.crowd import wait_until

RESIDENTS = 10
GUESTS = 90
"""Sessions that come and go in each round."""
QUESTIONS = 10
"""Of each round, each about a moment of its own."""
WARM, ROUNDS = 4, 8
LIST = """
    query ($after: DateTime!) {
      conversations(first: 100, filter: {activeAfter: $after}) { nodes { id displayTitle preview cost { usd } } }
      usage(by: [MODEL], from: $after) { rows { cost { usd } } }
    }"""
ALWAYS = "2020-01-01T00:00:00Z"
MOST_BYTES = 150
"""That may be left of each session or question: what is kept of one takes several times as many."""


def residents(store: StoreBuilder) -> None:
    for number in range(RESIDENTS):
        store.session(f"resident{number}", start=T)
        store.message(f"resident{number}", content="stays")


def guests(api: Api, store: StoreBuilder, number: int) -> int:
    """Sessions are listed with their previews, and deleted by the agent."""
    store.sql("BEGIN")
    for at in range(GUESTS):
        store.session(f"guest-{number}-{at}", start=T + number)
        store.message(f"guest-{number}-{at}", content=f"the guest {number}-{at} has something to say", at=T + number)
    store.sql("COMMIT")
    wait_until(lambda: _listed(api, ALWAYS) == RESIDENTS + GUESTS)
    store.sql("BEGIN")
    store.sql("DELETE FROM messages WHERE session_id GLOB 'guest-*'")
    store.sql("DELETE FROM sessions WHERE id GLOB 'guest-*'")
    store.sql("COMMIT")
    wait_until(lambda: _listed(api, ALWAYS) == RESIDENTS)
    return GUESTS


def questions(api: Api, store: StoreBuilder, number: int) -> int:
    """Lists since a moment, each another one, while the agent writes to one session."""
    for question in range(QUESTIONS):
        store.message("resident1", content="goes on", at=T + 10 * number + question)
        assert _listed(api, f"2020-01-01T00:{number:02}:{question:02}Z") == RESIDENTS
    return QUESTIONS


def _listed(api: Api, after: str) -> int:
    return len(api.ask(LIST, after=after)["conversations"]["nodes"])


def kept_bytes() -> int:
    """What the product's own code has allocated and still holds."""
    gc.collect()
    folder = Path(errors.__file__).parent
    own = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, f"{folder}/*")])
    return sum(each.size for each in own.statistics("filename"))


@pytest.mark.parametrize("churn", [guests, questions])
def test_what_came_and_went_leaves_nothing_in_memory(
    churn: Callable[[Api, StoreBuilder, int], int], tmp_path: Path, figure: Callable[[str], None]
) -> None:
    home = home_with(tmp_path / "home", default=residents)
    with serving(home) as server, StoreBuilder(home / "state.db") as store:
        api = server.api()
        tracemalloc.start()
        try:
            for number in range(WARM):
                churn(api, store, number)
            before = kept_bytes()
            gone = sum(churn(api, store, number) for number in range(WARM, WARM + ROUNDS))
            left = (kept_bytes() - before) / gone
        finally:
            tracemalloc.stop()
    figure(f"{gone} {churn.__name__} came and went: {left:.0f} bytes kept of each.")
    assert left < MOST_BYTES
