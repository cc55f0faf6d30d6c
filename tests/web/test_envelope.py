"""Every answer has the security headers and a request id, whatever it is."""

from __future__ import annotations

import logging
import re

import pytest

from tests.web.serving import BEARER, Served

POLICY = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ANSWERS = {
    "a page": ("GET", "/", BEARER),
    "a file": ("GET", "/assets/main-4f2a.js", BEARER),
    "nothing there": ("GET", "/assets/none.js", BEARER),
    "health": ("GET", "/healthz", {}),
    "readiness": ("GET", "/readyz", BEARER),
    "an export": ("GET", "/export/default/x.json", BEARER),
    "no token": ("GET", "/export/default/x.json", {}),
    "foreign host": ("GET", "/", {"host": "evil.test"}),
    "wrong method": ("GET", "/graphql", BEARER),
    "wrong type": ("POST", "/graphql", BEARER),
}


@pytest.mark.parametrize(("method", "target", "headers"), ANSWERS.values(), ids=ANSWERS.keys())
def test_every_answer_has_the_security_headers(
    served: Served, method: str, target: str, headers: dict[str, str]
) -> None:
    with served.client(**headers) as client:
        answer = client.request(method, target)
    assert answer.headers["content-security-policy"] == POLICY
    assert EVERYWHERE.items() <= dict(answer.headers).items()
    assert len(answer.headers["x-request-id"]) == 16
    assert "server" not in answer.headers
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_an_internal_error_has_them_too(served: Served) -> None:
    answer = served.post({"query": "{ boom }"})
    assert answer.status == 500
    assert answer.headers["content-security-policy"] == POLICY


def test_a_refused_websocket_has_them_too(served: Served) -> None:
    answer = served.upgrade([("Host", "evil.test")])
    assert answer.status == 403
    assert answer.headers["content-security-policy"] == POLICY


def test_graphiql_has_what_its_editor_needs_and_nothing_of_scripts(served: Served) -> None:
    with served.client() as client:
        policy = client.get("/graphiql").headers.get_list("content-security-policy")
    assert policy == [f"{POLICY}; style-src 'self' 'unsafe-inline'"]


def test_answers_with_sessions_are_not_stored(served: Served) -> None:
    with served.client() as client:
        assert served.post({"query": "{ hello }"}).headers["cache-control"] == "no-store"
        assert client.get("/export/default/x.json").headers["cache-control"] == "no-store"


def test_request_ids_differ_and_reach_the_executor(served: Served) -> None:
    answers = [served.post({"query": "{ requestId }"}) for _ in range(2)]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert ids == [answer.json["data"]["requestId"] for answer in answers]
    assert ids[0] != ids[1]


@pytest.mark.parametrize(
    ("sent", "kept"), [("proxy-id-0001", True), ("short", False), ("with space 123", False), ("x" * 65, False)]
)
def test_a_plain_request_id_of_a_proxy_is_kept(served: Served, sent: str, kept: bool) -> None:
    answer = served.post({"query": "{ hello }"}, x_request_id=sent)
    assert (answer.headers["x-request-id"] == sent) is kept


def test_the_access_log_has_paths_without_query_strings(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "hermes_sessions.access"), served.client() as client:
        client.get("/export/default/a%0Ab.json?secret=swordfish")
        client.get("/healthz")  # answered after the line of the first request was written
    lines = [record.getMessage() for record in caplog.records if "GET /export" in record.getMessage()]
    ours = [line for line in lines if re.fullmatch(r"GET /export/default/a%0Ab\.json 200 [\d.]+ ms [0-9a-f]{16}", line)]
    assert len(ours) == 1
