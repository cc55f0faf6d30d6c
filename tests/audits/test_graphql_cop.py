"""The checks of graphql-cop, a scanner of GraphQL servers, as tests of ours: each finds nothing, or an accepted low."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.test_errors import SECRET
from tests.api.test_failures import with_a_failing_trigger
from tests.builders import StoreBuilder, store_path
from tests.processes import Replica
from tests.web.serving import BEARER

INTROSPECTION = "query { __schema { types { name fields { name } } } }"
CIRCLE = "fields { type { " * 4
FORM = "application/x-www-form-urlencoded"


def refused(code: str) -> Callable[[httpx.Response], None]:
    """The answer has no data, only errors of this code, and not as many as the document has faults."""

    def holds(answer: httpx.Response) -> None:
        body = answer.json()
        assert set(body) == {"errors"}
        assert {error["extensions"]["code"] for error in body["errors"]} == {code}
        assert len(body["errors"]) < 10

    return holds


def not_served(status: int) -> Callable[[httpx.Response], None]:
    def holds(answer: httpx.Response) -> None:
        assert answer.status_code == status
        refused("BAD_USER_INPUT")(answer)

    return holds


def has_no_traces(answer: httpx.Response) -> None:
    assert answer.json() == {"data": {"__typename": "Query"}}


def is_told_without_its_cause(answer: httpx.Response) -> None:
    [error] = answer.json()["errors"]
    assert set(error) == {"message", "extensions", "locations"}
    assert error["extensions"] == {"code": "GRAPHQL_PARSE_FAILED"}


def tells_the_schema(answer: httpx.Response) -> None:
    types = {kind["name"] for kind in answer.json()["data"]["__schema"]["types"]}
    assert {"Query", "Session", "Message"} <= types


def suggests_a_name(answer: httpx.Response) -> None:
    refused("GRAPHQL_VALIDATION_FAILED")(answer)
    assert "Did you mean 'directives'?" in answer.text


@dataclass(frozen=True)
class Check:
    """One request to /graphql, and what must hold of its answer when it comes with the token."""

    holds: Callable[[httpx.Response], None]
    query: str | None = None
    method: str = "POST"
    options: Mapping[str, Any] = field(default_factory=dict)

    def ask(self, client: httpx.Client) -> httpx.Response:
        body = {} if self.query is None else {"json": {"query": self.query}}
        return client.request(self.method, "/graphql", **{**body, **self.options})


CHECKS = {
    "alias overloading": Check(
        refused("QUERY_TOO_EXPENSIVE"), "query { " + " ".join(f"alias{n}:__typename" for n in range(101)) + " }"
    ),
    "array batching": Check(refused("BAD_USER_INPUT"), options={"json": [{"query": "query { __typename }"}] * 10}),
    "directive overloading": Check(refused("GRAPHQL_VALIDATION_FAILED"), "query { __typename " + "@aa" * 10 + " }"),
    "directive overloading by known ones": Check(
        refused("QUERY_TOO_EXPENSIVE"), "query { __typename " + "@include(if: true)" * 100 + " }"
    ),
    "circular query by introspection": Check(
        refused("GRAPHQL_VALIDATION_FAILED"), "query { __schema { types { " + CIRCLE + "name" + " } }" * 4 + " } } }"
    ),
    "circular fragment": Check(
        refused("GRAPHQL_VALIDATION_FAILED"),
        "query { __schema { ...A } } fragment A on __Schema { __typename ...B } fragment B on __Schema { ...A }",
    ),
    "field duplication": Check(refused("QUERY_TOO_EXPENSIVE"), "query { " + "__typename \n" * 500 + "}"),
    "query by GET": Check(not_served(405), method="GET", options={"params": {"query": "query {__typename}"}}),
    "mutation by GET": Check(not_served(405), method="GET", options={"params": {"query": "mutation {__typename}"}}),
    "query in the address of a POST": Check(not_served(415), options={"params": {"query": "query {__typename}"}}),
    "query by a form": Check(
        not_served(415), options={"content": "query=query+%7B__typename%7D", "headers": {"content-type": FORM}}
    ),
    "query by a form with a file": Check(not_served(415), options={"files": {"query": b"query {__typename}"}}),
    "query as plain text": Check(
        not_served(415),
        options={"content": '{"query": "query {__typename}"}', "headers": {"content-type": "text/plain"}},
    ),
    "tracing": Check(has_no_traces, "query { __typename }"),
    "tracing that is asked for": Check(
        has_no_traces,
        "query { __typename }",
        options={"headers": {"x-apollo-tracing": "1", "apollo-query-plan-experimental": "1"}},
    ),
    "unhandled error": Check(is_told_without_its_cause, "qwerty cop { abc }"),
    "introspection": Check(tells_the_schema, INTROSPECTION),
    "field suggestions": Check(suggests_a_name, "query { __schema { directive } }"),
}
"""What graphql-cop asks, some of it in further forms. The last two are accepted: they are for those who have the token,
and SECURITY.md gives the reasons. Its check of an IDE is below."""


@pytest.mark.parametrize("name", CHECKS)
def test_what_a_client_with_the_token_gets(audited: Replica, name: str) -> None:
    with audited.client() as client:
        CHECKS[name].holds(CHECKS[name].ask(client))


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer wrong"}], ids=["none", "wrong"])
def test_without_the_token_nothing_is_told(audited: Replica, name: str, header: Mapping[str, str]) -> None:
    with stranger(audited, header) as client:
        answer = CHECKS[name].ask(client)
    assert answer.status_code == 401
    refused("UNAUTHENTICATED")(answer)


def stranger(server: Replica, header: Mapping[str, str]) -> httpx.Client:
    return httpx.Client(base_url=f"http://127.0.0.1:{server.port}", headers=header, verify=False)


IDE_MARKS = ("graphiql.min.css", "GraphQL Playground", "GraphiQL", "graphql-playground")


@pytest.mark.parametrize("path", ["/playground", "/console", "/graphql", "/altair", "/voyager"])
@pytest.mark.parametrize("header", [{}, BEARER], ids=["stranger", "token"])
def test_no_ide_is_at_the_addresses_where_scanners_look(audited: Replica, path: str, header: Mapping[str, str]) -> None:
    with stranger(audited, header) as client:
        text = client.get(path).text
    assert [mark for mark in IDE_MARKS if mark in text] == []


def test_the_page_of_graphiql_is_the_same_for_everybody(audited: Replica) -> None:
    """An accepted finding: the page is a static file. All that it shows it asks for, with the token."""
    with stranger(audited, {}) as nobody, audited.client() as client:
        page = nobody.get("/graphiql")
        assert page.content == client.get("/graphiql").content
    assert (page.status_code, "GraphiQL" in page.text) == (200, True)


def test_an_error_that_nobody_expected_is_told_without_its_cause(audited: Replica, audited_home: Path) -> None:
    with StoreBuilder(store_path(audited_home, "failing")) as store:
        with_a_failing_trigger(store)
    rename = 'mutation { renameSession(input: {id: "s", title: "new"}) { userErrors { message } } }'
    answer = audited.ask(rename, "failing")
    [error] = answer["errors"]
    assert set(error) == {"message", "extensions", "locations", "path"}
    assert set(error["extensions"]) == {"code", "requestId"}
    assert error["extensions"]["code"] == "INTERNAL"
    told = str(answer)
    assert [text for text in (SECRET, "abs", "overflow", "TRIGGER", str(audited_home)) if text in told] == []
    assert "overflow" in audited.log.read_text()
