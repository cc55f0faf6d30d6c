"""Clients that send what is no request, or not all of one: each is told so where it can be, and let go."""

from __future__ import annotations

import json
import re
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil
import pytest

from hermes_sessions.settings import Settings
from hermes_sessions.web import protocol
from tests.attacks.broken import ANSWERED, HANDSHAKE, REFUSED, UNFINISHED
from tests.attacks.victim import SECONDS, Victim, Watch, attacked, eventually, heads
from tests.web.serving import TOKEN, Served, serving

Figure = Callable[[str], None]


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with attacked(tmp_path_factory.mktemp("broken")) as running:
        yield running


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server whose patience ends soon."""
    monkeypatch.setattr(protocol, "LINGER_SECONDS", 0.2)
    with serving(Settings(token=TOKEN, request_timeout=0.6, head_timeout=0.2)) as server:
        yield server


@pytest.fixture
def lingering(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """One whose patience ends soon only with what is left of a body that was answered."""
    monkeypatch.setattr(protocol, "LINGER_SECONDS", 0.2)
    with serving(Settings(token=TOKEN)) as server:
        yield server


def sent(connection: socket.socket, data: bytes) -> None:
    """As much of it as the other side takes."""
    try:
        connection.sendall(data)
    except OSError:
        return


def heard(connection: socket.socket, enough: Callable[[bytes], bool] = lambda _: False) -> bytes:
    """Until the end of the connection, or until it is enough."""
    text = b""
    while not enough(text):
        try:
            piece = connection.recv(1 << 20)
        except ConnectionResetError:
            return text
        if not piece:
            return text
        text += piece
    return text


def ends(connection: socket.socket, drip: bytes) -> bool:
    """Whether the connection is over some time, however long this is sent."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        try:
            connection.sendall(drip)
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_what_is_no_request_is_refused_in_our_form(victim: Victim, figure: Figure) -> None:
    before, descriptors = victim.new_peak(), victim.descriptors()
    with Watch(victim.server.port) as watch:
        for name, (data, status) in REFUSED.items():
            with closing(victim.connect()) as connection:
                writing = threading.Thread(target=sent, args=(connection, data))
                writing.start()
                text = heard(connection, lambda text: text.endswith(b"}]}"))
            writing.join(SECONDS)
            head, _, body = text.partition(b"\r\n\r\n")
            if not text:  # cut off while it still sent, which loses the answer on some systems
                assert len(data) > 1_000_000, name
                continue
            assert head.startswith(f"HTTP/1.1 {status} ".encode()), (name, head)
            assert json.loads(body)["errors"][0]["extensions"]["code"] in ("BAD_USER_INPUT", "PAYLOAD_TOO_LARGE")
            assert b"content-security-policy" in head
    grown = victim.peak() - before
    figure(f"{len(REFUSED)} broken requests: others waited {watch.longest:.2f} s, peak memory +{grown:.0f} MB")
    assert grown < 50
    eventually(lambda: victim.descriptors() <= descriptors)
    victim.is_well()


@pytest.mark.parametrize("name", ANSWERED)
def test_odd_requests_are_answered(victim: Victim, name: str) -> None:
    data, number = ANSWERED[name]
    with closing(victim.connect()) as connection:
        writing = threading.Thread(target=sent, args=(connection, data))
        writing.start()
        text = heard(connection, lambda text: text.count(b"HTTP/1.1 200 ") == number)
        writing.join(SECONDS)
    assert text.count(b"HTTP/1.1 200 ") == number
    victim.is_well()


@pytest.mark.parametrize("name", [name for name, (data, _) in ANSWERED.items() if len(data) < 2000])
def test_odd_requests_are_answered_that_come_in_pieces(victim: Victim, name: str) -> None:
    data, number = ANSWERED[name]
    with closing(victim.connect()) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(data), 7):
            connection.sendall(data[at : at + 7])
            time.sleep(0.0005)  # for each to be read by itself
        text = heard(connection, lambda text: text.count(b"HTTP/1.1 200 ") == number)
    assert text.count(b"HTTP/1.1 200 ") == number


