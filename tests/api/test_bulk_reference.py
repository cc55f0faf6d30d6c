"""Bulk changes on random stores, beside what plain Python says of the same conversations."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import Any

import pytest

from tests.api.random_home import AUTOMATION, Talk, moment, ordered, random_talks, writing
from tests.api.serving import Api, Server
from tests.api.test_bulk import archive, delete, prune
from tests.builders import T

SEEDS = range(2)
TALKS = 80  # about 140 sessions: some filters fit into one transaction, others go in chunks


def filters(seed: int) -> list[tuple[dict[str, Any], Any]]:
    """Inputs, each with the test in plain Python that says the same."""
    dice = random.Random(f"filters {seed}")
    source, reach = dice.choice(["cli", "cron", "telegram"]), T + dice.randrange(10_000)
    return [
        ({}, lambda talk: not talk.tip.archived),
        ({"archived": "ONLY"}, lambda talk: talk.tip.archived),
        ({"archived": "INCLUDE", "sources": [source]}, lambda talk: talk.source == source),
        ({"audience": "AUTOMATION"}, lambda talk: not talk.tip.archived and talk.source in AUTOMATION),
        ({"archived": "INCLUDE", "activeBefore": moment(reach)}, lambda talk: talk.active < reach),
        ({"archived": "INCLUDE", "maxMessages": 0}, lambda talk: talk.messages == 0),
        ({"archived": "INCLUDE", "workspace": "/srv/app"}, lambda talk: in_app(talk.folder)),
        ({"archived": "INCLUDE", "minCostUsd": 0.5}, lambda talk: talk.cost is not None and talk.cost >= 0.5),
    ]


def in_app(folder: str | None) -> bool:
    return folder is not None and (folder == "/srv/app" or folder.startswith("/srv/app/"))


def hangers_on(talks: list[Talk], talk: Talk) -> list[str]:
    """What the random home hangs on every seventh conversation."""
    number = talks.index(talk)
    if number % 7:
        return []
    return [f"sub{number}"] + ([f"side{number}"] if len(talk.segments) > 1 else [])


def members(talks: list[Talk], talk: Talk) -> set[str]:
    return {segment.id for segment in talk.segments} | set(hangers_on(talks, talk))


def stored(api: Api) -> dict[str, tuple[str | None, int]]:
    """Parent and archived flag of every row."""
    with api.store() as store:
        return {row[0]: row[1:] for row in store.sql("SELECT id, parent_session_id, archived FROM sessions")}


def messages(api: Api) -> set[tuple[int, str]]:
    with api.store() as store:
        return {(row[0], row[1]) for row in store.sql("SELECT id, session_id FROM messages")}


@pytest.mark.parametrize("seed", SEEDS)
def test_archiving_changes_the_flags_that_the_reference_changes_and_no_others(server: Server, seed: int) -> None:
    talks = random_talks(seed, "bulk", TALKS)
    for chosen, fits in filters(seed):
        api = server.profile(writing(talks))
        before = stored(api)
        wanted = chosen.get("archived") != "ONLY"
        segments = [segment for talk in reference(talks, fits) for segment in talk.segments]
        expected = [segment.id for segment in segments if segment.archived is not wanted]
        planned = archive(api, filter=chosen, archived=wanted, dryRun=True)
        assert stored(api) == before
        done = archive(api, filter=chosen, archived=wanted)
        assert planned["changedIds"] == done["changedIds"] == expected
        flags = {id: (parent, int(wanted) if id in expected else flag) for id, (parent, flag) in before.items()}
        assert stored(api) == flags


@pytest.mark.parametrize("seed", SEEDS)
def test_deleting_takes_what_the_reference_takes_and_detaches_the_rest(server: Server, seed: int) -> None:
    talks = random_talks(seed, "bulk", TALKS)
    for chosen, fits in filters(seed):
        api = server.profile(writing(talks))
        check_deletion(api, talks, reference(talks, fits), partial(delete, api, filter=chosen))


@pytest.mark.parametrize("seed", SEEDS)
def test_pruning_takes_what_the_reference_finds_old(server: Server, seed: int) -> None:
    talks = random_talks(seed, "bulk", TALKS)
    now = time.time()
    days = int((now - T - 5_000) // 86_400)
    old = [talk for talk in ordered(talks, "LAST_ACTIVE", descending=True) if talk.active < now - days * 86_400]
    visible = [talk for talk in old if not talk.tip.archived]
    api = server.profile(writing(talks))
    check_deletion(api, talks, visible, partial(prune, api, olderThanDays=days))


def reference(talks: list[Talk], fits: Any) -> list[Talk]:
    return [talk for talk in ordered(talks, "LAST_ACTIVE", descending=True) if fits(talk)]


def check_deletion(api: Api, talks: list[Talk], chosen: list[Talk], call: Any) -> None:
    """The plan, the deed and the store all agree with the reference; undoing it brings every row back."""
    before, words = stored(api), messages(api)
    gone = set().union(*(members(talks, talk) for talk in chosen))
    detached = {id for id, (parent, _) in before.items() if parent in gone and id not in gone}
    planned = call(dryRun=True)
    assert stored(api) == before
    done = call()
    for payload in (planned, done):
        assert (set(payload["changedIds"]), len(payload["changedIds"])) == (gone, len(gone))
        assert set(payload["detachedIds"]) == detached
        assert payload["messageCount"] == sum(session in gone for _, session in words)
    kept = {id: (None if id in detached else parent, flag) for id, (parent, flag) in before.items() if id not in gone}
    assert stored(api) == kept
    assert messages(api) == {(number, session) for number, session in words if session not in gone}
    for entry in done["binIds"]:
        api.ask("mutation ($bin: ID!) { restoreSessions(input: {binId: $bin}) { userErrors { message } } }", bin=entry)
    assert (stored(api), messages(api)) == (before, words)
