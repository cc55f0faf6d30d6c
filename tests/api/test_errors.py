"""Bad input of every kind gets its code; nothing that the caller does not need to know is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.serving import Api, Json, Refusal, Server, serving
from tests.builders import StoreBuilder, home_with, plan_chain, store_path

LIST = "{ conversations { totalCount nodes { id } } }"
SECRET = "swordfish"


def code_of(server: Server, query: str, **variables: Any) -> str:
    return server.profile(plan_chain).refusal(query, **variables).code


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("", "GRAPHQL_PARSE_FAILED"),
        ("{ server { version }", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ server }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ session { id } }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ sessions(first: 99999999999) { totalCount } }", "GRAPHQL_VALIDATION_FAILED"),
        ('{ sessions(first: "5") { totalCount } }', "GRAPHQL_VALIDATION_FAILED"),
        ("{ conversations(orderBy: {field: SIZE}) { totalCount } }", "GRAPHQL_VALIDATION_FAILED"),
        ('{ conversations(filter: {startedAfter: "soon"}) { totalCount } }', "GRAPHQL_VALIDATION_FAILED"),
        (
            '{ conversations(filter: {startedAfter: "2026-01-01T00:00:00"}) { totalCount } }',
            "GRAPHQL_VALIDATION_FAILED",
        ),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
    ],
)
def test_documents_that_cannot_be_executed(server: Server, query: str, code: str) -> None:
    answer = server.served.post({"query": query})
    assert answer.status == 200
    assert "data" not in answer.json
    assert {error["extensions"]["code"] for error in answer.json["errors"]} == {code}


@pytest.mark.parametrize("variables", [{}, {"id": None}, {"id": ["a", "b"]}, {"id": {"a": 1}}, {"id": True}])
def test_variables_that_do_not_fit(server: Server, variables: Json) -> None:
    answer = server.served.post({"query": "query ($id: ID!) { session(id: $id) { id } }", "variables": variables})
    assert answer.status == 200
    assert answer.code == "BAD_USER_INPUT"


def code_or_none(api: Api, query: str, **variables: Any) -> str | None:
    """None where the question is answered."""
    try:
        api.ask(query, **variables)
    except Refusal as refusal:
        return refusal.code
    return None


@pytest.mark.parametrize(
    "body",
    [
        b'{"query": "query ($id: ID!) { session(id: $id) { id } }", "variables": {"id": "\\ud800"}}',
        b'{"query": "{ session(id: \\"\\\\ud800\\") { id } }"}',
        b'{"query": "{ server { version } }", "variables": {"a": NaN}}',
        b'{"query": "\xff"}',
        b"[" * 5000,
        b'{"query": 5}',
        b"null",
        b"",
    ],
)
def test_bodies_that_are_no_request(server: Server, body: bytes) -> None:
    answer = server.served.post(body)
    assert answer.status in (200, 400)
    assert answer.code in ("BAD_USER_INPUT", "GRAPHQL_PARSE_FAILED")


@pytest.mark.parametrize(
    "node", ["", "x", "\x00", "WyJTZXNzaW9uIl0", "WyJ4IiwiYSIsImIiXQ", "bnVsbA", "MQ", "é", "A" * 5000]
)
def test_a_node_id_that_nobody_made_is_bad_input(server: Server, node: str) -> None:
    assert code_of(server, "query ($id: ID!) { node(nodeId: $id) { nodeId } }", id=node) == "BAD_USER_INPUT"


def test_a_node_id_of_every_type_leads_back(server: Server) -> None:
    api = server.profile(plan_chain)
    found = api.ask(
        """{ profile { nodeId } conversation(id: "d1") { nodeId } session(id: "d3s") { nodeId
             messages { nodes { nodeId } } } }"""
    )
    nodes = [found["profile"], found["conversation"], found["session"], found["session"]["messages"]["nodes"][0]]
    kinds = []
    for node in nodes:
        again = api.ask("query ($id: ID!) { node(nodeId: $id) { __typename nodeId } }", id=node["nodeId"])["node"]
        assert again["nodeId"] == node["nodeId"]
        kinds.append(again["__typename"])
    assert kinds == ["Profile", "Conversation", "Session", "Message"]


@pytest.mark.parametrize("id", ["", "x", "-1", "1.5", "1e3", "٣", "9" * 30, "1 OR 1=1"])
def test_a_message_id_that_is_no_number_is_bad_input(server: Server, id: str) -> None:
    query = 'query ($id: ID!) { session(id: "d3s") { message(id: $id) { id } } }'
    assert code_of(server, query, id=id) == "BAD_USER_INPUT"


def test_an_unknown_message_is_null(server: Server) -> None:
    api = server.profile(plan_chain)
    query = 'query ($id: ID!) { session(id: "d1") { message(id: $id) { id } } }'
    assert api.ask(query, id="999999") == {"session": {"message": None}}
    assert api.ask(query, id="1") == {"session": {"message": None}}  # one of another session


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ('around: "nothing"', "NOT_FOUND"),
        ('around: "999"', "NOT_FOUND"),
        ('around: "1", last: 5', "BAD_USER_INPUT"),
        ('around: "1", after: "x"', "BAD_USER_INPUT"),
    ],
)
def test_around_a_message_that_is_not_there(server: Server, arguments: str, code: str) -> None:
    query = f'{{ session(id: "d3s") {{ messages({arguments}) {{ totalCount }} }} }}'
    assert code_of(server, query) == code


@pytest.mark.parametrize("size", [-1, 64_000_001])
def test_contents_of_impossible_sizes_are_bad_input(server: Server, size: int) -> None:
    query = f'{{ session(id: "d3s") {{ messages {{ nodes {{ content(maxBytes: {size}) }} }} }} }}'
    assert code_of(server, query) == "BAD_USER_INPUT"


@pytest.mark.parametrize("text", ["%", "_", "'", '"', "a\x00b", "\\", "*", "(" * 100, "x" * 2100, "\U0001f600", "  "])
def test_every_text_of_a_filter_is_an_answer_or_a_clear_error(server: Server, text: str) -> None:
    api = server.profile(plan_chain)
    for query in (
        "query ($t: String) { conversations(filter: {text: $t}) { totalCount } }",
        "query ($t: String) { sessions(filter: {text: $t, workspace: $t}) { totalCount } }",
        'query ($t: String) { session(id: "d3s") { messages(filter: {text: $t}) { totalCount } } }',
        'query ($t: String!) { session(id: "d3s") { messages(filter: {tools: [$t], roles: [$t]}) { totalCount } } }',
    ):
        assert code_or_none(api, query, t=text) in (None, "BAD_USER_INPUT")


# Stores that cannot be read


def no_database(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 500)


def truncated(path: Path) -> None:
    with StoreBuilder(path) as store:
        plan_chain(store)
        for number in range(200):
            store.message("d1", content=f"{SECRET} {number} " * 50)
    path.write_bytes(path.read_bytes()[:20_000])


def foreign(path: Path) -> None:
    with StoreBuilder(path, columns={"messages": "id INTEGER, content TEXT"}) as store:
        store.sql(f"CREATE TABLE {SECRET} (id TEXT)")


def directory(path: Path) -> None:
    path.mkdir(parents=True)


BROKEN = {"no database": no_database, "truncated": truncated, "foreign": foreign, "directory": directory}
STATUS = {"no database": "DAMAGED", "truncated": "DAMAGED", "foreign": "UNSUPPORTED", "directory": "UNSUPPORTED"}
CODES = {"DAMAGED": "STORE_DAMAGED", "UNSUPPORTED": "UNSUPPORTED_STORE"}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Any:
    home = home_with(tmp_path_factory.mktemp("broken") / "home", default=plan_chain)
    for name, spoil in BROKEN.items():
        path = store_path(home, name.replace(" ", "-"))
        path.parent.mkdir(parents=True)
        spoil(path)
    with serving(home) as server:
        yield server


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_store_says_what_is_wrong(broken: Server, name: str) -> None:
    api = broken.api(name.replace(" ", "-"))
    profile = api.ask("{ profile { status statusReason sessionCount messageCount health { danglingParents } } }")
    assert profile["profile"]["status"] == STATUS[name]
    assert profile["profile"]["statusReason"]
    assert profile["profile"]["sessionCount"] is None
    code = CODES[STATUS[name]]
    for query in (LIST, "{ sessions { totalCount } }", '{ session(id: "d1") { id } }'):
        assert api.refusal(query).code == code


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_store_is_not_written(broken: Server, name: str) -> None:
    api = broken.api(name.replace(" ", "-"))
    code = CODES[STATUS[name]]
    answer = broken.served.post(
        {
            "query": """mutation ($in: DeleteSessionInput!) {
                deleteSession(input: $in) { deletedIds userErrors { code } } }""",
            "variables": {"in": {"id": "d1", "profile": api.profile}},
        }
    ).json
    as_values = [error["code"] for error in ((answer["data"] or {}).get("deleteSession") or {}).get("userErrors", [])]
    assert as_values + [error["extensions"]["code"] for error in answer.get("errors", [])] == [code]
    assert '"deletedIds":["d1' not in json.dumps(answer).replace(" ", "")


def test_a_failing_profile_does_not_keep_others_from_answering(broken: Server) -> None:
    query = "{ conversations(profiles: []) { nodes { id profile { name } } failures { profile code message } } }"
    answer = broken.api().ask(query)["conversations"]
    assert answer["nodes"] == [{"id": "d1", "profile": {"name": "default"}}]
    failed = {failure["profile"]: failure["code"] for failure in answer["failures"]}
    assert failed == {name.replace(" ", "-"): CODES[STATUS[name]] for name in BROKEN}


def test_all_profiles_are_listed_with_their_states(broken: Server) -> None:
    profiles = broken.api().ask("{ profiles { name status conversationCount } }")["profiles"]
    states = {profile["name"]: profile["status"] for profile in profiles}
    assert states == {"default": "READY"} | {name.replace(" ", "-"): STATUS[name] for name in BROKEN}


def test_an_unknown_profile_among_several_is_a_failure(broken: Server) -> None:
    query = '{ conversations(profiles: ["default", "nope"]) { nodes { id } failures { profile code } } }'
    answer = broken.api().ask(query)["conversations"]
    assert answer == {"nodes": [{"id": "d1"}], "failures": [{"profile": "nope", "code": "PROFILE_NOT_FOUND"}]}


# Nothing leaks


def shown(refusal: Refusal) -> str:
    return json.dumps([refusal.errors, refusal.data])


def assert_nothing_leaks(text: str, home: Path) -> None:
    for secret in (SECRET, str(home), str(home.parent), "Traceback", "apsw", "SELECT", "sqlite3", ".py"):
        assert secret not in text


def test_errors_of_broken_stores_show_no_paths_and_no_contents(broken: Server) -> None:
    for name in BROKEN:
        api = broken.api(name.replace(" ", "-"))
        assert_nothing_leaks(shown(api.refusal(LIST)), broken.home)
        assert_nothing_leaks(json.dumps(api.ask("{ profile { statusReason } }")), broken.home)
