"""What the real Hermes exports comes in, and what came in the real Hermes opens, reads, searches and goes on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hermes_sessions.demo import make_demo
from tests.builders import StoreBuilder, home_with
from tests.export.hostile import hostile
from tests.hermes.process import HermesProcess
from tests.importing.moving import backup, bring, bring_all, empty_home


def readable(store: StoreBuilder) -> None:
    """Without the message whose bytes are not UTF-8: Hermes cannot read those anywhere."""
    hostile(store)
    store.sql("DELETE FROM messages WHERE id = (SELECT max(id) FROM messages)")


def lines(hermes: HermesProcess) -> str:
    """As `hermes sessions export` writes them."""
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in hermes.call("export_all"))


def test_hermes_own_export_comes_in_and_hermes_reads_the_same(hermes: HermesProcess, tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=30)
    hermes.open(tmp_path / "home" / "state.db")
    (tmp_path / "all.jsonl").write_text(lines(hermes), encoding="utf-8")
    before = {each["id"]: each for each in hermes.call("export_all")}
    hermes.close()
    other = empty_home(tmp_path / "other")
    done = bring(other, str(tmp_path / "all.jsonl"))
    assert (set(done["importedIds"]), done["warnings"]) == (set(before), [])
    hermes.open(other / "state.db")
    after = {each["id"]: each for each in hermes.call("export_all")}
    cut = {link["childId"] for link in done["cutLinks"]}
    for id in cut:
        before[id]["parent_session_id"] = None
    for id, each in after.items():
        assert told(each) == told(before[id])
    assert hermes.complaints() == complaints_about_cells(hermes)


def told(session: dict[str, Any]) -> Any:
    """Hermes reads calls that do not parse as none, and so it exports them. `last_active` counts messages that were
    taken back, which it does not export."""
    messages = [message | {"tool_calls": message["tool_calls"] or None} for message in session["messages"]]
    return session | {"messages": messages, "last_active": None}


def complaints_about_cells(hermes: HermesProcess) -> list[str]:
    """The demo holds some cells that Hermes cannot parse and says so about."""
    return [line for line in hermes.complaints() if line.startswith(("Failed to deserialize", "Failed to decode"))]


def test_hermes_goes_on_in_a_store_that_an_import_made(hermes: HermesProcess, tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=30)
    with StoreBuilder(tmp_path / "home" / "state.db") as store:
        readable(store)
        newest, count = store.sql("SELECT max(id), count(*) FROM messages")[0]
    backup(tmp_path / "home", tmp_path / "backup")
    other = empty_home(tmp_path / "other")
    bring_all(other, tmp_path / "backup")
    assert hermes.open(other / "state.db") == 22
    assert hermes.sql("SELECT count(*) FROM messages") == [[count]]
    assert hermes.sql("PRAGMA integrity_check") == [["ok"]]
    assert hermes.call("search_messages", "Lisbon")
    assert len(hermes.list_sessions(limit=100)) > 20
    assert len(hermes.get_messages("bad", include_inactive=True)) == 7
    assert hermes.complaints() == complaints_about_cells(hermes)
    hermes.create_session("after")
    assert hermes.append_message("after", "user", "a word like zugzwang") == newest + 1
    assert hermes.call("search_messages", "zugzwang")
    assert hermes.append_message("bad", "user", "on we go") == newest + 2


def test_a_session_comes_in_while_hermes_has_the_store_open(hermes: HermesProcess, tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=readable)
    backup(home, tmp_path / "backup")
    other = empty_home(tmp_path / "other")
    hermes.open(other / "state.db")
    hermes.create_session("own")
    hermes.start_appending("own", per_second=100)
    done = bring_all(other, tmp_path / "backup")
    appended = hermes.stop_appending()
    assert (done["importedIds"], done["messageCount"], appended.errors) == (["bad"], 7, [])
    assert [message["id"] for message in hermes.get_messages("own")] == appended.written
    assert len(hermes.get_messages("bad", include_inactive=True)) == 7
    assert hermes.complaints() == []
