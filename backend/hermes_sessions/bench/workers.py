"""How many lists one process answers in a second, and how many two do."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hermes_sessions.bench.operations import SESSIONS
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import api
from hermes_sessions.bench.subjects import Subjects

CLIENTS = 8
REQUESTS_PER_CONNECTION = 20
"""Then it is opened anew, so that connections spread over the workers whoever took the first ones."""


def worker_row(home: Path, subjects: Subjects, seconds: float) -> Row:
    body = SESSIONS.body(subjects, 0)
    one, two = (_reads_per_second(home, workers, body, seconds) for workers in (1, 2))
    name = f"50 sessions by start, {CLIENTS} clients, two workers"
    return Row("workers", name, two, "reads/s", against="one worker", base=one, sessions=subjects.sessions)


def _reads_per_second(home: Path, workers: int, body: bytes, seconds: float) -> float:
    with api(home, workers) as served, ThreadPoolExecutor(CLIENTS) as pool:
        port = served.client.port
        _together(pool, port, body, min(1.0, seconds))  # every worker has read the store then
        return _together(pool, port, body, seconds)


def _together(pool: ThreadPoolExecutor, port: int, body: bytes, seconds: float) -> float:
    started = time.perf_counter()
    done = sum(pool.map(lambda _: _reads(port, body, started + seconds), range(CLIENTS)))
    return done / (time.perf_counter() - started)


def _reads(port: int, body: bytes, until: float) -> int:
    """Plain sockets: a client that parses headers would need the time of the workers on a small machine."""
    head = (
        f"POST /graphql HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    request = head.encode() + body
    done = 0
    while time.perf_counter() < until:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(REQUESTS_PER_CONNECTION):
                connection.sendall(request)
                _take_answer(connection)
                done += 1
                if time.perf_counter() >= until:
                    break
    return done


def _take_answer(connection: socket.socket) -> None:
    received = bytearray()
    end = -1
    while end < 0:
        received += _more(connection)
        end = received.find(b"\r\n\r\n")
    head = bytes(received[:end]).lower()
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"The API answered {head.splitlines()[0]!r}.")
    missing = int(head.partition(b"content-length:")[2].split(b"\r\n")[0]) - (len(received) - end - 4)
    while missing > 0:
        missing -= len(_more(connection))


def _more(connection: socket.socket) -> bytes:
    received = connection.recv(65_536)
    if not received:
        raise RuntimeError("The API closed a connection in the middle of an answer.")
    return received
