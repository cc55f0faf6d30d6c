"""One server for all tests of a worker, and an empty database for each test."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator

import asyncpg
import pytest

from tests.postgres.server import PostgresServer, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def url(server: PostgresServer) -> str:
    """Of a database that holds nothing."""
    return asyncio.run(new_database(server))


async def new_database(server: PostgresServer) -> str:
    name = f"test_{secrets.token_hex(6)}"
    connection = await asyncpg.connect(server.url())
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return server.url(name)
