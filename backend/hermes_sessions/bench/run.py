"""Starts the floor and the API on one home, asks both in turn, and gives medians and ratios."""

from __future__ import annotations

import contextlib
import http.client
import json
import platform
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hermes_sessions.bench.operations import OPERATIONS, Operation, Subjects

ROUNDS = 200
WARM_UP = 20
START_SECONDS = 120.0


@dataclass(frozen=True)
class Measure:
    """Medians in milliseconds; `ratio` is API to floor. `count` is the number of items in the API's answer."""

    operation: str
    count: int
    api_ms: float
    api_p95_ms: float
    floor_ms: float | None
    ratio: float | None
    api_bytes: int
    floor_bytes: int | None


def run_bench(home: Path, rounds: int = ROUNDS, output: Path | None = None) -> str:
    """Measures every operation on the default profile of a home. Gives a table; writes JSON where asked."""
    with _server(["-m", "hermes_sessions.bench.floor", str(home / "state.db")]) as floor, _api(home) as api:
        subjects = _subjects(api)
        measures = [_measure(operation, subjects, api, floor, rounds) for operation in OPERATIONS]
    if output is not None:
        facts = {"python": platform.python_version(), "machine": platform.machine(), "rounds": rounds}
        output.write_text(json.dumps({**facts, "measures": [asdict(measure) for measure in measures]}, indent=2) + "\n")
    return table(measures)


def table(measures: list[Measure]) -> str:
    """A Markdown table, as docs/performance.md holds it."""
    lines = ["| operation | items | API ms | p95 | floor ms | ratio |", "|---|---|---|---|---|---|"]
    for m in measures:
        floor = f"{m.floor_ms:.2f}" if m.floor_ms is not None else "–"
        ratio = f"{m.ratio:.1f}" if m.ratio is not None else "–"
        lines.append(f"| {m.operation} | {m.count} | {m.api_ms:.2f} | {m.api_p95_ms:.2f} | {floor} | {ratio} |")
    return "\n".join(lines)


class Client:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def close(self) -> None:
        self._connection.close()

    def post(self, path: str, body: bytes) -> bytes:
        self._connection.request("POST", path, body, {"content-type": "application/json"})
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise RuntimeError(f"{path} answered {response.status}: {answer[:300]!r}")
        return answer

    def ask(self, document: str, variables: dict[str, Any]) -> dict[str, Any]:
        answer = json.loads(self.post("/graphql", _body(document, variables)))
        if "errors" in answer:
            raise RuntimeError(f"The API answered with errors: {answer['errors'][:2]}")
        data: dict[str, Any] = answer["data"]
        return data


def _measure(operation: Operation, subjects: Subjects, api: Client, floor: Client, rounds: int) -> Measure:
    variables = operation.variables(subjects)
    body = _body(operation.document, variables)
    count = operation.count(api.ask(operation.document, variables))
    path = operation.floor(subjects) if operation.floor is not None else None
    api_times: list[float] = []
    floor_times: list[float] = []
    api_bytes = floor_bytes = 0
    for at in range(rounds + WARM_UP):  # in turn, so that noise of the machine meets both alike
        started = time.perf_counter()
        api_bytes = len(api.post("/graphql", body))
        between = time.perf_counter()
        if path is not None:
            floor_bytes = len(floor.post(path, body))
        ended = time.perf_counter()
        if at >= WARM_UP:
            api_times.append((between - started) * 1000)
            floor_times.append((ended - between) * 1000)
    api_ms, floor_ms = statistics.median(api_times), statistics.median(floor_times)
    return Measure(
        operation=operation.name,
        count=count,
        api_ms=round(api_ms, 3),
        api_p95_ms=round(statistics.quantiles(api_times, n=20)[-1], 3),
        floor_ms=round(floor_ms, 3) if path is not None else None,
        ratio=round(api_ms / floor_ms, 2) if path is not None else None,
        api_bytes=api_bytes,
        floor_bytes=floor_bytes if path is not None else None,
    )


def _subjects(api: Client) -> Subjects:
    """The session with the most messages, the root of the greatest tree among the newest sessions, a deep cursor."""
    longest = api.ask("{ sessions(first: 1, orderBy: {field: MESSAGES}) { nodes { id } } }", {})
    trees = api.ask("{ sessions(first: 200) { nodes { root { id } lineage(maxNodes: 1) { totalCount } } } }", {})
    widest = max(trees["sessions"]["nodes"], key=lambda node: node["lineage"]["totalCount"])
    cursor: str | None = None
    for _ in range(100):
        page = api.ask(
            "query ($after: String) { conversations(first: 500, after: $after)"
            " { pageInfo { hasNextPage endCursor } } }",
            {"after": cursor},
        )["conversations"]["pageInfo"]
        if not page["hasNextPage"]:
            break
        cursor = page["endCursor"]
    return Subjects(longest["sessions"]["nodes"][0]["id"], widest["root"]["id"], cursor)


def _body(document: str, variables: dict[str, Any]) -> bytes:
    return json.dumps({"query": document, "variables": variables}).encode()


@contextlib.contextmanager
def _api(home: Path) -> Iterator[Client]:
    options = ["--home", str(home), "--no-auth", "--no-open", "--port"]
    with _server(["-m", "hermes_sessions", "serve", *options]) as client:
        yield client


@contextlib.contextmanager
def _server(arguments: list[str]) -> Iterator[Client]:
    """A server of ours in a process of its own, whose last argument is a free port; ended at the end."""
    port = _free_port()
    process = subprocess.Popen([sys.executable, *arguments, str(port)], stdout=subprocess.DEVNULL)
    try:
        _wait(port, process)
        with contextlib.closing(Client(port)) as client:
            yield client
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError("A server did not start; its message stands above.")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
