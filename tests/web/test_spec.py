"""GraphQL over HTTP as its specification wants it, point by point."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.serving import Served

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"
HELLO = {"query": "{ hello }"}
WRONG_DOCUMENTS = {
    "does not parse": {"query": "{"},
    "is empty": {"query": ""},
    "is not valid": {"query": "{ unknownField }"},
    "lacks a variable": {"query": "query ($n: String!) { hello(name: $n) }"},
    "has a variable of a wrong type": {
        "query": "query ($n: Float!) { slow(seconds: $n) }",
        "variables": {"n": "soon"},
    },
}
WRONG_PARTS: dict[str, list[Any]] = {
    "query": [{"obj": "ect"}, 0, False, ["array"], None],
    "operationName": [{"obj": "ect"}, 0, False, ["array"]],
    "variables": ["string", 0, False, ["array"]],
    "extensions": ["string", 0, False, ["array"]],
}
WRONG_BODIES = {
    "nothing": b"",
    "nonsense": b"NONSENSE",
    "half an object": b'{"query":',
    "a string": b'"{ hello }"',
    "a number": b"42",
    "null": b"null",
    "true": b"true",
    "a batch": b'[{"query": "{ hello }"}]',
    "an empty batch": b"[]",
    "an object without a query": b'{"qeury": "{ hello }"}',
    "invalid UTF-8": b'{"query": "{ hello \xff }"}',
    "UTF-16": json.dumps(HELLO).encode("utf-16"),
    "half a surrogate pair": b'{"query": "{ hello(name: \\"\\ud800\\") }"}',
    "not a number": b'{"query": "{ hello }", "variables": {"a": NaN}}',
    "two objects": b"{} {}",
    "very deep nesting": b'{"query": "{ hello }", "variables": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001,
}


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (JSON, JSON),
        (GRAPHQL_JSON, GRAPHQL_JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (f"{JSON}; charset=utf-8", JSON),
        (f"{GRAPHQL_JSON}, {JSON};q=0.9", GRAPHQL_JSON),
        (f"{JSON};q=0.5, {GRAPHQL_JSON};q=0.4", JSON),
        (f"{GRAPHQL_JSON}; charset=utf-8, {JSON}; charset=utf-8", GRAPHQL_JSON),
        (f"{JSON}, {GRAPHQL_JSON}", JSON),
        (f"text/html, {GRAPHQL_JSON}, */*;q=0.1", GRAPHQL_JSON),
        (f"{JSON};q=0, */*", GRAPHQL_JSON),
        ("APPLICATION/JSON", JSON),
        ("", JSON),
    ],
)
def test_the_answer_has_the_type_that_accept_prefers(served: Served, accept: str, content_type: str) -> None:
    answer = served.post(HELLO, accept=accept)
    assert (answer.status, answer.headers["content-type"]) == (200, f"{content_type}; charset=utf-8")
    assert answer.json == {"data": {"hello": "Hello you"}}


def test_without_accept_the_answer_is_json(served: Served) -> None:
    headers = [("Host", "localhost"), ("Authorization", served.client().headers["authorization"])]
    answer = served.raw("POST", "/graphql", [*headers, ("Content-Type", JSON)], b'{"query": "{ hello }"}')
    assert (answer.status, answer.headers["content-type"]) == (200, f"{JSON}; charset=utf-8")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", f"{JSON};q=0", "nonsense"])
def test_a_client_that_accepts_neither_type_gets_406(served: Served, accept: str) -> None:
    answer = served.post(HELLO, accept=accept)
    assert (answer.status, answer.code) == (406, "BAD_USER_INPUT")


@pytest.mark.parametrize(
    "content_type", [JSON, f"{JSON}; charset=utf-8", f'{JSON};charset="UTF-8"', "Application/JSON"]
)
def test_json_in_utf8_is_read(served: Served, content_type: str) -> None:
    answer = served.post('{"query": "{ hello(name: \\"héé 你好\\") }"}'.encode(), content_type=content_type)
    assert answer.json == {"data": {"hello": "Hello héé 你好"}}


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/graphql",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        f"{JSON}; charset=utf-16",
        f"{JSON}, text/plain",
        f"text/plain; {JSON}",
        f"{JSON}+x",
    ],
)
def test_other_types_get_415(served: Served, content_type: str) -> None:
    answer = served.post(HELLO, content_type=content_type)
    assert (answer.status, answer.code) == (415, "BAD_USER_INPUT")


def test_a_compressed_body_gets_415(served: Served) -> None:
    assert served.post(HELLO, content_encoding="gzip").status == 415


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_other_methods_get_405(served: Served, method: str) -> None:
    with served.client() as client:
        response = client.request(method, "/graphql", params={"query": "{ hello }"})
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert method == "HEAD" or response.json()["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
@pytest.mark.parametrize("body", WRONG_BODIES.values(), ids=WRONG_BODIES.keys())
def test_a_body_that_is_no_request_gets_400(served: Served, accept: str, body: bytes) -> None:
    answer = served.post(body, accept=accept)
    assert (answer.status, answer.code) == (400, "BAD_USER_INPUT")
    assert "data" not in answer.json
    assert answer.headers["content-type"] == f"{accept}; charset=utf-8"


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
@pytest.mark.parametrize(("part", "value"), [(part, value) for part, values in WRONG_PARTS.items() for value in values])
def test_a_part_of_a_wrong_type_gets_400_and_is_named(served: Served, accept: str, part: str, value: Any) -> None:
    answer = served.post({**HELLO, part: value}, accept=accept)
    assert (answer.status, answer.code) == (400, "BAD_USER_INPUT")
    assert f'"{part}"' in answer.json["errors"][0]["message"]


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
@pytest.mark.parametrize("part", ["variables", "operationName", "extensions"])
def test_null_is_as_good_as_absent(served: Served, accept: str, part: str) -> None:
    answer = served.post({**HELLO, part: None}, accept=accept)
    assert (answer.status, answer.json) == (200, {"data": {"hello": "Hello you"}})


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
def test_all_parts_together_are_used(served: Served, accept: str) -> None:
    body = {
        "query": "query A($n: String!) { hello(name: $n) } query B { profile }",
        "operationName": "A",
        "variables": {"n": "Ada"},
        "extensions": {"some": "value"},
        "somethingElse": 1,
    }
    answer = served.post(body, accept=accept)
    assert (answer.status, answer.json) == (200, {"data": {"hello": "Hello Ada"}})


@pytest.mark.parametrize("document", WRONG_DOCUMENTS.values(), ids=WRONG_DOCUMENTS.keys())
@pytest.mark.parametrize(("accept", "status"), [(JSON, 200), (GRAPHQL_JSON, 400)])
def test_the_status_of_a_refused_document_depends_on_the_type(
    served: Served, document: dict[str, Any], accept: str, status: int
) -> None:
    answer = served.post(document, accept=accept)
    assert answer.status == status
    assert answer.json["errors"]
    assert "data" not in answer.json


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
def test_an_unknown_operation_gets_400(served: Served, accept: str) -> None:
    answer = served.post({"query": "query A { hello }", "operationName": "B"}, accept=accept)
    assert answer.status == 400
    assert answer.json["errors"]


@pytest.mark.parametrize("operation_name", ["", None])
def test_an_empty_operation_name_is_none(served: Served, operation_name: str | None) -> None:
    assert served.post({**HELLO, "operationName": operation_name}).json == {"data": {"hello": "Hello you"}}


def test_a_byte_order_mark_is_skipped(served: Served) -> None:
    assert served.post(b"\xef\xbb\xbf" + json.dumps(HELLO).encode()).status == 200


@pytest.mark.parametrize(
    ("target", "header", "profile"),
    [
        ("/graphql", None, None),
        ("/graphql?profile=team", None, "team"),
        ("/graphql", "team", "team"),
        ("/graphql?profile=team", "other", "team"),
        ("/graphql?profile=", "other", "other"),
        ("/graphql?profile=%E4%BD%A0", None, "你"),
    ],
)
def test_the_profile_comes_from_the_query_string_else_the_header(
    served: Served, target: str, header: str | None, profile: str | None
) -> None:
    headers = {"x-hermes-profile": header} if header else {}
    with served.client(**headers) as client:
        response = client.post(target, json={"query": "{ profile }"})
    assert response.json() == {"data": {"profile": profile}}
