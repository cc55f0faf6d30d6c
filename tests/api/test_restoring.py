"""Deleted sessions come back out of the bin exactly: cells, flags, links, usage and full-text index."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.dumps import dump, found, loose_ends
from tests.api.serving import Api, Json, Server
from tests.api.test_actions import GOES, delete, refused, spoken_plan
from tests.builders import SCHEMA_8, StoreBuilder, T, plan_chain

RESTORE = """
    mutation ($binId: ID!, $dryRun: Boolean! = false) {
      restoreSessions(input: {binId: $binId, dryRun: $dryRun}) {
        changedIds skipped { id code reason } sessionCount messageCount dryRun userErrors { code message path }
      }
    }"""
BIN = "{ bin { binId profile title sessionIds messageCount bytes deletedAt expiresAt } }"


def restore(api: Api, bin_id: str, **variables: Any) -> Json:
    answer: Json = api.ask(RESTORE, binId=bin_id, **variables)["restoreSessions"]
    return answer


def worst_cells(store: StoreBuilder) -> None:
    """Cells that a careless copy would change."""
    broken = "CAST(x'ff41c328' AS TEXT)"
    store.sql(f"UPDATE sessions SET model = {broken}, cwd = x'ff00', user_id = 'a' || char(0) || 'b' WHERE id = 'd1'")
    store.sql("UPDATE sessions SET estimated_cost_usd = 9e999, input_tokens = 9223372036854775807 WHERE id = 'd2'")
    store.sql("UPDATE sessions SET actual_cost_usd = -9e999, started_at = 'soon', archived = 1 WHERE id = 'd3s'")
    store.sql("UPDATE sessions SET model_config = '{bad json', title = '', output_tokens = 0.1 WHERE id = 'd3s'")
    store.message("d1", content="\x00json:" + '[{"type": "text", "text": "\u4eca\u5929"}]', at=5.49e246)
    store.message("d1", content="emoji \U0001f600 and \ufffd", active=0, compacted=1, token_count=2**63 - 1)
    store.message("d2", content="rewound", active=0, compacted=0)
    store.message("d2", content=None, tool_calls="not json")
    number = store.message("d3", content="x")
    store.sql(f"UPDATE messages SET content = {broken}, tool_name = x'00ff', timestamp = 9e999 WHERE id = {number}")
    store.sql(f"UPDATE session_model_usage SET billing_provider = {broken}, first_seen = 9e999 WHERE session_id = 'd1'")


@pytest.mark.parametrize("options", [{}, {"schema30": True}], ids=["0.19.0", "schema 30"])
def test_restore_is_exact_to_the_byte(server: Server, options: dict[str, Any]) -> None:
    api = server.profile(spoken_plan, worst_cells, **options)
    with api.store() as store:
        before, loose = dump(store), loose_ends(store)
        deleted = delete(api, "d1")
        assert dump(store) != before
        restored = restore(api, deleted["binId"])
        assert restored["userErrors"] == []
        assert (sorted(restored["changedIds"]), restored["skipped"]) == (GOES, [])
        assert (restored["sessionCount"], restored["messageCount"]) == (7, deleted["messageCount"])
        assert dump(store) == before
        assert loose_ends(store) == loose


def test_restore_brings_the_lineage_back(server: Server) -> None:
    query = '{ session(id: "d2") { lineage { cost { usd } nodes { depth parentId session { id kind title } } } } }'
    api = server.profile(spoken_plan)
    before = api.ask(query)
    restore(api, delete(api, "d1")["binId"])
    assert api.ask(query) == before


def test_restore_fills_the_full_text_index_again(server: Server) -> None:
    api = server.profile(spoken_plan)
    restore(api, delete(api, "d1")["binId"])
    with api.store() as store:
        for index in ("messages_fts", "messages_fts_trigram"):
            assert found(store, index, "words of d1") == {2}
        store.sql("INSERT INTO messages_fts (messages_fts) VALUES ('integrity-check')")


def test_restore_of_an_early_store_is_exact(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("old", title="Old", input=5)
        store.message("old", content="early words")

    api = server.profile(fill, columns=SCHEMA_8)
    with api.store() as store:
        before = dump(store)
        restore(api, delete(api, "old")["binId"])
        assert dump(store) == before


def test_restore_keeps_a_link_that_dangled_before(server: Server) -> None:
    api = server.profile(lambda store: store.session("o1", parent="ghost"))
    restore(api, delete(api, "o1")["binId"])
    assert api.ask('{ session(id: "o1") { parentId } }')["session"]["parentId"] == "ghost"


def test_a_dry_run_tells_and_changes_nothing(server: Server) -> None:
    api = server.profile(spoken_plan)
    deleted = delete(api, "d1")
    planned = restore(api, deleted["binId"], dryRun=True)
    assert (sorted(planned["changedIds"]), planned["messageCount"], planned["dryRun"]) == (GOES, 8, True)
    assert api.ask('{ session(id: "d1") { id } }')["session"] is None
    done = restore(api, deleted["binId"])
    assert (done["changedIds"], done["messageCount"]) == (planned["changedIds"], planned["messageCount"])


def test_the_bin_lists_what_can_be_restored(server: Server) -> None:
    api = server.profile(spoken_plan)
    assert api.ask(BIN) == {"bin": []}
    deleted = delete(api, "d1")
    [entry] = api.ask(BIN)["bin"]
    assert (entry["binId"], entry["profile"], entry["title"]) == (deleted["binId"], api.profile, "Plan #3")
    assert sorted(entry["sessionIds"]) == GOES
    assert (entry["messageCount"], entry["bytes"]) == (deleted["messageCount"], deleted["bytes"])
    assert entry["expiresAt"] > entry["deletedAt"]
    restore(api, deleted["binId"])
    assert api.ask(BIN) == {"bin": []}


def test_an_id_that_is_taken_again_is_skipped(server: Server) -> None:
    api = server.profile(plan_chain)
    deleted = delete(api, "d1")
    with api.store() as store:
        store.session("d2", title="somebody else")
    answer = restore(api, deleted["binId"])
    assert sorted(answer["changedIds"]) == ["d1", "d3", "d3s"]
    assert [(each["id"], each["code"]) for each in answer["skipped"]] == [("d2", "ID_TAKEN")]
    assert api.ask('{ session(id: "d2") { title } }')["session"]["title"] == "somebody else"


def test_a_title_that_is_taken_again_is_named_and_stays_restorable(server: Server) -> None:
    api = server.profile(lambda store: store.session("s", title="Wanted"))
    deleted = delete(api, "s")
    with api.store() as store:
        store.session("thief", title="Wanted")
        assert refused(restore(api, deleted["binId"])) == "TITLE_TAKEN"
        store.set("sessions", "thief", title="Other")
    assert restore(api, deleted["binId"])["userErrors"] == []
    assert api.ask('{ session(id: "s") { title } }')["session"]["title"] == "Wanted"


def test_a_restored_session_is_no_longer_absent(server: Server) -> None:
    api = server.profile(plan_chain)
    restore(api, delete(api, "d1")["binId"])
    again = delete(api, "d1")
    assert (again["alreadyAbsent"], sorted(again["deletedIds"])) == (False, ["d1", "d2", "d3", "d3s"])


def test_a_permanent_deletion_leaves_nothing_to_restore(server: Server) -> None:
    api = server.profile(plan_chain)
    assert delete(api, "d1", permanent=True)["binId"] is None
    assert api.ask(BIN) == {"bin": []}


def test_an_unknown_entry_and_one_of_another_profile_are_not_found(server: Server) -> None:
    one, other = server.profile(plan_chain), server.profile(plan_chain)
    deleted = delete(one, "d1")
    assert refused(restore(one, "nothing")) == "NOT_FOUND"
    assert refused(restore(other, deleted["binId"])) == "NOT_FOUND"
    assert restore(one, deleted["binId"])["userErrors"] == []
    assert refused(restore(one, deleted["binId"])) == "NOT_FOUND"


def test_a_branch_that_got_a_new_parent_keeps_it(server: Server) -> None:
    api = server.profile(spoken_plan)
    deleted = delete(api, "d1")
    with api.store() as store:
        store.session("new", start=T)
        store.set("sessions", "br1", parent_session_id="new")
    restore(api, deleted["binId"])
    assert api.ask('{ session(id: "br1") { parentId } }')["session"]["parentId"] == "new"
