"""Two servers behind the proxy that a team runs: both are asked, and one is enough."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from hermes_sessions.errors import ErrorCode
from tests.api.serving import process_serving
from tests.builders import full_plan, home_with
from tests.web.proxy import Proxy, proxying
from tests.web.serving import BEARER, Served
from tests.web.talking import talking

LIST = {"query": "{ conversations(first: 5) { nodes { id title } } }"}
RENAME = 'mutation { renameSession(input: {id: "d3", title: "Boat"}) { userErrors { message } } }'
CHANGES = "subscription { sessionChanges { kind session { id title } } }"


@dataclass(frozen=True)
class Team:
    proxy: Proxy
    servers: dict[int, int]
    """Process ids by port."""

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.proxy.url, headers={**BEARER, **headers}, timeout=30, verify=False)

    def ask(self, client: httpx.Client, query: dict[str, str] = LIST) -> None:
        answer = client.post("/graphql", json=query)
        assert answer.status_code == 200, answer.text
        assert "errors" not in answer.json(), answer.text


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    home = home_with(tmp_path / "home", default=full_plan)
    with process_serving(home) as (one, first), process_serving(home) as (other, second):
        ports = [client.base_url.port for client in (one, other)]
        assert ports[0] is not None
        assert ports[1] is not None
        with proxying(ports[0], ports[1]) as proxy:
            yield Team(proxy, {ports[0]: first, ports[1]: second})


def test_both_servers_answer(team: Team) -> None:
    with team.client() as client:
        for _ in range(10):
            team.ask(client)
    asked = team.proxy.served(10)
    assert {port for ports in asked for port in ports} == {str(port) for port in team.servers}


def test_a_request_has_one_id_in_both_logs(team: Team) -> None:
    with team.client() as client:
        id = client.post("/graphql", json=LIST).headers["x-request-id"]
    team.proxy.served(1)
    assert id in team.proxy.log.read_text()


def test_the_page_of_the_proxy_is_ours_and_no_other_is(team: Team) -> None:
    with team.client() as client:
        for host in ("127.0.0.1", "localhost"):
            address = f"{host}:{team.proxy.port}"
            ours = client.post("/graphql", json=LIST, headers={"host": address, "origin": f"http://{address}"})
            assert ours.status_code == 200
        theirs = client.post("/graphql", json=LIST, headers={"origin": "http://127.0.0.1:1"})
        foreign = client.post("/graphql", json=LIST, headers={"host": "evil.example"})
        unknown = httpx.post(f"{team.proxy.url}/graphql", json=LIST, verify=False)
    assert (theirs.status_code, foreign.status_code, unknown.status_code) == (403, 403, 401)


def test_a_change_by_one_server_is_told_by_the_websocket_of_another(team: Team) -> None:
    """One of two clients in turn is asked by either server, whichever has the WebSocket."""
    with talking(Served(team.proxy.port), origin=team.proxy.url) as talk, team.client() as client:
        talk.begun().subscribe(query=CHANGES)
        assert talk.hear()["payload"]["data"]["sessionChanges"]["kind"] == "SYNCED"
        for title in ("Boat", "Canoe"):
            team.ask(client, {"query": RENAME.replace("Boat", title)})
            told = talk.hear()["payload"]["data"]["sessionChanges"]
            assert told["session"] == {"id": "d3", "title": title}


def test_requests_go_on_when_a_server_is_killed(team: Team) -> None:
    lost, pid = next(iter(team.servers.items()))
    with team.client() as client:
        for _ in range(4):
            team.ask(client)
        os.kill(pid, signal.SIGKILL)
        until_refused(lost)
        for _ in range(20):
            team.ask(client)
    [left] = {str(port) for port in team.servers} - {str(lost)}
    assert [ports[-1] for ports in team.proxy.served(24)[-20:]] == [left] * 20


def until_refused(port: int) -> None:
    """Before it the request could be one that came to the server, which is not sent again."""
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.01)
    raise AssertionError("It still listens.")


class Dying:
    """A server that is gone as soon as a request has come to it."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.requests: list[bytes] = []

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                self.requests.append(connection.recv(65536))


@contextmanager
def dying() -> Iterator[Dying]:
    server = Dying()
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.listener.shutdown(socket.SHUT_RDWR)
        server.listener.close()
        thread.join(timeout=10)


def test_what_may_have_been_a_change_is_sent_once() -> None:
    with dying() as one, dying() as other, proxying(one.port, other.port) as proxy:
        answer = httpx.post(f"{proxy.url}/graphql", content=b'{"query": "mutation"}', verify=False)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.json()["errors"][0]["extensions"]["code"] == ErrorCode.STORE_UNREACHABLE.value
        assert len(one.requests + other.requests) == 1


def test_what_only_reads_is_asked_of_the_other_too() -> None:
    with dying() as one, dying() as other, proxying(one.port, other.port) as proxy:
        assert httpx.get(f"{proxy.url}/export/default/a.json", verify=False).status_code == 503
        assert [len(each.requests) for each in (one, other)] == [1, 1]


def test_the_proxy_says_that_it_lives_though_no_server_does() -> None:
    with dying() as one, proxying(one.port, one.port) as proxy:
        assert httpx.get(f"{proxy.url}/proxyz", verify=False).json() == {"status": "ok"}
        assert one.requests == []
