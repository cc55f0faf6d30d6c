"""The case B3: a message of 20 MB changes neither the list nor the memory, and its content arrives cut."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.serving import Api, peak_megabytes, process_serving, serving
from tests.builders import StoreBuilder, T, home_with

MEGABYTE = 1_000_000
LIST = "{ conversations { nodes { id displayTitle preview messageCount lastActiveAt } } }"
PAGE = """{
  session(id: "big") {
    messages(first: 50) { nodes { id content contentTruncated contentBytes toolCalls { name } raw } }
  }
}"""


def with_message_of(megabytes: int, store: StoreBuilder) -> None:
    for number in range(50):
        store.session(f"small{number:02}", start=T + number)
        store.message(f"small{number:02}", content=f"question {number}")
    store.index_no_more()
    long = "start " + "é" * (megabytes * MEGABYTE // 2)
    store.session("big", start=T + 100)
    for content in ("before", long, "after"):
        store.message("big", content=content)
    store.session("alone", start=T + 101)
    store.message("alone", content=long)


def plain(store: StoreBuilder) -> None:
    with_message_of(0, store)


def big(store: StoreBuilder) -> None:
    with_message_of(20, store)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return home_with(tmp_path_factory.mktemp("big") / "home", default=big, plain=plain)


@pytest.fixture(scope="module")
def apis(home: Path) -> Iterator[tuple[Api, Api]]:
    """The store with the big message, and the one without."""
    with serving(home) as server:
        yield server.api(), server.api("plain")


def least_seconds(query: str, *apis: Api) -> list[float]:
    """The shortest answer of each, asked in turn: what else the machine does meets all alike, and never shortens."""
    taken: dict[int, list[float]] = {at: [] for at in range(len(apis))}
    for _ in range(15):
        for at, api in enumerate(apis):
            start = time.perf_counter()
            api.ask(query)
            taken[at].append(time.perf_counter() - start)
    return [min(each) for each in taken.values()]


def test_B3_a_long_content_arrives_cut(apis: tuple[Api, Api]) -> None:
    api, _ = apis
    before, long, after = api.ask(PAGE)["session"]["messages"]["nodes"]
    assert (before["content"], after["content"], after["contentTruncated"]) == ("before", "after", False)
    assert long["contentTruncated"]
    assert long["content"].startswith("start éé")
    assert 262_140 <= len(long["content"].encode()) <= 262_144
    assert long["contentBytes"] == 20 * MEGABYTE + len("start ")
    assert len(str(long["raw"])) < MEGABYTE


def test_B3_the_rest_of_a_long_content_comes_when_asked_for(apis: tuple[Api, Api]) -> None:
    api, _ = apis
    query = 'query ($max: Int!) { session(id: "big") { message(id: "52") { content(maxBytes: $max) } } }'
    whole = api.ask(query, max=30 * MEGABYTE)["session"]["message"]["content"]
    assert len(whole.encode()) == 20 * MEGABYTE + len("start ")
    half = api.ask(query, max=MEGABYTE)["session"]["message"]["content"]
    assert whole.startswith(half)
    assert MEGABYTE - 2 <= len(half.encode()) <= MEGABYTE


@pytest.mark.parametrize(
    "query", [LIST, PAGE.replace("content contentTruncated contentBytes", "id").replace("raw", "")]
)
def test_B3_times_are_unchanged(apis: tuple[Api, Api], query: str) -> None:
    with_big, without = least_seconds(query, *apis)
    assert with_big < 3 * without + 0.05  # reading 20 MB takes longer than this


def test_B3_a_preview_is_the_beginning_of_a_long_message(apis: tuple[Api, Api]) -> None:
    preview = apis[0].ask('{ session(id: "alone") { preview } }')["session"]["preview"]
    assert preview.startswith("start éé")
    assert len(preview) == 120


def test_B3_memory_stays_under_250_megabytes(home: Path) -> None:
    with process_serving(home) as (client, pid):
        for _ in range(5):
            for query in (LIST, PAGE):
                answer = client.post("/graphql", json={"query": query}).json()
                assert "errors" not in answer
        assert peak_megabytes(pid) < 250
