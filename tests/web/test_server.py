"""Starting and stopping as people and scripts see it: a process, its lines, its signals."""

from __future__ import annotations

import re
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import Settings
from hermes_sessions.web.server import COLLECT_AFTER, Greeting, listen
from tests.web.running import running, start
from tests.web.serving import BEARER, TOKEN

JSON = {"content-type": "application/json"}


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_ready_stands_on_one_line_when_requests_are_answered() -> None:
    with running() as server:
        assert re.fullmatch(r"READY http://127\.0\.0\.1:\d+", server.ready)
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert server.ask("{ hello }").json() == {"data": {"hello": "Hello you"}}


def test_a_stop_that_was_asked_for_is_no_failure() -> None:
    for asked_by in (signal.SIGTERM, signal.SIGINT):
        with running() as server:
            server.process.send_signal(asked_by)
            assert server.process.wait(timeout=10) == 0


def test_a_request_under_way_is_answered_before_the_end() -> None:
    with running() as server:
        received: list[httpx.Response] = []
        asking = threading.Thread(target=lambda: received.append(server.ask("{ slow(seconds: 1.5) }")))
        asking.start()
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        asking.join(timeout=10)
        assert received[0].json() == {"data": {"slow": "done"}}
        assert server.process.wait(timeout=10) == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/healthz")


def test_a_request_that_goes_on_for_longer_than_it_may_is_told_so() -> None:
    with running(drain_timeout="1") as server, ThreadPoolExecutor(1) as thread:
        asking = thread.submit(server.ask, "{ slow(seconds: 15) }")
        time.sleep(0.5)
        stopped_at = time.monotonic()
        _, log = server.stop()
        assert server.process.returncode == 0
        assert time.monotonic() - stopped_at < 10
        answer = asking.result(timeout=10)
    [error] = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]["code"]) == (503, "TIMEOUT")
    assert "read before you repeat it" in error["message"]
    assert "Traceback" not in log


def test_a_connection_that_rests_for_too_long_is_closed() -> None:
    with running(keep_alive_timeout="1") as server:
        address = urlsplit(server.url)
        with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            assert connection.recv(4096) == b""


def test_a_made_token_is_in_the_link_behind_the_hash(tmp_path: Path) -> None:
    with running(token="", state_dir=str(tmp_path)) as server:
        token = (tmp_path / "token").read_text().strip()
        assert server.link == f"Open {server.url}/#token={token}"
        assert server.ask("{ hello }", {"authorization": f"Bearer {token}"}).status_code == 200
        assert server.ask("{ hello }", {}).status_code == 401


def test_a_token_that_was_set_is_not_repeated_into_a_pipe() -> None:
    with running() as server:
        assert server.link == f"Open {server.url}/"


def test_the_token_never_reaches_the_log() -> None:
    with running(log_level="debug") as server:
        server.ask("{ hello }")
        server.ask("{ boom }")
        httpx.get(f"{server.url}/export/default/x.json?token={TOKEN}", headers=BEARER)
        httpx.get(f"{server.url}/{TOKEN}", headers=BEARER)
        httpx.get(f"{server.url}/readyz", headers={"authorization": f"Bearer {TOKEN}x"})
        printed, log = server.stop()
    assert "GET /export/default/x.json 200" in log
    assert "GET /[secret] " in log
    assert "RuntimeError" in log
    assert TOKEN not in log + printed


@pytest.mark.parametrize("workers", ["1", "2"])
def test_circles_of_objects_are_looked_for_rarely_in_every_process(workers: str) -> None:
    with running(workers=workers) as server:
        assert server.ask("{ collectsAfter }").json() == {"data": {"collectsAfter": COLLECT_AFTER[0]}}


def test_several_workers_share_one_address_and_say_ready_once() -> None:
    with running(workers="2") as server:
        processes: set[int] = set()
        deadline = time.monotonic() + 20
        while len(processes) < 2 and time.monotonic() < deadline:
            processes.add(server.ask("{ process }").json()["data"]["process"])
        assert len(processes) == 2
        assert server.process.pid not in processes
        printed, _ = server.stop()
        assert server.process.returncode == 0
    assert "READY" not in printed


def test_workers_end_when_their_supervisor_is_killed() -> None:
    with running(workers="2") as server:
        server.process.kill()
        deadline = time.monotonic() + 10
        while answers(server.url) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not answers(server.url)


def test_workers_that_cannot_start_end_the_server() -> None:
    process = start({"port": "0", "token": TOKEN, "workers": "2", "home": "/nowhere/at/all"})
    printed, log = process.communicate(timeout=20)
    assert process.returncode != 0
    assert "the application cannot start: There is nothing at /nowhere/at/all." in log
    assert "READY" not in printed


def test_a_taken_port_is_named_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(HermesSessionsError, match=rf"Port {port} .* is in use\. Choose another with --port"):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(HermesSessionsError, match=r"Cannot listen on 192\.0\.2\.1"):
        listen("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:1"),
        ("::1", "http://[::1]:1"),
        ("0.0.0.0", "http://127.0.0.1:1"),
        ("::", "http://[::1]:1"),
        ("localhost", "http://localhost:1"),
    ],
)
def test_the_address_can_be_used_as_it_is_printed(host: str, address: str) -> None:
    assert Greeting.of(Settings(host=host), 1, shows_token=True).address == address
