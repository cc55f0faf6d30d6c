"""WebSockets made to exhaust the server: large, broken and endless frames, floods, and far too many connections."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.api.streaming import CHANGES
from tests.attacks.broken import HANDSHAKE
from tests.attacks.doubling import SMALL
from tests.attacks.test_broken_clients import heard, sent
from tests.attacks.victim import SECONDS, Victim, Watch, attacked, eventually
from tests.web.serving import BEARER

Figure = Callable[[str], None]

INIT = json.dumps({"type": "connection_init"}).encode()
TEXT, CONTINUED, PING, LAST = 0x1, 0x0, 0x9, 0x80


def frame(kind: int, data: bytes) -> bytes:
    """As a client sends it, masked with zeros."""
    size = len(data)
    length = bytes([0x80 | size]) if size < 126 else b"\xff" + size.to_bytes(8, "big")
    return bytes([kind]) + length + bytes(4) + data


def subscribe(id: str, query: str) -> str:
    return json.dumps({"id": id, "type": "subscribe", "payload": {"query": query}})


FLOODS: dict[str, bytes] = {
    "a frame that says 8 EB": bytes([LAST | TEXT, 0xFF]) + b"\x7f" + b"\xff" * 7 + bytes(4),
    "a frame of 2 MB": frame(LAST | TEXT, b" " * 2_000_000),
    "a message of 2 MB in pieces": frame(TEXT, b" ") + frame(CONTINUED, b" " * 1000) * 2000,
    "pieces of one byte": frame(TEXT, b" ") + frame(CONTINUED, b" ") * 400_000,
    "empty pieces": frame(TEXT, b" ") + frame(CONTINUED, b"") * 400_000,
    "pings": frame(LAST | PING, b"x" * 100) * 500_000,
    "brackets": frame(LAST | TEXT, b"[" * 900_000),
    "no text": frame(LAST | TEXT, b"\xff" * 1000),
    "an ending that is none": bytes([LAST | 0x8, 0xFE]) + (200).to_bytes(2, "big") + bytes(204),
    "no frame": bytes([0x7F]) * 1000,
    "many empty messages": frame(LAST | TEXT, b"") * 400_000,
}


PING_OF_PROTOCOL = frame(LAST | TEXT, b'{"type":"ping"}')


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with attacked(tmp_path_factory.mktemp("sockets"), init_timeout="2", heartbeat="1") as running:
        yield running


def opened(stack: ExitStack, victim: Victim) -> ClientConnection:
    url = f"ws://127.0.0.1:{victim.server.port}/graphql"
    return stack.enter_context(
        connect(
            url,
            subprotocols=["graphql-transport-ws"],
            additional_headers=BEARER,
            max_size=None,
            compression=None,
            close_timeout=1,
        )  # type: ignore[list-item]
    )


def begun(stack: ExitStack, victim: Victim) -> ClientConnection:
    client = opened(stack, victim)
    client.send(INIT.decode())
    client.recv(timeout=SECONDS)
    return client


@pytest.mark.parametrize("has_begun", [True, False], ids=["after init", "before init"])
def test_floods_of_frames(victim: Victim, figure: Figure, is_long: bool, has_begun: bool) -> None:
    """Of clients that read nothing: each is let go by itself, soon."""
    before, connections = victim.new_peak(), victim.connections()
    waits: dict[str, float] = {}
    floods = {**FLOODS, "pings of the protocol": PING_OF_PROTOCOL * (30_000 if is_long else 8_000)}
    for name, data in floods.items():
        with Watch(victim.server.port) as watch, closing(victim.connect(HANDSHAKE)) as connection:
            assert connection.recv(4096).startswith(b"HTTP/1.1 101")
            writing = threading.Thread(
                target=sent, args=(connection, (frame(LAST | TEXT, INIT) if has_begun else b"") + data)
            )
            writing.start()
            eventually(lambda: victim.connections() <= connections + 1)  # that of the watch
            heard(connection)
            writing.join(SECONDS)
        waits[name] = watch.longest
        eventually(lambda: victim.connections() <= connections)
    worst = max(waits, key=waits.__getitem__)
    grown = victim.peak() - before
    figure(
        f"{len(floods)} floods of frames: others waited {waits[worst]:.2f} s at most ({worst}), memory +{grown:.0f} MB"
    )
    assert grown < 150
    victim.is_well()


def test_a_compressed_bomb_is_refused(tmp_path: Path) -> None:
    with attacked(tmp_path, init_timeout=str(SECONDS)) as victim:  # it takes its time to compress
        before = victim.new_peak()
        url = f"ws://127.0.0.1:{victim.server.port}/graphql"
        with connect(url, subprotocols=["graphql-transport-ws"], additional_headers=BEARER) as client:  # type: ignore[list-item]
            client.send(" " * 50_000_000)
            with pytest.raises(ConnectionClosed) as closed:
                client.recv(timeout=SECONDS)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert victim.peak() - before < 50


def test_many_operations_at_once(tmp_path: Path, figure: Figure, is_long: bool) -> None:
    """Fifty subscriptions and no more on each of some connections, all open together, then small documents that become
    large."""
    number = 20 if is_long else 3
    with attacked(tmp_path, heartbeat="60") as victim:
        before, descriptors = victim.new_peak(), victim.descriptors()
        with ExitStack() as stack, Watch(victim.server.port) as watch:
            clients = [begun(stack, victim) for _ in range(number)]
            for client in clients:
                for id in range(100):
                    client.send(subscribe(str(id), CHANGES))
                types = [json.loads(client.recv(timeout=SECONDS))["type"] for _ in range(100)]
                assert sorted(types) == ["error"] * 50 + ["next"] * 50
            last = begun(stack, victim)
            for id, document in enumerate(SMALL.values()):
                last.send(subscribe(str(id), document))
            waiting = {str(id) for id in range(len(SMALL))}
            while waiting:
                waiting.discard(json.loads(last.recv(timeout=SECONDS)).get("id"))
        grown = victim.peak() - before
        figure(
            f"{number} sockets with 50 subscriptions and 50 refused, {len(SMALL)} small documents on another: others "
            f"waited {watch.longest:.2f} s, +{grown:.0f} MB"
        )
        assert grown < 250
        eventually(lambda: victim.descriptors() <= descriptors + 10)
        victim.is_well()


def test_sockets_that_say_nothing(victim: Victim, figure: Figure) -> None:
    before, connections = victim.new_peak(), victim.connections()
    with ExitStack() as stack, Watch(victim.server.port) as watch:
        silent = [stack.enter_context(closing(victim.connect(HANDSHAKE))) for _ in range(300)]
        for each in silent:
            assert each.recv(4096).startswith(b"HTTP/1.1 101")
        eventually(lambda: victim.connections() <= connections + 1)
    grown = victim.peak() - before
    figure(
        f"300 sockets that say nothing: others waited {watch.longest:.2f} s, +{grown:.0f} MB, closed after init_timeout"
    )
    assert grown < 100


def test_what_is_said_before_init_closes(victim: Victim) -> None:
    for said, code in ((subscribe("1", "{ server { version } }"), 4401), ("[]", 4400), ("x" * 1_000_001, 1009)):
        with ExitStack() as stack:
            client = opened(stack, victim)
            client.send(said)
            with pytest.raises(ConnectionClosed) as closed:
                client.recv(timeout=SECONDS)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code
