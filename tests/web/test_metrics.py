"""What is counted, and that neither a client's text nor a worker that was killed spoils it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import httpx
from prometheus_client.parser import text_string_to_metric_families as families

from hermes_sessions.errors import ErrorCode
from hermes_sessions.settings import Settings
from tests.web.running import Running, running
from tests.web.serving import BEARER, TOKEN, Served, serving
from tests.web.talking import talking

Samples = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


def samples(url: str) -> Samples:
    answer = httpx.get(f"{url}/metrics", headers=BEARER)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name.removeprefix("hermes_sessions_"), frozenset(sample.labels.items())): sample.value
        for family in families(answer.text)
        for sample in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    """0 for what was not counted yet."""
    return found.get((name, frozenset(labels.items())), 0)


def requests(found: Samples, status: int, *, route: str = "graphql", method: str = "POST") -> float:
    return value(found, "http_requests_total", route=route, method=method, status=str(status))


def test_requests_operations_and_errors_are_counted() -> None:
    with serving(Settings(token=TOKEN)) as served:
        served.post({"query": "{ hello }"})
        served.post({"query": "{ refused }"})
        served.post({"query": "{ boom }"})
        served.post(b"nonsense")
        with served.client(host="evil.test") as client:
            client.get("/")
        found = samples(served.url)
    assert [requests(found, status) for status in (200, 503, 500, 400)] == [1, 1, 1, 1]
    assert requests(found, 403, route="dashboard", method="GET") == 1
    assert value(found, "http_request_seconds_count", route="graphql") == 4
    assert value(found, "graphql_operations_total", kind="query") == 1
    for code in ("STORE_BUSY", "INTERNAL", "BAD_USER_INPUT", "FORBIDDEN"):
        assert value(found, "errors_total", code=code) == 1, code
    assert value(found, "http_requests_under_way") == 1  # the one that asks


def test_every_error_is_there_before_the_first_one() -> None:
    """An alert compares with what was there before."""
    with serving(Settings(token=TOKEN)) as served:
        found = samples(served.url)
    assert [found["errors_total", frozenset({("code", code.value)})] for code in ErrorCode] == [0] * len(ErrorCode)


def test_profiles_are_told_as_they_are_at_the_moment(served: Served) -> None:
    found = samples(served.url)
    assert value(found, "profile_ready", profile="default") == 1
    assert ("profile_ready", frozenset({("profile", "team")})) in found
    assert value(found, "profile_ready", profile="team") == 0
    assert value(found, "store_bytes", profile="default") == 4096
    assert ("store_wal_bytes", frozenset({("profile", "team")})) not in found
    assert value(found, "build_info", version="1.2.3") == 1
    assert value(found, "process_resident_memory_bytes".removeprefix("hermes_sessions_")) > 0


def test_operations_over_websockets_are_counted_once_however_many_events_they_have() -> None:
    with serving(Settings(token=TOKEN)) as served:
        with talking(served) as talk:
            talk.begun().subscribe()
            for _ in range(3):
                talk.hear(type="next")
            found = samples(served.url)
            assert value(found, "websockets") == value(found, "websocket_operations_under_way") == 1
            assert value(found, "graphql_operations_total", kind="subscription") == 1
        deadline = time.monotonic() + 10
        while value(found := samples(served.url), "websockets") and time.monotonic() < deadline:
            time.sleep(0.05)
    assert value(found, "websockets") == value(found, "websocket_operations_under_way") == 0
    assert requests(found, 101, method="WEBSOCKET") == 1


def test_a_wrong_token_is_counted_wherever_it_is_tried(served: Served) -> None:
    def tried() -> float:
        return value(samples(served.url), "errors_total", code="UNAUTHENTICATED")

    before = tried()
    assert served.raw("GET", "/readyz", [("Host", "localhost"), ("Authorization", "Bearer wrong")]).status == 401
    assert tried() == before + 1
    with talking(served) as talk:
        assert talk.say({"type": "connection_init", "payload": {"Authorization": "Bearer wrong"}}).end()[0] == 4403
    deadline = time.monotonic() + 10
    while tried() < before + 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert tried() == before + 2


def test_no_text_of_a_client_makes_a_new_count(served: Served) -> None:
    def disturb(name: str) -> None:
        with served.client() as client:
            client.get(f"/{name}", headers={"accept": "text/html"})
            client.request("PROPFIND", f"/export/{name}/x.json")
        served.post({"query": f"query {name} {{ {name} }}"}, x_hermes_profile=name)

    disturb("first")
    known = set(samples(served.url))
    for number in range(10):
        disturb(f"secret{number}")
    assert set(samples(served.url)) == known


def test_the_counts_of_several_workers_are_one() -> None:
    with running(workers="2") as server:
        asked = 0
        processes: set[int] = set()
        deadline = time.monotonic() + 20
        while len(processes) < 2 and time.monotonic() < deadline:
            processes.add(server.ask("{ process }").json()["data"]["process"])
            asked += 1
        assert len(processes) == 2
        assert [requests(samples(server.url), 200) for _ in range(10)] == [asked] * 10
        kill_while_answering(server)
        deadline = time.monotonic() + 20
        while value(found := samples(server.url), "http_requests_under_way") != 1 and time.monotonic() < deadline:
            time.sleep(0.05)  # the dead process may not have been taken notice of yet
        assert value(found, "http_requests_under_way") == 1  # the one that asks
        assert requests(found, 200) >= asked


def kill_while_answering(server: Running) -> None:
    """Kills a worker that has a request under way."""
    with httpx.Client(base_url=server.url, headers=BEARER) as client, ThreadPoolExecutor(1) as thread:
        process = client.post("/graphql", json={"query": "{ process }"}).json()["data"]["process"]
        # On the same connection, and so by the same worker.
        answer = thread.submit(client.post, "/graphql", json={"query": "{ slow(seconds: 20) }"})
        deadline = time.monotonic() + 10
        while value(samples(server.url), "http_requests_under_way") < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(process, signal.SIGKILL)
        assert isinstance(answer.exception(timeout=10), httpx.RemoteProtocolError | httpx.ReadError)
