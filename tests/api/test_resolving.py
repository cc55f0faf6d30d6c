"""The cases R1 to R5: which session an id or a prefix means, and which titles are taken."""

from __future__ import annotations

import pytest

from tests.api.serving import Api, Json, Server
from tests.builders import StoreBuilder, T, full_plan, plan_branch, plan_chain

SHORT, LONG = "20260201_100000_abc1", "20260201_100000_abc123"
BY_ID = "query ($id: ID!) { session(id: $id) { id } }"
CONVERSATION_BY_ID = "query ($id: ID!) { conversation(id: $id) { id } }"
ERRORS = """
    userErrors {
      code message path
      ... on AmbiguousIdError { candidates { id title startedAt kind } }
      ... on TitleTakenError { holder { id source archived conversation { id } } }
    }"""
RENAME = f"""
    mutation ($id: ID!, $title: String, $scope: Scope! = CONVERSATION) {{
      renameSession(input: {{id: $id, title: $title, scope: $scope}}) {{
        session {{ id }} conversation {{ id title }} {ERRORS}
      }}
    }}"""
ARCHIVE = f"mutation ($id: ID!) {{ archiveSession(input: {{id: $id}}) {{ changedIds {ERRORS} }} }}"
DELETE = f"""
    mutation ($id: ID!, $exact: Boolean! = false) {{
      deleteSession(input: {{id: $id, exact: $exact}}) {{ deletedIds alreadyAbsent {ERRORS} }}
    }}"""
BLANK = ["", " ", "\t\n", "\x00", "d1\x00", "\x1f", "\x9f"]


def two_neighbours(store: StoreBuilder) -> None:
    store.session(SHORT, title="first")
    store.session(LONG, title="second", start=T + 1)


def rename(api: Api, id: str, title: str | None, scope: str = "CONVERSATION") -> Json:
    answer: Json = api.ask(RENAME, id=id, title=title, scope=scope)["renameSession"]
    return answer


def titles(api: Api) -> dict[str, str | None]:
    nodes = api.ask("{ sessions(first: 500) { nodes { id title } } }")["sessions"]["nodes"]
    return {node["id"]: node["title"] for node in nodes}


def only_error(payload: Json) -> Json:
    [error] = payload["userErrors"]
    return dict(error)


def test_R1_an_id_typed_in_full_is_exact(server: Server) -> None:
    api = server.profile(two_neighbours)
    assert api.ask(BY_ID, id=SHORT)["session"]["id"] == SHORT
    assert api.ask(BY_ID, id=LONG[:-1])["session"]["id"] == LONG


def test_R1_an_ambiguous_prefix_names_its_candidates(server: Server) -> None:
    api = server.profile(two_neighbours)
    refusal = api.refusal(BY_ID, id="20260201_10")
    assert refusal.code == "AMBIGUOUS_ID"
    named = [
        candidate["id"] if isinstance(candidate, dict) else candidate for candidate in refusal.details["candidates"]
    ]
    assert named == [SHORT, LONG]
    assert "Type more" in refusal.message


def test_R1_candidates_of_a_query_come_with_title_start_and_kind(server: Server) -> None:
    refusal = server.profile(two_neighbours).refusal(BY_ID, id="20260201_10")
    assert refusal.details["candidates"][0] == {
        "id": SHORT,
        "title": "first",
        "startedAt": "2025-06-15T15:06:40.000000Z",
        "kind": "ROOT",
    }


def test_R1_candidates_of_a_mutation_are_sessions(server: Server) -> None:
    api = server.profile(two_neighbours)
    for payload in (rename(api, "20260201_10", "new"), api.ask(ARCHIVE, id="20260201_10")["archiveSession"]):
        error = only_error(payload)
        assert error["code"] == "AMBIGUOUS_ID"
        assert [(each["id"], each["title"], each["kind"]) for each in error["candidates"]] == [
            (SHORT, "first", "ROOT"),
            (LONG, "second", "ROOT"),
        ]
    assert titles(api) == {SHORT: "first", LONG: "second"}


def test_R1_at_most_ten_candidates_are_named(server: Server) -> None:
    api = server.profile(lambda store: [store.session(f"many-{number:02}") for number in range(30)])
    assert len(api.refusal(BY_ID, id="many").details["candidates"]) == 10


def test_R1_segments_of_one_conversation_are_no_doubt_when_a_conversation_is_asked_for(server: Server) -> None:
    api = server.profile(plan_chain)
    assert api.ask(CONVERSATION_BY_ID, id="d")["conversation"]["id"] == "d1"
    assert api.refusal(BY_ID, id="d").code == "AMBIGUOUS_ID"


def test_R2_a_deletion_does_not_slide_to_the_neighbour(server: Server) -> None:
    api = server.profile(two_neighbours)
    first = api.ask(DELETE, id=SHORT)["deleteSession"]
    assert (first["deletedIds"], first["alreadyAbsent"]) == ([SHORT], False)
    second = api.ask(DELETE, id=SHORT)["deleteSession"]
    assert (second["deletedIds"], second["alreadyAbsent"], second["userErrors"]) == ([], True, [])
    assert titles(api) == {LONG: "second"}


