"""Case A4: what was exported comes back as it was, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

from hermes_sessions.demo import make_demo
from tests.api.serving import Api, Server
from tests.builders import StoreBuilder, T, full_plan, home_with
from tests.export.hostile import get, hostile
from tests.importing.moving import backup, bring, bring_all, command, empty_home, import_into


def soft(store: StoreBuilder) -> None:
    """Compacted and rewound messages, usage, and an id that leaves a gap."""
    full_plan(store)
    store.message("d1", "user", "to be compacted", at=T + 1, active=0, compacted=1)
    store.message("d1", "user", "taken back", at=T + 2, active=0)
    store.message("d2", "assistant", [{"type": "text", "text": "kept"}], at=T + 101, id=900)
    store.usage("d1", cost=0.25)
    store.usage("d1", task="compression", cost=0.01)


def empty_profile(server: Server, name: str) -> Api:
    (server.home / "profiles" / name).mkdir(parents=True)
    return server.api(name)


def renamed(text: str, api: Api, other: Api) -> str:
    return text.replace(f'"profile": "{api.profile}"', f'"profile": "{other.profile}"', 1)


def test_a4_through_the_api_the_second_export_is_the_first(server: Server) -> None:
    source, target = server.profile(soft), empty_profile(server, "a4-api")
    first = get(server, source, "d1.json", scope="lineage").text
    done = import_into(target, first)
    assert (done["completed"], done["userErrors"], done["skipped"], done["cutLinks"]) == (True, [], [], [])
    assert (done["sessionCount"], done["messageCount"], done["usageRowCount"]) == (8, 4, 2)
    second = get(server, target, "d1.json", scope="lineage").text
    assert second == renamed(first, source, target)
    states = {(row["active"], row["compacted"]) for each in json.loads(second)["sessions"] for row in each["messages"]}
    assert states == {(1, 0), (0, 1), (0, 0)}


def test_a4_importing_again_skips_all_of_it_and_says_so(server: Server) -> None:
    target = empty_profile(server, "a4-again")
    first = get(server, server.profile(soft), "d1.json", scope="lineage").text
    imported = import_into(target, first)["importedIds"]
    before = get(server, target, "d1.json", scope="lineage").text
    again = import_into(target, first)
    assert (again["importedIds"], again["messageCount"], again["completed"]) == ([], 0, True)
    assert [(each["id"], each["code"]) for each in again["skipped"]] == [(id, "ID_TAKEN") for id in imported]
    assert get(server, target, "d1.json", scope="lineage").text == before


def test_a4_a_child_alone_loses_its_parent_link_and_says_so(server: Server) -> None:
    target = empty_profile(server, "a4-child")
    child = get(server, server.profile(full_plan), "br1.json", scope="session").text
    done = import_into(target, child)
    assert done["importedIds"] == ["br1"]
    assert [(link["childId"], link["parentId"]) for link in done["cutLinks"]] == [("br1", "d2")]
    assert target.ask('{ session(id: "br1") { parentId kind } }') == {"session": {"parentId": None, "kind": "ROOT"}}


def test_a4_by_the_command(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=soft)
    other = empty_home(tmp_path / "other")
    first = backup(home, tmp_path / "first")
    done = bring_all(other, tmp_path / "first")
    assert (len(done["importedIds"]), done["cutLinks"], done["warnings"]) == (8, [], [])
    assert backup(other, tmp_path / "second") == first
    again = bring_all(other, tmp_path / "first")
    assert (again["importedIds"], {each["code"] for each in again["skipped"]}) == ([], {"ID_TAKEN"})
    said = command("import", "--home", str(other), *map(str, sorted((tmp_path / "first").iterdir())))
    assert b"Imported 0 sessions" in said.stdout
    assert b"Skipped 8 sessions that are there already." in said.stdout


def test_a4_a_dry_run_foretells_the_real_one_and_makes_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=soft)
    other = empty_home(tmp_path / "other")
    backup(home, tmp_path / "first")
    files = map(str, sorted((tmp_path / "first").iterdir()))
    foretold = bring(other, "--dry-run", *files)
    assert list(other.iterdir()) == []
    assert foretold == bring_all(other, tmp_path / "first")


def test_the_whole_demo_home_comes_back_circles_and_dangling_links_included(tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=60)
    with StoreBuilder(tmp_path / "home" / "state.db") as store:
        hostile(store)
        store.session("o1", parent="ghost")
        store.session("self", parent="self")
    other = empty_home(tmp_path / "other", "default", "work", "research")
    for profile in ("default", "work", "research"):
        first = backup(tmp_path / "home", tmp_path / profile, profile)
        done = bring_all(other, tmp_path / profile, profile)
        assert (done["skipped"], done["cutLinks"], done["warnings"]) == ([], [], [])
        assert backup(other, tmp_path / f"{profile}-again", profile) == first


def test_a_store_of_schema_30_comes_back(tmp_path: Path) -> None:
    with StoreBuilder(tmp_path / "home" / "state.db", schema30=True) as store:
        soft(store)
        store.sql("INSERT INTO system_prompts VALUES ('h', 'Be brief.')")
        store.session("pinned", pinned=1, last_activity_at=T + 5, system_prompt_hash="h")
    first = backup(tmp_path / "home", tmp_path / "first")
    with StoreBuilder(tmp_path / "same" / "state.db", schema30=True):
        pass
    [lost] = bring_all(tmp_path / "same", tmp_path / "first")["warnings"]
    assert "texts of shared system prompts" in lost
    assert backup(tmp_path / "same", tmp_path / "second") == first
    [warning] = bring_all(empty_home(tmp_path / "poorer"), tmp_path / "first")["warnings"]
    assert "sessions.pinned" in warning


def test_columns_of_an_early_store_take_their_defaults(tmp_path: Path) -> None:
    columns = {
        "sessions": "id TEXT PRIMARY KEY, source TEXT, parent_session_id TEXT, started_at REAL, rewind_count",
        "messages": "id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL, active",
    }
    with StoreBuilder(tmp_path / "home" / "state.db", columns=columns) as store:
        store.insert("sessions", {"id": "old", "source": "cli", "started_at": T})
        store.insert("messages", {"session_id": "old", "role": "user", "content": "hi", "timestamp": T})
    backup(tmp_path / "home", tmp_path / "first")
    other = empty_home(tmp_path / "other")
    assert bring_all(other, tmp_path / "first")["messageCount"] == 1
    with StoreBuilder(other / "state.db") as store:
        assert store.sql("SELECT rewind_count FROM sessions") == [(0,)]
        assert store.sql("SELECT active FROM messages") == [(1,)]
