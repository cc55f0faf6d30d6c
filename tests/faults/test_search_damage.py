"""A full-text index is damaged, emptied or gone: searches find what is there and say what is wrong, everything else
goes on, and what cannot be changed stays as it was."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import pytest

from tests.api.serving import Api, Json
from tests.api.shaping import append
from tests.api.test_actions import delete
from tests.api.test_health import COSTLY, health
from tests.api.test_restoring import BIN
from tests.builders import StoreBuilder, T, home_with, store_path
from tests.doctor.looking import findings
from tests.faults.changes import PROFILES
from tests.faults.served import Faulty, done, faulty, rename, titles, told, undisturbed

WORDS, TRIGRAMS = "messages_fts", "messages_fts_trigram"
WITHOUT_TRIGGERS = "; ".join(f"DROP TRIGGER {{0}}_{event}" for event in ("insert", "delete", "update"))
DAMAGES: Mapping[str, tuple[str, str]] = {
    "data-corrupted": ("UPDATE {0}_data SET block = x'0102030405'", "DAMAGED"),
    "data-emptied": ("DELETE FROM {0}_data", "DAMAGED"),
    "data-dropped": ("DROP TABLE {0}_data", "DAMAGED"),
    "idx-corrupted": ("UPDATE {0}_idx SET pgno = 99999", "OK"),
    "idx-emptied": ("DELETE FROM {0}_idx", "OK"),
    "idx-dropped": ("DROP TABLE {0}_idx", "DAMAGED"),
    "docsize-corrupted": ("UPDATE {0}_docsize SET sz = x'ffffffffff'", "OK"),
    "docsize-emptied": ("DELETE FROM {0}_docsize", "STALE"),
    "docsize-dropped": ("DROP TABLE {0}_docsize", "DAMAGED"),
    "content-emptied": ("DELETE FROM {0}_content", "STALE"),
    "content-dropped": ("DROP TABLE {0}_content", "DAMAGED"),
    "config-emptied": ("DELETE FROM {0}_config", "DAMAGED"),
    "config-dropped": ("DROP TABLE {0}_config", "DAMAGED"),
    "dropped": ("DROP TABLE {0}", "NONE"),
    "without-triggers": (WITHOUT_TRIGGERS, "MISSING_TRIGGERS"),
    "dropped-with-triggers": (f"DROP TABLE {{0}}; {WITHOUT_TRIGGERS}", "NONE"),
}
"""How each index is damaged, and in what state it then is called."""
UNSEEN = "idx-corrupted"
"""Only a reading of the whole index can see this one."""
UNSAID = ("content-emptied", "content-dropped", "data-emptied", "config-emptied")
"""Damages of the index of words that searches may not meet: they find all there is."""
PROFILES_OF = {f"{table}-{damage}": (table, damage) for table, damage in itertools.product((WORDS, TRIGRAMS), DAMAGES)}

SEARCH = "query ($text: String!) { search(text: $text) { degraded edges { node { conversation { id } } } } }"
PAGE = '{ session(id: "told") { messages(first: 50) { nodes { content(maxBytes: 100) } } } }'
CHINESE = "今天讨论了记忆断裂问题"
ALL = {"told", "doomed", "spoken"}
REFUSED = ("STORE_DAMAGED", "UNSUPPORTED_STORE")


def told_sessions(store: StoreBuilder) -> None:
    for id in ALL:
        store.session(id, start=T, end=T + 60, end_reason="cli_close", title=f"Title of {id}")
        for number in range(3):
            store.message(id, content=f"words {number}", at=T + number)
    store.message("told", content=CHINESE, at=T + 9)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("damages")
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys(PROFILES_OF, told_sessions))
    with faulty(folder / "server", home) as started:
        yield started


def found(api: Api, text: str) -> tuple[set[str], str]:
    """Conversations, and what is said of the search."""
    answer = api.ask(SEARCH, text=text)["search"]
    return {edge["node"]["conversation"]["id"] for edge in answer["edges"]}, answer["degraded"] or ""


def one_more(api: Api) -> Json:
    return append(api, "spoken", {"role": "user", "content": "再说今天 afterwards"})


def into_the_bin(api: Api) -> Json:
    return delete(api, "doomed", exact=True)


@pytest.mark.parametrize("name", PROFILES_OF)
def test_a_damaged_index_is_told_and_costs_no_more_than_it_must(server: Faulty, name: str) -> None:
    table, damage = PROFILES_OF[name]
    assert found(server.server.api(name), "words") == (ALL, "")
    with StoreBuilder(store_path(server.server.home, name)) as agent:
        agent.sql(DAMAGES[damage][0].format(table))
    with undisturbed(server):
        costs_no_more_than_it_must(server, name)


def costs_no_more_than_it_must(server: Faulty, name: str) -> None:
    table, damage = PROFILES_OF[name]
    state, api = DAMAGES[damage][1], server.server.api(name)
    done(lambda: rename(api, "told", "A name"))  # after a change of one's own, every read is fresh
    assert titles(api)["told"] == "A name"
    seen = {text: found(api, text) for text in ("words", "word 1", "断裂", "记忆断裂")}
    if (table, damage) != (WORDS, UNSEEN):
        assert seen["words"][0] == ALL, seen
    assert seen["断裂"][0] == seen["记忆断裂"][0] == {"told"}, seen
    if table == WORDS and state != "OK" and damage not in UNSAID:
        assert "index" in seen["words"][1], seen
    before = api.ask(PAGE)
    assert len(before["session"]["messages"]["nodes"]) == 4
    changes(api, is_refused=state in ("DAMAGED", "NONE") and damage != "dropped-with-triggers")
    assert api.ask(PAGE) == before
    assert server.ready(name)["ready"]
    items = health(api, COSTLY)["searchIndexes"]["items"]
    assert {each["name"]: each["state"] for each in items}[table] == state


def changes(api: Api, *, is_refused: bool) -> None:
    """Messages cannot be written where an index cannot, and nothing of it stays; else they are there, and are found."""
    for change in (one_more, into_the_bin):
        if is_refused:
            assert told(lambda change=change: change(api))[0] in REFUSED  # type: ignore[misc]
        else:
            done(lambda change=change: change(api))  # type: ignore[misc]
    assert titles(api).keys() == (ALL if is_refused else ALL - {"doomed"})
    assert [entry["sessionIds"] for entry in api.ask(BIN)["bin"]] == ([] if is_refused else [["doomed"]])
    for text in ("afterwards", "再说", "再说今"):
        assert found(api, text)[0] == (set() if is_refused else {"spoken"}), text


def test_the_doctor_names_every_damage(server: Faulty) -> None:
    """After all others. What only a reading of the whole index sees, it sees with `--deep`."""
    said = findings(server.server.home)
    for name, (_, damage) in PROFILES_OF.items():
        state = DAMAGES[damage][1]
        assert (f"INDEX_{state}" in said[name]) == (state != "OK"), (name, said[name])
    deep = findings(server.server.home, "--deep", "--profile", f"{WORDS}-{UNSEEN}")
    assert deep[f"{WORDS}-{UNSEEN}"]["DAMAGED"] == "PROBLEM"
