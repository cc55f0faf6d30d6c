"""Archiving, deleting and pruning many sessions: what they choose, skip and report, in one step and in chunks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.api.dumps import dump, loose_ends
from tests.api.serving import Api, Json, Server, serving
from tests.api.test_actions import GOES, live, locked, spoken_plan, with_live_subagent
from tests.api.test_restoring import restore, worst_cells
from tests.builders import StoreBuilder, T, home_with, plan_chain

PAYLOAD = """
    changedIds detachedIds skipped { id code reason } sessionCount messageCount bytes
    cost { usd unknownSessions } binIds completed dryRun userErrors { code message path }"""


def change(api: Api, name: str, **input: Any) -> Json:
    type = name[0].upper() + name[1:] + "Input"
    answer: Json = api.ask(f"mutation ($input: {type}!) {{ {name}(input: $input) {{ {PAYLOAD} }} }}", input=input)[name]
    return answer


def archive(api: Api, **input: Any) -> Json:
    return change(api, "archiveSessions", **input)


def delete(api: Api, **input: Any) -> Json:
    return change(api, "deleteSessions", **input)


def prune(api: Api, **input: Any) -> Json:
    return change(api, "pruneSessions", **input)


def codes(payload: Json) -> list[tuple[str, str]]:
    return [(each["id"], each["code"]) for each in payload["skipped"]]


def refused(payload: Json) -> str:
    [error] = payload["userErrors"]
    assert (payload["changedIds"], payload["completed"]) == ([], False)
    return str(error["code"])


def three(store: StoreBuilder) -> None:
    """Ended sessions of three sources, the last active one named first in the alphabet."""
    for number, id in enumerate(["c", "b", "a"]):
        store.session(id, source=f"source-{id}", start=T + number, end=T + 50, end_reason="cli_close", cost=1.0)
        store.message(id, content=f"words of {id}", at=T + number)


def many(count: int) -> Any:
    def fill(store: StoreBuilder) -> None:
        store.sql("BEGIN")
        for number in range(count):
            id = f"s{number:03}"
            parent = f"s{number - 1:03}" if number % 3 else None
            store.session(id, title=f"Title {id}", start=T + number, end=T + number + 1, parent=parent)
            for turn in range(4):
                store.message(id, content=f"words {turn} of {id} " * 20, at=T + number)
            store.usage(id, cost=0.1)
        store.sql("COMMIT")

    return fill


@contextmanager
def another_writer(path: Path) -> Iterator[list[float]]:
    """Writes on and on as an agent does; the seconds that each write took, or the error that ended it."""
    stop = threading.Event()
    waits: list[float] = []
    failed: list[BaseException] = []

    def write() -> None:
        try:
            with StoreBuilder(path) as store:
                while not stop.is_set():
                    started = time.monotonic()
                    store.sql("UPDATE sessions SET message_count = message_count + 1 WHERE id = 'agent'")
                    waits.append(time.monotonic() - started)
                    time.sleep(0.005)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield waits
    finally:
        stop.set()
        thread.join()
    assert failed == []


def test_archiving_by_ids_takes_whole_conversations_in_the_order_of_the_input(server: Server) -> None:
    api = server.profile(plan_chain, three)
    answer = archive(api, ids=["b", "d2", "a", "d3", "b"])
    assert answer["changedIds"] == ["b", "d1", "d2", "d3", "a"]
    assert (answer["sessionCount"], answer["completed"], answer["userErrors"]) == (5, True, [])
    assert archive(api, ids=["a", "c"])["changedIds"] == ["c"]
    assert archive(api, ids=["a"], archived=False)["changedIds"] == ["a"]
    assert archive(api, ids=["d2"], archived=False, scope="SESSION")["changedIds"] == ["d2"]


def test_a_filter_chooses_conversations_the_last_active_first(server: Server) -> None:
    api = server.profile(three)
    assert archive(api, filter={"excludeSources": ["source-b"]})["changedIds"] == ["a", "c"]
    assert archive(api, filter={})["changedIds"] == ["b"]
    assert archive(api, filter={"archived": "ONLY"}, archived=False)["changedIds"] == ["a", "b", "c"]
    assert archive(api, filter={"sources": ["nowhere"]})["completed"] is True


@pytest.mark.parametrize("chosen", [{}, {"ids": ["a"], "filter": {}}])
def test_either_ids_or_a_filter_must_be_given(server: Server, chosen: Json) -> None:
    api = server.profile(three)
    for answer in (archive(api, **chosen), delete(api, **chosen)):
        assert refused(answer) == "BAD_USER_INPUT"
        assert answer["userErrors"][0]["path"] == ["input", "ids"]


def test_a_prefix_is_not_taken_for_an_id(server: Server) -> None:
    api = server.profile(lambda store: store.session("long-id"))
    answer = delete(api, ids=["long"], errorPolicy="SKIP_FAILED")
    assert (answer["changedIds"], codes(answer)) == ([], [("long", "NOT_FOUND")])


def test_one_that_fails_rejects_all(server: Server) -> None:
    api = server.profile(three, live)
    with api.store() as store:
        before = dump(store)
        for answer in (archive(api, ids=["a", "nobody"]), delete(api, ids=["a", "nobody"])):
            assert refused(answer) == "NOT_FOUND"
        answer = delete(api, ids=["a", "live", "b"])
        assert refused(answer) == "SESSION_BUSY"
        assert codes(answer) == [("live", "SESSION_BUSY")]
        assert dump(store) == before


def test_the_others_change_when_failures_are_skipped(server: Server) -> None:
    api = server.profile(three, live)
    answer = delete(api, ids=["nobody", "a", "live", "c"], errorPolicy="SKIP_FAILED")
    assert answer["changedIds"] == ["a", "c"]
    assert codes(answer) == [("nobody", "NOT_FOUND"), ("live", "SESSION_BUSY")]
    assert answer["completed"] is True
    assert delete(api, ids=["live"], force=True)["changedIds"] == ["live"]


def test_ids_that_were_deleted_before_are_skipped_as_absent(server: Server) -> None:
    api = server.profile(three)
    delete(api, ids=["a"])
    answer = delete(api, ids=["a", "b"])
    assert (answer["changedIds"], answer["userErrors"], codes(answer)) == (["b"], [], [("a", "NOT_FOUND")])
    assert answer["skipped"][0]["reason"] == "It was deleted before."


def test_a_dry_run_tells_what_the_real_call_does(server: Server) -> None:
    api = server.profile(spoken_plan, three, live)
    input = {"ids": ["sub1", "live", "d2", "a"], "errorPolicy": "SKIP_FAILED"}
    with api.store() as store:
        before = dump(store)
        archived = archive(api, dryRun=True, **input)
        planned = delete(api, dryRun=True, **input)
        assert dump(store) == before
    assert archive(api, **input) | {"dryRun": True} == archived
    done = delete(api, **input)
    assert sorted(planned["changedIds"]) == sorted([*GOES, "a"])
    assert (planned["detachedIds"], planned["cost"]["usd"]) == (["br1"], 9.27)
    assert len(done["binIds"]) == 1
    assert done | {"dryRun": True, "binIds": []} == planned


def test_one_transaction_is_one_entry_of_the_bin_and_comes_back_exactly(server: Server) -> None:
    api = server.profile(spoken_plan, worst_cells, three)
    with api.store() as store:
        before, loose = dump(store), loose_ends(store)
        [bin_id] = delete(api, ids=["d1", "a", "b"])["binIds"]
        [entry] = api.ask("{ bin { title } }")["bin"]
        assert entry["title"] == "Plan #3 and 2 more"
        restore(api, bin_id)
        assert (dump(store), loose_ends(store)) == (before, loose)


@pytest.mark.parametrize("scope", ["CONVERSATION", "SESSION"])
def test_250_sessions_go_in_chunks_beside_a_writer_and_come_back_row_for_row(server: Server, scope: str) -> None:
    api = server.profile(many(250), lambda store: store.session("agent", message_count=0))
    ids = [f"s{number:03}" for number in range(250)]
    with api.store() as store:
        before = dump(store)
        planned = delete(api, ids=ids, scope=scope, dryRun=True)
        with another_writer(api.path) as waits:
            done = delete(api, ids=ids, scope=scope)
        assert (done["userErrors"], done["completed"], done["changedIds"]) == ([], True, ids)
        assert done | {"dryRun": True, "binIds": []} == planned
        assert len(done["binIds"]) >= 3
        assert store.sql("SELECT id FROM sessions") == [("agent",)]
        assert len(waits) > len(done["binIds"])
        assert max(waits) < 2
        for bin_id in done["binIds"]:
            assert restore(api, bin_id)["skipped"] == []
        store.set("sessions", "agent", message_count=0)
        assert dump(store) == before


def test_250_sessions_are_archived_in_chunks(server: Server) -> None:
    api = server.profile(many(250))
    answer = archive(api, filter={"archived": "EXCLUDE"})
    assert (answer["sessionCount"], answer["binIds"]) == (250, [])
    assert api.ask("{ conversations { totalCount } }")["conversations"]["totalCount"] == 0


@pytest.mark.sqlite
def test_a_failure_half_way_reports_what_was_done(server: Server) -> None:
    def guarded(store: StoreBuilder) -> None:
        many(250)(store)
        store.sql(
            "CREATE TRIGGER guard BEFORE UPDATE OF archived ON sessions WHEN new.id = 's240'"
            " BEGIN SELECT raise(ABORT, 'database disk image is malformed'); END"
        )

    api = server.profile(guarded)
    try:
        answer = archive(api, ids=[f"s{number:03}" for number in range(250)])
    finally:
        with api.store() as store:
            store.sql("DROP TRIGGER guard")
            written = [id for (id,) in store.sql("SELECT id FROM sessions WHERE archived = 1 ORDER BY id")]
    assert (answer["completed"], len(answer["userErrors"])) == (False, 1)
    assert 100 <= len(written) < 250
    assert answer["changedIds"] == written


def test_pruning_takes_conversations_by_their_last_activity(server: Server) -> None:
    now, day = time.time(), 86_400

    def aged(store: StoreBuilder) -> None:
        for id, days in (("old", 40), ("older", 50), ("new", 10), ("hidden", 60)):
            store.session(id, start=now - 90 * day, end=now - 80 * day, archived=int(id == "hidden"))
            store.message(id, at=now - days * day)

    api = server.profile(aged)
    planned = prune(api, olderThanDays=30, dryRun=True)
    assert planned["changedIds"] == ["old", "older"]
    assert prune(api, olderThanDays=30, includeArchived=True, dryRun=True)["changedIds"] == ["old", "older", "hidden"]
    assert prune(api, olderThanDays=30, filter={"ids": ["older"]})["changedIds"] == ["older"]
    assert prune(api, olderThanDays=30, permanent=True)["binIds"] == []
    assert prune(api, olderThanDays=30)["changedIds"] == []
    assert refused(prune(api, olderThanDays=-1)) == "BAD_USER_INPUT"


@pytest.mark.parametrize("fill", [pytest.param(locked, marks=pytest.mark.sqlite), with_live_subagent])
def test_pruning_spares_busy_sessions_and_counts_them(server: Server, fill: Any) -> None:
    answer = prune(server.profile(three, fill), olderThanDays=30)
    assert sorted(answer["changedIds"]) == ["a", "b", "c"]
    assert (codes(answer), answer["userErrors"]) == ([("live", "SESSION_BUSY")], [])


def test_pruning_at_once_spares_a_live_session(server: Server) -> None:
    answer = prune(server.profile(three, live), olderThanDays=0)
    assert (answer["changedIds"], codes(answer)) == (["a", "b", "c"], [("live", "SESSION_BUSY")])


def test_M6_a_conversation_whose_messages_were_taken_back_is_not_empty(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("taken-back", end=T + 1, end_reason="cli_close", message_count=0)
        store.message("taken-back", active=0)
        store.set("sessions", "taken-back", message_count=0)
        store.session("empty", end=T + 1, end_reason="cli_close")

    api = server.profile(fill)
    assert prune(api, olderThanDays=1, filter={"maxMessages": 0}, dryRun=True)["changedIds"] == ["empty"]
    assert delete(api, filter={"maxMessages": 0})["changedIds"] == ["empty"]


def test_a_read_only_server_changes_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=three)
    with serving(home, read_only=True) as server:
        api = server.api()
        for answer in (archive(api, ids=["a"]), delete(api, ids=["a"]), prune(api, olderThanDays=1)):
            assert refused(answer) == "READ_ONLY"
        assert api.ask("{ conversations { totalCount } }")["conversations"]["totalCount"] == 3
