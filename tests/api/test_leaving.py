"""However many have subscribed, one watcher serves them, and nothing is left of those whose sockets die."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

from hermes_sessions.stores.sqlite.base import CONNECTIONS
from tests.api.serving import Server, serving
from tests.api.streaming import CHANGES, MESSAGES
from tests.builders import plan_chain
from tests.stores.test_replaced import held_files
from tests.web.serving import BEARER

SUBSCRIBERS = 6


def threads() -> int:
    """Of SQLite connections for reading, each of which has one."""
    return sum(thread.name.startswith("sqlite-ro") for thread in threading.enumerate())


def subscribe(stack: ExitStack, server: Server) -> ClientConnection:
    """A socket with both subscriptions, which have told their first event."""
    url = f"ws://127.0.0.1:{server.served.port}/graphql?profile=case-1"
    client = stack.enter_context(connect(url, subprotocols=["graphql-transport-ws"], additional_headers=BEARER))  # type: ignore[list-item]
    client.send(json.dumps({"type": "connection_init"}))
    client.recv(timeout=10)
    for id, query, variables in (("1", CHANGES, {}), ("2", MESSAGES, {"id": "d1"})):
        payload = {"query": query, "variables": variables}
        client.send(json.dumps({"id": id, "type": "subscribe", "payload": payload}))
        assert json.loads(client.recv(timeout=10))["type"] == "next"
    return client


def test_sockets_that_die_leave_no_threads_and_no_files(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        api = server.profile(plan_chain)
        files: list[int] = []
        for _ in range(6):
            with ExitStack() as stack:
                clients = [subscribe(stack, server) for _ in range(SUBSCRIBERS)]
                with api.store() as agent:
                    agent.message("d3")
                for client in clients:
                    assert json.loads(client.recv(timeout=10))["type"] == "next"
                assert threads() <= CONNECTIONS + 1  # and one watcher's
                for client in clients:
                    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    client.socket.shutdown(socket.SHUT_RDWR)
            deadline = time.monotonic() + 10
            while threads() > CONNECTIONS and time.monotonic() < deadline:
                time.sleep(0.01)
            assert threads() <= CONNECTIONS
            files.append(len(held_files(api.path)))
        # One may be held a little longer: SQLite closes no file on which another connection has a lock.
        assert max(files[2:]) <= max(files[:2]) + 1
    assert threads() == 0
