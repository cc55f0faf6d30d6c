"""Fixtures of the tests that need the real Hermes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hermes.process import HermesProcess
from tests.postgres.conftest import server as postgres_server  # noqa: F401 - a fixture


@pytest.fixture
def hermes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HermesProcess]:
    """A running Hermes without a store; ends with the test."""
    with HermesProcess(tmp_path_factory.mktemp("hermes")) as process:
        yield process
