"""The cases A1 to A3: what archiving and deleting touch, and what they refuse."""

from __future__ import annotations

import stat
import time
from pathlib import Path
from typing import Any

import pytest

from tests.api.dumps import dump, found, loose_ends
from tests.api.serving import Api, Json, Server, serving
from tests.builders import StoreBuilder, T, full_plan, home_with, plan_chain, plan_subagents

ARCHIVE = """
    mutation ($id: ID!, $archived: Boolean! = true, $scope: Scope! = CONVERSATION) {
      archiveSession(input: {id: $id, archived: $archived, scope: $scope}) {
        changedIds session { id archived } conversation { id archived archivedMixed } userErrors { code message path }
      }
    }"""
DELETE = """
    mutation ($id: ID!, $scope: Scope! = CONVERSATION, $exact: Boolean! = false, $permanent: Boolean! = false,
              $force: Boolean! = false, $dryRun: Boolean! = false) {
      deleteSession(input: {id: $id, scope: $scope, exact: $exact, permanent: $permanent, force: $force,
                            dryRun: $dryRun}) {
        deletedIds detachedIds messageCount bytes cost { usd unknownSessions } alreadyAbsent dryRun binId
        userErrors { code message path }
      }
    }"""
GOES = ["d1", "d2", "d3", "d3s", "leg", "sub1", "sub2"]


def archive(api: Api, id: str, **variables: Any) -> Json:
    answer: Json = api.ask(ARCHIVE, id=id, **variables)["archiveSession"]
    return answer


def delete(api: Api, id: str, **variables: Any) -> Json:
    answer: Json = api.ask(DELETE, id=id, **variables)["deleteSession"]
    return answer


def refused(payload: Json) -> str:
    [error] = payload["userErrors"]
    return str(error["code"])


def spoken_plan(store: StoreBuilder) -> None:
    """L1, L2, L3 and L6 with messages and usage rows."""
    full_plan(store)
    for number, id in enumerate([*GOES, "br1"]):
        store.message(id, content=f"words of {id}", at=T + number)
        store.usage(id, cost=0.1)
        store.usage(id, task="compression", cost=0.01)


@pytest.mark.parametrize("member", ["d1", "d3", "d2"])
def test_A1_archiving_any_segment_archives_all(server: Server, member: str) -> None:
    api = server.profile(plan_chain, plan_subagents)
    answer = archive(api, member)
    assert sorted(answer["changedIds"]) == ["d1", "d2", "d3"]
    assert answer["session"] == {"id": member, "archived": True}
    assert answer["conversation"] == {"id": "d1", "archived": True, "archivedMixed": False}
    page = api.ask("{ conversations { totalCount hidden { archived } } }")["conversations"]
    assert page == {"totalCount": 0, "hidden": {"archived": 1}}
    assert sorted(archive(api, member, archived=False)["changedIds"]) == ["d1", "d2", "d3"]
    assert api.ask("{ conversations { totalCount } }")["conversations"]["totalCount"] == 1


def test_A1_the_root_archived_alone_by_someone_else(server: Server) -> None:
    api = server.profile(plan_chain, lambda store: store.set("sessions", "d1", archived=1))
    seen = api.ask('{ conversation(id: "d1") { archived archivedMixed } }')["conversation"]
    assert seen == {"archived": False, "archivedMixed": True}
    assert sorted(archive(api, "d1")["changedIds"]) == ["d2", "d3"]


def test_A1_scope_session_archives_one_row(server: Server) -> None:
    api = server.profile(plan_chain)
    answer = archive(api, "d1", scope="SESSION")
    assert answer["changedIds"] == ["d1"]
    assert answer["conversation"] == {"id": "d1", "archived": False, "archivedMixed": True}


def test_A1_archiving_changes_nothing_else(server: Server) -> None:
    api = server.profile(spoken_plan)
    with api.store() as store:
        before = dump(store)
        archive(api, "d1")
        archive(api, "d1", archived=False)
        assert dump(store) == before


def test_A2_a_dry_run_tells_what_the_real_call_does(server: Server) -> None:
    api = server.profile(spoken_plan)
    with api.store() as store:
        before = dump(store)
        planned = delete(api, "d2", dryRun=True)
        assert dump(store) == before
        done = delete(api, "d2")
        assert store.sql("SELECT id, parent_session_id FROM sessions") == [("br1", None)]
    assert sorted(planned["deletedIds"]) == GOES
    assert planned["detachedIds"] == ["br1"]
    assert (planned["messageCount"], planned["bytes"]) == (8, len("hello") + sum(len(f"words of {id}") for id in GOES))
    assert planned["cost"] == {"usd": 8.27, "unknownSessions": 2}
    assert (planned["dryRun"], planned["binId"]) == (True, None)
    assert done["binId"] is not None
    assert done | {"dryRun": True, "binId": None} == planned


