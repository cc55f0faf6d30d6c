"""A server for each module and engine, with an empty home that cases add profiles to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import Server, serving
from tests.postgres.builder import aside
from tests.postgres.conftest import new_database
from tests.postgres.pooler import pooled
from tests.postgres.server import QUICK, PostgresServer, running_server

ENGINES = ("sqlite", "postgres")
POOLED = "postgres-pooled"
"""PostgreSQL behind a pooler in transaction mode."""
OF_A_POOLER = {
    f"tests.api.test_{name}"
    for name in (
        *("actions", "appending", "bulk", "ending", "forking", "recording", "restoring"),
        *("message_stream", "search_reference", "session_changes"),
    )
}
"""Modules that are asked of it, too: changes of every kind, search, and subscriptions."""
CASES = 150
"""Profiles that are declared beforehand: a server learns of them when it starts."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What asks a server is asked of both engines, and some of it behind a pooler."""
    if "server" in metafunc.fixturenames:
        more = (POOLED,) if metafunc.module.__name__ in OF_A_POOLER else ()
        metafunc.parametrize("server", (*ENGINES, *more), indirect=True, scope="module")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked as being about SQLite is no test of PostgreSQL."""
    foreign = [item for item in items if _engine(item) in ("postgres", POOLED) and item.get_closest_marker("sqlite")]
    config.hook.pytest_deselected(items=foreign)
    items[:] = [item for item in items if item not in foreign]


def _engine(item: pytest.Item) -> object:
    return item.callspec.params.get("server") if hasattr(item, "callspec") else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with running_server({**QUICK, "max_connections": "1000"}) as running:
        yield running


@pytest.fixture(scope="session")
def pooler(postgres: PostgresServer) -> Iterator[int]:
    """The port of a pooler before it."""
    with pooled(postgres, pool_size=6) as port:
        yield port


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("api") / "home"
    declared: list[tuple[str, str]] = []
    if request.param != "sqlite":
        database = request.getfixturevalue("postgres")
        url, query = aside(lambda: new_database(database)), ""
        if request.param == POOLED:
            url = url.replace(f":{database.port}/", f":{request.getfixturevalue('pooler')}/")
            query = "&pgbouncer=true"
        declared = [(f"case-{number}", f"{url}?schema=case_{number}{query}") for number in range(1, CASES)]
    with serving(home, profile=tuple(declared)) as running:
        yield running
