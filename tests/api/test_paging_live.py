"""Pages of a transcript that others write to are those that a server gives which has just been started."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.api.serving import Api, Json, serving
from tests.builders import StoreBuilder, T, home_with
from tests.stores import test_kept_transcripts as changes

PAGE = """
    query ($first: Int, $after: String, $last: Int, $before: String, $around: ID, $filter: MessageFilter) {
      conversation(id: "a") {
        messages(first: $first, after: $after, last: $last, before: $before, around: $around, filter: $filter) {
          totalCount startPosition pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
          edges { cursor seam { kind fromSession { id } } node { id state content toolName
                  toolCalls { name result { id } } } }
        }
        outline(filter: $filter) { messageCount truncated counts { kind count }
                                   marks { position message kind label timestamp } }
      }
    }"""
FILTERS: list[Json | None] = [None, {"states": ["LIVE", "REWOUND"]}, {"errorsOnly": True}]


def chain(store: StoreBuilder) -> None:
    for before, name in zip([None, "a", "b"], changes.SESSIONS, strict=True):
        closed = {"end": T + 9, "end_reason": "compression"} if name != "c" else {}
        store.session(name, start=T, parent=before, **closed)
        for _ in range(4):
            store.message(name)


def walk(api: Api, size: int, filter: Json | None) -> list[Json]:
    """All pages, forwards and backwards, and one around each of the first messages."""
    pages: list[Json] = []
    for count, end, cursor, more in (
        ("first", "after", "endCursor", "hasNextPage"),
        ("last", "before", "startCursor", "hasPreviousPage"),
    ):
        at: str | None = None
        while True:
            page = api.ask(PAGE, **{count: size, "filter": filter} | ({end: at} if at else {}))["conversation"]
            pages.append(page)
            if not page["messages"]["pageInfo"][more]:
                break
            at = page["messages"]["pageInfo"][cursor]
    ids = [edge["node"]["id"] for edge in pages[0]["messages"]["edges"][:2]]
    return pages + [api.ask(PAGE, first=size, around=id, filter=filter)["conversation"] for id in ids]


@pytest.mark.parametrize("size", [1, 7, 500])
def test_pages_are_those_of_a_fresh_server_whatever_others_write(tmp_path: Path, size: int) -> None:
    home = home_with(tmp_path / "home", default=chain)
    random = Random(size)
    with serving(home) as kept, StoreBuilder(home / "state.db") as agent:
        for _ in range(3):
            with serving(home, tmp_path / "fresh-state") as fresh:
                for filter in FILTERS:
                    assert walk(kept.api(), size, filter) == walk(fresh.api(), size, filter)
            for _ in range(6):
                random.choice(changes.CHANGES)(agent, random)
                kept.api().ask(PAGE, first=size)


def test_around_takes_an_id_as_it_is_written_alone(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=chain)
    with serving(home) as server:
        api = server.api()
        assert api.ask(PAGE, first=3, around="2")["conversation"]["messages"]["startPosition"] == 0
        for text in ("02", " 2", "+2", "2.0", "²", "", "9" * 30, "99"):
            assert api.refusal(PAGE, first=3, around=text).code == "NOT_FOUND"