@pytest.mark.parametrize("how", ["waits", "half-closes"])
@pytest.mark.parametrize("name", UNFINISHED)
def test_a_client_that_does_not_go_on_is_let_go(hasty: Served, name: str, how: str) -> None:
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=SECONDS) as connection:
        connection.sendall(UNFINISHED[name])
        if how == "half-closes":
            connection.shutdown(socket.SHUT_WR)
        text = heard(connection)
    assert [int(status) for status in re.findall(rb"HTTP/1.1 (4\d\d)", text)] in ([408], [413], [])


def test_bytes_that_come_one_by_one_keep_nothing_open(hasty: Served) -> None:
    """Neither in a head, nor in the second one of a connection, nor in a body that was refused."""
    for begin, drip in (
        (b"GET / HTTP/1.1\r\nHost: local", b"h"),
        (heads("GET /healthz HTTP/1.1") + b"GET / HTTP/1.1\r\nx: ", b"a"),
        (UNFINISHED["a body that was refused"], b" "),
        (UNFINISHED["half a chunk"], b" "),
    ):
        with socket.create_connection(("127.0.0.1", hasty.port), timeout=0.05) as connection:
            connection.sendall(begin)
            assert ends(connection, drip)


@pytest.mark.parametrize(
    "rest",
    [b"no request\r\n\r\n", b"GET / HTTP/1.1\r\nx: " + b"a" * 100_000, REFUSED["a chunk beyond all"][0], HANDSHAKE],
    ids=["no request", "a head that is too large", "a broken body", "a WebSocket"],
)
def test_what_follows_a_request_is_not_its_answer(lingering: Served, rest: bytes) -> None:
    """A change that is told to be no request would be believed not to have been made."""
    body = b'{"query":"{ slow(seconds: 0.6) }"}'
    question = heads("POST /graphql HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body)}") + body
    with socket.create_connection(("127.0.0.1", lingering.port), timeout=SECONDS) as connection:
        connection.sendall(question)
        time.sleep(0.1)
        connection.sendall(rest)
        text = heard(connection)
    assert text.startswith(b"HTTP/1.1 200 ")
    assert text.endswith(b'{"data":{"slow":"done"}}')


def test_a_body_may_come_slowly_though_its_request_came_before_another_answer(lingering: Served) -> None:
    """Only what is left of a body that was answered before its end has to hurry."""
    body = b'{"query":"{ slow(seconds: 0.1) }"}'
    question = heads("POST /graphql HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", lingering.port), timeout=SECONDS) as connection:
        connection.sendall(question + body + question)
        time.sleep(0.1 + 2 * protocol.LINGER_SECONDS)
        connection.sendall(body)
        text = heard(connection, lambda text: text.count(b"done") == 2)
    assert text.count(b'{"data":{"slow":"done"}}') == 2


def test_silent_and_idle_connections_cost_others_nothing_and_are_let_go(tmp_path: Path, figure: Figure) -> None:
    with attacked(tmp_path, head_timeout="6", keep_alive_timeout="6") as victim:
        before, descriptors = victim.new_peak(), victim.descriptors()
        with ExitStack() as clients, Watch(victim.server.port) as watch:
            for number in range(700):
                connection = clients.enter_context(closing(victim.connect()))
                if number < 500:
                    connection.sendall(heads("GET /healthz HTTP/1.1"))
                    assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            victim.is_well()
            eventually(lambda: victim.descriptors() >= descriptors + 700)
            eventually(lambda: victim.descriptors() <= descriptors + 5, 2 * SECONDS)  # the clients are all there
        grown = victim.peak() - before
        figure(f"500 idle and 200 silent clients: others waited {watch.longest:.2f} s, peak memory +{grown:.0f} MB")
        assert grown < 100


def test_a_server_without_descriptors_goes_on_when_there_are_some_again(tmp_path: Path) -> None:
    with attacked(tmp_path) as victim:
        psutil.Process(victim.server.pid).rlimit(resource.RLIMIT_NOFILE, (256, 256))
        with ExitStack() as clients:
            for _ in range(400):
                clients.enter_context(closing(victim.connect()))
            eventually(lambda: victim.descriptors() > 240)
            time.sleep(0.5)
        eventually(lambda: victim.descriptors() < 100)
        victim.is_well()
        assert "Traceback" not in victim.server.log.read_text()
