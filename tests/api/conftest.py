"""A server for each module and engine, with an empty home that cases add profiles to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import Server, serving
from tests.postgres.builder import aside
from tests.postgres.conftest import new_database
from tests.postgres.server import QUICK, PostgresServer

ENGINES = ("sqlite", "postgres")
CASES = 150
"""Profiles that are declared beforehand: a server learns of them when it starts."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What asks a server is asked of both engines."""
    if "server" in metafunc.fixturenames:
        metafunc.parametrize("server", ENGINES, indirect=True, scope="module")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked as being about SQLite is no test of PostgreSQL."""
    foreign = [item for item in items if _engine(item) == "postgres" and item.get_closest_marker("sqlite")]
    config.hook.pytest_deselected(items=foreign)
    items[:] = [item for item in items if item not in foreign]


def _engine(item: pytest.Item) -> object:
    return item.callspec.params.get("server") if hasattr(item, "callspec") else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    running = PostgresServer({**QUICK, "max_connections": "1000"})
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("api") / "home"
    declared: list[tuple[str, str]] = []
    if request.param == "postgres":
        database = request.getfixturevalue("postgres")
        url = aside(lambda: new_database(database))
        declared = [(f"case-{number}", f"{url}?schema=case_{number}") for number in range(1, CASES)]
    with serving(home, profile=tuple(declared)) as running:
        yield running
