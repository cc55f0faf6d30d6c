"""Where a server's password comes from: PGPASSWORD, ~/.pgpass or the URL, and nobody reads it anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres.server import PostgresServer
from tests.postgres.test_tls import PASSWORD, READY, state
from tests.processes import run_command


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """One that asks for a password, with a store."""
    running = PostgresServer(password=PASSWORD)
    try:
        running.start()
        folder, profile = tmp_path_factory.mktemp("locked"), f"team={running.url()}"
        run_command(folder, "migrate", "--profile", profile, environment={"PGPASSWORD": PASSWORD})
        yield running
    finally:
        running.close()


def pass_file(folder: Path, line: str) -> None:
    folder.mkdir()
    (folder / ".pgpass").write_text(line)
    (folder / ".pgpass").chmod(0o600)


@pytest.mark.parametrize("source", ["variable", "file", "url"])
def test_the_password_comes_from_any_of_its_places(locked: PostgresServer, tmp_path: Path, source: str) -> None:
    url, environment = locked.url(), {}
    match source:
        case "variable":
            environment = {"PGPASSWORD": PASSWORD}
        case "file":
            pass_file(tmp_path / "home", f"127.0.0.1:{locked.port}:*:postgres:{PASSWORD}\n")
        case "url":
            url = url.replace("postgres@", f"postgres:{PASSWORD}@")
    assert state(tmp_path / "home", url, environment) == READY


def test_a_password_that_is_missing_or_wrong_is_said(locked: PostgresServer, tmp_path: Path) -> None:
    pass_file(tmp_path / "file", f"another.example:{locked.port}:*:postgres:{PASSWORD}\n")
    for name, environment in (("file", {}), ("none", {}), ("wrong", {"PGPASSWORD": f"not-{PASSWORD}"})):
        found = state(tmp_path / name, locked.url(), environment)
        assert found["status"] == "UNREACHABLE"
        assert "password" in found["reason"]
