"""Clients that read slowly or not at all: the server holds little for each, no transaction stays open, and a client
that never reads is let go."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil
import pytest

from tests.api.serving import serving
from tests.attacks.victim import SECONDS, Victim, Watch, attacked, eventually, heads
from tests.builders import StoreBuilder, home_with, store_path
from tests.web.serving import Served

MEGABYTES = 50
EXPORT = heads("GET /export/default/big.json HTTP/1.1")


def question(first: int) -> bytes:
    """Messages of one megabyte each."""
    query = f'{{ session(id: "big") {{ messages(first: {first}) {{ nodes {{ content(maxBytes: 1048576) }} }} }} }}'
    body = json.dumps({"query": query}).encode()
    return heads("POST /graphql HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body)}") + body


def fill(store: StoreBuilder) -> None:
    store.index_no_more()
    store.session("big")
    for number in range(MEGABYTES):
        store.message("big", "user", f"{number} " + "a" * 1_000_000)


def can_be_truncated(store: StoreBuilder) -> bool:
    """Whether a checkpoint takes the whole WAL, as it does while nobody reads in a transaction."""
    store.message("big", "user", "beside")
    [(busy, left, _)] = store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return (busy, left) == (0, 0)


def slow(port: int, request: bytes) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(SECONDS)
    connection.connect(("127.0.0.1", port))
    connection.sendall(request)
    return connection


def read_slowly(readers: list[socket.socket], victim: Victim, store: StoreBuilder, seconds: float) -> None:
    """A kilobyte a second each, while another program writes and takes up the WAL."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert can_be_truncated(store)
        victim.is_well()
        for reader in readers:
            assert reader.recv(250)
        time.sleep(0.25)


def test_an_export_that_is_read_slowly_holds_neither_memory_nor_the_store(
    tmp_path: Path, figure: Callable[[str], None], is_long: bool
) -> None:
    number = 40 if is_long else 8
    with attacked(tmp_path) as victim, StoreBuilder(store_path(victim.home, "default")) as store:
        fill(store)
        before, descriptors, connections = victim.peak(), victim.descriptors(), victim.connections()
        with ExitStack() as clients, Watch(victim.server.port) as watch:
            requests = [EXPORT] * number + [question(20)] * 2
            readers = [clients.enter_context(closing(slow(victim.server.port, each))) for each in requests]
            eventually(lambda: can_be_truncated(store))
            read_slowly(readers, victim, store, seconds=60 if is_long else 2)
        grown = victim.peak() - before
        figure(
            f"{number} exports of {MEGABYTES} MB and 2 answers of 20 MB read at 1 kB/s or not at all: "
            f"others waited {watch.longest:.2f} s, peak memory +{grown:.0f} MB, the WAL was truncated all the while"
        )
        assert grown < 150 + number * 6
        eventually(lambda: victim.connections() <= connections)
        assert victim.descriptors() <= descriptors + 20  # a few more connections to the store, which stay
        assert "Traceback" not in victim.server.log.read_text()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose patience ends soon."""
    home = home_with(tmp_path_factory.mktemp("slow") / "home", default=fill)
    with serving(home, stall_timeout=0.3) as server:
        yield server.served


def clients_of(server: Served) -> int:
    """Those whose connection the server, which is in this process, has not closed."""
    ours = [each for each in psutil.Process().net_connections() if each.laddr and each.laddr.port == server.port]
    return sum(each.status != "LISTEN" for each in ours)


@pytest.mark.parametrize("last", [b"", b"Connection: close\r\n"])
@pytest.mark.parametrize("request_", [EXPORT, question(20)], ids=["export", "answer"])
def test_a_client_that_never_reads_is_let_go(hasty: Served, request_: bytes, last: bytes) -> None:
    head, _, body = request_.partition(b"\r\n\r\n")
    with closing(slow(hasty.port, head + b"\r\n" + last + b"\r\n" + body)) as connection:
        eventually(lambda: clients_of(hasty) == 1)
        eventually(lambda: clients_of(hasty) == 0)
        read = 0
        while piece := _piece(connection):
            read += len(piece)
    assert 0 < read < 15_000_000


def _piece(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 20)
    except ConnectionResetError:
        return b""
