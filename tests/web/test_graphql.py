"""What the endpoint does when something goes wrong or takes long: limits, timeouts, cancels, masked errors."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator

import httpx
import pytest

from hermes_sessions.settings import Settings
from tests.web.serving import BEARER, TOKEN, Served, serving
from tests.web.tiny_app import SECRET_TEXT, Root

LIMIT = 2_000


@pytest.fixture(scope="module")
def strict() -> Iterator[Served]:
    """A server with small limits."""
    with serving(Settings(token=TOKEN, max_body_bytes=LIMIT, request_timeout=0.5)) as server:
        yield server


def padded(size: int) -> bytes:
    """A good request of so many bytes."""
    body = b'{"query": "{ hello }"}'
    return body + b" " * (size - len(body))


def test_a_body_of_the_limit_is_read_and_one_byte_more_is_not(strict: Served) -> None:
    assert strict.post(padded(LIMIT)).status == 200
    answer = strict.post(padded(LIMIT + 1))
    assert (answer.status, answer.code) == (413, "PAYLOAD_TOO_LARGE")


def test_a_chunked_body_is_counted_while_it_comes(strict: Served) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    with strict.client() as client:
        response = client.post("/graphql", content=chunks(), headers={"content-type": "application/json"})
        assert response.status_code == 413
        assert response.json()["errors"][0]["extensions"]["code"] == "PAYLOAD_TOO_LARGE"
        assert client.get("/healthz").status_code == 200


def test_a_huge_declared_body_is_refused_before_it_comes(strict: Served) -> None:
    with socket.create_connection(("127.0.0.1", strict.port), timeout=5) as connection:
        head = f"POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def test_a_body_that_does_not_come_is_not_waited_for(strict: Served) -> None:
    with socket.create_connection(("127.0.0.1", strict.port), timeout=5) as connection:
        head = f"POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
        answer = connection.recv(4000)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b'"TIMEOUT"' in answer


def test_a_request_over_its_time_is_stopped(strict: Served) -> None:
    before = Root.cancelled
    started_at = time.monotonic()
    answer = strict.post({"query": "{ slow(seconds: 20) }"})
    assert (answer.status, answer.code) == (504, "TIMEOUT")
    assert time.monotonic() - started_at < 5
    assert Root.cancelled == before + 1


def test_work_stops_when_the_client_leaves(served: Served) -> None:
    before = Root.cancelled
    with pytest.raises(httpx.ReadTimeout), served.client() as client:
        client.post("/graphql", json={"query": "{ slow(seconds: 20) }"}, timeout=0.3)
    deadline = time.monotonic() + 5
    while Root.cancelled == before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert Root.cancelled == before + 1


def test_an_expected_error_passes_with_its_code(served: Served) -> None:
    answer = served.post({"query": "{ refused }"}, accept="application/graphql-response+json")
    error = answer.json["errors"][0]
    assert (answer.status, error["message"], error["extensions"]) == (503, "The store is busy.", {"code": "STORE_BUSY"})


def test_an_unexpected_error_is_told_to_the_log_alone(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answer = served.post({"query": "{ boom }"})
    error = answer.json["errors"][0]
    assert (answer.status, error["extensions"]["code"]) == (500, "INTERNAL")
    assert SECRET_TEXT.encode() not in answer.body
    assert error["extensions"]["requestId"] == answer.headers["x-request-id"]
    assert answer.headers["x-request-id"] in caplog.text
    assert SECRET_TEXT in caplog.text


def test_an_answer_that_fails_half_way_is_cut_off(served: Served) -> None:
    with pytest.raises(httpx.RemoteProtocolError), served.client() as client:
        client.get("/export/half")


def test_errors_have_one_shape_everywhere(served: Served) -> None:
    with served.client() as client:
        answers = [
            client.get("/graphql"),
            client.get("/export/nothing"),
            client.post("/healthz"),
            client.get("/assets/none.js"),
            client.get("/readyz", headers={"authorization": ""}),
        ]
    assert [answer.status_code for answer in answers] == [405, 404, 405, 404, 401]
    for answer in answers:
        (error,) = answer.json()["errors"]
        assert set(error) == {"message", "extensions"}
        assert error["extensions"]["code"]


def test_the_connection_is_kept_for_the_next_request(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
        for _ in range(3):
            body = json.dumps({"query": "{ hello }"})
            head = f"POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: {BEARER['authorization']}\r\n"
            connection.sendall(
                f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            answer = b""
            while b"Hello you" not in answer:  # head and body may come one after the other
                received = connection.recv(4000)
                assert received
                answer += received
