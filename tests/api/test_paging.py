"""Lists against a plain reference on a random home: orders, pages, filters, what is hidden, facets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.api.random_home import AUTOMATION, MEASURES, Talk, moment, ordered, random_talks, writing
from tests.api.serving import Api, Json, serving
from tests.builders import T, home_with

PAGE = """
    query ($profiles: [String!], $first: Int, $after: String, $last: Int, $before: String,
           $filter: ConversationFilter, $orderBy: ConversationOrder) {
      conversations(profiles: $profiles, first: $first, after: $after, last: $last, before: $before,
                    filter: $filter, orderBy: $orderBy) {
        totalCount
        nodes { id profile { name } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        hidden { archived automation empty subagents sideRows otherFilters }
        facets { sources { value count } models { value count } workspaces { value count }
                 audiences { value count } }
        failures { profile }
      }
    }"""
ALL = {"archived": "INCLUDE"}
PROFILES = ["default", "beta", "gamma"]
Test = Callable[[Talk], bool]


@pytest.fixture(scope="module")
def talks() -> dict[str, list[Talk]]:
    return {profile: random_talks(2026, profile, 40) for profile in PROFILES}


@pytest.fixture(scope="module")
def api(talks: dict[str, list[Talk]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    home = home_with(
        tmp_path_factory.mktemp("random") / "home", **{profile: writing(own) for profile, own in talks.items()}
    )
    with serving(home) as server:
        yield server.api()


def page(api: Api, **variables: Any) -> Json:
    answer: Json = api.ask(PAGE, **variables)["conversations"]
    assert answer["failures"] == []
    return answer


def shown(answer: Json) -> list[tuple[str, str]]:
    return [(node["id"], node["profile"]["name"]) for node in answer["nodes"]]


def named(talks: list[Talk]) -> list[tuple[str, str]]:
    return [(talk.id, talk.profile) for talk in talks]


@pytest.mark.parametrize("direction", ["ASC", "DESC"])
@pytest.mark.parametrize("field", MEASURES)
@pytest.mark.parametrize("profiles", [None, ["default"], ["gamma", "beta"], []], ids=str)
def test_every_order_in_both_directions(
    api: Api, talks: dict[str, list[Talk]], field: str, direction: str, profiles: list[str] | None
) -> None:
    chosen = PROFILES if profiles == [] else profiles or ["default"]
    own = [talk for profile in chosen for talk in talks[profile]]
    order = {"field": field, "direction": direction}
    answer = page(api, profiles=profiles, first=500, filter=ALL, orderBy=order)
    assert shown(answer) == named(ordered(own, field, descending=direction == "DESC"))
    assert answer["totalCount"] == len(own)


@pytest.mark.parametrize("field", ["LAST_ACTIVE", "MESSAGES", "TITLE"])
@pytest.mark.parametrize("direction", ["ASC", "DESC"])
def test_pages_over_several_profiles_fit_together_with_exact_flags(
    api: Api, talks: dict[str, list[Talk]], field: str, direction: str
) -> None:
    own = [talk for each in talks.values() for talk in each]
    whole = named(ordered(own, field, descending=direction == "DESC"))
    common = {"profiles": [], "filter": ALL, "orderBy": {"field": field, "direction": direction}}
    start, cursors, size = 0, None, 13
    while start < len(whole):
        answer = page(api, first=size, after=cursors, **common)
        assert shown(answer) == whole[start : start + size]
        flags = answer["pageInfo"]
        assert (flags["hasPreviousPage"], flags["hasNextPage"]) == (start > 0, start + size < len(whole))
        assert answer["totalCount"] == len(whole)
        start, cursors = start + size, flags["endCursor"]
    end, cursors = len(whole), None
    while end > 0:
        answer = page(api, last=size, before=cursors, **common)
        assert shown(answer) == whole[max(0, end - size) : end]
        flags = answer["pageInfo"]
        assert (flags["hasPreviousPage"], flags["hasNextPage"]) == (end > size, end < len(whole))
        end, cursors = end - size, flags["startCursor"]


def test_a_page_that_ends_exactly_at_the_end_has_no_next(api: Api, talks: dict[str, list[Talk]]) -> None:
    total = len(talks["default"])
    assert not page(api, first=total, filter=ALL)["pageInfo"]["hasNextPage"]
    assert page(api, first=total - 1, filter=ALL)["pageInfo"]["hasNextPage"]
    assert not page(api, last=total, filter=ALL)["pageInfo"]["hasPreviousPage"]
    last = page(api, first=total, filter=ALL)["pageInfo"]["endCursor"]
    beyond = page(api, first=5, after=last, filter=ALL)
    assert (beyond["nodes"], beyond["pageInfo"]["hasPreviousPage"], beyond["pageInfo"]["hasNextPage"]) == (
        [],
        True,
        False,
    )


FILTERS: dict[str, tuple[Json, Test]] = {
    "archived: EXCLUDE": ({"archived": "EXCLUDE"}, lambda talk: not talk.tip.archived),
    "archived: ONLY": ({"archived": "ONLY"}, lambda talk: talk.tip.archived),
    "audience: CHATS": ({"audience": "CHATS"}, lambda talk: talk.source not in AUTOMATION),
    "audience: AUTOMATION": ({"audience": "AUTOMATION"}, lambda talk: talk.source in AUTOMATION),
    "kinds": ({"kinds": ["BRANCH"]}, lambda talk: talk.kind == "BRANCH"),
    "sources": ({"sources": ["cli", "cron"]}, lambda talk: talk.source in ("cli", "cron")),
    "no sources": ({"sources": []}, lambda talk: False),
    "excludeSources": ({"excludeSources": ["cli"]}, lambda talk: talk.source != "cli"),
    "models": ({"models": ["a/one"]}, lambda talk: talk.model == "a/one"),
    "workspace": ({"workspace": "/srv/app"}, lambda talk: talk.folder in ("/srv/app", "/srv/app/api")),
    "workspace with a slash": ({"workspace": "/srv/app/"}, lambda talk: talk.folder in ("/srv/app", "/srv/app/api")),
    "text in a title": ({"text": "BANANA"}, lambda talk: any("banana" in text.casefold() for text in talk.texts)),
    "text in an id": ({"text": "02"}, lambda talk: any("02" in text for text in talk.texts)),
    "text in a preview": ({"text": "words of a"}, lambda talk: any("words of a" in text for text in talk.texts)),
    "text that is nowhere": ({"text": "%"}, lambda talk: False),
    "startedAfter": ({"startedAfter": moment(T + 5000)}, lambda talk: talk.started >= T + 5000),
    "startedBefore": ({"startedBefore": moment(T + 5000)}, lambda talk: talk.started < T + 5000),
    "activeAfter": ({"activeAfter": moment(T + 6000)}, lambda talk: talk.active >= T + 6000),
    "activeBefore": ({"activeBefore": moment(T + 6000)}, lambda talk: talk.active < T + 6000),
    "minMessages": ({"minMessages": 3}, lambda talk: talk.messages >= 3),
    "maxMessages": ({"maxMessages": 2}, lambda talk: talk.messages <= 2),
    "minCostUsd": ({"minCostUsd": 0.5}, lambda talk: talk.cost is not None and talk.cost >= 0.5),
    "live": ({"live": True}, lambda talk: False),
    "not live": ({"live": False}, lambda talk: True),
    "endReasons": ({"endReasons": ["cli_close"]}, lambda talk: talk.reason == "cli_close"),
    "several": (
        {"sources": ["cli", "telegram"], "minMessages": 1, "archived": "EXCLUDE"},
        lambda talk: talk.source in ("cli", "telegram") and talk.messages >= 1 and not talk.tip.archived,
    ),
}


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter_alone(api: Api, talks: dict[str, list[Talk]], name: str) -> None:
    filter, test = FILTERS[name]
    own = [talk for each in talks.values() for talk in each]
    kept = [talk for talk in own if test(talk)]
    answer = page(api, profiles=[], first=500, filter=ALL | filter)
    assert shown(answer) == named(ordered(kept, "LAST_ACTIVE", descending=True))
    assert answer["totalCount"] == len(kept)
    hidden = answer["hidden"]
    assert hidden["archived"] + hidden["automation"] + hidden["empty"] + hidden["otherFilters"] == len(own) - len(kept)


def test_a_filter_by_ids_takes_the_id_of_any_segment(api: Api, talks: dict[str, list[Talk]]) -> None:
    wanted = [talk for talk in talks["default"] if len(talk.segments) == 3][:2]
    ids = [wanted[0].id, wanted[1].segments[1].id, "nobody"]
    assert {id for id, _ in shown(page(api, filter=ALL | {"ids": ids}))} == {talk.id for talk in wanted}


def test_hidden_counts_each_conversation_under_its_first_reason(api: Api, talks: dict[str, list[Talk]]) -> None:
    own = talks["default"]
    answer = page(api, filter={"audience": "CHATS", "minMessages": 2, "models": ["a/one"]})
    unarchived = [talk for talk in own if not talk.tip.archived]
    chats = [talk for talk in unarchived if talk.source not in AUTOMATION]
    filled = [talk for talk in chats if talk.messages]
    assert answer["hidden"] == {
        "archived": len(own) - len(unarchived),
        "automation": len(unarchived) - len(chats),
        "empty": len(chats) - len(filled),
        "otherFilters": len(filled) - answer["totalCount"],
        "subagents": len(own[::7]),
        "sideRows": sum(len(talk.segments) > 1 for talk in own[::7]),
    }


def counted(values: list[str | None]) -> list[Json]:
    ranked = sorted(Counter(value for value in values if value is not None).items(), key=lambda it: (-it[1], it[0]))
    return [{"value": value, "count": count} for value, count in ranked]


def audience(talk: Talk) -> str:
    return "AUTOMATION" if talk.source in AUTOMATION else "CHATS"


def lies_in(talk: Talk, folder: str | None) -> bool:
    """A workspace is a folder with what lies below it."""
    return folder is not None and f"{talk.folder}/".startswith(f"{folder}/")


def test_facets_count_over_all_profiles_what_a_value_would_give(api: Api, talks: dict[str, list[Talk]]) -> None:
    own = [talk for each in talks.values() for talk in each if not talk.tip.archived]
    filter = {"sources": ["cli", "cron"], "models": ["a/one"], "audience": "CHATS"}
    facets = page(api, profiles=[], filter=filter)["facets"]

    def left(*but: str) -> list[Talk]:
        tests: dict[str, Test] = {
            "source": lambda talk: talk.source in ("cli", "cron"),
            "model": lambda talk: talk.model == "a/one",
            "audience": lambda talk: talk.source not in AUTOMATION,
        }
        return [talk for talk in own if all(test(talk) for name, test in tests.items() if name not in but)]

    folders = {talk.folder for talk in left()}
    assert facets == {
        "sources": counted([talk.source for talk in left("source")]),
        "models": counted([talk.model for talk in left("model")]),
        "workspaces": counted([folder for talk in left() for folder in folders if lies_in(talk, folder)]),
        "audiences": counted([audience(talk) for talk in left("audience")]),
    }


SESSIONS = """
    query ($first: Int, $filter: SessionFilter, $orderBy: SessionOrder) {
      sessions(first: $first, filter: $filter, orderBy: $orderBy) { totalCount nodes { id } }
    }"""


@pytest.mark.parametrize("direction", ["ASC", "DESC"])
def test_sessions_by_start(api: Api, talks: dict[str, list[Talk]], direction: str) -> None:
    answer = api.ask(
        SESSIONS,
        first=500,
        filter={"kinds": ["ROOT", "BRANCH", "CONTINUATION"]},
        orderBy={"field": "STARTED", "direction": direction},
    )["sessions"]
    segments = [segment for talk in talks["default"] for segment in talk.segments]
    segments.sort(key=lambda segment: (segment.start, segment.id), reverse=direction == "DESC")
    assert [node["id"] for node in answer["nodes"]] == [segment.id for segment in segments]


def test_sessions_hide_nothing_unasked(api: Api, talks: dict[str, list[Talk]]) -> None:
    own = talks["default"]
    extra = len(own[::7]) + sum(len(talk.segments) > 1 for talk in own[::7])
    answer = api.ask(SESSIONS, first=500)["sessions"]
    assert answer["totalCount"] == len(answer["nodes"]) == sum(len(talk.segments) for talk in own) + extra
