"""One PostgreSQL for the tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres.server import PostgresServer


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    running = PostgresServer()
    try:
        running.start()
        yield running
    finally:
        running.close()
