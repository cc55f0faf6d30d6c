"""Operations over a WebSocket, signs of life, and that nothing outlives its connection."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack

import pytest

from hermes_sessions.settings import Settings
from tests.web.serving import TOKEN, Served, serving
from tests.web.talking import INIT, raw_socket, talking, until_nothing_is_open
from tests.web.tiny_app import SECRET_TEXT, Streams

# Operations


def test_a_query_is_answered_once_and_complete(served: Served) -> None:
    with talking(served, "?profile=work") as talk:
        talk.begun().subscribe("q", "query Q($n: String!) { hello(name: $n) profile }", variables={"n": "Ada"})
        data = {"hello": "Hello Ada", "profile": "work"}
        assert talk.hear() == {"id": "q", "type": "next", "payload": {"data": data}}
        assert talk.hear() == {"id": "q", "type": "complete"}
        assert talk.subscribe("q", "{ hello }").hear()["type"] == "next"


def test_the_profile_may_come_in_connection_init(served: Served) -> None:
    with talking(served) as talk:
        talk.say({**INIT, "payload": {**INIT["payload"], "X-Hermes-Profile": "work"}})  # type: ignore[dict-item]
        talk.hear()
        assert talk.subscribe("q", "{ profile }").hear()["payload"]["data"] == {"profile": "work"}


def test_what_is_refused_is_an_error_and_the_last_word(served: Served) -> None:
    with talking(served) as talk:
        message = talk.begun().subscribe("q", "{ nothing }").hear()
        assert (message["id"], message["type"]) == ("q", "error")
        assert "nothing" in message["payload"][0]["message"]
        assert talk.subscribe("q", "{ hello }").hear()["type"] == "next"


def test_a_failure_is_an_error_without_its_text(served: Served) -> None:
    with talking(served) as talk:
        talk.begun().subscribe("f", "subscription { fail }")
        assert [talk.hear()["type"] for _ in range(2)] == ["next", "next"]
        message = talk.hear()
        assert (message["type"], message["payload"][0]["extensions"]["code"]) == ("error", "INTERNAL")
        assert SECRET_TEXT not in json.dumps(message)


def test_the_client_ends_an_operation_and_may_use_its_id_again(served: Served) -> None:
    with talking(served) as talk:
        talk.begun().subscribe("a")
        assert talk.hear()["payload"]["data"]["count"] == 1
        talk.say({"id": "a", "type": "complete"}, {"id": "a", "type": "complete"}).subscribe("a", "{ hello }")
        assert talk.hear(type="complete") == {"id": "a", "type": "complete"}
    until_nothing_is_open()


def test_an_operation_that_fails_to_end_leaves_the_next_of_its_id_alone(served: Served) -> None:
    with talking(served) as talk:
        talk.begun().subscribe("a", "subscription { stubborn }").hear()
        talk.say({"id": "a", "type": "complete"}, {"type": "ping"})
        talk.hear(type="pong")
        talk.subscribe("a")
        assert [talk.hear()["type"] for _ in range(20)] == ["next"] * 20


def test_more_operations_than_allowed_are_refused_one_by_one(hasty: Served) -> None:
    with talking(hasty) as talk:
        talk.begun()
        for id in "abcd":
            talk.subscribe(id)
        message = talk.hear(type="error")
        assert (message["id"], message["payload"][0]["extensions"]["code"]) == ("d", "QUERY_TOO_EXPENSIVE")
        talk.say({"id": "a", "type": "complete"})
        time.sleep(0.1)
        assert talk.subscribe("e").hear(id="e")["type"] == "next"
    until_nothing_is_open()


def test_pings_are_answered_with_their_payload(served: Served) -> None:
    with talking(served) as talk:
        assert talk.say({"type": "ping"}).hear() == {"type": "pong"}
        assert talk.begun().say({"type": "ping", "payload": {"n": 1}}).hear() == {"type": "pong", "payload": {"n": 1}}


# Signs of life


def test_a_client_that_answers_stays(hasty: Served) -> None:
    with talking(hasty) as talk:
        talk.begun()
        for _ in range(4):
            assert talk.hear() == {"type": "ping"}
            talk.say({"type": "pong"})


def test_a_silent_client_is_let_go(hasty: Served) -> None:
    with talking(hasty) as talk:
        talk.begun().subscribe()
        assert talk.end() == (1001, "No sign of life")
    until_nothing_is_open()


def test_a_client_that_reads_nothing_is_let_go(hasty: Served) -> None:
    with raw_socket(hasty):
        time.sleep(0.1)
        assert Streams.open == 1
        until_nothing_is_open()


@pytest.mark.parametrize("aborts", [True, False])
def test_everything_ends_when_the_socket_dies(served: Served, aborts: bool) -> None:
    connections = [raw_socket(served) for _ in range(10)]
    deadline = time.monotonic() + 5
    while Streams.open < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert Streams.open == 10
    for connection in connections:
        if aborts:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
    until_nothing_is_open()


def test_a_server_that_stops_closes_its_sockets_and_does_not_wait_for_them() -> None:
    with ExitStack() as clients:
        with serving(Settings(token=TOKEN)) as server:
            talk = clients.enter_context(talking(server))
            talk.begun().subscribe().hear()
            stopped_at = time.monotonic()
        assert talk.end()[0] == 1012
    assert time.monotonic() - stopped_at < 5  # uvicorn would wait for ten seconds, and then give up
    until_nothing_is_open()
