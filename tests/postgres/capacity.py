"""How many appends a second a store in PostgreSQL takes, and how many polls: `python -m tests.postgres.capacity`.

Database, servers and clients share the machine. Each client appends one message at a time to a session of its own.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asyncpg

from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer
from tests.postgres.writers import APPEND, CREATE
from tests.processes import Replica, replica, run_command

SECONDS = 6.0
PROFILES = ("one", "two", "three", "four")
LOADS = ((1, 1, 1), (1, 1, 8), (2, 1, 8), (1, 4, 8), (2, 4, 16))
"""Servers, profiles and clients."""
TEXT = "Some words about a lighthouse at sea. " * 12


@contextmanager
def replicas(url: str, folder: Path) -> Iterator[list[Replica]]:
    named = [part for name in PROFILES for part in ("--profile", f"{name}={url}?schema={name}")]
    run_command(folder, "migrate", *named)
    with ExitStack() as stack:
        yield [stack.enter_context(replica(folder / name, *named)) for name in ("first", "second")]


def appends(servers: list[Replica], profiles: int, clients: int) -> list[float]:
    """Seconds of each append."""
    took: list[float] = []
    end = time.monotonic() + SECONDS

    def work(number: int) -> None:
        server = servers[number % len(servers)]
        profile = PROFILES[number // len(servers) % profiles]
        id = f"{len(servers)}-{profiles}-{clients}-{number}"
        server.ask(CREATE, profile=profile, id=id)
        with server.client(profile) as client:
            while time.monotonic() < end:
                begun = time.monotonic()
                variables = {"id": id, "client": f"{id}-{begun}", "text": TEXT}
                answer = client.post("/graphql", json={"query": APPEND, "variables": variables}).json()
                assert "errors" not in answer, answer
                took.append(time.monotonic() - begun)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


async def polls(url: str) -> float:
    """A second, on one connection."""
    connection = await asyncpg.connect(url)
    begun, count = time.monotonic(), 0
    while time.monotonic() - begun < 2:
        await connection.fetchrow(f"SELECT id, revision FROM {PROFILES[0]}.store")
        count += 1
    await connection.close()
    return count / 2


def main() -> None:
    database = PostgresServer({"shared_buffers": "512MB", "max_connections": "200"})
    database.start()
    try:
        url = asyncio.run(new_database(database))
        with tempfile.TemporaryDirectory() as folder, replicas(url, Path(folder)) as servers:
            for count, profiles, clients in LOADS:
                took = appends(servers[:count], profiles, clients)
                median, most = statistics.median(took) * 1000, statistics.quantiles(took, n=100)[98] * 1000
                load = f"{count} servers, {profiles} profiles, {clients} clients"
                print(f"{load}: {len(took) / SECONDS:.0f} appends a second, {median:.1f} ms (median), {most:.0f} (p99)")
            print(f"{asyncio.run(polls(url)):.0f} polls a second")
    finally:
        database.close()


if __name__ == "__main__":
    main()