def test_A2_a_branch_of_a_branch_stays(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        full_plan(store)
        store.session("br2", parent="br1", start=T + 160, branched_from="br1")
        store.session("sub3", parent="sub2", start=T + 130, delegate_from="sub2")
        store.session("odd", parent="sub2", start=T + 131)

    answer = delete(server.profile(fill), "d1")
    assert sorted(answer["deletedIds"]) == sorted([*GOES, "sub3"])
    assert sorted(answer["detachedIds"]) == ["br1", "odd"]


def test_A2_scope_session_deletes_one_segment_and_what_hangs_on_it(server: Server) -> None:
    api = server.profile(full_plan)
    answer = delete(api, "d2", scope="SESSION")
    assert sorted(answer["deletedIds"]) == ["d2", "d3s", "sub2"]
    assert sorted(answer["detachedIds"]) == ["br1", "d3"]


def test_A3_nothing_of_what_was_deleted_is_left(server: Server) -> None:
    api = server.profile(spoken_plan, lambda store: store.session("dangling", parent="ghost"))
    with api.store() as store:
        loose = loose_ends(store)
        assert found(store, "messages_fts", "words of d1") == {2}
        assert found(store, "messages_fts_trigram", "words of d1") == {2}
        delete(api, "d1")
        for id in GOES:
            for index in ("messages_fts", "messages_fts_trigram"):
                assert found(store, index, f"words of {id}") == set()
        assert found(store, "messages_fts", "words of br1") == {9}
        assert store.sql("SELECT DISTINCT session_id FROM messages") == [("br1",)]
        assert store.sql("SELECT DISTINCT session_id FROM session_model_usage") == [("br1",)]
        assert loose_ends(store) == loose
        assert store.sql("PRAGMA integrity_check") == [("ok",)]
        store.sql("INSERT INTO messages_fts (messages_fts) VALUES ('integrity-check')")


def test_A3_a_deletion_of_one_leaves_the_others_untouched(server: Server) -> None:
    def other(store: StoreBuilder) -> None:
        store.session("other", title="Other", cost=1.5)
        store.message("other", content="kept")
        store.usage("other")

    api = server.profile(other, lambda store: [store.session("gone"), store.message("gone")])
    with api.store() as store:
        delete(api, "gone")
        assert store.sql("SELECT id, title, estimated_cost_usd FROM sessions") == [("other", "Other", 1.5)]
        assert store.sql("SELECT content FROM messages") == [("kept",)]


def live(store: StoreBuilder) -> None:
    store.session("live", start=time.time() - 100)
    store.message("live", at=time.time() - 10)


def locked(store: StoreBuilder) -> None:
    store.session("live", end=T + 10, end_reason="cli_close")
    lock = {"session_id": "live", "holder": "agent", "acquired_at": T, "expires_at": time.time() + 600}
    store.insert("compression_locks", lock)


def with_live_subagent(store: StoreBuilder) -> None:
    store.session("live", end=T + 10, end_reason="cli_close")
    store.session("worker", parent="live", start=time.time() - 60, delegate_from="live")


@pytest.mark.parametrize("fill", [live, pytest.param(locked, marks=pytest.mark.sqlite), with_live_subagent])
def test_a_busy_session_is_deleted_by_force_only(server: Server, fill: Any) -> None:
    api = server.profile(fill)
    answer = delete(api, "live")
    assert (refused(answer), answer["deletedIds"]) == ("SESSION_BUSY", [])
    assert api.ask('{ session(id: "live") { id } }')["session"] is not None
    assert delete(api, "live", force=True)["userErrors"] == []
    assert api.ask('{ session(id: "live") { id } }')["session"] is None


@pytest.mark.sqlite
def test_a_lease_on_a_turn_keeps_a_session_busy(server: Server) -> None:
    def leased(store: StoreBuilder) -> None:
        store.session("live", end=T + 10, end_reason="cli_close")
        lease = {"conversation_id": "live", "holder": "agent", "acquired_at": T, "expires_at": time.time() + 600}
        store.insert("session_turn_leases", lease)

    assert refused(delete(server.profile(leased, schema30=True), "live")) == "SESSION_BUSY"


def test_an_expired_lock_keeps_nothing_busy(server: Server) -> None:
    api = server.profile(locked, lambda store: store.sql("UPDATE compression_locks SET expires_at = ?", (T,)))
    assert delete(api, "live")["userErrors"] == []


def test_an_unknown_id_is_not_found(server: Server) -> None:
    api = server.profile(plan_chain)
    for payload in (archive(api, "nobody"), delete(api, "nobody"), delete(api, "nobody", dryRun=True)):
        assert refused(payload) == "NOT_FOUND"
        assert payload["userErrors"][0]["path"] == ["input", "id"]


def test_a_read_only_server_changes_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=plan_chain)
    with serving(home, read_only=True) as server:
        api = server.api()
        assert api.ask("{ server { readOnly } profile { status } }") == {
            "server": {"readOnly": True},
            "profile": {"status": "READ_ONLY"},
        }
        for payload in (archive(api, "d1"), delete(api, "d1"), delete(api, "d1", dryRun=True)):
            assert refused(payload) == "READ_ONLY"
        assert api.ask('{ conversation(id: "d1") { archived } }')["conversation"]["archived"] is False


def test_the_bin_stands_outside_the_home_for_its_owner_alone(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=plan_chain)
    before = {path.name for path in home.rglob("*")}
    with serving(home, tmp_path / "state") as server:
        delete(server.api(), "d1")
    assert {path.name for path in home.rglob("*")} - {"state.db-wal", "state.db-shm"} == before
    files = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert files
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
