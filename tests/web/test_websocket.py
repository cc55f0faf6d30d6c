"""The protocol graphql-transport-ws: who is let in, and what ends a connection."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from hermes_sessions.settings import Settings
from tests.web.serving import BEARER, TOKEN, Served, serving
from tests.web.talking import COUNT, INIT, PROTOCOL, talking, until_nothing_is_open
from tests.web.tiny_app import Streams

# Who is let in


def test_the_token_may_come_in_connection_init(served: Served) -> None:
    with talking(served) as talk:
        talk.begun().subscribe()
        assert talk.hear()["payload"]["data"]["count"] == 1


def test_the_token_may_come_in_a_header(served: Served) -> None:
    with talking(served, **BEARER) as talk:
        assert talk.say({"type": "connection_init"}).hear() == {"type": "connection_ack"}


@pytest.mark.parametrize(
    "payload",
    [None, {}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": 1}, {"token": TOKEN}],
)
def test_without_the_right_token_nobody_is_let_in(served: Served, payload: Any) -> None:
    with talking(served) as talk:
        code, reason = talk.say({"type": "connection_init", "payload": payload}).end()
        assert (code, TOKEN in reason) == (4403, False)


@pytest.mark.parametrize(
    ("search", "further"),
    [(f"?token={TOKEN}&authorization=Bearer%20{TOKEN}", []), ("", [TOKEN, "Bearer"])],
    ids=["query string", "subprotocols"],
)
def test_a_token_in_another_place_is_none_and_is_not_sent_back(served: Served, search: str, further: list[str]) -> None:
    address = f"{served.url.replace('http', 'ws', 1)}/graphql{search}"
    with connect(address, subprotocols=list(map(Subprotocol, [PROTOCOL, *further]))) as talk:
        assert talk.subprotocol == PROTOCOL
        talk.send('{"type": "connection_init"}')
        with pytest.raises(ConnectionClosed) as closed:
            talk.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


def test_a_wrong_token_in_connection_init_is_not_made_good_by_a_header(served: Served) -> None:
    with talking(served, **BEARER) as talk:
        assert talk.say({"type": "connection_init", "payload": {"authorization": "Bearer wrong"}}).end()[0] == 4403


def test_without_tokens_everybody_is_let_in() -> None:
    with serving(Settings(no_auth=True)) as server, talking(server) as talk:
        assert talk.say({"type": "connection_init"}).hear() == {"type": "connection_ack"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "null"}, 403),
        ({"authorization": "Bearer wrong"}, 401),
    ],
)
def test_others_are_refused_before_the_handshake(
    served: Served, caplog: pytest.LogCaptureFixture, headers: dict[str, str], status: int
) -> None:
    with pytest.raises(InvalidStatus) as refused, talking(served, **headers):
        pass
    assert refused.value.response.status_code == status
    assert warned(caplog) == []


@pytest.mark.parametrize("protocol", ["graphql-ws", "chat"])
def test_other_subprotocols_are_refused_with_a_sentence(served: Served, protocol: str) -> None:
    with pytest.raises(InvalidStatus) as refused, talking(served, protocol=protocol):
        pass
    assert refused.value.response.status_code == 400
    assert PROTOCOL.encode() in (refused.value.response.body or b"")


def test_who_says_nothing_is_let_go(hasty: Served) -> None:
    with talking(hasty) as talk:
        assert talk.end() == (4408, "Connection initialisation timeout")


def test_a_late_token_is_too_late(hasty: Served) -> None:
    with talking(hasty) as talk:
        for _ in range(20):
            try:
                talk.say({"type": "ping"})
            except ConnectionClosed:
                break
            time.sleep(0.05)
        assert talk.end()[0] == 4408


# What ends a connection


@pytest.mark.parametrize(
    "message",
    [
        "",
        "junk",
        "[]",
        "1",
        '"subscribe"',
        {},
        {"type": 1},
        {"type": "start", "id": "1"},
        {"type": "connection_terminate"},
        {"type": "subscribe"},
        {"type": "subscribe", "id": "", "payload": {"query": COUNT}},
        {"type": "subscribe", "id": 1, "payload": {"query": COUNT}},
        {"type": "subscribe", "id": "x" * 300, "payload": {"query": COUNT}},
        {"type": "subscribe", "id": "1"},
        {"type": "subscribe", "id": "1", "payload": []},
        {"type": "subscribe", "id": "1", "payload": {}},
        {"type": "subscribe", "id": "1", "payload": {"query": 1}},
        {"type": "subscribe", "id": "1", "payload": {"query": COUNT, "variables": []}},
        {"type": "complete"},
        b"",
        b'{"type": "ping"}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_message_ends_the_connection(served: Served, message: Any) -> None:
    with talking(served) as talk:
        assert talk.begun().subscribe("other").say(message).end()[0] == 4400
    until_nothing_is_open()


@pytest.mark.parametrize("message", ["junk", b"junk", {"type": "connection_init", "payload": []}])
def test_nor_is_junk_taken_before_the_start(served: Served, message: Any) -> None:
    with talking(served) as talk:
        assert talk.say(message).end()[0] == 4400


def test_nothing_is_executed_before_the_start(served: Served) -> None:
    with talking(served) as talk:
        assert talk.subscribe().end()[0] == 4401
    assert Streams.open == 0


def test_a_second_start_ends_the_connection(served: Served) -> None:
    with talking(served) as talk:
        assert talk.begun().say(INIT).end() == (4429, "Too many initialisation requests")


@pytest.mark.parametrize(("id", "shown"), [("a", "'a'"), ("\N{GRINNING FACE}" * 200, "'\\U0001f600")])
def test_an_id_in_use_ends_the_connection(served: Served, id: str, shown: str) -> None:
    with talking(served) as talk:
        code, reason = talk.begun().subscribe(id).subscribe(id).end()
        assert (code, reason.startswith(f"Subscriber for {shown}")) == (4409, True)
    until_nothing_is_open()


def test_a_frame_that_is_too_large_ends_the_connection(hasty: Served, caplog: pytest.LogCaptureFixture) -> None:
    with talking(hasty) as talk:
        assert talk.begun().subscribe().say("x" * 10_001).end()[0] == 1009
    until_nothing_is_open()
    assert warned(caplog) == []


@pytest.mark.parametrize("before", [[], [INIT]])
@pytest.mark.parametrize("frames", [[b"\xff"], [b'{"type": "', b"\xe2\x82", b'"}'], [b"\xe2\x82"]])
def test_a_text_that_is_no_utf_8_ends_the_connection(
    served: Served, caplog: pytest.LogCaptureFixture, before: list[Any], frames: list[bytes]
) -> None:
    with talking(served) as talk:
        talk.say(*before).connection.send(frames if len(frames) > 1 else frames[0], text=True)
        assert talk.end() == (1007, "a text must be UTF-8")
    until_nothing_is_open()
    assert warned(caplog) == []


def test_a_character_in_two_frames_is_one(served: Served) -> None:
    with talking(served) as talk:
        talk.begun().connection.send([b'{"type": "ping", "payload": {"a": "\xe2\x82', b'\xac"}}'], text=True)
        assert talk.hear() == {"type": "pong", "payload": {"a": "€"}}


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
