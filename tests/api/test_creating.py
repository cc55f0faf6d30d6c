"""Creating sessions: what comes of it, and what is refused."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest

from tests.api.serving import Server, serving
from tests.api.shaping import append, changed, create, detail, fork, nothing, refusal
from tests.builders import plan_chain, store_path


def test_a_session_is_made_with_all_that_is_told_of_it(server: Server) -> None:
    api = server.profile(nothing)
    answer = create(
        api,
        id="mine",
        source="telegram",
        title="  A \n title ",
        model="openai/gpt-5.1",
        modelConfig={"max_iterations": 60},
        systemPrompt="Be brief.",
        cwd="/work",
        userId="u1",
    )
    assert answer["userErrors"] == []
    assert answer["changedIds"] == ["mine"]
    assert answer["conversation"] == {"id": "mine"}
    session = answer["session"]
    assert (session["title"], session["kind"], session["source"]) == ("A title", "ROOT", "telegram")
    assert detail(api, "mine") == {
        "modelConfig": {"max_iterations": 60},
        "systemPrompt": "Be brief.",
        "cwd": "/work",
        "userId": "u1",
        "model": "openai/gpt-5.1",
        "title": "A title",
    }
    with api.store() as store:
        assert store.sql("SELECT profile_name FROM sessions") == [(api.profile,)]


def test_a_session_without_anything_gets_an_id_in_the_form_of_hermes(server: Server) -> None:
    api = server.profile(nothing)
    ids = [create(api)["session"]["id"] for _ in range(3)]
    assert len(set(ids)) == 3
    for id in ids:
        assert time.strptime(id[:15], "%Y%m%d_%H%M%S")
        assert (id[15], len(id[16:])) == ("_", 6)
        assert int(id[16:], 16) >= 0
    assert create(api)["session"]["source"] == "api"


@pytest.mark.parametrize(
    "id", ["", " ", " a", "a ", "a\nb", "a\x00b", "a/b", "..", ".a", "-a", "a\\b", "\u202ea", "ö" * 65]
)
def test_an_id_that_is_no_name_is_refused(server: Server, id: str) -> None:
    assert refusal(create(server.profile(nothing), id=id)) == ("BAD_USER_INPUT", "id")


def test_an_id_may_be_of_any_letters_up_to_128_bytes(server: Server) -> None:
    api = server.profile(nothing)
    for id in ("ö" * 64, "a b", "cron_日報:1"):
        assert create(api, id=id)["session"]["id"] == id


def test_an_id_is_given_once_and_not_while_it_is_in_the_bin(server: Server) -> None:
    api = server.profile(nothing)
    create(api, id="a")
    assert refusal(create(api, id="a")) == ("ID_TAKEN", "id")
    delete = 'mutation { deleteSession(input: {id: "a", force: true}) { binId } }'
    bin_id = api.ask(delete)["deleteSession"]["binId"]
    assert refusal(create(api, id="a")) == ("ID_TAKEN", "id")
    assert refusal(fork(api, create(api, id="b")["session"]["id"], newId="a")) == ("ID_TAKEN", "newId")
    restore = "mutation ($id: ID!) { restoreSessions(input: {binId: $id}) { changedIds } }"
    assert api.ask(restore, id=bin_id)["restoreSessions"]["changedIds"] == ["a"]
    api.ask('mutation { deleteSession(input: {id: "a", force: true, permanent: true}) { binId } }')
    assert create(api, id="a")["userErrors"] == []


def test_a_title_is_given_once(server: Server) -> None:
    api = server.profile(nothing)
    create(api, id="a", title="Plan")
    payload = create(api, id="b", title="Plan")
    assert refusal(payload) == ("TITLE_TAKEN", "title")
    assert payload["session"] is None
    assert refusal(create(api, title="x" * 101)) == ("TITLE_TOO_LONG", "title")
    assert refusal(fork(api, "a", title="Plan")) == ("TITLE_TAKEN", "title")
    assert api.ask("{ sessions { totalCount } }")["sessions"]["totalCount"] == 1


@pytest.mark.parametrize(
    ("marker", "kind"),
    [("_branched_from", "BRANCH"), ("_delegate_from", "SUBAGENT"), ("_reset_from", "RESET"), ("none", "UNCLASSIFIED")],
)
def test_markers_say_what_a_child_is_to_its_parent(server: Server, marker: str, kind: str) -> None:
    api = server.profile(nothing)
    create(api, id="20260101_parent")
    child = create(api, parentId="20260101", modelConfig={marker: "20260101_parent"})["session"]
    assert (child["parentId"], child["kind"]) == ("20260101_parent", kind)


def test_a_parent_that_compression_ended_is_continued(server: Server) -> None:
    api = server.profile(plan_chain)
    changed(api, "endSession", id="d3", reason="compression")
    child = create(api, id="d4", parentId="d3")
    assert (child["session"]["kind"], child["conversation"]) == ("CONTINUATION", {"id": "d1"})


@pytest.mark.parametrize(
    ("parent", "code"),
    [("nobody", "NOT_FOUND"), ("d", "AMBIGUOUS_ID"), ("", "BAD_USER_INPUT"), ("\n", "BAD_USER_INPUT")],
)
def test_a_parent_that_is_not_one_session_is_refused(server: Server, parent: str, code: str) -> None:
    assert refusal(create(server.profile(plan_chain), parentId=parent)) == (code, "parentId")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("modelConfig", [1]),
        ("modelConfig", "text"),
        ("modelConfig", {"a": {"b": ["\x00"]}}),
        ("systemPrompt", "a\x00b"),
        ("source", "x" * 65),
        ("source", "a\tb"),
        ("model", "x" * 201),
        ("cwd", "/a\nb"),
    ],
)
def test_a_value_that_cannot_be_stored_is_refused(server: Server, field: str, value: object) -> None:
    api = server.profile(nothing)
    assert refusal(create(api, **{field: value})) == ("BAD_USER_INPUT", field)
    assert api.ask("{ sessions { totalCount } }")["sessions"]["totalCount"] == 0


def test_the_first_session_of_a_profile_makes_its_store(tmp_path: Path) -> None:
    (tmp_path / "home" / "profiles" / "fresh").mkdir(parents=True)
    with serving(tmp_path / "home") as server:
        api = server.api("fresh")
        assert api.ask("{ profile { status } }")["profile"]["status"] == "EMPTY"
        assert refusal(append(api, "a", {"role": "user", "content": "hi"}))[0] == "NOT_FOUND"
        assert list(api.path.parent.iterdir()) == []
        assert create(api, id="a")["session"]["id"] == "a"
        assert append(api, "a", {"role": "user", "content": "hi"})["session"]["messageCount"] == 1
        assert {path.name for path in api.path.parent.iterdir()} == {"state.db", "state.db-wal", "state.db-shm"}
        assert stat.S_IMODE(api.path.stat().st_mode) == 0o600
        assert api.ask("{ profile { status schemaVersion } }")["profile"] == {"status": "READY", "schemaVersion": 22}
        assert refusal(create(api, profile="nope")) == ("PROFILE_NOT_FOUND", "profile")
        assert not store_path(server.home, "nope").parent.exists()


def test_an_empty_file_is_left_to_the_program_that_is_making_it(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "state.db").touch()
    with serving(tmp_path / "home") as server:
        assert create(server.api())["userErrors"][0]["code"] == "NOT_FOUND"
    assert (tmp_path / "home" / "state.db").stat().st_size == 0
