"""Requests of every kind that are cut off at a random moment leave nothing behind, and no change by halves."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPResponse
from itertools import count
from pathlib import Path

import psutil
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.api.streaming import CHANGES
from tests.attacks.cutting import BROUGHT, REQUESTS, fill, is_whole
from tests.attacks.large import IMPORTS
from tests.attacks.victim import SECONDS, Victim, Watch, attacked, eventually, heads
from tests.builders import StoreBuilder, store_path
from tests.web.serving import BEARER

RESET = b"\1\0\0\0\0\0\0\0"


def cut(connection: socket.socket, chance: random.Random) -> None:
    """Ends it in one of the ways in which a client goes."""
    if chance.random() < 0.5:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.close()


def ask_and_leave(victim: Victim, number: int, chance: random.Random) -> str:
    kind = chance.choice([*REQUESTS, "subscriptions"])
    patience = chance.choice([0.0, 0.002, 0.01, 0.05, 0.2]) * chance.random()
    if kind == "subscriptions":
        subscribe_and_leave(victim, patience, chance)
        return kind
    request = REQUESTS[kind](number, chance)
    connection = victim.connect(request if chance.random() < 0.9 else request[: chance.randrange(len(request))])
    time.sleep(patience)
    cut(connection, chance)
    return kind


@contextlib.contextmanager
def subscribed(victim: Victim) -> Iterator[ClientConnection]:
    url = f"ws://127.0.0.1:{victim.server.port}/graphql"
    with connect(url, subprotocols=["graphql-transport-ws"], additional_headers=BEARER) as client:  # type: ignore[list-item]
        client.send(json.dumps({"type": "connection_init"}))
        yield client


def subscribe_and_leave(victim: Victim, patience: float, chance: random.Random) -> None:
    with contextlib.suppress(WebSocketException, OSError), subscribed(victim) as client:
        for id in range(chance.randrange(5)):
            client.send(json.dumps({"id": str(id), "type": "subscribe", "payload": {"query": CHANGES}}))
        time.sleep(patience)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        client.socket.shutdown(socket.SHUT_RDWR)


class Leavers:
    """Some clients that ask and leave for some time."""

    def __init__(self, victim: Victim, seed: int) -> None:
        self._victim = victim
        self._chances = [random.Random(seed + each) for each in range(4)]
        self._numbers = count()
        self.asked: list[str] = []
        self.failures: list[Exception] = []

    def go_on(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=self._leave, args=(chance, until)) for chance in self._chances]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(seconds + 2 * SECONDS)
        assert not any(thread.is_alive() for thread in threads)
        assert self.failures == []

    def _leave(self, chance: random.Random, until: float) -> None:
        try:
            while time.monotonic() < until:
                self.asked.append(ask_and_leave(self._victim, next(self._numbers), chance))
        except Exception as error:
            self.failures.append(error)


def is_idle(victim: Victim) -> bool:
    """Whether nothing goes on in the server, for half a second."""
    return psutil.Process(victim.server.pid).cpu_percent(0.5) < 10


def lock_is_free(store: StoreBuilder) -> None:
    """At once: somebody who still held it would be an error here."""
    store.sql("PRAGMA busy_timeout = 0")
    store.sql("BEGIN IMMEDIATE")
    store.sql("ROLLBACK")


def test_each_kind_of_request_is_done_where_it_is_not_cut_off(tmp_path: Path) -> None:
    with attacked(tmp_path) as victim, StoreBuilder(store_path(victim.home, "default")) as store:
        fill(store)
        for number, (kind, make) in enumerate(REQUESTS.items()):
            with closing(victim.connect(make(number, random.Random(number)))) as connection:
                answer = HTTPResponse(connection)
                answer.begin()
                body = answer.read()
            assert answer.status == 200, (kind, body)
            assert b'"errors"' not in body, (kind, body)
        with subscribed(victim) as client:
            client.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": CHANGES}}))
            client.recv(timeout=SECONDS)
            assert json.loads(client.recv(timeout=SECONDS))["type"] == "next"
        changed = "SELECT sum(archived), sum(id GLOB 'in*'), sum(id BETWEEN 's060' AND 's149') FROM sessions"
        assert store.sql(changed) == [(50, BROUGHT, 87)]


def test_requests_that_are_cut_off_leave_nothing_behind(
    tmp_path: Path, figure: Callable[[str], None], is_long: bool
) -> None:
    with attacked(tmp_path) as victim, StoreBuilder(store_path(victim.home, "default")) as store:
        fill(store)
        leavers = Leavers(victim, seed=20)
        leavers.go_on(10 if is_long else 1)  # what is opened once and kept is there then
        eventually(lambda: is_idle(victim))
        connections, threads, descriptors = victim.connections(), victim.threads(), victim.descriptors()
        before = victim.new_peak()
        with Watch(victim.server.port) as watch:
            leavers.go_on(110 if is_long else 3)
        eventually(lambda: is_idle(victim) and victim.connections() <= connections)
        lock_is_free(store)
        is_whole(store)
        assert victim.threads() <= threads + 8  # of the pool for files, which grows to its size once
        assert victim.descriptors() <= descriptors + 10
        grown = victim.peak() - before
        assert grown < 150
        log = victim.server.log.read_text()
        assert "Traceback" not in log, log[log.index("Traceback") - 500 :][:3000]
        figure(
            f"{len(leavers.asked)} requests of {len(set(leavers.asked))} kinds cut off: others waited "
            f"{watch.longest:.2f} s, peak memory +{grown:.0f} MB, {victim.threads() - threads:+} threads, "
            f"{victim.descriptors() - descriptors:+} descriptors, every change whole or not there"
        )


def test_an_import_whose_client_has_left_ends(tmp_path: Path) -> None:
    """Looking through this one takes seconds of a processor, in a thread, which nobody can cancel."""
    body = IMPORTS["messages"](24_500_000)
    head = heads("POST /graphql HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body)}")
    with attacked(tmp_path) as victim:
        idle = victim.worked()
        with closing(victim.connect(head + body)):
            eventually(lambda: victim.worked() > idle + 0.5)
        left = victim.worked()
        eventually(lambda: is_idle(victim))
        assert victim.worked() - left < 1
        victim.is_well()