def test_R2_exact_takes_no_prefix(server: Server) -> None:
    api = server.profile(lambda store: store.session(LONG))
    answer = api.ask(DELETE, id=SHORT, exact=True)["deleteSession"]
    assert (only_error(answer)["code"], answer["alreadyAbsent"]) == ("NOT_FOUND", False)
    assert list(titles(api)) == [LONG]


@pytest.mark.parametrize("id", BLANK)
def test_R3_blank_ids_and_control_characters(server: Server, id: str) -> None:
    api = server.profile(lambda store: store.session("only"))
    assert api.refusal(BY_ID, id=id).code == "BAD_USER_INPUT"
    assert api.refusal(CONVERSATION_BY_ID, id=id).code == "BAD_USER_INPUT"
    for payload in (
        rename(api, id, "new"),
        api.ask(ARCHIVE, id=id)["archiveSession"],
        api.ask(DELETE, id=id)["deleteSession"],
    ):
        assert only_error(payload)["code"] == "BAD_USER_INPUT"
    assert titles(api) == {"only": None}


def test_R4_ids_are_case_sensitive(server: Server) -> None:
    api = server.profile(lambda store: store.session("br1"))
    assert api.ask(BY_ID, id="BR") == {"session": None}
    assert api.ask(BY_ID, id="br")["session"]["id"] == "br1"
    assert only_error(rename(api, "BR", "new"))["code"] == "NOT_FOUND"


@pytest.mark.parametrize("wild", ["%", "_", "a%", "a_", "*", "?", "a*"])
def test_R4_wildcards_are_ordinary_characters(server: Server, wild: str) -> None:
    api = server.profile(lambda store: store.session("ab"))
    assert api.ask(BY_ID, id=wild) == {"session": None}


def test_R4_white_space_inside_an_id_counts(server: Server) -> None:
    api = server.profile(lambda store: [store.session("a b"), store.session("ab")])
    assert api.ask(BY_ID, id="a ")["session"]["id"] == "a b"
    assert api.ask(BY_ID, id=" ab") == {"session": None}


def test_R4_prefixes_beyond_the_basic_plane(server: Server) -> None:
    api = server.profile(
        lambda store: [store.session("a\U0001f600x"), store.session("a\U0010ffffx"), store.session("b")]
    )
    assert api.ask(BY_ID, id="a\U0001f600")["session"]["id"] == "a\U0001f600x"
    assert api.ask(BY_ID, id="a\U0010ffff")["session"]["id"] == "a\U0010ffffx"


@pytest.mark.parametrize("title", ["\u200b\u200d\ufeff", "\u202e\u2066\u2069", "  \n", "", None])
def test_R5_a_title_without_anything_visible_is_no_title(server: Server, title: str | None) -> None:
    api = server.profile(lambda store: store.session("s", title="before"))
    assert rename(api, "s", title)["userErrors"] == []
    assert titles(api) == {"s": None}


def test_R5_titles_are_cleaned(server: Server) -> None:
    api = server.profile(lambda store: store.session("s"))
    assert rename(api, "s", "a\n\tb\u202ec")["conversation"]["title"] == "a bc"
    assert titles(api) == {"s": "a bc"}


def test_R5_a_title_has_at_most_100_characters(server: Server) -> None:
    api = server.profile(lambda store: store.session("s"))
    assert rename(api, "s", "\U0001f600" * 100)["userErrors"] == []
    error = only_error(rename(api, "s", "x" * 101))
    assert (error["code"], error["path"]) == ("TITLE_TOO_LONG", ["input", "title"])
    assert titles(api) == {"s": "\U0001f600" * 100}


@pytest.mark.parametrize("member", ["d1", "d2", "d3"])
def test_R5_the_tip_takes_a_title_from_a_predecessor(server: Server, member: str) -> None:
    api = server.profile(plan_chain)
    renamed = rename(api, member, "Plan")
    assert renamed["userErrors"] == []
    assert (renamed["session"]["id"], renamed["conversation"]) == (member, {"id": "d1", "title": "Plan"})
    assert titles(api) == {"d1": None, "d2": "Plan #2", "d3": "Plan", "d3s": None}


@pytest.mark.parametrize(("title", "holder"), [("Plan", "d1"), ("Plan #2", "d2"), ("Plan #3", "d3")])
def test_R5_a_branch_cannot_take_a_title(server: Server, title: str, holder: str) -> None:
    api = server.profile(plan_chain, plan_branch)
    before = titles(api)
    error = only_error(rename(api, "br1", title))
    assert (error["code"], error["path"]) == ("TITLE_TAKEN", ["input", "title"])
    assert (error["holder"]["id"], error["holder"]["conversation"]["id"]) == (holder, "d1")
    assert titles(api) == before


def test_R5_a_title_does_not_move_forward_to_a_successor_s_predecessor(server: Server) -> None:
    api = server.profile(plan_chain)
    assert only_error(rename(api, "d1", "Plan #3", scope="SESSION"))["code"] == "TITLE_TAKEN"


def test_R5_renaming_to_the_same_title_is_no_conflict(server: Server) -> None:
    api = server.profile(full_plan)
    assert rename(api, "d3", "Plan #3")["userErrors"] == []
    assert titles(api)["d3"] == "Plan #3"
