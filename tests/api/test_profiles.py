"""The cases P1, P2 and P5: which names are profiles, and what a profile without a store is."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.api.serving import Api, Json, Refusal, Server, serving
from tests.builders import StoreBuilder, home_with, store_path
from tests.web.serving import BEARER

LIST = "{ conversations { nodes { id } } }"
REFUSED = [
    "..",
    "../..",
    "/etc",
    "beta/../beta",
    "beta/..",
    ".hidden",
    "%2e%2e",
    "\x00",
    "beta\x00",
    "a" * 65,
    "ünter",
    "-x",
    "a b",
]


def one(store: StoreBuilder) -> None:
    store.session("same", title="here")
    store.message("same", content="words")


def post(server: Server, query: str, target: str = "/graphql", **headers: str) -> Json:
    """The answer to a raw request; `headers` are sent as they are."""
    sent = {"host": "localhost", "content-type": "application/json", **BEARER, **headers}
    answer = server.served.raw("POST", target, list(sent.items()), json.dumps({"query": query}).encode())
    return dict(answer.json)


@pytest.fixture(scope="module")
def beta(server: Server) -> Server:
    home_with(server.home, default=one, beta=one)
    (server.home / "profiles" / ".hidden").mkdir()
    (server.home / "profiles" / "elsewhere").symlink_to(server.home.parent, target_is_directory=True)
    (server.home / "profiles" / "twin").symlink_to(server.home / "profiles" / "beta", target_is_directory=True)
    return server


@pytest.mark.parametrize("name", [" Beta ", "BETA", "\tbeta\n", "beta"])
def test_P1_a_name_is_trimmed_and_in_small_letters(beta: Server, name: str) -> None:
    found = beta.api().ask("query ($name: String!) { profile(name: $name) { name } }", name=name)
    assert found == {"profile": {"name": "beta"}}


@pytest.mark.parametrize("name", REFUSED)
def test_P1_a_malicious_name_as_argument_is_refused(beta: Server, name: str) -> None:
    api = beta.api()
    for query in (
        "query ($name: String!) { profile(name: $name) { status } }",
        'query ($name: String!) { session(id: "same", profile: $name) { id } }',
        "query ($name: String!) { sessions(profile: $name) { totalCount } }",
        'query ($name: String!) { conversation(id: "same", profile: $name) { id } }',
        "query ($name: String!) { bin(profile: $name) { binId } }",
    ):
        assert api.refusal(query, name=name).code == "BAD_USER_INPUT"


@pytest.mark.parametrize("name", REFUSED)
def test_P1_a_malicious_name_in_a_mutation_is_refused(beta: Server, name: str) -> None:
    query = """mutation ($name: String!) {
        deleteSession(input: {id: "same", profile: $name}) { deletedIds userErrors { code } }
        archiveSession(input: {id: "same", profile: $name}) { changedIds userErrors { code } }
        renameSession(input: {id: "same", profile: $name}) { userErrors { code } }
        restoreSessions(input: {binId: "x", profile: $name}) { userErrors { code } }
    }"""
    for payload in beta.api().ask(query, name=name).values():
        assert payload["userErrors"] == [{"code": "BAD_USER_INPUT"}]


@pytest.mark.parametrize("name", REFUSED)
def test_P1_a_malicious_name_among_several_is_a_failure_of_its_own(beta: Server, name: str) -> None:
    query = """query ($names: [String!]) {
        conversations(profiles: $names) { nodes { id } failures { profile code message } } }"""
    answer = beta.api().ask(query, names=["beta", name])["conversations"]
    assert answer["nodes"] == [{"id": "same"}]
    assert [(each["profile"], each["code"]) for each in answer["failures"]] == [(name, "BAD_USER_INPUT")]


@pytest.mark.parametrize("name", REFUSED)
def test_P1_a_malicious_name_in_the_query_string_is_refused(beta: Server, name: str) -> None:
    answer = post(beta, LIST, f"/graphql?profile={quote(name, safe='')}")
    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    assert "same" not in json.dumps(answer)


@pytest.mark.parametrize("name", [name for name in REFUSED if name.isascii() and "\x00" not in name])
def test_P1_a_malicious_name_in_the_header_is_refused(beta: Server, name: str) -> None:
    answer = post(beta, LIST, **{"x-hermes-profile": name})
    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


def test_P1_query_string_and_header_choose_the_profile(beta: Server) -> None:
    query = "{ profile { name } }"
    assert post(beta, query)["data"] == {"profile": {"name": "default"}}
    assert post(beta, query, "/graphql?profile=%20Beta%20")["data"] == {"profile": {"name": "beta"}}
    assert post(beta, query, **{"x-hermes-profile": "Beta"})["data"] == {"profile": {"name": "beta"}}


def test_P1_an_argument_wins_over_the_query_string(beta: Server) -> None:
    answer = post(beta, '{ profile(name: "default") { name } }', "/graphql?profile=beta")
    assert answer["data"] == {"profile": {"name": "default"}}


@pytest.mark.parametrize("name", ["nope", "elsewhere", "twin"])
def test_P1_an_unknown_profile_and_a_link_to_elsewhere_are_not_found(beta: Server, name: str) -> None:
    api = beta.api()
    assert api.ask("query ($name: String) { profile(name: $name) { name } }", name=name) == {"profile": None}
    query = "query ($name: String) { sessions(profile: $name) { totalCount } }"
    assert api.refusal(query, name=name).code == "PROFILE_NOT_FOUND"
    assert beta.api(name).refusal(LIST).code == "PROFILE_NOT_FOUND"
    assert not (beta.home / "profiles" / "nope").exists()


def test_P1_the_list_of_profiles_has_neither_links_nor_hidden_ones(beta: Server) -> None:
    names = [profile["name"] for profile in beta.api().ask("{ profiles { name } }")["profiles"]]
    assert names[0] == "default"
    assert "beta" in names
    assert not {".hidden", "elsewhere", "twin"} & set(names)


def test_P1_a_store_that_is_a_link_to_elsewhere_is_not_opened(tmp_path: Path) -> None:
    outside = home_with(tmp_path / "outside", default=one)
    home = tmp_path / "home"
    (home / "profiles" / "beta").mkdir(parents=True)
    store_path(home, "beta").symlink_to(store_path(outside))
    with serving(home) as server:
        assert server.api("beta").refusal(LIST).code == "UNSUPPORTED_STORE"
        assert server.api().ask('{ profile(name: "beta") { status } }') == {"profile": {"status": "UNSUPPORTED"}}


def everything(api: Api) -> list[Json]:
    """Asks all kinds of questions, and orders changes that find nothing to change."""
    queries = [
        LIST,
        "{ sessions { totalCount } profile { status sessionCount messageCount health { walBytes } } }",
        '{ session(id: "x") { id } conversation(id: "x") { id } bin { binId } }',
        'mutation { renameSession(input: {id: "x", title: "y"}) { userErrors { code } } }',
        'mutation { deleteSession(input: {id: "x"}) { userErrors { code } } }',
        'mutation { restoreSessions(input: {binId: "x"}) { userErrors { code } } }',
    ]
    return [api.ask(query) for query in queries]


def test_P2_a_profile_without_a_store_is_empty_and_stays_without_a_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "profiles" / "new").mkdir(parents=True)
    with serving(home) as server:
        for profile in ("default", "new"):
            listed, facts, single, *changes = everything(server.api(profile))
            assert listed["conversations"]["nodes"] == []
            assert facts["sessions"]["totalCount"] == 0
            assert facts["profile"] == {
                "status": "EMPTY",
                "sessionCount": 0,
                "messageCount": 0,
                "health": {"walBytes": None},
            }
            assert single == {"session": None, "conversation": None, "bin": []}
            for change in changes:
                [payload] = change.values()
                assert payload["userErrors"] == [{"code": "NOT_FOUND"}]
    assert [path.name for path in home.rglob("*")] == ["profiles", "new"]


def test_P5_the_same_id_in_two_profiles(server: Server) -> None:
    first, second = server.profile(one), server.profile(one)
    query = 'query ($profile: String) { session(id: "same", profile: $profile) { nodeId conversation { nodeId } } }'
    nodes = [first.ask(query, profile=api.profile)["session"] for api in (first, second)]
    every = [node["nodeId"] for node in nodes] + [node["conversation"]["nodeId"] for node in nodes]
    assert len(set(every)) == 4
    gone = first.ask('mutation { deleteSession(input: {id: "same"}) { deletedIds } }')["deleteSession"]
    assert gone["deletedIds"] == ["same"]
    by_node = "query ($node: ID!) { node(nodeId: $node) { ... on Session { id profile { name } } } }"
    assert first.ask(by_node, node=nodes[0]["nodeId"]) == {"node": None}
    kept = first.ask(by_node, node=nodes[1]["nodeId"])["node"]
    assert kept == {"id": "same", "profile": {"name": second.profile}}


def test_P5_a_deletion_in_one_profile_is_not_remembered_in_the_other(server: Server) -> None:
    first, second = server.profile(one), server.profile(one)
    delete = 'mutation { deleteSession(input: {id: "same"}) { alreadyAbsent deletedIds } }'
    assert first.ask(delete)["deleteSession"]["deletedIds"] == ["same"]
    assert second.ask(delete)["deleteSession"] == {"alreadyAbsent": False, "deletedIds": ["same"]}


@pytest.mark.sqlite
def test_a_profile_that_goes_away_is_not_found(server: Server) -> None:
    api = server.profile(one)
    assert api.ask(LIST)["conversations"]["nodes"] == [{"id": "same"}]
    for path in api.path.parent.iterdir():
        path.unlink()
    api.path.parent.rmdir()
    with pytest.raises(Refusal, match="PROFILE_NOT_FOUND"):
        api.ask(LIST)
