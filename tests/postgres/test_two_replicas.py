"""Two servers under steady writing and many subscribers: each event comes once, soon, and nothing piles up."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import psutil
import pytest

from tests.api.serving import Json
from tests.api.streaming import CHANGES, MESSAGES
from tests.postgres.listeners import Listener, listening, until
from tests.postgres.writers import APPEND, CREATE
from tests.processes import Replica, client_of, replica, run_command

CONNECTIONS = 4
"""Of each server; by default they are more."""
WRITES_A_SECOND = 50
WRITERS = 10
OF_EACH_KIND = 5
"""Subscriptions at each server."""
TALKS = [f"talk-{number}" for number in range(OF_EACH_KIND)]
"""Conversations that get messages."""
WITHIN_SECONDS = 5.0
"""Most that an event may take, on a busy machine."""
OWN = "FROM pg_stat_activity WHERE application_name = 'hermes-sessions' AND datname = current_database()"


@pytest.fixture
def replicas(url: str, tmp_path: Path) -> Iterator[tuple[Replica, Replica]]:
    run_command(tmp_path, "migrate", "--profile", f"team={url}")
    environment = {"HERMES_SESSIONS_POSTGRES_CONNECTIONS": str(CONNECTIONS)}
    with (
        replica(tmp_path / "one", "--profile", f"team={url}", environment=environment) as one,
        replica(tmp_path / "other", "--profile", f"team={url}", environment=environment) as other,
    ):
        yield one, other


@dataclass
class Sampler:
    """How many connections the database has from the servers, and how many files each server has open."""

    url: str
    replicas: Sequence[Replica]
    connections: list[int] = field(default_factory=list)
    files: list[tuple[int, ...]] = field(default_factory=list)

    async def run(self, ending: threading.Event) -> None:
        connection = await asyncpg.connect(self.url)
        while not ending.is_set():
            self.connections.append(await connection.fetchval(f"SELECT count(*) {OWN}"))
            self.files.append(open_files(self.replicas))
            await asyncio.sleep(0.25)
        await connection.close()


def open_files(replicas: Sequence[Replica]) -> tuple[int, ...]:
    return tuple(psutil.Process(each.pid).num_fds() for each in replicas)


@contextmanager
def sampling(url: str, replicas: Sequence[Replica]) -> Iterator[Sampler]:
    ending, sampler = threading.Event(), Sampler(url, replicas)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(lambda: asyncio.run(sampler.run(ending)))
        try:
            yield sampler
        finally:
            ending.set()
        running.result()


@dataclass
class Written:
    """What was acknowledged, and when: messages by their text, sessions by their id."""

    messages: dict[str, float] = field(default_factory=dict)
    sessions: dict[str, float] = field(default_factory=dict)

    def run(self, writer: int, port: int, until_moment: float) -> None:
        """Every other write is a message. It keeps to its times, and makes up for those that it missed."""
        pause = WRITERS / WRITES_A_SECOND
        planned, number = time.monotonic() + pause * writer / WRITERS, 0
        with client_of(port, "team") as client:

            def change(document: str, **variables: str) -> None:
                body: Json = client.post("/graphql", json={"query": document, "variables": variables}).json()
                assert "errors" not in body, body
                [payload] = body["data"].values()
                assert payload["userErrors"] == []

            while planned < until_moment:
                time.sleep(max(0.0, planned - time.monotonic()))
                name = f"{writer}-{number}"
                if number % 2:
                    change(CREATE, id=name)
                    self.sessions[name] = time.monotonic()
                else:
                    change(APPEND, id=TALKS[number // 2 % len(TALKS)], client=name, text=name)
                    self.messages[name] = time.monotonic()
                planned, number = planned + pause, number + 1


def test_steady_writing_is_told_once_by_both_servers_and_nothing_piles_up(
    replicas: tuple[Replica, Replica], url: str, seconds: float, figure: Callable[[str], None]
) -> None:
    for talk in TALKS:
        assert replicas[0].ask(CREATE, id=talk)["data"]["createSession"]["userErrors"] == []
    fill_pools(replicas)
    idle_connections, idle_files = asyncio.run(count_connections(url)), open_files(replicas)

    streams = [Listener([each.port], "team", MESSAGES, {"id": talk}) for each in replicas for talk in TALKS]
    changes = [Listener([each.port], "team", CHANGES) for each in replicas for _ in range(OF_EACH_KIND)]
    written = Written()
    with listening([*streams, *changes]):
        with sampling(url, replicas) as sampler:
            write(written, replicas, seconds)
        until(lambda: all(len(heard_created(each)) >= len(written.sessions) for each in changes), within=10)
        until(lambda: sum(map(len, map(heard_messages, streams))) >= 2 * len(written.messages), within=10)
        time.sleep(0.5)  # for what would come twice

    late = lateness(streams, changes, written)
    assert max(late) < WITHIN_SECONDS
    assert max(sampler.connections) <= 2 * CONNECTIONS
    for files in zip(*sampler.files, strict=True):
        assert max(files[len(files) // 2 :]) <= max(files[: len(files) // 2]) + 2
    assert asyncio.run(is_left_alone(url))
    assert asyncio.run(count_connections(url)) == idle_connections
    assert until(lambda: open_files(replicas) == idle_files, within=10), (open_files(replicas), idle_files)
    number = len(written.messages) + len(written.sessions)
    figure(
        f"Two servers, {seconds:g} s: {number} writes ({number / seconds:.0f} a second) told to {len(changes)} and "
        f"{len(streams)} subscribers, each once; from acknowledgement to event {1000 * statistics.median(late):.0f} ms "
        f"(median), at most {1000 * max(late):.0f} ms; {max(sampler.connections)} connections, "
        f"{max(map(max, sampler.files))} files at most."
    )


def fill_pools(replicas: Sequence[Replica]) -> None:
    """Each server has as many connections as it takes, so that their number says something."""
    with ThreadPoolExecutor(8 * CONNECTIONS) as threads:
        for each in replicas:
            asked = [threads.submit(each.ask, "{ conversations { totalCount } }") for _ in range(8 * CONNECTIONS)]
            for answer in asked:
                assert "errors" not in answer.result()


async def count_connections(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval(f"SELECT count(*) {OWN}"))
    finally:
        await connection.close()


async def is_left_alone(url: str) -> bool:
    """Whether the servers ask nothing of the database any more."""
    connection = await asyncpg.connect(url)
    try:
        async with asyncio.timeout(10):
            last = None
            while last != (last := await connection.fetchval(f"SELECT max(query_start) {OWN}")):
                await asyncio.sleep(1)
        return bool(await connection.fetchval(f"SELECT bool_and(state = 'idle') {OWN}"))
    finally:
        await connection.close()


def write(written: Written, replicas: Sequence[Replica], seconds: float) -> None:
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(WRITERS) as threads:
        ports = [replicas[number % 2].port for number in range(WRITERS)]
        running = [threads.submit(written.run, number, port, end) for number, port in enumerate(ports)]
        for each in running:
            each.result()


def heard_messages(stream: Listener) -> list[tuple[float, str]]:
    return [(at, event["message"]["content"]) for at, event in stream.heard if event["message"]]


def heard_created(listener: Listener) -> list[tuple[float, str]]:
    return [(at, event["sessionId"]) for at, event in listener.heard if event["kind"] == "CREATED"]


def lateness(streams: Sequence[Listener], changes: Sequence[Listener], written: Written) -> list[float]:
    """Seconds from the acknowledgement to each event, of which each subscriber has heard everything once."""
    late: list[float] = []
    for listener in changes:
        heard = heard_created(listener)
        assert Counter(id for _, id in heard) == Counter(list(written.sessions))
        late += [max(0.0, at - written.sessions[id]) for at, id in heard]
    for half in (streams[: len(TALKS)], streams[len(TALKS) :]):
        told = [each for stream in half for each in heard_messages(stream)]
        assert Counter(text for _, text in told) == Counter(list(written.messages))
        late += [max(0.0, at - written.messages[text]) for at, text in told]
    for each in (*streams, *changes):
        assert all(event["complete"] for event in each.events)
        assert (each.begun, each.refusals) == (1, [])
    return late
